#include "driftless/simulate/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "driftless/core/memory.h"
#include "driftless/core/phase.h"
#include "driftless/core/stop.h"
#include "driftless/expression/parameter_trace.h"
#include "driftless/integrate/event_accumulation.h"
#include "driftless/integrate/run.h"
#include "driftless/linalg/analysis_scope.h"
#include "driftless/modelfile/compiled/time_searches.h"
#include "driftless/simulate/accumulation_point.h"
#include "driftless/simulate/chatter_watch.h"
#include "driftless/simulate/crawl_watch.h"
#include "driftless/simulate/event_moves.h"
#include "driftless/simulate/output_times.h"
#include "driftless/simulate/stretch_options.h"
#include "driftless/simulate/text_model.h"
#include "driftless/simulate/whole_certificate.h"

namespace driftless {

namespace {

class Runner {
 public:
  Runner(const Model& model, Start start, const SimulateOptions& options)
      : model_(model),
        options_(options.solve),
        asked_(options),
        equations_(options.solve, options.verify || options.show_verified),
        ranges_(model.results, options.solve.tolerance),
        accumulation_(options.solve.event_limit, options.solve.span.end - options.solve.span.begin),
        chatter_(options.solve.event_limit, options.solve.span.end - options.solve.span.begin),
        point_(std::abs(options.solve.span.end - options.solve.span.begin), options.solve.tolerance.absolute),
        crawl_(std::abs(options.solve.span.end - options.solve.span.begin)),
        run_{.start = std::move(start), .recording = Recording(model.results)} {
    if (options_.error_bound && std::ranges::any_of(run_.start.stretch.unit, [](double unit) { return unit != 1.0; }))
      throw Misuse("an error bound is one of the states in the units of the model: use StateUnits::as_written");
    if (options.show_verified && !run_.start.stretch.equations_hold)
      throw Misuse("the results cannot be put back into equations: this model has none as written");
  }

  Simulation run() {
    const auto begin = std::chrono::steady_clock::now();
    Stretch stretch = run_.start.stretch;
    try {
      const StopScope scope(options_.stop);
      const AnalysisScope analyses;
      const Phase phase("run");
      run_.ended_by = run_.start.ended_by;
      if (run_.ended_by)
        settle(stretch);
      else
        while (advance(stretch)) {
        }
      go_back_to_accumulation(stretch);
      conclude(stretch);
    } catch (const Stopped&) {  // between two stretches
      fail(stopped(run_.t));
    }
    const Undisturbed undisturbed;  // what is there is kept
    finish(stretch);
    run_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return std::move(run_);
  }

 private:
  // Branches whose constraints the positions do not fulfil.
  std::optional<Failure> contradicted(const Stretch& stretch) const {
    for (const BranchSwitch& change : stretch.switches)
      if (auto failure = contradicted_position(change, run_.t, options_.tolerance)) return failure;
    return std::nullopt;
  }

  // One stretch; true if an event leads to another one, which is then in its place.
  bool advance(Stretch& stretch) {
    const auto due = stretch.next_due ? stretch.next_due(options_.span.end, searches_) : std::nullopt;
    if (due) stretch.end = due->time;
    std::vector<std::size_t> events;
    if (is_over(stretch))
      settle(stretch);
    else
      events = integrate(stretch);
    if (run_.failure) return false;
    if (crawl_.crawls()) return leave_crawling(stretch);
    if (due && same_time(run_.t, due->time)) {
      events.insert(events.end(), due->events.begin(), due->events.end());
      for (const std::string& name : due->names) run_.happened.push_back({run_.t, name});
    }
    const bool over = at_end();
    if (events.empty() ? over : accumulates()) return false;
    auto next = model_.after(stretch, run_.t, run_.state, events);
    if (const Stretch* after = std::get_if<Stretch>(&next)) point_.see_events(stretch, events, *after);
    return go_on(stretch, std::move(next)) && !over;
  }

  // The numbers of the events that ended it.
  std::vector<std::size_t> integrate(const Stretch& stretch) {
    equations_.begin_stretch();
    crawl_.begin_stretch();
    Solution solution = driftless::solve(stretch.equations, stretch.start, options_for(stretch));
    const Undisturbed undisturbed;  // what was computed becomes rows, also after a stop
    absorb(stretch, solution);
    auto events = solution.ended_by() ? fired(solution) : std::vector<std::size_t>{};
    chatter_.see(stretch, solution.events(), run_.t, run_.state);
    if (asked_.dense) run_.kept.push_back({stretch, std::move(solution)});
    return events;
  }

  // Relations inside noEvent become events, so that it is seen whether the solution slides.
  bool leave_crawling(Stretch& stretch) {
    crawl_.begin_stretch();
    if (auto next = model_.after_crawling(stretch, run_.t, run_.state)) return go_on(stretch, *std::move(next));
    fail(CrawlWatch::failure(run_.t));
    return false;
  }

  // From one stretch to the next; false if there is none. At the end of the run the next one is its last state.
  bool go_on(Stretch& stretch, std::variant<Stretch, ModelEnd> next) {
    if (ModelEnd* end = std::get_if<ModelEnd>(&next)) {
      if (end->failure)
        fail(failure_of(*end, run_.t));
      else
        run_.ended_by = end->message;
      if (end->last) settle(stretch = *std::move(end->last));
      return false;
    }
    stretch = std::get<Stretch>(std::move(next));
    if (auto contradiction = contradicted(stretch)) {
      fail(*std::move(contradiction));
      return false;
    }
    if (same_time(run_.t, options_.span.end)) settle(stretch);
    return true;
  }

  // What the model does at the end of a run that went well.
  void conclude(Stretch& stretch) {
    if (run_.failure || !model_.finishes()) return;
    auto last = model_.finish(stretch, run_.t, run_.state);
    if (const Stretch* same = std::get_if<Stretch>(&last); same && same->held == stretch.held && same->fixed.empty())
      return;
    if (const Stretch* after = std::get_if<Stretch>(&last)) count_at_end(after->happened);
    const auto ended_by = run_.ended_by;
    go_on(stretch, std::move(last));
    if (ended_by) run_.ended_by = ended_by;
    if (!run_.failure && !same_time(run_.t, options_.span.end)) settle(stretch);
  }

  // What the watch for events found at the end is counted already.
  void count_at_end(const Names& happened) {
    if (happened.empty() || (!run_.happened.empty() && same_time(run_.happened.back().time, run_.t))) return;
    ++run_.events;
    for (const std::string& name : happened) run_.happened.push_back({run_.t, name});
  }

  // Nothing is left to integrate: an event at the end, events that follow each other at once, or a run of no length.
  bool is_over(const Stretch& stretch) const {
    return same_time(stretch.begin, stretch.end.value_or(options_.span.end)) ||
           same_time(stretch.begin, options_.span.end);
  }

  bool accumulates() {
    ++run_.events;
    if (chatter_.chattering())
      fail(chatter_.failure(run_.t));
    else if (accumulation_.see(run_.t))
      fail(accumulation_.failure(
          run_.t, run_.happened.empty() ? "" : run_.happened.back().name,
          "change the model where it comes to rest or slides along a switching condition: give it a state of rest, or "
          "hysteresis; or raise event_limit (--event-limit)"));
    return run_.failure.has_value();
  }

  // Behind the point at which events accumulate there is no solution, whatever was computed.
  void go_back_to_accumulation(Stretch& stretch) {
    const auto* passed = point_.passed();
    if (passed == nullptr || run_.failure) return;
    run_.ended_by.reset();
    run_.recording.cut_after(passed->time);
    stretch = passed->stretch;
    settle(stretch);
    fail(passed->failure());
  }

  // The state that the last event made, as a run that goes on would begin with it.
  void settle(const Stretch& stretch) {
    const auto consistent =
        make_consistent(stretch.equations, stretch.begin, stretch.start, {.fixed = stretch.fixed, .after_event = true});
    if (!consistent.ok()) return fail(consistent.failure());
    run_.t = stretch.begin;
    run_.state = consistent->state;
    run_.recording.append(stretch, run_.t, run_.state);
    add_moves(run_.moved, model_, stretch, consistent->moves, options_.tolerance.absolute);
  }

  // An event at the very end is not worth another step of the size of rounding.
  bool at_end() {
    if (!same_time(run_.t, options_.span.end)) return false;
    run_.t = options_.span.end;
    return true;
  }

  SolveOptions options_for(const Stretch& stretch) {
    const std::size_t attempts = run_.statistics.steps + run_.statistics.rejected_by_error +
                                 run_.statistics.rejected_by_newton + run_.statistics.rejected_by_projection;
    SolveOptions options = options_of_stretch(options_, stretch, attempts, restart_size_);
    stop_ = {};
    options.stop = stop_.get_token();
    options.observer = [this, &stretch](double t, ConstSpan state) { see(stretch, t, state); };
    wanted_ = {options.output_times, options.keep_every};
    options.dense = asked_.dense;
    if (is_bounded(stretch))
      keep_all_steps(options);
    else
      options.error_bound = {};
    return options;
  }

  void see(const Stretch& stretch, double t, ConstSpan state) {
    run_.t = t;
    run_.state.assign(state.begin(), state.end());
    if (options_.observer) options_.observer(t, {state, layout_of(stretch.equations).names()});
    if (stretch.failed_assertion && assertion_.empty()) assertion_ = stretch.failed_assertion(t, state);
    equations_.see_step(stretch, t, state);
    if (ranges_.has_bounds()) {
      results_.resize(model_.results.size());
      stretch.results(t, state, results_);
      ranges_.see(t, results_);
    }
    if (wanted_.times.empty() && ++seen_ % wanted_.every == 0) look_for_room();
    crawl_.see(stretch, t, state);
    point_.see(stretch, t, state);
    if (!assertion_.empty() || equations_.broken() || full_ || crawl_.crawls()) stop_.request_stop();
  }

  // Nobody knows how many steps there will be: rows of all of them may fill the memory, and what is there is kept.
  void look_for_room() {
    const double history = options_.history ? static_cast<double>(sizeof(StepRecord)) : 0.0;
    full_ = static_cast<double>(++kept_) * (row_bytes(model_) + history) > asked_.most_bytes;
  }

  // Rows, counts and residuals of a stretch that is over.
  void absorb(const Stretch& stretch, const Solution& solution) {
    record(stretch, solution);
    if (solution.error_bound()) run_.error_bound = solution.error_bound();
    if (solution.size() > 0 && solution.statistics().steps == 0) {
      run_.t = solution.time(0);
      run_.state.assign(solution.state(0).begin(), solution.state(0).end());
    }
    run_.statistics += solution.statistics();
    if (solution.statistics().steps > 0) restart_size_ = solution.restart_size();
    warn(solution);
    remember(stretch, solution);
    extend(run_.certificate, solution.certificate());
    if (!assertion_.empty())
      fail(failure_of(ModelEnd{assertion_, FailureKind::assertion_failed}, run_.t));
    else if (equations_.broken())
      fail(failure_of(*equations_.broken()));
    else if (full_)
      fail({.kind = FailureKind::limit_reached,
            .time = run_.t,
            .what_happened = fmt::format("{} rows fill the memory that is allowed", kept_),
            .what_to_try = "rows at fewer times, or more memory",
            .where = ""});
    else if (!solution.ok() && !crawl_.crawls())
      fail(solution.failure());
    else
      require_finite_results();
  }

  // A warning counts if it holds from the first stretch to the last.
  void warn(const Solution& solution) {
    silent_ |= solution.warnings().empty();
    run_.warnings = silent_ ? std::vector<RunWarning>{} : solution.warnings();
  }

  // An error is followed up to the first event: behind it, the error of its time would have to be known as well.
  bool is_bounded(const Stretch& stretch) const { return options_.error_bound && stretch.begin == options_.span.begin; }

  void keep_all_steps(SolveOptions& options) const {
    options.output_times.clear();
    options.keep_every = 1;
    options.dense = !options.steps && !options.step_size;
  }

  // A run that carries its bound has kept all of its steps: rows are taken from them.
  void record(const Stretch& stretch, const Solution& solution) {
    const auto append = [&](double t, ConstSpan state) {
      run_.recording.append(stretch, t, state);
      equations_.see_row(stretch, t, state);
      ranges_.see(t, run_.recording.last_row());
    };
    const std::size_t size = solution.size();
    if (!is_bounded(stretch) || size < 2) {
      for (std::size_t i = 0; i < size; ++i) append(solution.time(i), solution.state(i));
      return;
    }
    append(solution.time(0), solution.state(0));
    if (wanted_.times.empty()) {
      for (std::size_t i = 1; i + 1 < size; ++i)
        if (i % wanted_.every == 0) append(solution.time(i), solution.state(i));
    } else {
      for (const double t : wanted_.times)
        if (t > solution.time(0) && t < solution.time(size - 1)) append(t, solution.at(t));
    }
    append(solution.time(size - 1), solution.state(size - 1));
  }

  // What is only computed from the solution is not seen by the solver.
  void require_finite_results() {
    const Recording& rows = run_.recording;
    for (; checked_ < rows.rows(); ++checked_)
      for (std::size_t k = 1; k < rows.columns.size(); ++k)
        if (!std::isfinite(rows.at(checked_, k))) return fail(rows.not_finite(checked_, k));
  }

  void remember(const Stretch& stretch, const Solution& solution) {
    add_moves(run_.moved, model_, stretch, solution.start().moves, options_.tolerance.absolute);
    const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    append(run_.history.steps, solution.history().steps);
    append(run_.history.rejections, solution.history().rejections);
    append(run_.method_changes, solution.method_changes());
    for (const EventRecord& record : solution.events())
      run_.happened.push_back({record.time, stretch.events[record.event].name});
  }

  // The row of the last accepted step, whatever the output asks for, and the results there.
  void finish(const Stretch& stretch) {
    run_.out_of_range = ranges_.violations();
    if (run_.state.empty()) return;
    if (run_.recording.rows() == 0 || run_.recording.last_time() != run_.t)
      run_.recording.append(stretch, run_.t, run_.state);
    run_.results.assign(model_.results.size(), 0.0);
    stretch.results(run_.t, run_.state, run_.results);
    if (!run_.failure) require_finite_results();
    if (!run_.failure) equations_.see_end(stretch, run_.t, run_.state);
    if (!run_.failure && equations_.broken()) fail(failure_of(*equations_.broken()));
    if (asked_.show_verified) run_.verification = {equations_.looks(), equations_.not_evaluated(), equations_.worst()};
  }

  // Events that came at the same time: all roots that were found there.
  std::vector<std::size_t> fired(const Solution& solution) const {
    std::vector<std::size_t> all;
    for (const EventRecord& record : solution.events())
      if (record.time == run_.t) all.push_back(record.event);
    return all;
  }

  void fail(Failure failure) { run_.failure = std::move(failure); }

  const Model& model_;
  const SolveOptions& options_;
  const SimulateOptions& asked_;
  EquationWatch equations_;
  RangeWatch ranges_;
  EventAccumulation accumulation_;
  ChatterWatch chatter_;
  AccumulationPoint point_;
  CrawlWatch crawl_;
  TimeSearches searches_;
  Simulation run_;
  std::stop_source stop_;
  Vector results_;                                 // of the last step, if somebody watches them
  std::string assertion_;                          // the first that failed
  std::size_t seen_ = 0, kept_ = 0, checked_ = 0;  // steps, those that become rows, rows whose results are finite
  double restart_size_ = 0.0;                      // behind the last event: see Solution
  bool full_ = false, silent_ = false;             // no room is left; a stretch had nothing to warn of
  struct {
    Vector times;
    std::size_t every = 1;
  } wanted_;  // rows of the present stretch
};

}  // namespace

Simulation simulate(const Model& model, Start start, const SimulateOptions& options) {
  require_options_of_a_simulation(options.solve);
  return Runner(model, std::move(start), options).run();
}

Simulation simulate(const Model& model, const SimulateOptions& options) {
  require_options_of_a_simulation(options.solve);
  try {
    return simulate(model, model.start(options.solve.span.begin), options);
  } catch (const OtherDecision&) {  // in a formula that was made on the way
    const auto again = model.compiled_again();
    if (!again) throw;
    return simulate(*again, again->start(options.solve.span.begin), options);
  }
}

}  // namespace driftless
