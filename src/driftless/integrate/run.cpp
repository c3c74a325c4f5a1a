#include "driftless/integrate/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "driftless/core/scratch.h"
#include "driftless/core/stop.h"
#include "driftless/integrate/certificate_keeper.h"
#include "driftless/integrate/event_accumulation.h"
#include "driftless/integrate/event_watch.h"
#include "driftless/integrate/fixed_steps.h"
#include "driftless/integrate/index_watch.h"
#include "driftless/integrate/integrator.h"
#include "driftless/integrate/outgrown.h"
#include "driftless/integrate/residual_check.h"
#include "driftless/integrate/tolerance_watch.h"
#include "driftless/nonlinear/convergence.h"

namespace driftless {

namespace {

// One run: steps, output, events and restarts.
class Run {
 public:
  Run(SolutionRecorder& solution, const Stepper* stepper, const SolveOptions& options)
      : solution_(solution),
        stepper_(stepper),
        options_(options),
        equations_(solution.equations()),
        size_(layout_of(equations_).size()),
        scratch_(size_),
        index_watch_(equations_, options.certificate),
        watch_(options.events, layout_of(equations_).names()),
        accumulation_(options.event_limit, options.span.end - options.span.begin),
        tolerance_watch_(layout_of(equations_), options.tolerance) {
    if (options.certificate || options.history) keeper_.emplace(equations_, options.written);
    if (stepper) grid_.emplace(options);
    constexpr std::size_t most_unknowns = 20'000;  // some hundred megabytes for some hundred steps
    keeps_dense_ = options.dense.value_or(size_ <= most_unknowns) && (!stepper || options.keep_every == 1);
  }

  void run() {
    Vector state = solution_.start().state;
    double t = last_ = options_.span.begin;
    see(t, state);
    write_times_until(t, [&](double, Span out) {
      std::copy(state.begin(), state.end(), out.begin());
      return ManifoldStatus::ok;
    });
    try {
      while (advance(t, state)) {
      }
    } catch (const Stopped&) {
      fail(stopped(last_));
    }
    Certificate certificate = keeper_ ? keeper_->certificate() : Certificate();
    certificate.condition = index_watch_.condition();
    certificate.condition_time = index_watch_.condition_time();
    solution_.certify(certificate);
    if (auto warning = tolerance_watch_.verdict(); warning && !stepper_) solution_.warn(*std::move(warning));
  }

 private:
  // From a start or restart to the next jump or the end; true if there is more to do.
  bool advance(double& t, Vector& state) {
    const auto integrator = make_integrator_at(t, state);
    watch_.restart(t, state, jumped_);
    if (watch_.undefined()) return fail(undefined_event());
    index_watch_.restart(t, state);
    if (options_.history) integrator->note_rejections(solution_.note().rejections);
    Statistics before = solution_.statistics();
    std::size_t changes_seen = 0;
    while (!integrator->finished()) {
      check_stop();
      const double begin = integrator->time();
      const std::size_t newton_before = integrator->statistics().newton_iterations;
      auto failure = integrator->step();
      (solution_.count() = before) += integrator->statistics();
      was_implicit_ = integrator->implicit();
      solution_.restart_with(integrator->restart_size());
      for (; changes_seen < integrator->changes().size(); ++changes_seen)
        solution_.keep(integrator->changes()[changes_seen]);
      if (failure) {
        failure = index_watch_.explain(std::move(*failure), integrator->step_size());
        return fail(blame_growth(std::move(*failure), layout_of(equations_), begin, integrator->state()));
      }
      const double end = integrator->time();
      record_ = {.time = begin,
                 .order = integrator->order(),
                 .newton_iterations = integrator->statistics().newton_iterations - newton_before};
      integrator->regularity(regularity_);
      const bool suspicious = index_watch_.see(end, integrator->state(), regularity_,
                                               [&](Matrix& out) { return integrator->decisive(out); });
      DenseStep dense;
      const bool looks_inside = suspicious || !options_.events.empty() || output_is_due(end);
      if (looks_inside || keeps_dense_) dense = integrator->dense();
      if (looks_inside) before.evaluations += dense.finish(manifold());
      (solution_.count() = before) += integrator->statistics();
      std::optional<Failure> lost;
      if (suspicious) lost = index_watch_.search([&](double time, Span out) { dense.evaluate(time, out); });
      // An event that comes first may end the run, or lead it elsewhere.
      if (std::optional<bool> more = handle_events(dense, begin, lost ? lost->time : end, t, state)) return *more;
      if (lost) return fail(std::move(*lost));
      if (auto off = finish_step(end, integrator->state(), integrator->finished(), dense)) return fail(std::move(*off));
      if (auto off = violation(end, integrator->state(), integrator->finished())) return fail(std::move(*off));
      if (keeps_dense_) solution_.keep(std::move(dense));
    }
    return false;
  }

  std::unique_ptr<Integrator> make_integrator_at(double t, ConstSpan state) const {
    if (stepper_) return std::make_unique<FixedSteps>(equations_, *stepper_, options_.method, *grid_, t, state);
    RadauOptions radau = options_.radau;
    radau.between_steps |= !options_.output_times.empty() || !options_.events.empty();
    Stepping stepping = options_.stepping;
    if (jumped_) stepping.first_at_most = solution_.restart_size();
    return make_integrator(equations_, {options_.adaptive, options_.tolerance, stepping, radau, was_implicit_}, t,
                           options_.span.end, state);
  }

  // Empty: no event changed the course of the run.
  std::optional<bool> handle_events(const DenseStep& dense, double begin, double end, double& t, Vector& state) {
    if (options_.events.empty()) return std::nullopt;
    const auto interpolant = [&](double time, Span out) { interpolate(dense, time, out); };
    const EventWatch::Nearby unprojected{.at = [&](double time, Span out) { dense.evaluate(time, out); },
                                         .rough_multipliers = dense.multipliers_by_constraint && dense.multipliers > 0};
    const double direction = end >= begin ? 1.0 : -1.0;
    for (EventRecord& record : watch_.find(begin, end, interpolant, unprojected)) {
      if (watch_.undefined() && direction * (watch_.undefined()->time - record.time) <= 0.0) break;
      const Event& event = options_.events[record.event];
      const double time = record.time;
      Vector there = record.state;
      if (const auto status = interpolate(dense, time, scratch_); status != ManifoldStatus::ok)
        return fail(explain(status, equations_, time, there));
      const std::size_t fired = record.event;
      solution_.keep(std::move(record));
      if (keeper_) keeper_->see_between(time, there);
      if (accumulation_.see(time))
        return fail(accumulation_.failure(
            time, event.name,
            "make the event terminal, change the model where it comes to rest, or raise event_limit"));
      if (!event.terminal && !event.jump) continue;
      if (keeps_dense_) {
        DenseStep cut = dense;
        cut.valid_until = time;
        solution_.keep(std::move(cut));
      }
      if (auto off = finish_step(time, there, true, dense)) return fail(std::move(*off));
      if (options_.project_output)
        if (auto off = violation(time, there, true)) return fail(std::move(*off));
      if (event.terminal) {
        solution_.end_by(event.name);
        return false;
      }
      event.jump(time, {there, layout_of(equations_).names()});
      if (!all_finite(there)) return fail(not_finite_jump(event, time));
      auto consistent = make_consistent(equations_, time, there, {.after_event = true});
      if (!consistent) return fail(consistent.failure());
      there = consistent->state;
      solution_.note_moves(std::move(consistent->moves));
      solution_.append(time, there);
      see(time, there);
      t = time;
      state = there;
      jumped_ = fired;
      return t != options_.span.end;
    }
    if (watch_.undefined()) return fail(undefined_event());
    return std::nullopt;
  }

  std::optional<Failure> finish_step(double t, ConstSpan state, bool last, const DenseStep& dense) {
    see(t, state);
    last_ = t;
    if (options_.history) record_step(t);
    if (options_.observer) options_.observer(t, {state, layout_of(equations_).names()});
    if (auto off = write_times_until(t, [&](double time, Span out) { return interpolate(dense, time, out); }))
      return off;
    const bool wanted = options_.output_times.empty() && (++steps_ % options_.keep_every == 0 || last);
    if (wanted || (last && solution_.time(solution_.size() - 1) != t)) solution_.append(t, state);
    return std::nullopt;
  }

  bool output_is_due(double t) const {
    const double direction = options_.span.end > options_.span.begin ? 1.0 : -1.0;
    return next_output_ < options_.output_times.size() && direction * (options_.output_times[next_output_] - t) <= 0.0;
  }

  template <class At>
  std::optional<Failure> write_times_until(double t, const At& at) {
    for (; output_is_due(t); ++next_output_) {
      const double time = options_.output_times[next_output_];
      if (time == options_.span.begin) continue;  // the start is there already
      check_stop();
      if (const auto status = at(time, scratch_); status != ManifoldStatus::ok)
        return explain(status, equations_, time, scratch_);
      if (keeper_) keeper_->see_between(time, scratch_);
      solution_.append(time, scratch_);
    }
    return std::nullopt;
  }

  void see(double t, ConstSpan state) {
    tolerance_watch_.see(state);
    if (keeper_) keeper_->see(t, state);
  }

  // Whether a constraint is off by more than the tolerance. Between events this is looked at closely only where a
  // residual is far larger than all that have passed.
  std::optional<Failure> violation(double t, ConstSpan state, bool closely) {
    // Fixed steps have no tolerance, and drift is what was asked for.
    if (stepper_ || options_.radau.projection != Projection::full) return std::nullopt;
    bool grown = false;
    for (std::size_t k = 0; keeper_ && k < passed_.size(); ++k) grown |= keeper_->latest()[k] > 10.0 * passed_[k];
    if (!grown && !closely) return std::nullopt;
    auto failure = off_constraints(equations_, index_watch_.manifold(), t, state, options_.tolerance);
    for (std::size_t k = 0; keeper_ && !failure && k < passed_.size(); ++k)
      passed_[k] = std::fmax(passed_[k], keeper_->latest()[k]);
    return failure;
  }

  // A step that an event cut counts as far as it is used.
  void record_step(double t) {
    record_.h = t - record_.time;
    record_.time = t;
    record_.residual = keeper_->latest();
    solution_.note().steps.push_back(record_);
  }

  // As Solution::at does it, to the last bit.
  ManifoldStatus settle(double t, Span state) {
    Scratch scratch;
    const std::size_t m = manifold().constraint_count();
    const auto status = manifold().project(t, state, true, scratch.take<double>(m), scratch.take<double>(m));
    return status == ManifoldStatus::ok ? manifold().set_multipliers(t, state) : status;
  }

  // Where the manifold is not found, the polynomial may look like a result, and is none: it breaks constraints, or the
  // hidden ones that multipliers are to meet.
  ManifoldStatus interpolate(const DenseStep& dense, double t, Span out) {
    dense.evaluate(t, out);
    const Vector kept(out.begin(), out.end());
    auto status = ManifoldStatus::ok;
    if (options_.project_output)
      status = settle(t, out);
    else if (dense.multipliers_by_constraint)
      status = manifold().set_multipliers(t, out);
    if (status != ManifoldStatus::ok) std::copy(kept.begin(), kept.end(), out.begin());
    return status;
  }

  // Only output between steps and restarts need one.
  Manifold& manifold() {
    if (!manifold_) manifold_ = make_manifold(equations_);
    return *manifold_;
  }

  Failure undefined_event() const {
    return {.kind = FailureKind::not_finite,
            .time = watch_.undefined()->time,
            .what_happened = "the function of an event is not a number, so its roots cannot be seen",
            .what_to_try =
                "guard its formula (division by zero, square root or logarithm of a negative number), or say "
                "in Event::where_undefined what it counts as",
            .where = options_.events[watch_.undefined()->event].name};
  }

  static Failure not_finite_jump(const Event& event, double time) {
    return {.kind = FailureKind::not_finite,
            .time = time,
            .what_happened = "the jump of an event made a value that is not finite",
            .what_to_try = "guard its formula (division by zero, square root or logarithm of a negative number)",
            .where = event.name};
  }

  bool fail(Failure failure) {
    solution_.fail(std::move(failure));
    return false;
  }

  SolutionRecorder& solution_;
  const Stepper* stepper_;         // of fixed steps
  std::optional<FixedGrid> grid_;  // of them
  const SolveOptions& options_;
  const Equations& equations_;
  std::size_t size_;
  std::unique_ptr<Manifold> manifold_;
  Vector scratch_;
  std::optional<CertificateKeeper> keeper_;
  IndexWatch index_watch_;
  Regularity regularity_;  // at the end of the step at hand
  EventWatch watch_;
  EventAccumulation accumulation_;
  ToleranceWatch tolerance_watch_;
  std::size_t next_output_ = 0, steps_ = 0;
  double last_ = 0.0;                  // where the last accepted step ends
  std::optional<std::size_t> jumped_;  // the event that the run restarted from
  bool was_implicit_ = false, keeps_dense_ = false;
  std::array<double, 2> passed_ = {1e-14, 1e-14};  // residuals of the first two levels that were no violation
  StepRecord record_;                              // of the step at hand; its time is where it begins until it is kept
};

}  // namespace

void run(SolutionRecorder& solution, const Stepper* stepper, const SolveOptions& options) {
  Run(solution, stepper, options).run();
}

}  // namespace driftless
