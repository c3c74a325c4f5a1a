#include <gtest/gtest.h>

#include <set>

#include "driftless/driftless.h"

namespace driftless::history_test {
namespace {

struct Pendulum {
  void force(auto, auto, auto, auto f) const { f[1] = -1.0; }
  void constraint(auto q, auto, auto g) const { g[0] = q[0] * q[0] + q[1] * q[1] - 1.0; }
};
Equations pendulum() { return mechanical(Pendulum{}, {.q_names = {"x", "y"}, .constraint_names = {"rod"}}); }

void expect_steps_join(const StepHistory& history, double begin, double end) {
  double t = begin;
  for (const StepRecord& step : history.steps) {
    EXPECT_NEAR(step.time - step.h, t, 1e-13);
    t = step.time;
  }
  EXPECT_EQ(t, end);
}

std::size_t count(const StepHistory& history, RejectionCause cause) {
  std::size_t n = 0;
  for (const Rejection& rejection : history.rejections) n += rejection.cause == cause;
  return n;
}

// A first step that is far too long makes every method reject.
SolveOptions rejecting(AdaptiveMethod method, bool history = true) {
  return {.span = {0.0, 8.0}, .adaptive = method, .stepping = {.first = 4.0}, .history = history};
}

TEST(History, EveryStepAndEveryRejectionIsThere) {
  for (const auto method : {AdaptiveMethod::radau, AdaptiveMethod::dop853, AdaptiveMethod::automatic}) {
    const Solution solution = solve(pendulum(), {1.0, 0.0}, rejecting(method));
    ASSERT_TRUE(solution.ok());
    const StepHistory& history = solution.history();
    const Statistics& statistics = solution.statistics();
    EXPECT_EQ(history.steps.size(), statistics.steps);
    expect_steps_join(history, 0.0, 8.0);
    EXPECT_GE(history.rejections.size(), 1u);
    EXPECT_EQ(history.rejections[0].time, 0.0);
    EXPECT_EQ(history.rejections[0].h, 4.0);
    EXPECT_EQ(count(history, RejectionCause::error), statistics.rejected_by_error);
    EXPECT_EQ(count(history, RejectionCause::newton), statistics.rejected_by_newton);
    EXPECT_EQ(count(history, RejectionCause::projection), statistics.rejected_by_projection);
    std::size_t iterations = 0;
    std::array<double, 3> worst = {0, 0, 0};
    for (const StepRecord& step : history.steps) {
      iterations += step.newton_iterations;
      for (std::size_t k = 0; k < 3; ++k) worst[k] = std::max(worst[k], step.residual[k]);
    }
    EXPECT_EQ(iterations, statistics.newton_iterations);
    EXPECT_LE(worst[0], solution.certificate().position);
    EXPECT_LE(worst[1], solution.certificate().velocity);
    EXPECT_LE(worst[2], solution.certificate().acceleration);
    EXPECT_GT(worst[2], 0.0);
    EXPECT_LT(worst[2], 1e-12);
  }
}

TEST(History, OrdersAreThoseOfTheMethods) {
  const auto orders = [](const SolveOptions& options) {
    std::set<int> all;
    const Solution solution = solve(pendulum(), {1.0, 0.0}, options);
    for (const StepRecord& step : solution.history().steps) all.insert(step.order);
    return all;
  };
  EXPECT_EQ(orders(rejecting(AdaptiveMethod::dop853)), std::set<int>{8});
  EXPECT_EQ(orders(rejecting(AdaptiveMethod::dopri5)), std::set<int>{5});
  for (const int order : orders(rejecting(AdaptiveMethod::radau))) EXPECT_TRUE(order == 5 || order == 9 || order == 13);
  EXPECT_EQ(orders({.steps = 10, .method = {.tableau = radau_iia(3)}, .history = true}), std::set<int>{5});
}

TEST(History, FixedStepsHaveOneToo) {
  const Solution solution =
      solve(pendulum(), {1.0, 0.0}, {.steps = 10, .method = {.tableau = radau_iia(2)}, .history = true});
  ASSERT_TRUE(solution.ok());
  EXPECT_EQ(solution.history().steps.size(), 10u);
  expect_steps_join(solution.history(), 0.0, 1.0);
  EXPECT_LT(solution.history().steps[3].residual[1], 1e-13);
}

// Without projection the residual of a step is that of its state.
TEST(History, ResidualsAreThoseOfTheStates) {
  SolveOptions options = rejecting(AdaptiveMethod::radau);
  options.radau = classic_radau5(false);
  const Solution solution = solve(pendulum(), {1.0, 0.0}, options);
  ASSERT_EQ(solution.history().steps.size() + 1, solution.size());
  for (std::size_t i = 1; i < solution.size(); ++i)
    for (int level = 1; level <= 3; ++level)
      EXPECT_EQ(solution.history().steps[i - 1].residual[static_cast<std::size_t>(level - 1)],
                solution.residuals(i).largest(level));
}

TEST(History, AStepThatAnEventCutsEndsThere) {
  const Event bottom{.name = "bottom", .root = [](double, ConstSpan s) { return s[0]; }, .terminal = true};
  SolveOptions options = rejecting(AdaptiveMethod::automatic);
  options.events = {bottom};
  const Solution solution = solve(pendulum(), {1.0, 0.0}, options);
  expect_steps_join(solution.history(), 0.0, solution.events()[0].time);
}

TEST(History, IsEmptyUnlessAskedFor) {
  const Solution solution = solve(pendulum(), {1.0, 0.0}, rejecting(AdaptiveMethod::radau, false));
  EXPECT_TRUE(solution.history().steps.empty());
  EXPECT_TRUE(solution.history().rejections.empty());
}

}  // namespace
}  // namespace driftless::history_test
