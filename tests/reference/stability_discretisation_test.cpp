// Global errors of implicit Euler and Radau IIA against the bounds of sections 4 and 5 of Higueras and Soderlind 2003,
// for Newton iterations that are stopped early and late. No quotient may exceed 1.
#include <gtest/gtest.h>

#include "driftless/analysis/discretisation_run.h"
#include "driftless/integrate/solve.h"
#include "tests/reference/stability_problems.h"

namespace driftless {
namespace {

struct Row {
  double p = 0.0, q = 0.0;                                            // measured / bound, the largest over the steps
  double q_residual = 0.0;                                            // the largest |Q f|
  double p_error = 0.0, q_error = 0.0, p_bound = 0.0, q_bound = 0.0;  // at the end
  double share = 0.0;   // of the Q residuals in the bound of |P e| at the end
  double direct = 0.0;  // of the Q residual in the bound of |Q e| at the end
};

Row measure(const stability::Case& problem, const Solution& exact, const Majorant& majorant,
            const DiscretisationOptions& options) {
  const auto at = [&](double t) { return exact.at(std::min(t, problem.end)); };
  const DiscretisationRun run = run_discretisation(problem.form, exact.state(0), options).value();
  const auto bounds = bound_discretisation(problem.form, run, options, majorant, at);
  const Index1Split split(problem.form.projector(), options.norm);
  Row row;
  for (std::size_t n = 0; n < bounds.size(); ++n) {
    Vector e = at(run.steps[n].time);
    for (std::size_t i = 0; i < e.size(); ++i) e[i] -= run.steps[n].state[i];
    const double noise = 1e-11;
    row.p_error = split.p_norm(e);
    row.q_error = split.q_norm(e);
    row.p_bound = bounds[n].p;
    row.q_bound = bounds[n].q;
    row.p = std::max(row.p, std::max(0.0, row.p_error - noise) / row.p_bound);
    row.q = std::max(row.q, std::max(0.0, row.q_error - noise) / row.q_bound);
    row.q_residual = std::max(row.q_residual, run.steps[n].q_residual);
    row.share = bounds[n].p_from_q_residual / bounds[n].p;
    row.direct = bounds[n].q_from_residual / bounds[n].q;
  }
  return row;
}

TEST(StabilityDiscretisation, ErrorsStayBelowTheirBoundsForEveryNewtonTolerance) {
  fmt::print("{:18} {:12} {:>8} | {:>7} {:>7} | {:>9} {:>9} | {:>9} {:>9} | {:>9} {:>7} {:>7}\n", "problem", "method",
             "newton", "P ratio", "Q ratio", "|Pe|", "bound", "|Qe|", "bound", "max |Qf|", "Q in P", "Q in Q");
  for (const auto& problem : stability::cases()) {
    Solution exact = solve(problem.form, problem.start,
                           {.span = {0.0, problem.end}, .tolerance = {.relative = 1e-12, .absolute = 1e-14}});
    exact.or_throw();
    const StabilityReport report = analyse_stability(
        problem.form, problem.box,
        {.refinement = {.relative = 1e-3, .boxes = 400}, .sampling = {.points = 50}, .manifold_radius = 0.01});
    for (const Tableau& tableau : {implicit_euler(), radau_iia(2), radau_iia(3)}) {
      double last_q_residual = -1.0, first_share = 0.0;
      for (const double newton : {1e-13, 1e-6, 1e-4, 1e-2}) {
        SCOPED_TRACE(fmt::format("{}, {}, Newton to {}", problem.name, tableau.name, newton));
        const Row row = measure(problem, exact, report.sharp,
                                {.tableau = tableau, .end = problem.end, .steps = 40, .newton = {newton, newton, 50}});
        fmt::print(
            "{:18} {:12} {:8.0e} | {:7.3f} {:7.3f} | {:9.2e} {:9.2e} | {:9.2e} {:9.2e} | {:9.2e} {:7.3f} {:7.3f}\n",
            problem.name, tableau.name, newton, row.p, row.q, row.p_error, row.p_bound, row.q_error, row.q_bound,
            row.q_residual, row.share, row.direct);
        EXPECT_LE(row.p, 1.0);
        EXPECT_LE(row.q, 1.0);
        EXPECT_GE(row.q_residual, last_q_residual);  // loosening never improves the constraint
        last_q_residual = row.q_residual;
        if (newton == 1e-13) first_share = row.share + row.direct;
        if (newton == 1e-2 && row.q_residual > 1e-8) {
          EXPECT_GT(row.share + row.direct, first_share);
        }
      }
    }
  }
}

}  // namespace
}  // namespace driftless
