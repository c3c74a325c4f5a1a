// Problems that lose index 1 on the way, with the time known in closed form.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/analysis/stability/index_loss.h"
#include "driftless/core/failure.h"
#include "testset/problem.h"
#include "testset/stability/index_loss_models.h"

namespace driftless::bound_index_loss_test {
namespace {

TEST(IndexLoss, AFoldIsFoundFromTheRunThatEndsInIt) {
  const Index1 form = enclosed_partitioned(stability::Fold{}, {.y = 1, .z = 1});
  const Solution run = solve(form, {1.0, 1.0}, {.span = {0.0, 2.0}});
  EXPECT_FALSE(run.ok());
  const IndexLoss loss = find_index_loss(run);
  EXPECT_TRUE(loss.lost);
  EXPECT_TRUE(loss.extrapolated);
  EXPECT_TRUE(loss.singular);
  EXPECT_NEAR(loss.time, 1.0, 1e-4);
  EXPECT_NEAR(loss.history.front().monotonicity, -1.0, 1e-12);
  EXPECT_NE(loss.verdict.find("about to reach 0"), std::string::npos);
  EXPECT_NE(loss.verdict.find("no longer of index 1"), std::string::npos);
}

TEST(IndexLoss, AConstraintThatFadesIsFoundBetweenTheSteps) {
  const Index1 form = enclosed_partitioned(stability::Fading{}, {.y = 1, .z = 1});
  const Solution run = solve(form, {0.5, std::sin(0.5)}, {.span = {0.0, 1.7}, .adaptive = AdaptiveMethod::radau});
  const IndexLoss loss = find_index_loss(run);
  EXPECT_TRUE(loss.lost);
  EXPECT_TRUE(loss.singular);
  EXPECT_NEAR(loss.time, 1.0, 1e-6);
}

TEST(IndexLoss, MonotonicityMayEndWhereTheIndexDoesNot) {
  const Index1 form = enclosed_partitioned(stability::TurningConstraint{}, {.y = 2, .z = 2});
  const Solution run = solve(form, {1.0, 0.5, 1.0, 0.5}, {.span = {0.0, 3.0}, .tolerance = {1e-8, 1e-10}});
  ASSERT_TRUE(run.ok());
  const IndexLoss loss = find_index_loss(run);
  EXPECT_TRUE(loss.lost);
  EXPECT_FALSE(loss.singular);
  EXPECT_FALSE(loss.extrapolated);
  EXPECT_NEAR(loss.time, M_PI / 2.0, 1e-9);
  EXPECT_NE(loss.verdict.find("still regular"), std::string::npos);
}

TEST(IndexLoss, IsNotSeenWhereThereIsNone) {
  const auto problem = testset::problem("lognorm_nonlinear");
  const Solution run = solve(problem.equations, problem.start, {.span = {0.0, 2.0}});
  const IndexLoss loss = find_index_loss(run);
  EXPECT_FALSE(loss.lost);
  EXPECT_NE(loss.verdict.find("Index 1 all along"), std::string::npos);
  EXPECT_EQ(loss.history.size(), run.size());
}

TEST(IndexLoss, OfARunThatFailsForAnotherReasonIsNotClaimed) {
  struct Explosion final : Index1::Functions {
    void f(ConstSpan x, double, Span out) const override {
      out[0] = x[0] * x[0];
      out[1] = x[0] - x[1];
    }
    void f_jacobian(ConstSpan x, double, MatrixView j) const override {
      j.fill(0.0);
      j(0, 0) = 2.0 * x[0];
      j(1, 0) = 1.0;
      j(1, 1) = -1.0;
    }
  };
  Matrix p(2, 2);
  p(0, 0) = 1.0;
  const Index1 form({.projector = p}, std::make_shared<Explosion>());
  const Solution run = solve(form, {1.0, 1.0}, {.span = {0.0, 2.0}, .stepping = {.limit = 2000}});
  EXPECT_FALSE(run.ok());
  const IndexLoss loss = find_index_loss(run);
  EXPECT_FALSE(loss.lost);
  EXPECT_NE(loss.verdict.find("not for its index"), std::string::npos);
}

TEST(IndexLoss, AnEventStopsTheRunBeforeItBreaksDown) {
  const Index1 form = enclosed_partitioned(stability::Fold{}, {.y = 1, .z = 1});
  const Vector start = {1.0, 1.0};
  const Solution run = solve(form, start, {.span = {0.0, 2.0}, .events = {index_loss_event(form, 0.0, start, -0.1)}});
  EXPECT_TRUE(run.ok());
  EXPECT_EQ(run.ended_by(), "loss of index 1");
  EXPECT_NEAR(run.time(run.size() - 1), 0.99, 1e-6);  // sqrt(1 - t) = 0.1
}

TEST(IndexLoss, IsOnlyForIndexOne) {
  const auto problem = testset::problem("pendulum_schropp");
  const Solution run = solve(problem.equations, problem.start, {.span = {0.0, 0.1}});
  EXPECT_THROW(find_index_loss(run), Misuse);
}

}  // namespace
}  // namespace driftless::bound_index_loss_test
