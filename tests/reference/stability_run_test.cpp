// Error bounds that runs carry, from their residuals alone: measured error / bound, never above 1.
#include <gtest/gtest.h>

#include "driftless/analysis/run_bound.h"
#include "tests/reference/stability_problems.h"

namespace driftless {
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

struct Kind {
  const char* name;
  SolveOptions options;
};

TEST(StabilityRun, CarriesABoundThatIsNeverExceeded) {
  fmt::print("{:18} {:24} | {:>9} {:>9} {:>7} | {:>9} {:>9} {:>7} | {:>10} {:>5}\n", "problem", "run", "|Pe|", "bound",
             "largest", "|Qe|", "bound", "largest", "constraint", "steps");
  for (const auto& problem : stability::cases()) {
    const TimeSpan span{0.0, problem.end};
    const Kind kinds[] = {
        {"Euler, 40 steps", {.span = span, .steps = 40, .method = {.tableau = implicit_euler()}}},
        {"Radau IIA 3, 20 steps", {.span = span, .steps = 20, .method = {.tableau = radau_iia(3)}}},
        {"the same, Newton to 1e-3",
         {.span = span, .steps = 20, .method = {.tableau = radau_iia(3)}, .newton = {1e-3, 1e-3, 50}}},
        {"adaptive, 1e-6", {.span = span, .tolerance = {.relative = 1e-6, .absolute = 1e-9}}},
        {"adaptive, 1e-9", {.span = span, .tolerance = {.relative = 1e-9, .absolute = 1e-12}}}};
    for (const auto& [name, options] : kinds) {
      SCOPED_TRACE(fmt::format("{}, {}", problem.name, name));
      const auto [run, bound] = solve_bounded(problem.form, problem.start, options, {.scaling = problem.scaling});
      EXPECT_TRUE(bound.valid);
      EXPECT_TRUE(bound.certain);
      const Index1Split split(problem.form.projector(), Norm::two());
      double worst_p = 0.0, worst_q = 0.0, p = 0.0, q = 0.0;
      const auto exact = accurate_states(problem.form, run.state(0), run);
      const double noise = 1e-14 * static_cast<double>(run.size());
      for (std::size_t n = 1; n < run.size(); ++n) {
        Vector e = exact[n];
        for (std::size_t i = 0; i < e.size(); ++i) e[i] -= run.state(n)[i];
        p = split.p_norm(e);
        q = split.q_norm(e);
        worst_p = std::max(worst_p, std::max(0.0, p - noise) / bound.at[n].p);
        worst_q = std::max(worst_q, std::max(0.0, q - noise) / bound.at[n].q);
      }
      fmt::print("{:18} {:24} | {:9.2e} {:9.2e} {:7.3f} | {:9.2e} {:9.2e} {:7.3f} | {:9.0f}% {:5}\n", problem.name,
                 name, p, bound.at.back().p, worst_p, q, bound.at.back().q, worst_q, 100.0 * bound.constraint_share,
                 run.size() - 1);
      EXPECT_LE(worst_p, 1.0);
      EXPECT_LE(worst_q, 1.0);
    }
  }
}

}  // namespace
}  // namespace driftless
