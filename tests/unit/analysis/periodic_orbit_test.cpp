// Periodic orbits, their multipliers in the tangent space, Lyapunov exponents, and recognition.
#include "driftless/analysis/geometric/periodic_orbit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "driftless/analysis/geometric/attractor_kind.h"
#include "driftless/driftless.h"
#include "testset/problem.h"
#include "testset/warped_cycle.h"

namespace driftless::periodic_orbit_test {
namespace {

Index2 stated(const char* name) { return index2_of(testset::problem(name).equations); }

// The equator: period 1, multiplier exp(-1) across it, 1 along it. The third one, off the sphere, does not occur.
TEST(PeriodicOrbit, EquatorHasItsClosedForm) {
  const auto orbit = find_periodic_orbit(stated("limit_cycle_sphere"), Vector{0.98, 0.05, 0.1}, 1.1);
  ASSERT_TRUE(orbit.ok()) << orbit.failure().message();
  EXPECT_NEAR(orbit->period, 1.0, 1e-11);
  EXPECT_NEAR(orbit->state[2], 0.0, 1e-10);
  ASSERT_EQ(orbit->multipliers.size(), 1u);
  EXPECT_NEAR(orbit->multipliers[0].real(), std::exp(-1.0), 1e-8);
  EXPECT_NEAR(orbit->trivial_multiplier, 1.0, 1e-8);
  EXPECT_TRUE(orbit->stable());
}

struct Row {
  const char* tableau;
  double period, multiplier;  // orders
};

TEST(PeriodicOrbit, OfAMethodConvergesWithItsOrder) {
  const Index2 equations = stated("limit_cycle_sphere");
  for (const Row& row :
       {Row{"radau-iia-2", 4, 3}, Row{"sdirk-2-half", 2, 1.6}, Row{"hem3", 4, 3.05}, Row{"hem5", 6, 4.8}}) {
    SCOPED_TRACE(row.tableau);
    double period[2], multiplier[2];
    for (int k = 0; k < 2; ++k) {
      const Discretisation discretisation{{.tableau = tableau_by_name(row.tableau)}, k == 0 ? 0.05 : 0.025};
      const auto orbit =
          find_periodic_orbit(equations, Vector{0.98, 0.05, 0.1}, 1.0, {.flow = {.discretisation = discretisation}});
      ASSERT_TRUE(orbit.ok()) << orbit.failure().message();
      EXPECT_LT(orbit->residual, 1e-11);
      EXPECT_NEAR(orbit->trivial_multiplier, 1.0, 1e-9);
      period[k] = std::abs(orbit->period - 1.0);
      multiplier[k] = std::abs(orbit->multipliers[0] - std::exp(-1.0));
    }
    EXPECT_NEAR(std::log2(period[0] / period[1]), row.period, 0.2);
    EXPECT_NEAR(std::log2(multiplier[0] / multiplier[1]), row.multiplier, 0.3);
  }
}

TEST(PeriodicOrbit, SaysThatThereIsNone) {
  const Index2 equations = stated("gradient_flow_sphere");
  const auto orbit = find_periodic_orbit(equations, Vector{0.4, 0.4, 0.4, 0.4, 0.6}, 1.0, {.most_iterations = 8});
  ASSERT_FALSE(orbit.ok());
  EXPECT_EQ(orbit.failure().what_happened.substr(0, 29), "no periodic orbit was found: ");
}

// exp(-t) across the equator, no growth along it.
TEST(Lyapunov, LimitCycleHasZeroAndItsFloquetExponent) {
  const Index2 equations = stated("limit_cycle_sphere");
  const auto result = lyapunov_exponents(
      equations, {testset::problem("limit_cycle_sphere").start},
      {.flow = {.discretisation = Discretisation{{.tableau = radau_iia(3)}, 0.05}}, .transient = 10.0, .time = 20.0});
  ASSERT_TRUE(result.ok());
  ASSERT_EQ(result->exponents.size(), 2u);
  EXPECT_NEAR(result->exponents[0], 0.0, 1e-6);
  EXPECT_NEAR(result->exponents[1], -1.0, 1e-4);
  EXPECT_NEAR(result->kaplan_yorke_dimension, 1.0, 1e-5);
}

// Sum of the exponents of Lorenz' equations: the divergence -(sigma + 1 + beta), exactly.
TEST(Lyapunov, LorenzIsChaoticOnItsParaboloid) {
  const Index2 equations = stated("lorenz_lifted");
  const auto result = lyapunov_exponents(equations, {testset::problem("lorenz_lifted").start},
                                         {.flow = {.discretisation = Discretisation{{.tableau = hem3()}, 0.01}},
                                          .transient = 5.0,
                                          .time = 40.0,
                                          .interval = 0.1});
  ASSERT_TRUE(result.ok());
  const Vector& l = result->exponents;
  ASSERT_EQ(l.size(), 3u);
  EXPECT_NEAR(l[0], 0.906, 0.25);
  EXPECT_NEAR(l[1], 0.0, 0.12);
  EXPECT_NEAR(l[0] + l[1] + l[2], -(10.0 + 1.0 + 8.0 / 3.0), 0.02);
  EXPECT_GT(l[0], 3.0 * result->standard_errors[0]);
}

TEST(Lyapunov, ResultsDoNotDependOnTheNumberOfThreads) {
  const Index2 equations = stated("lorenz_lifted");
  const auto starts =
      make_cloud(equations, {.center = {5.0, 5.0, 20.0, 4.5}, .half_widths = {2.0}, .count = 3}).value();
  LyapunovOptions options{.flow = {.discretisation = Discretisation{{.tableau = hem3()}, 0.02}},
                          .transient = 1.0,
                          .time = 4.0,
                          .count = 1,
                          .execution = {.threads = 1}};
  const auto one = lyapunov_exponents(equations, starts, options).value();
  options.execution.threads = 3;
  EXPECT_EQ(one.exponents, lyapunov_exponents(equations, starts, options)->exponents);
}

TEST(AttractorKind, EquilibriumIsRecognised) {
  const auto problem = testset::problem("gradient_flow_sphere");
  RecognitionOptions options{.transient = 15.0};
  const auto of_dae = recognise_attractor(index2_of(problem.equations), problem.start, options);
  ASSERT_TRUE(of_dae.ok()) << of_dae.failure().message();
  EXPECT_EQ(of_dae->kind, AttractorKind::equilibrium);
  EXPECT_NEAR(of_dae->equilibrium->state[5], -1.350342198033726961840811, 1e-13);
  EXPECT_TRUE(of_dae->step_multipliers.empty());
  options.flow.discretisation = Discretisation{{.tableau = radau_iia(2)}, 0.1};
  const auto of_method = recognise_attractor(index2_of(problem.equations), problem.start, options);
  EXPECT_EQ(of_method->kind, AttractorKind::equilibrium);
  EXPECT_EQ(of_method->step_multipliers.size(), 4u);
}

struct DampedPendulum {
  void force(auto, auto v, auto, auto f) const {
    f[0] = -0.3 * v[0];
    f[1] = -9.81 - 0.3 * v[1];
  }
  void constraint(auto q, auto, auto g) const { g[0] = q[0] * q[0] + q[1] * q[1] - 1.0; }
};

// After the transient it still swings by 20 degrees: the run goes on until it is decided.
TEST(AttractorKind, SlowDecayToAnEquilibriumIsRecognised) {
  const Equations pendulum = mechanical(DampedPendulum{}, {.q_names = {"x", "y"}, .constraint_names = {"rod"}});
  for (double transient : {15.0, 40.0}) {
    const auto found = recognise_attractor(index2_of(pendulum), Vector{1.0, 0.0, 0.0, 0.0}, {.transient = transient});
    ASSERT_TRUE(found.ok()) << found.failure().message();
    ASSERT_EQ(found->kind, AttractorKind::equilibrium) << transient;
    EXPECT_NEAR(found->equilibrium->exponents[0].real(), -0.15, 1e-12);
  }
}

TEST(AttractorKind, PeriodicOrbitIsRecognised) {
  const auto found = recognise_attractor(warped_cycle(), Vector{0.9, 0.0, 0.3},
                                         {.flow = {.discretisation = Discretisation{{.tableau = radau_iia(3)}, 0.05}},
                                          .transient = 10.0,
                                          .longest_period = 5.0});
  ASSERT_TRUE(found.ok()) << found.failure().message();
  ASSERT_EQ(found->kind, AttractorKind::periodic);
  EXPECT_NEAR(found->periodic->period, 1.0, 0.1);
  EXPECT_TRUE(found->periodic->stable());
  EXPECT_STREQ(name_of(found->kind), "periodic orbit");
}

TEST(AttractorKind, ChaosIsRecognised) {
  const auto problem = testset::problem("lorenz_lifted");
  const auto found = recognise_attractor(index2_of(problem.equations), problem.start,
                                         {.flow = {.discretisation = Discretisation{{.tableau = hem3()}, 0.02}},
                                          .transient = 10.0,
                                          .longest_period = 4.0,
                                          .lyapunov = {.time = 40.0}});
  ASSERT_TRUE(found.ok()) << found.failure().message();
  EXPECT_EQ(found->kind, AttractorKind::chaotic);
  EXPECT_GT(found->lyapunov->exponents[0], 0.5);
}

struct Pendulum {
  void force(auto, auto, auto, auto f) const { f[1] = -9.81; }
  void constraint(auto q, auto, auto g) const { g[0] = q[0] * q[0] + q[1] * q[1] - 1.0; }
};

// Without friction every swing is periodic and none attracts. From the horizontal: T = 4 K(sin 45 deg) / sqrt(9.81).
TEST(AttractorKind, ConservativeSystemsHaveNoAttractor) {
  const Index2 equations = index2_of(mechanical(Pendulum{}, {.q_names = {"x", "y"}, .constraint_names = {"rod"}}));
  const auto found =
      recognise_attractor(equations, Vector{1.0, 0.0, 0.0, 0.0}, {.transient = 5.0, .longest_period = 10.0});
  ASSERT_TRUE(found.ok()) << found.failure().message();
  ASSERT_EQ(found->kind, AttractorKind::neutral);
  EXPECT_NEAR(found->periodic->period, 4.0 * std::comp_ellint_1(std::sqrt(0.5)) / std::sqrt(9.81), 1e-4);
  EXPECT_STREQ(name_of(found->kind), "neutral periodic orbit");
}

struct Free {
  void force(auto, auto, auto, auto) const {}
  void constraint(auto q, auto, auto g) const { g[0] = q[0] * q[0] + q[1] * q[1] - 1.0; }
};

// It may rest anywhere and nowhere attracts: there is no return to look for, in a run that never leaves.
TEST(AttractorKind, RestThatDoesNotAttractIsNoOrbit) {
  const Index2 equations = index2_of(mechanical(Free{}, {.q_names = {"x", "y"}, .constraint_names = {"rod"}}));
  const auto found = recognise_attractor(equations, Vector{1.0, 0.0, 0.0, 0.0},
                                         {.transient = 1.0, .longest_period = 2.0, .lyapunov = {.time = 2.0}});
  ASSERT_TRUE(found.ok()) << found.failure().message();
  EXPECT_EQ(found->kind, AttractorKind::undecided);
}

struct RunsAway {
  void f(auto u, auto lambda, auto, auto out) const {
    out[0] = u[0];
    out[1] = lambda[0];
  }
  void g(auto u, auto, auto out) const { out[0] = u[1]; }
};

TEST(AttractorKind, ARunThatRunsAwayHasNone) {
  const auto found =
      recognise_attractor(index2(RunsAway{}, {.u = 2, .lambda = 1}), Vector{1.0, 0.0}, {.transient = 200.0});
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.failure().kind, FailureKind::diverged);
  EXPECT_NE(found.failure().what_happened.find("there is no attractor where this run goes"), std::string::npos);
}

// It leaves after the transient, to e^600: the square of that is no number, and no distance exceeds a part of it.
TEST(AttractorKind, AnExtentBeyondNumbersHasNoReturn) {
  const auto found = recognise_attractor(index2(RunsAway{}, {.u = 2, .lambda = 1}), Vector{1.0, 0.0},
                                         {.transient = 1.0, .longest_period = 600.0});
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.failure().kind, FailureKind::diverged);
}

}  // namespace
}  // namespace driftless::periodic_orbit_test
