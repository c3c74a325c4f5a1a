// A net of rods, mechanical and of index 3, with implicit steps on patterns beside whole matrices, on each constraint
// level; its drift, its orders, and what it allocates.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/driftless.h"
#include "driftless/equations/manifold.h"
#include "driftless/integrate/integrator.h"
#include "driftless/linalg/linear_system.h"
#include "driftless/step/sparse_mechanical.h"
#include "tests/unit/integrate/sparse_runs.h"
#include "testset/generators.h"

namespace driftless::sparse_net_test {
namespace {

constexpr std::size_t side = 4;  // 48 coordinates, 28 rods

TEST(RodNet, StartsConsistently) {
  for (const std::size_t n : {2, 3, 12}) {
    const Equations equations = testset::rod_net(n);
    const Vector start = testset::rod_net_start(n);
    Vector found = start;
    const auto manifold = make_manifold(equations);
    ASSERT_EQ(manifold->set_multipliers(0.0, found), ManifoldStatus::ok);
    EXPECT_LT(difference(found, start), 1e-11) << n;
    Vector residual(manifold->constraint_count());
    for (const int level : {1, 2}) {
      manifold->residual(level, 0.0, start, residual);
      for (const double x : residual) EXPECT_NEAR(x, 0.0, 1e-15);
    }
  }
}

struct Runs {
  Vector ends[2];  // dense, sparse

  explicit Runs(const SolveOptions& options) {
    for (const LinearKernel kernel : {LinearKernel::dense, LinearKernel::sparse}) {
      const ForcedKernel forced(kernel);
      const bool sparse = kernel == LinearKernel::sparse;
      const Equations equations = testset::rod_net(side);
      EXPECT_EQ(SparseMechanicalStage::suits(std::get<Mechanical>(equations)), sparse);
      const Solution run = solve(equations, testset::rod_net_start(side), options);
      EXPECT_TRUE(run.ok());
      EXPECT_LT(run.certificate().position, 1e-14);
      EXPECT_LT(run.certificate().velocity, 1e-13);
      ends[sparse].assign(run.state(run.size() - 1).begin(), run.state(run.size() - 1).end());
    }
  }
};

TEST(RodNet, FixedStepsOnPatternsAreThoseWithWholeMatrices) {
  const Runs runs({.span = {0.0, 1.0}, .steps = 50, .method = {.tableau = radau_iia(3)}});
  EXPECT_LT(difference(runs.ends[1], runs.ends[0]), 1e-10);
}

// Sparse factors may serve several steps, so that steps are others.
TEST(RodNet, AdaptiveStepsOnPatternsAreAsGoodAsThoseWithWholeMatrices) {
  for (const ConstraintLevel level :
       {ConstraintLevel::acceleration, ConstraintLevel::position, ConstraintLevel::position_with_accelerations,
        ConstraintLevel::velocity, ConstraintLevel::ggl}) {
    const Runs runs(
        {.span = {0.0, 1.0}, .adaptive = AdaptiveMethod::radau, .tolerance = {1e-8, 1e-8}, .radau = {.level = level}});
    EXPECT_LT(difference(runs.ends[1], runs.ends[0]), 1e-6) << static_cast<int>(level);
  }
}

// Explicit and implicit steps have nothing in common but the equations.
TEST(RodNet, ImplicitAndExplicitStepsAgree) {
  Vector ends[2];
  for (const AdaptiveMethod method : {AdaptiveMethod::dop853, AdaptiveMethod::radau}) {
    const Solution run = solve(testset::rod_net(6), testset::rod_net_start(6),
                               {.span = {0.0, 0.5}, .adaptive = method, .tolerance = {1e-10, 1e-10}});
    ASSERT_TRUE(run.ok()) << run.failure().message();
    ends[method == AdaptiveMethod::radau].assign(run.state(run.size() - 1).begin(), run.state(run.size() - 1).end());
  }
  EXPECT_LT(difference(ends[0], ends[1]), 1e-7);
}

// Radau IIA with three stages, projected: 5 in q and v, and lambda of the hidden constraint follows.
TEST(RodNet, FixedStepsHaveTheirOrder) {
  const Equations equations = testset::rod_net(side);
  ASSERT_TRUE(SparseMechanicalStage::suits(std::get<Mechanical>(equations)));
  const Solution exact = solve(equations, testset::rod_net_start(side),
                               {.span = {0.0, 0.5}, .adaptive = AdaptiveMethod::dop853, .tolerance = {1e-13, 1e-13}});
  ASSERT_TRUE(exact.ok());
  Vector errors;
  for (const std::size_t steps : {8, 16, 32}) {
    const Solution run = solve(equations, testset::rod_net_start(side),
                               {.span = {0.0, 0.5},
                                .steps = steps,
                                .method = {.tableau = radau_iia(3), .multiplier = MultiplierRule::hidden_constraint}});
    ASSERT_TRUE(run.ok()) << run.failure().message();
    errors.push_back(difference(run.state(run.size() - 1), exact.state(exact.size() - 1)));
  }
  for (std::size_t k = 0; k < 2; ++k) {
    const double order = std::log2(errors[k] / errors[k + 1]);
    EXPECT_GT(order, 4.5) << errors[k];
    EXPECT_LT(order, 5.6) << errors[k];
  }
}

}  // namespace
}  // namespace driftless::sparse_net_test
