#include "driftless/integrate/solve.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "driftless/driftless.h"
#include "testset/problem.h"

namespace driftless::solve_test {
namespace {

struct Pendulum {
  void force(auto, auto, auto, auto f) const { f[1] = -1.0; }
  void constraint(auto q, auto, auto g) const { g[0] = q[0] * q[0] + q[1] * q[1] - 1.0; }
};

Equations pendulum() { return mechanical(Pendulum{}, {.q_names = {"x", "y"}, .constraint_names = {"rod"}}); }

template <class Call>
std::string misuse(Call&& call) {
  try {
    call();
  } catch (const Misuse& error) {
    return error.what();
  }
  return "";
}

TEST(Solve, PendulumMeetsItsReference) {
  const auto problem = testset::problem("pendulum_schropp");
  const Solution solution =
      solve(problem.equations, problem.start, {.span = {0.0, 20.0}, .steps = 4000, .keep_every = 4000});
  ASSERT_TRUE(solution.ok());
  const auto at_20 =
      std::find_if(problem.references.begin(), problem.references.end(), [](const auto& r) { return r.time == 20.0; });
  ASSERT_NE(at_20, problem.references.end());
  const Vector& reference = at_20->state;
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(solution.state(1)[i], reference[i], 1e-11) << i;
}

TEST(Solve, KeepsWhatItWasAskedToKeep) {
  const Solution solution = solve(pendulum(), {1.0, 0.0}, {.span = {0.0, 1.0}, .steps = 10, .keep_every = 4});
  ASSERT_EQ(solution.size(), 4u);
  EXPECT_DOUBLE_EQ(solution.time(1), 0.4);
  EXPECT_EQ(solution.time(3), 1.0);
  EXPECT_EQ(solution.statistics().steps, 10u);
  EXPECT_EQ(solution.block("q", 3)[0], solution.final("x"));
}

TEST(Solve, LastStepIsShortenedToMeetTheEnd) {
  const Solution solution = solve(pendulum(), {1.0, 0.0}, {.span = {0.0, 1.0}, .step_size = 0.3});
  ASSERT_TRUE(solution.ok());
  EXPECT_EQ(solution.statistics().steps, 4u);
  EXPECT_EQ(solution.time(4), 1.0);
  const Solution whole = solve(pendulum(), {1.0, 0.0}, {.span = {0.0, 1.0}, .step_size = 0.1});
  EXPECT_EQ(whole.statistics().steps, 10u);
}

TEST(Solve, BackwardInTimeReturnsToTheStart) {
  const Solution there = solve(pendulum(), {1.0, 0.0}, {.span = {0.0, 2.0}, .steps = 400});
  const Solution back = solve(pendulum(), there.state(400), {.span = {2.0, 0.0}, .steps = 400});
  EXPECT_NEAR(back.final("x"), 1.0, 1e-10);
  EXPECT_NEAR(back.final("y"), 0.0, 1e-10);
}

TEST(Solve, NonsenseIsMisuse) {
  EXPECT_NE(misuse([] {
              solve(pendulum(), {1.0, 0.0}, {.span = {0.0, 0.0}, .steps = 1});
            }).find("empty"),
            std::string::npos);
  EXPECT_NE(misuse([] {
              solve(pendulum(), {1.0, 0.0}, {.span = {0.0, 1.0}, .steps = 1, .step_size = 1.0});
            }).find("not both"),
            std::string::npos);
  EXPECT_NE(misuse([] {
              solve(pendulum(), {1.0, 0.0}, {.span = {0.0, 1.0}, .step_size = -0.1});
            }).find("positive"),
            std::string::npos);
  EXPECT_NE(misuse([] {
              solve(pendulum(), {1.0, 0.0}, {.span = {0.0, 1.0}, .steps = 0});
            }).find("at least 1"),
            std::string::npos);
  EXPECT_NE(misuse([] {
              solve(pendulum(), {1.0}, {.span = {0.0, 1.0}, .steps = 1});
            }).find("need 4"),
            std::string::npos);
  EXPECT_NE(misuse([] {
              solve(pendulum(), {1.0, 0.0}, {.span = {0.0, 1e9}, .step_size = 1e-9});
            }).find("steps"),
            std::string::npos);
}

TEST(Solve, TableauThatViolatesItsConditionsIsRefusedWithTheReason) {
  auto with = [](Method method) {
    return misuse([&] { solve(pendulum(), {1.0, 0.0}, {.span = {0.0, 0.1}, .steps = 1, .method = method}); });
  };
  const std::string gauss_text = with({.tableau = gauss(2)});
  EXPECT_NE(gauss_text.find("(B2)"), std::string::npos) << gauss_text;
  EXPECT_NE(gauss_text.find("R(infinity)"), std::string::npos) << gauss_text;
  EXPECT_EQ(with({.tableau = gauss(2), .multiplier = MultiplierRule::hidden_constraint}), "");
  EXPECT_EQ(with({.tableau = gauss(2), .despite_conditions = true}), "");
  const std::string euler_text = with({.tableau = implicit_euler()});
  EXPECT_NE(euler_text.find("(B3)"), std::string::npos) << euler_text;
  const std::string dopri_text = with({.tableau = dopri5(), .despite_conditions = true});
  EXPECT_NE(dopri_text.find("(B1')"), std::string::npos) << dopri_text;
}

struct SuddenNan {
  void force(auto q, auto, auto t, auto f) const {
    using std::sqrt;
    f[0] = sqrt(0.5 - t) * q[0];
    f[1] = -1.0;
  }
  void constraint(auto q, auto, auto g) const { g[0] = q[0] * q[0] + q[1] * q[1] - 1.0; }
};

TEST(Solve, NanOfAModelFunctionIsNamedAndKeepsTheDataBefore) {
  const Equations equations = mechanical(SuddenNan{}, {.q_names = {"x", "y"}, .constraint_names = {"rod"}});
  for (const Tableau& tableau : {radau_iia(3), sdirk4(), hem4()}) {
    const Solution solution =
        solve(equations, {1.0, 0.0},
              {.span = {0.0, 1.0}, .steps = 100, .method = {.tableau = tableau, .despite_conditions = true}});
    ASSERT_FALSE(solution.ok()) << tableau.name;
    EXPECT_EQ(solution.failure().kind, FailureKind::not_finite) << tableau.name;
    EXPECT_NEAR(solution.failure().time, 0.5, 0.02);
    EXPECT_NE(solution.failure().where.find("force"), std::string::npos) << solution.failure().message();
    EXPECT_NE(solution.failure().where.find("x = "), std::string::npos) << solution.failure().message();
    EXPECT_GE(solution.size(), 45u);
    EXPECT_THROW(solution.or_throw(), FailedRun);
  }
}

TEST(Solve, NanIsNamedWithAdaptiveStepsToo) {
  const Equations equations = mechanical(SuddenNan{}, {.q_names = {"x", "y"}, .constraint_names = {"rod"}});
  const Solution solution = solve(equations, {1.0, 0.0}, {.span = {0.0, 1.0}});
  ASSERT_FALSE(solution.ok());
  EXPECT_EQ(solution.failure().kind, FailureKind::not_finite) << solution.failure().message();
  EXPECT_NEAR(solution.failure().time, 0.5, 1e-3);
  EXPECT_NE(solution.failure().where.find("force"), std::string::npos) << solution.failure().message();
}

TEST(Solve, NanAtTheStartIsNamed) {
  const Equations equations = mechanical(SuddenNan{}, {.q_names = {"x", "y"}, .constraint_names = {"rod"}});
  const Solution solution = solve(equations, {1.0, 0.0}, {.span = {0.7, 1.0}, .steps = 3});
  ASSERT_FALSE(solution.ok());
  EXPECT_EQ(solution.failure().kind, FailureKind::not_finite);
  EXPECT_EQ(solution.size(), 0u);
}

TEST(Solve, NewtonThatDoesNotConvergeTellsTimeStepAndContraction) {
  const auto problem = testset::problem("hlr_index3");
  const Solution solution = solve(problem.equations, problem.start, {.span = {0.0, 4.0}, .steps = 2});
  ASSERT_FALSE(solution.ok());
  EXPECT_EQ(solution.failure().kind, FailureKind::newton_did_not_converge) << solution.failure().message();
  const std::string& text = solution.failure().what_happened;
  EXPECT_NE(text.find("step size 2"), std::string::npos) << text;
  EXPECT_NE(text.find("contraction"), std::string::npos) << text;
  EXPECT_FALSE(solution.failure().what_to_try.empty());
}

// The cranks of the parallelogram are redundant: rank 2 of 3 all the way.
TEST(Solve, RedundantConstraintsRun) {
  const auto problem = testset::problem("redundant_parallelogram");
  for (const Tableau& tableau : {radau_iia(3), hem5()}) {
    const Solution solution = solve(problem.equations, problem.start,
                                    {.span = {problem.begin, problem.begin + 0.5},
                                     .steps = 500,
                                     .method = {.tableau = tableau, .multiplier = MultiplierRule::hidden_constraint}});
    ASSERT_TRUE(solution.ok()) << tableau.name << ": " << solution.failure().message();
    const auto residuals = solution.residuals(500);
    EXPECT_LT(residuals.largest(1), 1e-13);
    EXPECT_LT(residuals.largest(2), 1e-12);
    const ConstSpan lambda = solution.block("lambda", 500);
    EXPECT_NEAR(lambda[0], lambda[1], 1e-7 * std::abs(lambda[0]));
    EXPECT_NEAR(lambda[2], lambda[1], 1e-7 * std::abs(lambda[0]));
  }
}

struct Oscillator {  // x'' = -x with a first-order state that integrates x: s = sin t for x = cos t
  void force(auto q, auto, auto, auto, auto f) const { f[0] = -q[0]; }
  void states(auto q, auto, auto, auto, auto ds) const { ds[0] = q[0]; }
  void constraint(auto, auto, auto) const {}
};

TEST(Solve, FirstOrderStatesAndNoConstraints) {
  const Equations equations = mechanical(Oscillator{}, {.q_names = {"x"}, .s_names = {"integral"}});
  for (const Tableau& tableau : {radau_iia(3), gauss(3), sdirk4(), hem5()}) {
    const Solution solution =
        solve(equations, {1.0, 0.0, 0.0}, {.span = {0.0, 1.0}, .steps = 200, .method = {.tableau = tableau}});
    ASSERT_TRUE(solution.ok()) << solution.failure().message();
    EXPECT_NEAR(solution.final("x"), std::cos(1.0), 1e-9) << tableau.name;
    EXPECT_NEAR(solution.final("integral"), std::sin(1.0), 1e-9) << tableau.name;
  }
}

}  // namespace
}  // namespace driftless::solve_test
