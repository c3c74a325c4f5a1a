// Explicit and half-explicit adaptive methods, and the automatic choice between them and Radau.
#include <gtest/gtest.h>

#include "driftless/driftless.h"
#include "driftless/integrate/integrator.h"
#include "testset/generators.h"
#include "testset/problem.h"

namespace driftless::explicit_test {
namespace {

constexpr AdaptiveMethod explicit_methods[] = {AdaptiveMethod::dop853, AdaptiveMethod::dopri5, AdaptiveMethod::hem3,
                                               AdaptiveMethod::hem4, AdaptiveMethod::hem5};

TEST(Explicit, EveryMethodKeepsTheConstraintsAndTheTolerance) {
  const auto problem = testset::problem("mms_index3_nonautonomous");
  for (const auto method : explicit_methods) {
    const Solution solution =
        solve(problem.equations, problem.start,
              {.span = {problem.begin, problem.begin + 2.0}, .adaptive = method, .tolerance = {1e-6, 1e-6}});
    ASSERT_TRUE(solution.ok()) << solution.failure().message();
    const Vector exact = problem.exact(problem.begin + 2.0);
    for (std::size_t i = 0; i < exact.size(); ++i)
      EXPECT_NEAR(solution.state(solution.size() - 1)[i], exact[i], 2e-5 * std::fmax(1.0, std::abs(exact[i])));
    EXPECT_LT(solution.certificate().position, 1e-14);
    EXPECT_LT(solution.certificate().velocity, 1e-13);
    EXPECT_LT(solution.certificate().acceleration, 1e-11);
    EXPECT_EQ(solution.statistics().jacobians, 0u);
    const Vector between = solution.at(problem.begin + 1.2345), there = problem.exact(problem.begin + 1.2345);
    for (std::size_t i = 0; i < there.size(); ++i)
      EXPECT_NEAR(between[i], there[i], 1e-3 * std::fmax(1.0, std::abs(there[i]))) << static_cast<int>(method);
  }
}

TEST(Explicit, CheckpointsResumeToTheSameBits) {
  for (const char* name : {"pendulum_schropp", "mms_index2_gamma"})
    for (const auto method :
         {AdaptiveMethod::dop853, AdaptiveMethod::dopri5, AdaptiveMethod::hem5, AdaptiveMethod::automatic}) {
      const auto problem = testset::problem(name);
      const AdaptiveOptions options{.method = method, .tolerance = {1e-7, 1e-7}};
      const auto whole = make_integrator(problem.equations, options, problem.begin, problem.begin + 2.0, problem.start);
      std::vector<std::string> checkpoints;
      while (!whole->finished()) {
        ASSERT_FALSE(whole->step());
        checkpoints.push_back(whole->checkpoint());
      }
      const auto resumed = resume_integrator(problem.equations, options, checkpoints[checkpoints.size() / 2]);
      while (!resumed->finished()) ASSERT_FALSE(resumed->step());
      EXPECT_TRUE(std::ranges::equal(whole->state(), resumed->state())) << name << ", " << static_cast<int>(method);
      EXPECT_EQ(whole->statistics().evaluations, resumed->statistics().evaluations);
    }
}

TEST(Explicit, HalfExplicitMethodsNeedIndex2OrMechanics) {
  const auto problem = testset::problem("hlr_index3");
  EXPECT_THROW(solve(problem.equations, problem.start, {.span = {0.0, 1.0}, .adaptive = AdaptiveMethod::hem4}), Misuse);
}

TEST(Explicit, BackwardInTime) {
  const auto problem = testset::problem("pendulum_schropp");
  for (const auto method : explicit_methods) {
    const SolveOptions there_options{.span = {0.0, 2.0}, .adaptive = method, .tolerance = {1e-9, 1e-9}};
    const Solution there = solve(problem.equations, problem.start, there_options);
    SolveOptions back_options = there_options;
    back_options.span = {2.0, 0.0};
    const Solution back = solve(problem.equations, there.state(there.size() - 1), back_options);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(back.state(back.size() - 1)[i], problem.start[i], 1e-5);
  }
}

// x' = y, y' = ((1 - x^2) y - x)/eps: slow, then a jump, then slow again.
struct VanDerPol {
  double epsilon;
  void f(auto x, auto, auto out) const {
    out[0] = x[1];
    out[1] = ((1.0 - x[0] * x[0]) * x[1] - x[0]) / epsilon;
  }
};

TEST(Automatic, GoesImplicitWhereItIsStiffAndSaysWhy) {
  const Equations equations = index1(VanDerPol{1e-3}, {.projector = Matrix::identity(2), .x_names = {"x", "y"}});
  const Solution solution = solve(equations, {2.0, -0.66}, {.span = {0.0, 2.0}, .tolerance = {1e-6, 1e-6}});
  ASSERT_TRUE(solution.ok()) << solution.failure().message();
  EXPECT_GE(solution.statistics().turned_implicit, 1u);
  ASSERT_FALSE(solution.method_changes().empty());
  EXPECT_EQ(solution.method_changes().front().to, "radau");
  EXPECT_NE(solution.method_changes().front().why.find("limits explicit steps"), std::string::npos);
  EXPECT_LT(solution.statistics().steps, 3000u);
}

TEST(Automatic, StaysExplicitOnAMechanism) {
  const auto problem = testset::problem("andrews_squeezer");
  const Solution solution =
      solve(problem.equations, problem.start, {.span = {0.0, 0.03}, .tolerance = {1e-8, 1e-8}, .dense = false});
  ASSERT_TRUE(solution.ok());
  EXPECT_EQ(solution.statistics().explicit_steps, solution.statistics().steps);
  EXPECT_EQ(solution.statistics().jacobians, 0u);
  EXPECT_TRUE(solution.method_changes().empty());
}

// Twelve stages repay at loose tolerances too.
TEST(Automatic, TakesOrderEightAtLooseTolerances) {
  const auto problem = testset::problem("andrews_squeezer");
  const Solution solution = solve(problem.equations, problem.start,
                                  {.span = {0.0, 0.03}, .tolerance = {1e-2, 1e-2}, .dense = false, .history = true});
  ASSERT_TRUE(solution.ok());
  EXPECT_EQ(solution.statistics().explicit_steps, solution.statistics().steps);
  for (const StepRecord& step : solution.history().steps) EXPECT_EQ(step.order, 8);
}

// The multiplier of an explicit stage takes an iteration where it enters nonlinearly, and none where it does not.
TEST(Automatic, KnowsWhetherTheMultiplierEntersLinearly) {
  for (const auto& [name, is_linear] : {std::pair{"hlr_index2", false}, std::pair{"ascher_petzold_index2", true}}) {
    const auto problem = testset::problem(name);
    const Solution solution = solve(problem.equations, problem.start,
                                    {.span = {problem.begin, problem.begin + 0.5}, .tolerance = {1e-6, 1e-6}});
    ASSERT_TRUE(solution.ok()) << name;
    EXPECT_EQ(solution.statistics().explicit_steps, is_linear ? solution.statistics().steps : 0u) << name;
    EXPECT_TRUE(solution.method_changes().empty()) << name;
  }
}

// Large systems are not taken for stiff because a few steps were long, and not for harmless because a few were short.
TEST(Automatic, TellsLargeStiffSystemsFromLongChains) {
  const auto points = testset::problem("fekete20");
  const Vector chain_start = testset::suspended_chain_start(50);
  for (const double tolerance : {1e-2, 1e-3, 1e-4}) {
    const SolveOptions options{.tolerance = {tolerance, tolerance}, .dense = false};
    SolveOptions long_run = options, short_run = options;
    long_run.span = {0.0, 1000.0};
    short_run.span = {0.0, 1.0};
    const Solution stiff = solve(points.equations, points.start, long_run);
    ASSERT_TRUE(stiff.ok()) << tolerance;
    EXPECT_EQ(stiff.statistics().turned_implicit, 1u) << tolerance;
    EXPECT_LT(stiff.statistics().explicit_steps, 80u) << tolerance;  // of about 590 without an end
    const Solution chain = solve(testset::suspended_chain(50), chain_start, short_run);
    ASSERT_TRUE(chain.ok()) << tolerance;
    EXPECT_EQ(chain.statistics().turned_implicit, 0u) << tolerance;
  }
}

// Stiff while the switch is on, a slow oscillation after.
struct Fading {
  void f(auto x, auto t, auto out) const {
    using std::exp;
    const auto rate = 1e5 * exp(-60.0 * t * t) + 1.0;
    out[0] = -rate * (x[0] - x[1]);
    out[1] = x[2];
    out[2] = -x[1];
  }
};

TEST(Automatic, ComesBackWhenStiffnessFades) {
  const Equations equations = index1(Fading{}, {.projector = Matrix::identity(3), .x_names = {"a", "b", "c"}});
  const Solution solution = solve(equations, {1.0, 1.0, 0.0}, {.span = {0.0, 40.0}, .tolerance = {1e-8, 1e-8}});
  ASSERT_TRUE(solution.ok());
  EXPECT_EQ(solution.statistics().turned_implicit, 1u);
  EXPECT_EQ(solution.statistics().turned_explicit, 1u);
  EXPECT_NEAR(solution.final("b"), std::cos(40.0), 1e-6);
}

TEST(Automatic, ResumesInAStiffPhase) {
  const Equations equations = index1(VanDerPol{1e-3}, {.projector = Matrix::identity(2), .x_names = {"x", "y"}});
  const AdaptiveOptions options{.tolerance = {1e-6, 1e-6}};
  const Vector start{2.0, -0.66};
  const auto whole = make_integrator(equations, options, 0.0, 1.0, start);
  std::vector<std::string> checkpoints;
  while (!whole->finished()) {
    ASSERT_FALSE(whole->step());
    checkpoints.push_back(whole->checkpoint());
  }
  for (std::size_t k = 0; k + 1 < checkpoints.size(); k += checkpoints.size() / 7 + 1) {
    const auto resumed = resume_integrator(equations, options, checkpoints[k]);
    while (!resumed->finished()) ASSERT_FALSE(resumed->step());
    EXPECT_TRUE(std::ranges::equal(whole->state(), resumed->state())) << k << " of " << checkpoints.size();
  }
}

// Zeros found by tracing: a chain of 200 links would take a 600 x 600 system at every stage without them.
TEST(Structure, LongChainsRunOnTheirZeros) {
  const std::size_t n = 200;
  const Equations chain = testset::chain_pendulum(n);
  const auto* mechanical = std::get_if<Mechanical>(&chain);
  ASSERT_NE(mechanical->functions().structure(), nullptr);
  EXPECT_EQ(mechanical->functions().structure()->jacobian.count(), 4 * n - 2);
  EXPECT_EQ(mechanical->functions().structure()->mass.count(), 2 * n);
  const Solution solution =
      solve(chain, testset::chain_pendulum_start(n), {.span = {0.0, 0.02}, .tolerance = {1e-6, 1e-6}, .dense = false});
  ASSERT_TRUE(solution.ok()) << solution.failure().message();
  EXPECT_LT(solution.certificate().position, 1e-15);
  EXPECT_LT(*solution.certificate().energy_change, 1e-8);
}

// The interpolant's extra stages, at 0.1 of the step, fall on times at which the force has no value.
struct PendulumWithGaps {
  double gap;
  void force(auto, auto, auto t, auto f) const {
    const double position = value_of(t) / 0.05;
    const bool hit = std::abs(position - std::floor(position) - gap) < 1e-9;
    f[1] = hit ? std::numeric_limits<double>::quiet_NaN() : -9.81;
  }
  void constraint(auto q, auto, auto g) const { g[0] = q[0] * q[0] + q[1] * q[1] - 1.0; }
  static double value_of(double t) { return t; }
  static double value_of(const auto& t) { return value_of(t.value); }
};

TEST(AdaptiveExplicit, InterpolantIsRightWhereItsOwnStagesFail) {
  const auto states = [](double gap) {
    SolveOptions options{.span = {0.0, 1.0}, .adaptive = AdaptiveMethod::dop853};
    options.stepping = {.first = 0.05, .largest = 0.05};
    const Solution run = solve(mechanical(PendulumWithGaps{gap}, {.q_names = {"x", "y"}, .constraint_names = {"rod"}}),
                               {1.0, 0.0}, options);
    EXPECT_TRUE(run.ok());
    std::vector<Vector> found;
    for (int k = 1; k < 40; ++k) found.push_back(run.at(0.0247 * k));
    return found;
  };
  const auto expected = states(-1.0), found = states(0.1);
  for (std::size_t k = 0; k < found.size(); ++k)
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(found[k][i], expected[k][i], 2e-8) << k << ' ' << i;
}

}  // namespace
}  // namespace driftless::explicit_test
