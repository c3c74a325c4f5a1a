#include "driftless/nonlinear/convergence.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace driftless::convergence_test {
namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();
const double infinity = std::numeric_limits<double>::infinity();

struct Outcome {
  Convergence verdict;
  int iterations;
};

// Feeds the norms until there is a verdict.
Outcome run(ConvergenceMonitor monitor, const std::vector<double>& norms) {
  for (double norm : norms)
    if (const auto verdict = monitor.see(norm); verdict != Convergence::go_on) return {verdict, monitor.iterations()};
  return {Convergence::go_on, monitor.iterations()};
}

const ConvergenceRule rule{.tolerance = 1.0, .stagnation = 100.0, .limit = 6};

TEST(MaxNormTest, IsTheLargestModulusAndNanIfAnyIs) {
  EXPECT_EQ(max_norm(Vector{1.0, -3.0, 2.0}), 3.0);
  EXPECT_EQ(max_norm(Vector{}), 0.0);
  EXPECT_TRUE(std::isnan(max_norm(Vector{1.0, nan, 2.0})));
  EXPECT_TRUE(std::isnan(max_norm(Vector{nan, 5.0})));
  EXPECT_EQ(max_norm(Vector{-infinity, 1.0}), infinity);
}

TEST(AllFiniteTest, IsFalseForInfinitiesAndNan) {
  EXPECT_TRUE(all_finite(Vector{}));
  EXPECT_TRUE(all_finite(Vector{0.0, -1e308, 1e308}));
  for (const double bad : {nan, infinity, -infinity})
    for (std::size_t i = 0; i < 3; ++i) {
      Vector x(3, 1.0);
      x[i] = bad;
      EXPECT_FALSE(all_finite(x)) << bad << " at " << i;
    }
  EXPECT_FALSE(all_finite(Vector{infinity, -infinity}));
}

struct Case {
  const char* what;
  std::vector<double> norms;
  Convergence verdict;
  int iterations;
};

TEST(ConvergenceMonitorTest, Verdicts) {
  const std::vector<Case> cases = {
      {"small at once", {0.5, 9e9}, Convergence::arrived, 1},
      {"exactly the tolerance", {1.0}, Convergence::arrived, 1},
      {"just above it", {1.001}, Convergence::go_on, 1},
      {"quadratic", {1e6, 1e4, 1e2, 1e-4}, Convergence::arrived, 4},
      {"stands still at rounding level", {1e6, 80.0, 60.0, 50.0}, Convergence::arrived, 4},
      {"stands still far away", {1e6, 9e5, 8e5}, Convergence::go_on, 3},
      {"one slow iteration", {1e6, 80.0, 60.0, 0.1}, Convergence::arrived, 4},
      {"grows a little near rounding level", {50.0, 90.0, 60.0}, Convergence::arrived, 3},
      {"grows once, then converges", {1e3, 1e4, 1e2, 0.1}, Convergence::arrived, 4},
      {"grows and does not come back at once", {1e3, 1e4, 1e5}, Convergence::go_on, 3},
      {"better again, but not than its best", {60.0, 1e4, 50.0}, Convergence::arrived, 3},
      {"explodes", {1e3, 1.1e8}, Convergence::diverged, 2},
      {"almost explodes", {1e3, 9e7}, Convergence::go_on, 2},
      {"not a number", {1e3, nan}, Convergence::diverged, 2},
      {"infinite at once", {infinity}, Convergence::diverged, 1},
      {"too slow", {1e6, 9e5, 8e5, 7e5, 6e5, 5.5e5, 5e5}, Convergence::diverged, 6},
      {"at the limit, but good enough", {6400.0, 3000.0, 1400.0, 600.0, 250.0, 99.0}, Convergence::arrived, 6},
      {"at the limit, not good enough", {6400.0, 3000.0, 1400.0, 600.0, 250.0, 101.0}, Convergence::diverged, 6},
  };
  for (const auto& c : cases) {
    const Outcome result = run(ConvergenceMonitor(rule), c.norms);
    EXPECT_EQ(result.verdict, c.verdict) << c.what;
    EXPECT_EQ(result.iterations, c.iterations) << c.what;
  }
}

TEST(ConvergenceMonitorTest, LosesPatienceFarFromTheTolerance) {
  const ConvergenceRule patient{.tolerance = 1.0, .stagnation = 100.0, .limit = 30};
  const Outcome still = run(ConvergenceMonitor(patient), std::vector<double>(30, 1e6));
  EXPECT_EQ(still.verdict, Convergence::diverged);
  EXPECT_EQ(still.iterations, 9);
  std::vector<double> slow;  // halves every third time: slow, but progress
  for (int k = 0; k < 29; ++k) slow.push_back(1e12 * std::pow(0.7, k));
  EXPECT_EQ(run(ConvergenceMonitor(patient), slow).verdict, Convergence::go_on);
}

TEST(ConvergenceMonitorTest, TellsTheContraction) {
  ConvergenceMonitor monitor(rule);
  EXPECT_EQ(monitor.contraction(), 0.0);
  monitor.see(1e6);
  EXPECT_EQ(monitor.contraction(), 0.0);
  monitor.see(1e5);
  EXPECT_DOUBLE_EQ(monitor.contraction(), 0.1);
  monitor.see(2e4);
  EXPECT_DOUBLE_EQ(monitor.contraction(), std::sqrt(0.02));  // the geometric mean
  EXPECT_EQ(monitor.iterations(), 3);
}

TEST(ConvergenceMonitorTest, ToRoundingMeasuresInUnitsOfEpsilonTimesTheSize) {
  const double epsilon = std::numeric_limits<double>::epsilon();
  EXPECT_EQ(ConvergenceMonitor::to_rounding().see_relative(1.9e3 * epsilon, 1e3), Convergence::arrived);
  EXPECT_EQ(ConvergenceMonitor::to_rounding().see_relative(2.1e3 * epsilon, 1e3), Convergence::go_on);
  EXPECT_EQ(ConvergenceMonitor::to_rounding().see_relative(0.0, 0.0), Convergence::arrived);
}

// Newton for the square root of 2 must stop at the last bits, in the few steps that quadratic convergence takes.
TEST(ConvergenceMonitorTest, TakesNewtonToTheLastBits) {
  auto monitor = ConvergenceMonitor::to_rounding();
  double x = 3.0;
  Convergence verdict = Convergence::go_on;
  while (verdict == Convergence::go_on) {
    const double correction = (x * x - 2.0) / (2.0 * x);
    x -= correction;
    verdict = monitor.see_relative(std::abs(correction), std::abs(x));
  }
  EXPECT_EQ(verdict, Convergence::arrived);
  EXPECT_NEAR(x, std::sqrt(2.0), 3e-16);
  EXPECT_GE(monitor.iterations(), 5);
  EXPECT_LE(monitor.iterations(), 8);
}

}  // namespace
}  // namespace driftless::convergence_test
