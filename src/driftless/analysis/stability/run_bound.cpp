#include "driftless/analysis/stability/run_bound.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/core/failure.h"
#include "driftless/linalg/dense.h"

namespace driftless {

namespace {

const Index1& index1_of(const Solution& solution) {
  const auto* form = std::get_if<Index1>(&solution.equations());
  if (!form) throw Misuse("error bounds by logarithmic norms are for problems of index 1");
  return *form;
}

// States up to the first jump: behind it the error of the time of the event would have to be followed as well.
std::size_t smooth_states(const Solution& solution) {
  std::size_t count = 1;
  while (count < solution.size() && solution.time(count) > solution.time(count - 1)) ++count;
  return count;
}

void fill_residuals(RunBound& bound, const Index1& form, const Solution& solution, const Reconstruction& curve,
                    const Index1Split& split, std::size_t count) {
  Vector p(form.size());
  for (std::size_t n = 0; n < count; ++n) {
    curve.residual(solution.time(n), p);
    bound.largest_constraint_residual = std::max(bound.largest_constraint_residual, split.q_norm(p));
    if (n + 1 == count) break;
    curve.residual(0.5 * (solution.time(n) + solution.time(n + 1)), p);
    bound.largest_differential_residual = std::max(bound.largest_differential_residual, split.p_norm(p));
  }
}

void conclude(RunBound& bound) {
  const DeviationBound* last = nullptr;
  for (const auto& b : bound.at)
    if (b.time <= bound.valid_until) last = &b;
  if (!last || !(last->total() < std::numeric_limits<double>::infinity())) {
    bound.verdict = "No error bound: the constants along the run are not finite.";
    return;
  }
  // |Q dx| <= slope |P dx| + direct part: what comes from the constraint, through P and directly.
  const double slope = last->p > 0.0 ? (last->q - last->q_direct) / last->p : 0.0;
  const double by_constraint = (1.0 + slope) * last->p_from_algebraic + last->q_direct;
  bound.constraint_share = last->total() > 0.0 ? by_constraint / last->total() : 0.0;
  bound.dominant = bound.constraint_share > 0.5 ? ErrorBound::Residual::constraint : ErrorBound::Residual::differential;
  const char* cause = bound.dominant == ErrorBound::Residual::constraint
                          ? "the constraint, so solving it more accurately helps (tighter Newton iterations)"
                          : "the differential equations, so smaller steps or a tighter tolerance help";
  bound.verdict = fmt::format(
      "In the {}, the error at t = {:.6g} is at most {:.3g} ({:.3g} in P x, {:.3g} in Q x){}. {:.0f}% "
      "of the bound comes from the residuals of {}.",
      bound.norm, last->time, last->total(), last->p, last->q, bound.certain ? "" : ", with constants from samples",
      100.0 *
          (bound.dominant == ErrorBound::Residual::constraint ? bound.constraint_share : 1.0 - bound.constraint_share),
      cause);
  if (!bound.valid)
    bound.verdict += fmt::format(" Later than that nothing is proved: the bound outgrows the tube of its constants.");
}

}  // namespace

RunBound bound_run(const Solution& solution, const RunBoundOptions& options) {
  const Index1& form = index1_of(solution);
  const std::size_t count = smooth_states(solution);
  RunBound result;
  result.norm = options.norm.name();
  result.valid_until = solution.time(0);
  if (count < 2) {
    result.verdict = "No error bound: the run has no step.";
    return result;
  }
  const Reconstruction curve(form, solution, count);
  const Index1Split split(form.projector(), options.norm);
  const Disturbance disturbance{
      .p = [&curve](double t, Span p) { curve.residual(t, p); }, .accuracy = 1e-3, .halvings = 4};
  const ReferencePath path{[&curve](double t) { return curve.at(t); }, curve.times()};
  double guess = 1e-13;
  for (std::size_t i = 0; i + 1 < count; ++i) guess += curve.step_residual(i);
  TubeOptions tube{.norm = options.norm,
                   .p_radius = 2.0 * guess,
                   .q_radius = 2.0 * guess,
                   .scaling = options.scaling,
                   .theorem = options.theorem,
                   .sharpness = options.sharpness,
                   .halvings = options.halvings};
  TubeBound found = bound_along(form, path, disturbance, curve.times(), tube);
  result.at = std::move(found.bounds);
  result.valid = found.valid && count == solution.size();
  result.valid_until = found.valid_until;
  result.certain = found.tube.certain();
  result.tube = std::move(found.tube);
  fill_residuals(result, form, solution, curve, split, count);
  conclude(result);
  return result;
}

ErrorBound summary_of(const RunBound& found) {
  ErrorBound bound{.norm = found.norm,
                   .at = {},
                   .valid_until = found.valid_until,
                   .valid = found.valid,
                   .certain = found.certain,
                   .dominant = found.dominant,
                   .constraint_share = found.constraint_share,
                   .verdict = found.verdict};
  for (const DeviationBound& b : found.at) bound.at.push_back({b.time, b.p, b.q});
  return bound;
}

ErrorBoundRule logarithmic_norm_bound(const RunBoundOptions& options) {
  return [options](const Solution& solution) { return summary_of(bound_run(solution, options)); };
}

BoundedSolution solve_bounded(const Index1& form, ConstSpan start, const SolveOptions& options,
                              const RunBoundOptions& bound) {
  RunBound found;
  SolveOptions carrying = options;
  carrying.error_bound = [&](const Solution& solution) {
    found = bound_run(solution, bound);
    return summary_of(found);
  };
  Solution solution = solve(form, start, carrying);
  return {std::move(solution), std::move(found)};
}

}  // namespace driftless
