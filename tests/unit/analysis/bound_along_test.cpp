// Stability along the solution of a run, against closed forms.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/analysis/stability/stability_along.h"
#include "driftless/core/failure.h"
#include "testset/problem.h"
#include "testset/stability/cases.h"
#include "testset/stability/index_loss_models.h"

namespace driftless::bound_along_test {
namespace {

TEST(BoundAlong, OfALinearProblemHasTheRateOfTheReducedMatrix) {
  const auto problem = testset::problem("lognorm_linear");
  const Solution run = solve(problem.equations, problem.start, {.span = {0.0, 2.0}});
  const StabilityAlong r = analyse_along(run, {.perturbation = {.start = 0.1, .differential = 0.01}});
  EXPECT_TRUE(r.certain);
  EXPECT_FALSE(r.index.lost);
  EXPECT_NEAR(r.mean_rate, -2.886666666666667, 1e-9);
  EXPECT_NEAR(r.largest_rate, -2.886666666666667, 1e-9);
  EXPECT_NEAR(r.rate_at(1.0), -2.886666666666667, 1e-9);
  EXPECT_NEAR(r.growth, std::exp(2.0 * r.mean_rate), 1e-12);
  ASSERT_TRUE(r.deviation_valid);
  EXPECT_EQ(r.deviation.size(), run.size());
  const double growth = std::exp(2.0 * r.mean_rate);
  EXPECT_NEAR(r.deviation.back().p, 0.1 * growth + 0.01 * (growth - 1.0) / r.mean_rate, 1e-7);
  ASSERT_EQ(r.sentences.size(), 4u);
  EXPECT_NE(r.sentences[0].find("Index 1 all along"), std::string::npos);
  EXPECT_NE(r.sentences[1].find("shrink to 0.003"), std::string::npos) << r.sentences[1];
  EXPECT_NE(r.sentences[2].find("the error at t = 2 is at most"), std::string::npos);
  EXPECT_NE(
      r.sentences[3].find("Perturbations of size 0.1 at the start, 0.01 in the differential equations and 0 in the "
                          "constraint move the solution by at most"),
      std::string::npos)
      << r.sentences[3];
}

// A perturbation of the constraint is measured as the model states it, whatever scaling the constants were found with.
TEST(BoundAlong, ScalingOfTheConstraintDoesNotChangeWhatAPerturbationOfItDoes) {
  const auto problem = testset::problem("lognorm_linear");
  const Solution run = solve(problem.equations, problem.start, {.span = {0.0, 2.0}});
  const PerturbationSizes sizes{.constraint = 0.01};
  const auto scaled = analyse_along(run, {.scaling = ConstraintScaling::newton, .perturbation = sizes});
  const auto given = analyse_along(run, {.scaling = ConstraintScaling::as_given, .perturbation = sizes});
  EXPECT_NEAR(scaled.deviation.back().p, given.deviation.back().p, 0.1 * given.deviation.back().p);
  EXPECT_GT(scaled.deviation.back().q, 0.0);
}

TEST(BoundAlong, SeesWhereTheSolutionIsUnstableForAWhile) {
  for (const auto& problem : stability::cases()) {
    if (problem.name != "nonautonomous") continue;
    const Solution run = solve(problem.form, problem.start, {.span = {0.0, problem.end}});
    const StabilityAlong r = analyse_along(run);
    EXPECT_GT(r.largest_rate, 0.4);
    EXPECT_LT(r.mean_rate, r.largest_rate - 0.2);
    EXPECT_GT(r.rate_at(0.0), 0.3);
    EXPECT_LT(r.rate_at(1.5), -1.0);
    EXPECT_NE(r.sentences[1].find("at most"), std::string::npos);
  }
}

TEST(BoundAlong, EndsWhereIndexOneIsLost) {
  const Index1 form = enclosed_partitioned(stability::Fold{}, {.y = 1, .z = 1});
  const Solution run = solve(form, {1.0, 1.0}, {.span = {0.0, 2.0}});
  const StabilityAlong r = analyse_along(run);
  EXPECT_TRUE(r.index.lost);
  EXPECT_NEAR(r.end, 0.98, 1e-4);
  EXPECT_NE(r.sentences[0].find("no longer of index 1"), std::string::npos);
  EXPECT_EQ(r.sentences.size(), 2u);
}

// The block turns: regular, but monotone only if it is scaled again on the way.
TEST(BoundAlong, GoesOnWhereTheConstraintStaysRegular) {
  const Index1 form = enclosed_partitioned(stability::TurningConstraint{}, {.y = 2, .z = 2});
  const Solution run = solve(form, {1.0, 0.5, 1.0, 0.5}, {.span = {0.0, 3.0}, .tolerance = {1e-8, 1e-10}});
  const StabilityAlong r = analyse_along(run);
  EXPECT_EQ(r.end, 3.0);
  EXPECT_NEAR(r.largest_rate, -0.1, 1e-6);  // y' = diag(-0.1, -0.2) y
  EXPECT_TRUE(r.error.valid);
  EXPECT_NE(r.sentences[0].find("would end at t = 1.5708"), std::string::npos) << r.sentences[0];
  const StabilityAlong as_given = analyse_along(run, {.scaling = ConstraintScaling::as_given});
  EXPECT_NEAR(as_given.end, 0.98 * M_PI / 2.0, 1e-6);
}

TEST(BoundAlong, OfOneMajorantIsItsClosedForm) {
  const Majorant m{-2.0, 0.5, 0.25, 0.5};
  const auto bounds = bound_deviation(m, {.start = 1.0, .differential = 0.2, .constraint = 0.4}, Vector{0.0, 1.0});
  EXPECT_NEAR(bounds[1].p, std::exp(-2.0) + 0.4 * (1.0 - std::exp(-2.0)) / 2.0, 1e-7);
  EXPECT_NEAR(bounds[1].q, 0.25 * bounds[1].p + 0.2, 1e-12);
}

TEST(BoundAlong, IsForIndexOneOnly) {
  const auto problem = testset::problem("pendulum_schropp");
  EXPECT_THROW(analyse_along(solve(problem.equations, problem.start, {.span = {0.0, 0.1}})), Misuse);
}

}  // namespace
}  // namespace driftless::bound_along_test
