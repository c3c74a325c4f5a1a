// The promise in the name: constraints stay at rounding level however long the run, and without projection they do not.
#include <gtest/gtest.h>

#include <algorithm>

#include "driftless/driftless.h"
#include "driftless/equations/convert.h"
#include "testset/experiments.h"
#include "testset/problem.h"

namespace driftless::drift_test {
namespace {

struct Drift {
  double position = 0.0, velocity = 0.0;
};

Drift worst_residuals(const Equations& equations, ConstSpan start, const SolveOptions& options) {
  const Solution solution = solve(equations, start, options);
  EXPECT_TRUE(solution.ok()) << solution.failure().message();
  Drift drift;
  for (std::size_t i = 0; i < solution.size(); ++i) {
    const auto residuals = solution.residuals(i);
    drift.position = std::max(drift.position, residuals.largest(1));
    drift.velocity = std::max(drift.velocity, residuals.largest(2));
  }
  return drift;
}

// 10^5 steps of size 0.02: 270 periods of the pendulum.
TEST(Drift, HundredThousandStepsOfThePendulum) {
  const auto pendulum = testset::problem("pendulum_schropp");
  const SolveOptions options{.span = {0.0, 2000.0}, .steps = 100000, .keep_every = 10};
  const Drift projected = worst_residuals(pendulum.equations, pendulum.start, options);
  EXPECT_LT(projected.position, 1e-13);
  EXPECT_LT(projected.velocity, 1e-13);

  SolveOptions classical = options;
  classical.method.projection = Projection::none;
  const Drift drifting = worst_residuals(pendulum.equations, pendulum.start, classical);
  EXPECT_GT(drifting.velocity, 1e-7);

  SolveOptions half_explicit = options;
  half_explicit.method.tableau = hem5();
  const Drift hem = worst_residuals(pendulum.equations, pendulum.start, half_explicit);
  EXPECT_LT(hem.position, 1e-13);
  EXPECT_LT(hem.velocity, 1e-13);

  half_explicit.method.projection = Projection::none;
  const Drift hem_drifting = worst_residuals(pendulum.equations, pendulum.start, half_explicit);
  EXPECT_GT(hem_drifting.position, 1e-9);
}

// The manifold repels: without projection the gradient flow on the sphere leaves it.
TEST(Drift, UnstableManifoldOfIndex2) {
  const auto flow = testset::problem("gradient_flow_sphere");
  SolveOptions options{.span = {0.0, 20.0}, .steps = 2000, .method = {.tableau = radau_ia(3)}};
  EXPECT_LT(worst_residuals(flow.equations, flow.start, options).position, 1e-13);
  options.method.projection = Projection::none;
  EXPECT_GT(worst_residuals(flow.equations, flow.start, options).position, 1e-9);
}

// Section 3 of Schropp 2001: the iterates of a time-dependent problem and of its autonomous rewriting coincide.
TEST(AutonomousRewriting, SameIterates) {
  for (const char* name : {"mms_index2_gamma", "ascher_petzold_index2", "mms_index3_nonautonomous"}) {
    const auto problem = testset::problem(name);
    for (const Tableau& tableau : {radau_iia(3), radau_ia(3), hem4()}) {
      if (tableau.name == "hem4" && index_of(problem.equations) == 3) continue;
      const auto [difference, rounding] = testset::compare_with_rewriting(problem, tableau);
      EXPECT_LT(difference, rounding) << name << ", " << tableau.name;
    }
  }
}

}  // namespace
}  // namespace driftless::drift_test
