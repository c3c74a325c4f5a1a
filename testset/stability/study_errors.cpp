#include <algorithm>

#include "driftless/analysis/stability/discretisation_run.h"
#include "driftless/integrate/solve.h"
#include "testset/stability/study.h"

namespace driftless::stability {

namespace {

constexpr double study_noise = 1e-11;  // of the solution that stands for the exact one

ErrorStudy study(const Case& problem, const Solution& exact, const Majorant& majorant,
                 const DiscretisationOptions& options) {
  const auto at = [&](double t) { return exact.at(std::min(t, problem.end)); };
  const DiscretisationRun run = run_discretisation(problem.form, exact.state(0), options).value();
  const auto bounds = bound_discretisation(problem.form, run, options, majorant, at);
  const Index1Split split(problem.form.projector(), options.norm);
  ErrorStudy result{
      .problem = problem.name, .method = options.tableau.name, .newton = options.newton.relative, .points = {}};
  for (std::size_t n = 0; n < bounds.size(); ++n) {
    Vector e = at(run.steps[n].time);
    for (std::size_t i = 0; i < e.size(); ++i) e[i] -= run.steps[n].state[i];
    result.points.push_back(
        {run.steps[n].time, {split.p_norm(e), bounds[n].p}, {split.q_norm(e), bounds[n].q}, run.steps[n].q_residual});
    const ErrorPoint& point = result.points.back();
    result.p_quotient = std::max(result.p_quotient, quotient(point.p, study_noise));
    result.q_quotient = std::max(result.q_quotient, quotient(point.q, study_noise));
    result.q_residual = std::max(result.q_residual, point.q_residual);
    result.q_share_of_p = bounds[n].p_from_q_residual / bounds[n].p;
    result.q_share_of_q = bounds[n].q_from_residual / bounds[n].q;
  }
  return result;
}

}  // namespace

std::vector<ErrorStudy> study_errors() {
  std::vector<ErrorStudy> all;
  for (const Case& problem : cases()) {
    Solution exact = solve(problem.form, problem.start,
                           {.span = {0.0, problem.end}, .tolerance = {.relative = 1e-12, .absolute = 1e-14}});
    exact.or_throw();
    const StabilityReport report = analyse_stability(
        problem.form, problem.box,
        {.refinement = {.relative = 1e-3, .boxes = 400}, .sampling = {.points = 50}, .manifold_radius = 0.01});
    for (const Tableau& tableau : {implicit_euler(), radau_iia(2), radau_iia(3)})
      for (const double newton : {1e-13, 1e-6, 1e-4, 1e-2})
        all.push_back(study(problem, exact, report.sharp,
                            {.tableau = tableau, .end = problem.end, .steps = 40, .newton = {newton, newton, 50}}));
  }
  return all;
}

}  // namespace driftless::stability
