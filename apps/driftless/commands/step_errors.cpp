#include "apps/driftless/commands/step_errors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "apps/driftless/commands/analysis_request.h"
#include "driftless/analysis/stability/discretisation_run.h"
#include "driftless/integrate/solve.h"
#include "driftless/tableau/properties.h"

namespace driftless::cli {

namespace {

constexpr Tolerance reference_tolerance{.relative = 1e-12, .absolute = 1e-14};
constexpr double noise = 1e-10;  // relative: below this the accurate run is no measure any more

using Exact = std::function<Vector(double)>;

// What has to be in the box: the solution at the times of the stages, the stages and the states.
class Reach {
 public:
  Reach(const DiscretisationRun& run, const Tableau& tableau, const Exact& exact) {
    include(run.start, run.start);
    for (const DiscretisationStep& step : run.steps) {
      include(step.lowest, step.highest);
      for (const double c : tableau.c) {
        const Vector x = exact(step.time - step.h + c * step.h);
        widen(x, x);
      }
      const Vector x = exact(step.time);
      widen(x, x);
    }
  }

  // A box around everything, with a margin.
  Box hull(Interval time) const {
    Box box{.t = time};
    for (std::size_t i = 0; i < points_[0].first.size(); ++i) {
      double low = points_[0].first[i], high = points_[0].second[i];
      for (const auto& [lowest, highest] : points_) {
        low = std::min(low, lowest[i]);
        high = std::max(high, highest[i]);
      }
      const double margin = 0.05 * (high - low) + 1e-6 * std::max({1.0, std::abs(low), std::abs(high)});
      box.x.emplace_back(low - margin, high + margin);
    }
    return box;
  }

  // The first step, counted from 1, that is not inside; 0: the start.
  std::optional<std::size_t> first_outside(const Box& box) const {
    for (std::size_t n = 0; n < points_.size(); ++n)
      if (!box.contains(points_[n].first) || !box.contains(points_[n].second)) return n;
    return std::nullopt;
  }

 private:
  void include(const Vector& low, const Vector& high) { points_.emplace_back(low, high); }
  void widen(const Vector& low, const Vector& high) {
    for (std::size_t i = 0; i < low.size(); ++i) {
      points_.back().first[i] = std::min(points_.back().first[i], low[i]);
      points_.back().second[i] = std::max(points_.back().second[i], high[i]);
    }
  }
  std::vector<std::pair<Vector, Vector>> points_;  // lowest and highest values: at the start, then of each step
};

// Residuals of the constraint that Theorem 3.5 has to cover: those of every stage, from their weighted norm.
double manifold_radius(const DiscretisationRun& run, const StageMonotonicity& stages) {
  const double weight = *std::min_element(stages.diagonal.begin(), stages.diagonal.end());
  double largest = 0.0;
  for (const DiscretisationStep& step : run.steps)
    largest = std::max({largest, step.q_residual, step.q_residual_d / std::sqrt(weight)});
  return 2.0 * largest;
}

struct Comparison {
  Index1 form;
  Vector start;
  Solution exact;
  DiscretisationOptions options;
};

DiscretisationOptions options_of(const StepErrorsRequest& request, const Model& model, const Names& unknowns) {
  DiscretisationOptions options{.tableau = tableau_from(request.method), .norm = norm_from(request.where, unknowns)};
  if (!properties_of(options.tableau).invertible)
    throw Stop(ExitCode::usage,
               fmt::format("{} is explicit, or A is singular: index 1 needs a method with a regular A\n"
                           "  try:   --method implicit-euler",
                           request.method));
  options.begin = model.begin;
  options.end = request.where.t_end.value_or(model.end);
  if (!(options.end > options.begin))
    throw Stop(ExitCode::usage,
               fmt::format("--t-end {} is not after the beginning, t = {}", options.end, options.begin));
  options.steps = request.steps.value_or(100);
  if (options.steps == 0) throw Stop(ExitCode::usage, "--steps needs at least one step");
  if (request.newton) {
    if (!(*request.newton > 0.0)) throw Stop(ExitCode::usage, "--newton must be positive");
    options.newton.relative = options.newton.absolute = *request.newton;
  }
  return options;
}

Comparison comparison_of(const StepErrorsRequest& request, const Model& model) {
  if (model.has_events())
    throw Stop(ExitCode::model_structure,
               fmt::format("{} has events, and bounds for fixed steps are for smooth equations\n  try:   driftless "
                           "analyse stability --along, which goes as far as the first one",
                           model.name));
  const Start start = model.start(model.begin);
  const Index1 form = index1_of(model, start.stretch.equations);
  DiscretisationOptions options = options_of(request, model, form.layout().names());
  if (start.stretch.end) options.end = std::min(options.end, *start.stretch.end);
  Solution exact =
      solve(form, start.stretch.start, {.span = {options.begin, options.end}, .tolerance = reference_tolerance});
  if (!exact.ok()) throw FailedRun(exact.failure());
  return {form, start.stretch.start, std::move(exact), std::move(options)};
}

DiscretisationRun run_of(const Comparison& s, const Index1& form) {
  auto run = run_discretisation(form, s.start, s.options);
  if (!run.ok()) throw FailedRun(run.failure());
  return std::move(*run);
}

// The constraint as written if that proves index 1, else multiplied by Newton's matrix at the middle of the box, in the
// equations themselves, so that residuals are measured alike.
StabilityReport constants_of(const StepErrorsRequest& request, const Comparison& s, const Box& box, Index1& form,
                             StepErrors& result) {
  const RungeKuttaBound bound(s.options.tableau, s.options.norm.is_euclidean());
  const auto report_of = [&](const Index1& one) {
    StabilityOptions options{.norm = s.options.norm};
    options.refinement.boxes = request.where.boxes.value_or(options.refinement.boxes);
    options.refinement.relative = request.where.accuracy.value_or(1e-3);
    options.manifold_radius = manifold_radius(run_of(s, one), bound.stages());
    return analyse_stability(one, box, options);
  };
  const bool constrained = form.constraint_count() > 0;
  if (!constrained || request.where.constraint != "scaled") {
    StabilityReport report = report_of(form);
    if (!constrained || report.index_1 == Verdict::yes || request.where.constraint == "as-written") return report;
  }
  form = with_newton_scaling(s.form, box.middle(), box.t.middle());
  result.scaled = true;
  return report_of(form);
}

// Theorem 3.5 needs room: the constraint must not leave the box over all of P x, not only along the run. Sides of
// algebraic unknowns are widened until that is proved, if it can be; constants on a larger box hold on the smaller one,
// too.
StabilityReport constants_with_room(const StepErrorsRequest& request, const Comparison& s, Index1& form,
                                    StepErrors& result) {
  StabilityReport report = constants_of(request, s, result.box, form, result);
  for (const double share : {0.1, 0.3, 1.0}) {
    if (result.box_given || form.constraint_count() == 0 || report.graph.solved == Verdict::yes) break;
    StepErrors wider = result;
    for (std::size_t i = 0; i < wider.unknowns.size(); ++i)
      if (std::ranges::find(wider.differential, wider.unknowns[i]) == wider.differential.end()) {
        const Interval side = result.box.x[i];
        const double room =
            share * (side.upper() - side.lower()) + 1e-9 * (std::abs(side.upper()) + std::abs(side.lower()));
        wider.box.x[i] = Interval(side.lower() - room, side.upper() + room);
      }
    Index1 other = s.form;
    StabilityReport found = constants_of(request, s, wider.box, other, wider);
    if (found.graph.solved != Verdict::yes) continue;
    form = other;
    result = wider;
    report = std::move(found);
  }
  return report;
}

void fill_errors(const Comparison& s, const Index1& form, const Exact& exact, StepErrors& result) {
  const DiscretisationRun run = run_of(s, form);
  const auto bounds = bound_discretisation(form, run, s.options, result.majorant, exact);
  const Index1Split split(form.projector(), s.options.norm);
  const double last = result.left_box_at.value_or(std::numeric_limits<double>::infinity());
  for (std::size_t n = 0; n < run.steps.size(); ++n) {
    Vector e = exact(run.steps[n].time);
    for (std::size_t i = 0; i < e.size(); ++i) e[i] -= run.steps[n].state[i];
    StepError one{.time = run.steps[n].time, .p = split.p_norm(e), .q = split.q_norm(e)};
    if (result.index_1 && one.time < last && std::isfinite(bounds[n].p) && std::isfinite(bounds[n].q)) {
      one.p_bound = bounds[n].p;
      one.q_bound = bounds[n].q;
      one.p_from_q_residual = bounds[n].p_from_q_residual;
    }
    result.errors.push_back(one);
  }
}

std::string bound_sentence(const StepErrors& r) {
  const std::size_t count = r.bounded();
  if (count == 0 && r.left_box_at)
    return "There is no bound: the first step leaves the box. Try a larger box, or none.";
  if (count == 0)
    return r.index_1 ? "There is no bound: the constants on the box are not finite, or steps of this size are beyond "
                       "the limit."
                     : "There is no bound: M_Q+[Qf] < 0, index 1, is not shown on the box. Try a smaller box.";
  const StepError& last = r.errors[count - 1];
  std::string text =
      r.has_constraint()
          ? fmt::format(
                "At t = {:.6g} the error is at most {:.3g} in P x and {:.3g} in Q x; measured are {:.3g} and {:.3g}.",
                last.time, *last.p_bound, *last.q_bound, last.p, last.q)
          : fmt::format("At t = {:.6g} the error is at most {:.3g}; measured is {:.3g}.", last.time, *last.p_bound,
                        last.p);
  if (*last.p_bound > 0.0 && last.p_from_q_residual > 0.005 * *last.p_bound)
    text += fmt::format(
        " {:.0f}% of the bound of P x come from residuals of the constraint: Newton's iteration ends "
        "too early.",
        100.0 * last.p_from_q_residual / *last.p_bound);
  return text;
}

void put_into_words(StepErrors& r) {
  if (std::isfinite(r.majorant.rate))
    r.sentences.push_back(fmt::format("Deviations {} like exp({:.6g} t) on the box{}.",
                                      r.majorant.rate < 0.0 ? "shrink at least" : "grow at most", r.majorant.rate + 0.0,
                                      r.proved ? "" : ", seen at samples, not proved"));
  if (r.index_1 && std::isfinite(r.step_limit))
    r.sentences.push_back(
        fmt::format("The stages have at most one solution in the box for steps below {:.6g}; here they "
                    "are {:.6g}.",
                    r.step_limit, r.h));
  else if (r.index_1)
    r.sentences.emplace_back("The stages have at most one solution in the box for every step size.");
  r.sentences.push_back(bound_sentence(r));
  if (r.left_box_at && r.bounded() > 0)
    r.sentences.push_back(
        fmt::format("The run or the solution leaves the box before t = {:.6g}; from there on nothing "
                    "is bounded. Try a larger box, or none.",
                    *r.left_box_at));
  r.sentences.push_back(
      fmt::format("Local errors are those of a run with a tolerance of {:g}, and the bound is as good "
                  "as that: errors below {:g} of the size of the solution are not resolved.",
                  reference_tolerance.relative, noise));
}

}  // namespace

std::size_t StepErrors::bounded() const {
  std::size_t count = 0;
  while (count < errors.size() && errors[count].p_bound) ++count;
  return count;
}

StepErrors step_errors(const StepErrorsRequest& request, const Model& model) {
  const Comparison s = comparison_of(request, model);
  const Exact exact = [&](double t) { return s.exact.at(std::clamp(t, s.options.begin, s.options.end)); };
  StepErrors result{.method = request.method, .norm = s.options.norm.name(), .norm_source = {}};
  result.unknowns = s.form.layout().names();
  result.norm_source = norm_source(request.where, result.unknowns);
  result.differential = differential_names(s.form);
  result.begin = s.options.begin;
  result.end = s.options.end;
  result.h = (s.options.end - s.options.begin) / static_cast<double>(s.options.steps);
  const Reach reach(run_of(s, s.form), s.options.tableau, exact);
  const Interval time(s.options.begin, s.options.end);
  result.box_given = !request.where.box.empty();
  result.box = result.box_given ? box_from(request.where, result.unknowns, time) : reach.hull(time);
  const auto outside = reach.first_outside(result.box);
  if (outside == 0)
    throw Stop(ExitCode::usage, "--box: the start is not inside it; leave --box out for one around the run");
  if (outside) result.left_box_at = s.options.begin + static_cast<double>(*outside) * result.h;
  Index1 form = s.form;
  const StabilityReport report = constants_with_room(request, s, form, result);
  result.proved = report.sharp_proved || report.product_proved;
  result.index_1 =
      form.constraint_count() == 0 || report.index_1 == Verdict::yes || (!result.proved && report.split.index_1());
  result.majorant = report.sharp_proved     ? report.sharp
                    : report.product_proved ? report.product
                                            : smaller_of(report.product, report.sharp);
  const RungeKuttaBound bound(s.options.tableau, s.options.norm.is_euclidean());
  result.step_limit = result.index_1 ? solvable_step_size(bound.stages(), result.majorant.rate) : 0.0;
  fill_errors(s, form, exact, result);
  put_into_words(result);
  return result;
}

}  // namespace driftless::cli
