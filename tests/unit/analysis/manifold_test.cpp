// Theorem 2.1 of Schropp 2001, measured: invariance, attractivity, asymptotic phase, closeness.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/analysis/geometric/manifold_study.h"
#include "driftless/driftless.h"
#include "testset/problem.h"

namespace driftless::manifold_test {
namespace {

struct Stated {
  Index2 equations;
  std::vector<ManifoldPoint> points;
};

Stated stated(const char* name, std::size_t count) {
  const testset::Problem problem = testset::problem(name);
  const Index2 equations = index2_of(problem.equations);
  return {equations,
          points_along_solution(equations, problem.begin, problem.begin + 1.0, problem.start, count).value()};
}

double difference(ConstSpan x, ConstSpan y) {
  double largest = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) largest = std::fmax(largest, std::abs(x[i] - y[i]));
  return largest;
}

struct Row {
  const char* tableau;
  double r_infinity;
  int promised;          // q, or r for half-explicit methods
  double sphere, gamma;  // fitted order of |psi_0 - psi_{0,h}| on the autonomous and on the time-dependent problem
};

// The table of the theorem: (ii) chi_h against |R(infinity)|, (iv) the fitted order against q or r.
const Row table[] = {
    {"radau-iia-2", 0.0, 2, 1.94, 2.00},    {"radau-iia-3", 0.0, 3, 3.00, 3.00},  {"radau-ia-2", 0.0, 1, 1.00, 1.00},
    {"lobatto-iiic-3", 0.0, 2, 1.90, 2.00}, {"sdirk-2-half", 0.5, 1, 0.98, 1.00}, {"hem3", 0.0, 2, 2.12, 2.01},
    {"hem4", 0.0, 2, 2.13, 2.04},           {"hem5", 0.0, 3, 2.94, 3.01},
};

ManifoldStudy study(const Stated& problem, const Row& row) {
  return study_manifold(problem.equations, {.method = {.tableau = tableau_by_name(row.tableau)},
                                            .step_sizes = {0.01, 0.005, 0.0025},
                                            .points = problem.points,
                                            .execution = {.threads = 1}})
      .value();
}

void check(const char* name, const Stated& problem, const Row& row, double recorded) {
  SCOPED_TRACE(fmt::format("{}, {}", name, row.tableau));
  const ManifoldStudy result = study(problem, row);
  EXPECT_DOUBLE_EQ(result.r_infinity, row.r_infinity);
  EXPECT_EQ(result.promised.order, row.promised);
  EXPECT_EQ(result.promised.symbol, row.tableau[0] == 'h' ? "r" : "q");
  EXPECT_EQ(result.closeness.used, 3u);
  EXPECT_NEAR(result.closeness.order, recorded, 0.03);
  EXPECT_NEAR(result.closeness.order, row.promised, 0.2);
  for (const auto& at_h : result.rows) {
    SCOPED_TRACE(fmt::format("h = {}", at_h.step_size));
    EXPECT_EQ(at_h.attractivity.infinite(), row.r_infinity == 0.0);
    EXPECT_LT(at_h.attractivity.rounding, 6e-8);
    EXPECT_NEAR(at_h.attractivity.chi, row.r_infinity, row.r_infinity == 0.0 ? 1e-8 : 1e-6);
    EXPECT_LT(at_h.uncertainty, 1e-13);
  }
}

TEST(Manifold, AutonomousProblemFollowsTheTheorem) {
  const Stated problem = stated("limit_cycle_sphere", 2);
  for (const Row& row : table) check("limit_cycle_sphere", problem, row, row.sphere);
}

TEST(Manifold, TimeDependentProblemWithGammaFollowsTheTheorem) {
  const Stated problem = stated("mms_index2_gamma", 2);
  for (const Row& row : table) check("mms_index2_gamma", problem, row, row.gamma);
}

// (i): a step from the manifold leads onto it. sdirk-2-half remembers, and its steps depend on lambda here.
TEST(Manifold, IsInvariant) {
  const Stated problem = stated("hlr_index2", 2);
  for (const char* tableau : {"radau-iia-2", "radau-ia-2", "sdirk-2-half", "hem3"}) {
    SCOPED_TRACE(tableau);
    DiscreteManifold manifold(problem.equations, {.tableau = tableau_by_name(tableau)}, 0.01);
    const auto before = manifold.at(problem.points[1]).value();
    EXPECT_EQ(before.history, std::string_view(tableau) == "sdirk-2-half" ? 47u : 1u);
    Vector state = before.state;
    ASSERT_FALSE(manifold.step(problem.points[1].t, state));
    const auto after = manifold.at({problem.points[1].t + 0.01, state}).value();
    const double rounding = manifold.rounding(problem.points[1].t + 0.01, state);
    EXPECT_LT(difference(after.state, state), rounding);
    EXPECT_GT(difference(after.state, after.continuous), 1e4 * rounding);  // M_{0,h} is not M_0
  }
}

// (iii), where the path depends on lambda: the disturbed run and its partner differ in u, and approach at rate chi_h.
TEST(Manifold, DisturbedRunsFindTheirPartner) {
  const Stated problem = stated("hlr_index2", 1);
  DiscreteManifold manifold(problem.equations, {.tableau = sdirk2_half()}, 0.0025);
  const AsymptoticPhase phase = measure_phase(manifold, problem.points[0]).value();
  EXPECT_GT(phase.u_distances[0], 1e-8);
  EXPECT_NEAR(phase.u_rate, 0.5, 0.01);
  EXPECT_NEAR(phase.lambda_rate, 0.5, 1e-3);
  EXPECT_LT(phase.u_distances[20], 1e-5 * phase.u_distances[0]);
  EXPECT_LT(phase.lambda_distances[20], 1e-5 * phase.lambda_distances[0]);
}

// (ii) is |R(infinity)| + O(h^{q+1}), and q = 1 here: seen where f is nonlinear in lambda.
TEST(Manifold, ChiApproachesRInfinityWithOrderQPlusOne) {
  const Stated problem = stated("hlr_index2", 1);
  const ManifoldStudy result = study_manifold(problem.equations, {.method = {.tableau = sdirk2_half()},
                                                                  .step_sizes = {0.02, 0.01, 0.005},
                                                                  .points = problem.points})
                                   .value();
  EXPECT_EQ(result.chi_deviation.used, 3u);
  EXPECT_NEAR(result.chi_deviation.order, 2.0, 0.3);
  EXPECT_GT(result.rows[0].attractivity.chi, 0.5 + 1e-5);
}

// After one step nothing of the disturbance is left: the partner arrives at the same point in one step.
TEST(Manifold, StifflyAccurateMethodsForgetInOneStep) {
  const Stated problem = stated("hlr_index2", 1);
  for (const char* tableau : {"radau-iia-3", "lobatto-iiic-3", "hem5"}) {
    DiscreteManifold manifold(problem.equations, {.tableau = tableau_by_name(tableau)}, 0.01);
    const AsymptoticPhase phase = measure_phase(manifold, problem.points[0], {.disturbance = 0.1}).value();
    EXPECT_GT(phase.lambda_distances[0], 0.1) << tableau;
    EXPECT_LT(phase.lambda_distances[1], 1e-8) << tableau;
    EXPECT_LT(phase.u_distances[1], 1e-13) << tableau;
  }
}

TEST(Manifold, HiddenConstraintHasTheContinuousManifold) {
  const Stated problem = stated("mms_index2_gamma", 2);
  const ManifoldStudy result =
      study_manifold(problem.equations,
                     {.method = {.tableau = gauss(2), .multiplier = MultiplierRule::hidden_constraint},
                      .step_sizes = {0.02, 0.01},
                      .points = problem.points})
          .value();
  EXPECT_FALSE(result.promised.order);
  EXPECT_EQ(result.r_infinity, 0.0);
  for (const auto& row : result.rows) {
    EXPECT_LT(row.closeness, 1e-13);
    EXPECT_TRUE(row.attractivity.infinite());
  }
}

struct Pendulum {
  void force(auto, auto, auto, auto f) const { f[1] = -9.81; }
  void constraint(auto q, auto, auto g) const { g[0] = q[0] * q[0] + q[1] * q[1] - 1.0; }
};

// A mechanical problem by Gear, Gupta and Leimkuhler, two multipliers.
TEST(Manifold, MechanicalProblemsGoByGearGuptaLeimkuhler) {
  const Equations pendulum = mechanical(Pendulum{}, {.q_names = {"x", "y"}, .constraint_names = {"rod"}});
  const Index2 equations = index2_of(pendulum);
  const Vector start = state_as_index2_of(pendulum, 0.0, Vector{1.0, 0.0, 0.0, 0.0, 0.0});
  const auto points = points_along_solution(equations, 0.0, 1.0, start, 3).value();
  const ManifoldStudy result =
      study_manifold(equations,
                     {.method = {.tableau = radau_iia(2)}, .step_sizes = {0.02, 0.01, 0.005}, .points = points})
          .value();
  EXPECT_NEAR(result.closeness.order, 2.0, 0.2);
  for (const auto& row : result.rows) EXPECT_TRUE(row.attractivity.infinite()) << row.attractivity.chi;
}

TEST(Manifold, ResultsDoNotDependOnTheNumberOfThreads) {
  const Stated problem = stated("limit_cycle_sphere", 2);
  const auto run = [&](unsigned threads) {
    return study_manifold(
               problem.equations,
               {.method = {.tableau = radau_iia(2)}, .points = problem.points, .execution = {.threads = threads}})
        .value();
  };
  const ManifoldStudy one = run(1), many = run(4);
  for (std::size_t i = 0; i < one.rows.size(); ++i) {
    EXPECT_EQ(one.rows[i].closeness, many.rows[i].closeness);
    EXPECT_EQ(one.rows[i].attractivity.distances, many.rows[i].attractivity.distances);
  }
}

template <class Call>
std::string misuse(Call&& call) {
  try {
    call();
  } catch (const Misuse& error) {
    return error.what();
  }
  return "";
}

TEST(Manifold, NonsenseIsMisuse) {
  const Stated problem = stated("limit_cycle_sphere", 1);
  EXPECT_EQ(
      misuse([&] { DiscreteManifold(problem.equations, {.tableau = gauss(2), .despite_conditions = true}, 0.1); }),
      "Gauss (2 stages) has no attractive invariant manifold: |R(infinity)| = 1 is not below 1, condition (B2). "
      "Choose MultiplierRule::hidden_constraint or another method");
  EXPECT_EQ(misuse([&] { DiscreteManifold(problem.equations, {}, -0.1); }),
            "the step size must be positive, but is -0.1");
  EXPECT_EQ(misuse([&] { (void)study_manifold(problem.equations, {}); }),
            "a study of the manifold needs points of the constraint");
  EXPECT_EQ(
      misuse([&] { (void)index2_of(testset::problem("hlr_index3").equations); }),
      "the geometric analysis is for index 2 and for mechanical problems (by Gear, Gupta and Leimkuhler), but this "
      "problem is stated with index 3");
  DiscreteManifold manifold(problem.equations, {}, 0.1);
  EXPECT_EQ(misuse([&] {
              (void)manifold.at({0.0, {1.0}});
            }),
            "a point of the manifold has 3 values (or 4 with multipliers), but 1 were given");
}

TEST(Manifold, CanBeStopped) {
  const Stated problem = stated("limit_cycle_sphere", 1);
  std::stop_source stop;
  stop.request_stop();
  const auto result =
      study_manifold(problem.equations, {.points = problem.points, .execution = {.stop = stop.get_token()}});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.failure().kind, FailureKind::stopped);
  EXPECT_EQ(result.failure().what_happened, "the study of the manifold was stopped by the caller");
}

}  // namespace
}  // namespace driftless::manifold_test
