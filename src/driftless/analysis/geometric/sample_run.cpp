#include "driftless/analysis/geometric/sample_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/equations/manifold.h"
#include "driftless/integrate/integrator.h"
#include "driftless/nonlinear/convergence.h"

namespace driftless {

namespace {

// What both kinds of runs share: keeping points, and noticing that a run went astray.
class Samples {
 public:
  Samples(const Index2& equations, const SamplingOptions& options)
      : equations_(equations),
        options_(options),
        kept_(options.multipliers ? equations.layout().size() : equations.u_size()) {}

  bool full() const { return coordinates_.size() >= options_.samples * kept_; }
  std::size_t count() const { return coordinates_.size() / kept_; }
  void keep(ConstSpan state) {
    if (!full())
      coordinates_.insert(coordinates_.end(), state.begin(), state.begin() + static_cast<std::ptrdiff_t>(kept_));
  }
  Vector take() { return std::move(coordinates_); }

  bool is_astray(ConstSpan state) const { return !(max_norm(point_of(equations_, state)) <= options_.bound); }
  Failure astray(double t, ConstSpan state) const {
    std::size_t worst = 0;
    for (std::size_t i = 0; i < equations_.u_size(); ++i)
      if (!(std::abs(state[i]) <= std::abs(state[worst]))) worst = i;
    return {.kind = FailureKind::diverged,
            .time = t,
            .what_happened = fmt::format("{} = {:.3g} is beyond the bound of {:.3g}", equations_.layout().name(worst),
                                         state[worst], options_.bound),
            .what_to_try = "starts nearer to the attracting set, smaller steps, or a larger bound if this is no escape",
            .where = equations_.layout().name(worst)};
  }
  double longest_time() const {
    if (options_.longest_time > 0.0) return options_.longest_time;
    const double n = static_cast<double>(options_.samples);
    return options_.transient + (options_.section ? 1000.0 + 20.0 * n : 10.0 + 2.0 * n * options_.interval);
  }
  Failure too_long(double t) const {
    return {.kind = FailureKind::too_many_steps,
            .time = t,
            .what_happened = fmt::format("only {} of {} samples in a time of {:.6g}", count(), options_.samples, t),
            .what_to_try = options_.section ? "a section that runs cross more often, or a larger longest_time"
                                            : "a larger longest_time",
            .where = options_.section ? "the section" : ""};
  }

 private:
  const Index2& equations_;
  const SamplingOptions& options_;
  std::size_t kept_;
  Vector coordinates_;
};

bool crosses(double before, double after, Direction direction) {
  if (before < 0.0 && after >= 0.0) return direction != Direction::falling;
  if (before > 0.0 && after <= 0.0) return direction != Direction::rising;
  return false;
}

// Regula falsi with halving (Illinois). The last call of `value` is for the root that is returned, unless that is b.
template <class Value>
double root_between(double a, double fa, double b, double fb, const Value& value) {
  const double small = 1e-14 * (std::abs(fa) + std::abs(fb));
  for (int iteration = 0; iteration < 60 && std::abs(fb) > small; ++iteration) {
    const double x = b - fb * (b - a) / (fb - fa), fx = value(x);
    if (fx * fb < 0.0) {
      a = b;
      fa = fb;
    } else {
      fa *= 0.5;
    }
    b = x;
    fb = fx;
  }
  return b;
}

// Fixed steps; points on a section by a shorter step of the same method from the last state before it.
class FixedRun {
 public:
  FixedRun(const Index2& equations, const Stepper& stepper, double h, const SamplingOptions& options)
      : equations_(equations),
        stepper_(stepper),
        h_(h),
        options_(options),
        samples_(equations, options),
        workspace_(stepper.make_workspace()),
        attempt_(stepper.make_attempt()) {}

  Result<RunSamples> run(Vector state) {
    const auto discarded = static_cast<std::size_t>(std::ceil(options_.transient / h_ - 1e-9));
    const auto stride = static_cast<std::size_t>(std::max(1.0, std::round(options_.interval / h_)));
    const double longest = samples_.longest_time() + static_cast<double>(stride * options_.samples) * h_;
    std::size_t i = 0;
    for (; !samples_.full(); ++i) {
      const double t = static_cast<double>(i) * h_;
      if (options_.execution.stop.stop_requested()) return stopped_analysis("a run");
      if (t > longest) return samples_.too_long(t);
      if (auto failure = stepper_.attempt(t, state, h_, *workspace_, attempt_)) return *failure;
      if (samples_.is_astray(attempt_.state)) return samples_.astray(t + h_, attempt_.state);
      if (i >= discarded && options_.section) keep_crossing(t, state);
      std::swap(state, attempt_.state);
      if (i >= discarded && !options_.section && (i - discarded) % stride == 0) samples_.keep(state);
    }
    return RunSamples{samples_.take(), i};
  }

 private:
  void keep_crossing(double t, const Vector& state) {
    const Section& section = *options_.section;
    const double before = section.value(state), after = section.value(attempt_.state);
    if (!crosses(before, after, section.direction)) return;
    if (!trial_) trial_ = stepper_.make_attempt();
    bool failed = false;
    const auto value = [&](double length) {
      failed = failed || stepper_.attempt(t, state, length, *workspace_, *trial_).has_value();
      return failed ? 0.0 : section.value(trial_->state);
    };
    trial_->state = attempt_.state;
    root_between(0.0, before, h_, after, value);
    if (!failed) samples_.keep(trial_->state);
  }

  const Index2& equations_;
  const Stepper& stepper_;
  double h_;
  const SamplingOptions& options_;
  Samples samples_;
  std::unique_ptr<Stepper::Workspace> workspace_;
  Attempt attempt_;
  std::optional<Attempt> trial_;
};

// Adaptive steps; samples from the polynomial of a step, projected onto the constraint. A section is noticed where its
// sign differs between the ends of a step.
class AdaptiveSamples {
 public:
  AdaptiveSamples(const Index2& equations, const SamplingOptions& options)
      : equations_(equations),
        options_(options),
        samples_(equations, options),
        manifold_(make_manifold(equations)),
        point_(equations.layout().size()) {}

  Result<RunSamples> run(const Vector& start) {
    const double longest = samples_.longest_time();
    const auto integrator = make_integrator(equations_, {.tolerance = options_.tolerance}, 0.0, longest, start);
    double before = options_.section ? options_.section->value(start) : 0.0;
    while (!samples_.full()) {
      if (options_.execution.stop.stop_requested()) return stopped_analysis("a run");
      if (integrator->finished()) return samples_.too_long(longest);
      const double begin = integrator->time();
      if (auto failure = integrator->step()) return *failure;
      const double end = integrator->time();
      if (samples_.is_astray(integrator->state())) return samples_.astray(end, integrator->state());
      if (options_.section) {
        const double after = options_.section->value(integrator->state());
        if (begin >= options_.transient && crosses(before, after, options_.section->direction))
          if (auto failure = keep_crossing(integrator->dense(), begin, before, end, after)) return *failure;
        before = after;
      } else if (next_sample() <= end) {
        if (auto failure = keep_until(integrator->dense(), end)) return *failure;
      }
    }
    return RunSamples{samples_.take(), integrator->statistics().steps};
  }

 private:
  double next_sample() const {
    return options_.transient + static_cast<double>(samples_.count() + 1) * options_.interval;
  }

  std::optional<Failure> keep(const DenseStep& dense, double t) {
    dense.evaluate(t, point_);
    Vector mu1(manifold_->constraint_count()), mu2(mu1.size());
    auto status = manifold_->project(t, point_, true, mu1, mu2);
    if (status == ManifoldStatus::ok) status = manifold_->set_multipliers(t, point_);
    if (status != ManifoldStatus::ok) return explain(status, equations_, t, point_);
    samples_.keep(point_);
    return std::nullopt;
  }
  std::optional<Failure> keep_until(const DenseStep& dense, double end) {
    while (!samples_.full() && next_sample() <= end)
      if (auto failure = keep(dense, next_sample())) return failure;
    return std::nullopt;
  }
  std::optional<Failure> keep_crossing(const DenseStep& dense, double a, double fa, double b, double fb) {
    const auto value = [&](double t) {
      dense.evaluate(t, point_);
      return options_.section->value(point_);
    };
    return keep(dense, root_between(a, fa, b, fb, value));
  }

  const Index2& equations_;
  const SamplingOptions& options_;
  Samples samples_;
  std::unique_ptr<Manifold> manifold_;
  Vector point_;
};

}  // namespace

Result<RunSamples> sample_fixed_run(const Index2& equations, const Stepper& stepper, double h, const Vector& start,
                                    const SamplingOptions& options) {
  return FixedRun(equations, stepper, h, options).run(start);
}

Result<RunSamples> sample_adaptive_run(const Index2& equations, const Vector& start, const SamplingOptions& options) {
  return AdaptiveSamples(equations, options).run(start);
}

}  // namespace driftless
