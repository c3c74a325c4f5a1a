#include <algorithm>

#include "driftless/analysis/stability/run_bound.h"
#include "testset/stability/study.h"

namespace driftless::stability {

namespace {

// Ten steps of order 9 between any two times, solved to rounding.
std::vector<Vector> accurate_states(const Index1& form, ConstSpan start, const Solution& run) {
  std::vector<Vector> states = {Vector(start.begin(), start.end())};
  for (std::size_t n = 1; n < run.size(); ++n) {
    const Solution piece =
        solve(form, states.back(),
              {.span = {run.time(n - 1), run.time(n)}, .steps = 10, .method = {.tableau = radau_iia(5)}});
    const auto end = piece.state(piece.size() - 1);
    states.emplace_back(end.begin(), end.end());
  }
  return states;
}

RunStudy study(const Case& problem, const char* name, const SolveOptions& options) {
  const auto [run, bound] = solve_bounded(problem.form, problem.start, options, {.scaling = problem.scaling});
  const Index1Split split(problem.form.projector(), Norm::two());
  const auto exact = accurate_states(problem.form, run.state(0), run);
  const double noise = 1e-14 * static_cast<double>(run.size());
  RunStudy result{.problem = problem.name,
                  .run = name,
                  .points = {},
                  .constraint_share = bound.constraint_share,
                  .valid = bound.valid,
                  .certain = bound.certain,
                  .verdict = bound.verdict};
  for (std::size_t n = 1; n < run.size(); ++n) {
    Vector e = exact[n];
    for (std::size_t i = 0; i < e.size(); ++i) e[i] -= run.state(n)[i];
    result.points.push_back({run.time(n), {split.p_norm(e), bound.at[n].p}, {split.q_norm(e), bound.at[n].q}});
    result.p_quotient = std::max(result.p_quotient, quotient(result.points.back().p, noise));
    result.q_quotient = std::max(result.q_quotient, quotient(result.points.back().q, noise));
  }
  return result;
}

}  // namespace

std::vector<RunStudy> study_runs() {
  std::vector<RunStudy> all;
  for (const Case& problem : cases()) {
    const TimeSpan span{0.0, problem.end};
    const std::pair<const char*, SolveOptions> runs[] = {
        {"Euler, 40 steps", {.span = span, .steps = 40, .method = {.tableau = implicit_euler()}}},
        {"Radau IIA 3, 20 steps", {.span = span, .steps = 20, .method = {.tableau = radau_iia(3)}}},
        {"the same, Newton to 1e-3",
         {.span = span, .steps = 20, .method = {.tableau = radau_iia(3)}, .newton = {1e-3, 1e-3, 50}}},
        {"adaptive, 1e-6", {.span = span, .tolerance = {.relative = 1e-6, .absolute = 1e-9}}},
        {"adaptive, 1e-9", {.span = span, .tolerance = {.relative = 1e-9, .absolute = 1e-12}}}};
    for (const auto& [name, options] : runs) all.push_back(study(problem, name, options));
  }
  return all;
}

}  // namespace driftless::stability
