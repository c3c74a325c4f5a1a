#include <gtest/gtest.h>

#include <cmath>
#include <stop_token>
#include <thread>

#include "driftless/driftless.h"
#include "driftless/integrate/adaptive_radau.h"
#include "driftless/integrate/integrator.h"
#include "tests/unit/count_allocations.h"
#include "testset/generators.h"
#include "testset/problem.h"

namespace driftless::adaptive_test {
namespace {

struct Pendulum {
  void force(auto, auto, auto, auto f) const { f[1] = -1.0; }
  void constraint(auto q, auto, auto g) const { g[0] = q[0] * q[0] + q[1] * q[1] - 1.0; }
  double energy(auto q, auto v, double) const { return 0.5 * (v[0] * v[0] + v[1] * v[1]) + q[1]; }
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

TEST(Adaptive, DefaultOptionsSolveThePendulum) {
  const Solution solution = solve(pendulum(), {1.0, 0.0}, {.span = {0.0, 20.0}, .tolerance = {1e-8, 1e-8}});
  ASSERT_TRUE(solution.ok());
  EXPECT_NEAR(solution.final("x"), -0.5177197, 1e-6);
  EXPECT_LT(solution.certificate().position, 1e-14);
  EXPECT_LT(solution.certificate().velocity, 1e-14);
  EXPECT_LT(solution.certificate().acceleration, 1e-13);
  EXPECT_LT(*solution.certificate().energy_change, 1e-6);
  EXPECT_NEAR(solution.certificate().condition, 1.0, 1e-12);
  EXPECT_GT(solution.statistics().evaluations, solution.statistics().steps);
}

// Every level on which the constraint can enter the stages leads to the same solution on the same manifold.
TEST(Adaptive, EveryConstraintLevelAgrees) {
  const auto problem = testset::problem("andrews_squeezer");
  const auto& reference = problem.references.front();
  for (auto level :
       {ConstraintLevel::acceleration, ConstraintLevel::velocity, ConstraintLevel::ggl, ConstraintLevel::position}) {
    const Solution solution = solve(problem.equations, problem.start,
                                    {.span = {0.0, reference.time},
                                     .adaptive = AdaptiveMethod::radau,
                                     .tolerance = {1e-8, 1e-8},
                                     .radau = {.level = level},
                                     .dense = false});
    ASSERT_TRUE(solution.ok()) << solution.failure().message();
    for (std::size_t i = 0; i < 7; ++i)
      EXPECT_NEAR(solution.state(solution.size() - 1)[i], reference.state[i],
                  1e-5 * std::fmax(1.0, std::abs(reference.state[i])))
          << static_cast<int>(level);
    EXPECT_LT(solution.certificate().position, 1e-15);
    EXPECT_LT(solution.certificate().velocity, 1e-11);
  }
}

TEST(Adaptive, OutputAtGivenTimesLiesOnTheManifold) {
  const Vector times{0.0, 0.1, 2.5, 7.0, 7.1, 20.0};
  const Solution solution =
      solve(pendulum(), {1.0, 0.0}, {.span = {0.0, 20.0}, .tolerance = {1e-9, 1e-9}, .output_times = times});
  ASSERT_EQ(solution.size(), times.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    EXPECT_EQ(solution.time(i), times[i]);
    EXPECT_LT(solution.residuals(i).largest(1), 1e-14);
    EXPECT_LT(solution.residuals(i).largest(2), 1e-14);
    EXPECT_LT(solution.residuals(i).largest(3), 1e-13);
    const Vector dense = solution.at(times[i]);
    for (std::size_t k = 0; k < dense.size(); ++k) EXPECT_NEAR(dense[k], solution.state(i)[k], 1e-13);
  }
}

TEST(Adaptive, ObserverSeesEveryAcceptedStep) {
  std::size_t calls = 0;
  double last = 0.0;
  const Solution solution =
      solve(pendulum(), {1.0, 0.0}, {.span = {0.0, 5.0}, .observer = [&](double t, ConstSpan state) {
                                       ++calls;
                                       EXPECT_GT(t, last);
                                       EXPECT_EQ(state.size(), 5u);
                                       last = t;
                                     }});
  EXPECT_EQ(calls, solution.statistics().steps);
  EXPECT_EQ(last, 5.0);
}

TEST(Adaptive, StopTokenEndsTheRunCleanly) {
  std::stop_source source;
  const Solution solution = solve(pendulum(), {1.0, 0.0},
                                  {.span = {0.0, 1e6},
                                   .observer =
                                       [&](double t, ConstSpan) {
                                         if (t > 1.0) source.request_stop();
                                       },
                                   .stop = source.get_token()});
  ASSERT_FALSE(solution.ok());
  EXPECT_EQ(solution.failure().kind, FailureKind::stopped);
  EXPECT_GT(solution.size(), 2u);
}

TEST(Adaptive, BackwardInTime) {
  const Solution there = solve(pendulum(), {1.0, 0.0}, {.span = {0.0, 3.0}, .tolerance = {1e-10, 1e-10}});
  const Solution back =
      solve(pendulum(), there.state(there.size() - 1), {.span = {3.0, 0.0}, .tolerance = {1e-10, 1e-10}});
  EXPECT_NEAR(back.final("x"), 1.0, 1e-8);
  EXPECT_NEAR(back.at(1.5)[0], there.at(1.5)[0], 1e-8);
}

TEST(Adaptive, CheckpointResumesToTheSameBits) {
  for (const char* name : {"pendulum_schropp", "transistor_amplifier", "mms_index2_gamma"}) {
    const auto problem = testset::problem(name);
    const double end = problem.begin + (std::string(name) == "transistor_amplifier" ? 0.02 : 2.0);
    const Tolerance tolerance{1e-7, 1e-7};
    const AdaptiveOptions options{.tolerance = tolerance};
    AdaptiveRadau whole(problem.equations, options, problem.begin, end, problem.start);
    std::vector<std::string> checkpoints;
    while (!whole.finished()) {
      ASSERT_FALSE(whole.step()) << name;
      checkpoints.push_back(whole.checkpoint());
    }
    for (std::size_t k : {std::size_t{0}, checkpoints.size() / 2, checkpoints.size() - 2}) {
      AdaptiveRadau resumed(problem.equations, options, checkpoints[k]);
      while (!resumed.finished()) ASSERT_FALSE(resumed.step()) << name;
      EXPECT_TRUE(std::equal(whole.state().begin(), whole.state().end(), resumed.state().begin())) << name << ", " << k;
      EXPECT_EQ(whole.statistics().evaluations, resumed.statistics().evaluations) << name;
    }
  }
}

// The pendulum on a stiff spring, whose stages are coupled and, now and then, tried uncoupled.
TEST(Adaptive, CheckpointOfCoupledStagesResumesToTheSameBits) {
  const Equations equations = testset::stiff_double_pendulum(1e6, 1e3);
  const Vector start = testset::stiff_double_pendulum_start();
  const AdaptiveOptions options{.tolerance = {1e-6, 1e-6}};
  AdaptiveRadau whole(equations, options, 0.0, 10.0, start);
  std::vector<std::string> checkpoints;
  while (!whole.finished()) {
    ASSERT_FALSE(whole.step());
    checkpoints.push_back(whole.checkpoint());
  }
  EXPECT_GT(whole.statistics().jacobians, 3 * whole.statistics().steps);  // of all stages, mostly
  for (std::size_t k = 0; k + 1 < checkpoints.size(); k += 7) {
    AdaptiveRadau resumed(equations, options, checkpoints[k]);
    while (!resumed.finished()) ASSERT_FALSE(resumed.step());
    EXPECT_TRUE(std::equal(whole.state().begin(), whole.state().end(), resumed.state().begin())) << k;
    EXPECT_EQ(whole.statistics().evaluations, resumed.statistics().evaluations) << k;
  }
}

// x' = 1 - sqrt(x) from 0: explicit steps need no derivative, and implicit ones say which is not finite.
struct RootOfZero {
  void f(auto x, auto, auto out) const {
    using std::sqrt;
    out[0] = 1.0 - sqrt(x[0]);
  }
};

TEST(Adaptive, DerivativesThatAreNotFiniteConcernImplicitStepsAlone) {
  const Equations equations = index1(RootOfZero{}, {.projector = Matrix::identity(1), .x_names = {"x"}});
  const Solution fine = solve(equations, {0.0}, {.span = {0.0, 1.0}});
  ASSERT_TRUE(fine.ok()) << fine.failure().message();
  // sqrt(x) = y: t = -2 y - 2 log(1 - y)
  const double y = std::sqrt(fine.final("x"));
  EXPECT_NEAR(-2.0 * y - 2.0 * std::log(1.0 - y), 1.0, 1e-4);
  const Solution stuck = solve(equations, {0.0}, {.span = {0.0, 1.0}, .adaptive = AdaptiveMethod::radau});
  ASSERT_FALSE(stuck.ok());
  EXPECT_EQ(stuck.failure().kind, FailureKind::not_finite);
  EXPECT_NE(stuck.failure().message().find("the Jacobian of f has the entry (0, 0)"), std::string::npos)
      << stuck.failure().message();
}

TEST(Adaptive, BadCheckpointsAreRefused) {
  const auto problem = testset::problem("pendulum_schropp");
  AdaptiveRadau run(problem.equations, {}, 0.0, 1.0, problem.start);
  const std::string good = run.checkpoint();
  auto resume = [&](const std::string& text) { return misuse([&] { AdaptiveRadau(problem.equations, {}, text); }); };
  EXPECT_EQ(resume(good), "");
  EXPECT_NE(resume("nonsense").find("no checkpoint"), std::string::npos);
  EXPECT_NE(resume(good.substr(0, good.rfind('\n', good.size() / 2))).find("ends too early"), std::string::npos);
  const auto other = testset::problem("andrews_squeezer");
  EXPECT_NE(misuse([&] { AdaptiveRadau(other.equations, {}, good); }).find("another size"), std::string::npos);
}

TEST(Adaptive, ParallelRunsOfOneProblemAgreeBitForBit) {
  const auto problem = testset::problem("andrews_squeezer");
  std::vector<Vector> results(4);
  std::vector<std::thread> threads;
  for (auto& result : results)
    threads.emplace_back([&] {
      const Solution solution =
          solve(problem.equations, problem.start, {.span = {0.0, 0.01}, .tolerance = {1e-7, 1e-7}});
      const auto state = solution.state(solution.size() - 1);
      result.assign(state.begin(), state.end());
    });
  for (auto& thread : threads) thread.join();
  for (const auto& result : results) EXPECT_EQ(result, results.front());
}

TEST(Adaptive, NonsenseIsMisuse) {
  EXPECT_NE(misuse([] { solve(pendulum(), {1.0, 0.0}, {.span = {1.0, 1.0}}); }).find("empty"), std::string::npos);
  EXPECT_NE(misuse([] {
              solve(pendulum(), {1.0, 0.0}, {.tolerance = {-1.0, 0.0}});
            }).find("positive"),
            std::string::npos);
  EXPECT_NE(misuse([] {
              solve(pendulum(), {1.0, 0.0}, {.tolerance = {1e-16, 1e-16}});
            }).find("rounding"),
            std::string::npos);
  EXPECT_NE(misuse([] {
              solve(pendulum(), {1.0, 0.0}, {.radau = {.least_stages = 4}});
            }).find("3, 5 or 7"),
            std::string::npos);
  EXPECT_NE(misuse([] { solve(pendulum(), {1.0, 0.0}, {.output_times = {2.0}}); }).find("outside"), std::string::npos);
  EXPECT_NE(misuse([] {
              solve(pendulum(), {1.0, 0.0}, {.events = {{.name = "wall", .root = {}}}});
            }).find("wall"),
            std::string::npos);
}

// y' = 1/(1 - t) style blow-up through a force: the step size collapses and the failure says where and what to try.
struct Singular {
  void force(auto q, auto, auto t, auto f) const { f[0] = 1.0 / ((1.0 - t) * (1.0 - t) * (1.0 - t)) + 0.0 * q[0]; }
  void constraint(auto, auto, auto) const {}
};

TEST(Adaptive, CollapsingStepSizeIsExplained) {
  const Equations equations = mechanical(Singular{}, {.q_names = {"x"}});
  const Solution solution = solve(equations, {0.0, 0.0}, {.span = {0.0, 2.0}, .stepping = {.limit = 20000}});
  ASSERT_FALSE(solution.ok());
  EXPECT_NEAR(solution.failure().time, 1.0, 1e-3);
  EXPECT_FALSE(solution.failure().what_to_try.empty());
}

// The parallelogram passes y = 0, where two more constraints become dependent: the failure names the configuration.
// A rod driven sideways until it lies flat: there is nothing beyond t = 1, and its velocity grows without bound before.
struct DrivenRod {
  void force(auto, auto, auto, auto) const {}
  void constraint(auto q, auto t, auto g) const {
    g[0] = q[0] * q[0] + q[1] * q[1] - 1.0;
    g[1] = q[0] - t;
  }
};

TEST(Adaptive, SingularConfigurationIsNamed) {
  const Equations rod = mechanical(DrivenRod{}, {.q_names = {"x", "y"}, .constraint_names = {"rod", "drive"}});
  const Solution solution = solve(rod, {0.0, 1.0, 1.0, 0.0}, {.span = {0.0, 2.0}, .tolerance = {1e-8, 1e-8}});
  ASSERT_FALSE(solution.ok());
  EXPECT_NEAR(solution.time(solution.size() - 1), 1.0, 1e-3);
  EXPECT_EQ(solution.failure().kind, FailureKind::index_lost) << solution.failure().message();
  EXPECT_NEAR(solution.failure().time, 1.0, 1e-3);
  EXPECT_NE(solution.failure().message().find("rod, drive"), std::string::npos) << solution.failure().message();
  EXPECT_GT(solution.size(), 10u);
}

TEST(Adaptive, DenseOutputNeedsToBeKept) {
  const Solution solution = solve(pendulum(), {1.0, 0.0}, {.span = {0.0, 1.0}, .dense = false});
  EXPECT_NE(misuse([&] { (void)solution.at(0.5); }).find("dense"), std::string::npos);
  const Solution dense = solve(pendulum(), {1.0, 0.0}, {.span = {0.0, 1.0}});
  EXPECT_NE(misuse([&] { (void)dense.at(1.5); }).find("outside"), std::string::npos);
}

// The pendulum as index 3, its rod stated twice, beside s' = -1e5 (s - cos t) - sin t with s = cos t.
struct TwiceHeld {
  void f(auto u, auto v, auto t, auto out) const {
    using std::cos, std::sin;
    out[0] = v[0];
    out[1] = v[1];
    out[2] = -1e5 * (u[2] - cos(t)) - sin(t);
  }
  void k(auto u, auto, auto l, auto, auto out) const {
    out[0] = -2.0 * u[0] * (l[0] + 2.0 * l[1]);
    out[1] = -2.0 * u[1] * (l[0] + 2.0 * l[1]) - 1.0;
  }
  void g(auto u, auto, auto out) const {
    out[0] = u[0] * u[0] + u[1] * u[1] - 1.0;
    out[1] = 2.0 * (u[0] * u[0] + u[1] * u[1] - 1.0);
  }
};

TEST(Adaptive, RedundantConstraintsOfIndexThreeMayBeStiff) {
  const Solution exact = solve(pendulum(), {1.0, 0.0}, {.span = {0.0, 2.0}, .tolerance = {1e-12, 1e-12}});
  for (const auto method : {AdaptiveMethod::automatic, AdaptiveMethod::radau}) {
    const Solution solution = solve(index3(TwiceHeld{}, {.u = 3, .v = 2, .lambda = 2}), {1.0, 0.0, 1.0, 0.0, 0.0},
                                    {.span = {0.0, 2.0}, .adaptive = method, .tolerance = {1e-7, 1e-7}});
    ASSERT_TRUE(solution.ok()) << solution.failure().message();
    EXPECT_LT(solution.statistics().steps, 500u);  // explicit ones: 60 000
    EXPECT_NEAR(solution.final("u[0]"), exact.final("x"), 1e-5);
    EXPECT_NEAR(solution.final("u[1]"), exact.final("y"), 1e-5);
    EXPECT_NEAR(solution.final("u[2]"), std::cos(2.0), 1e-6);
    // l + 2 m of least norm where both columns count the same: each does half.
    const double sum = exact.state(exact.size() - 1).back();
    EXPECT_NEAR(solution.final("lambda[0]"), 0.5 * sum, 1e-4);
    EXPECT_NEAR(solution.final("lambda[1]"), 0.25 * sum, 1e-4);
  }
}

}  // namespace
}  // namespace driftless::adaptive_test
