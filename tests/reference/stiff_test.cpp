// Stiff problems and problems with corners, over many tolerances: a run arrives, and where it claims to it is right.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/driftless.h"
#include "testset/generators.h"
#include "testset/problem.h"

namespace driftless::stiff_test {
namespace {

Solution radau(const Equations& equations, ConstSpan start, double begin, double end, double tolerance,
               int stages = 0) {
  SolveOptions options{.span = {begin, end}, .adaptive = AdaptiveMethod::radau, .tolerance = {tolerance, tolerance}};
  if (stages > 0) options.radau.least_stages = options.radau.most_stages = stages;
  return solve(equations, start, options);
}

// Exponentials of y / 0.026: at loose tolerances Newton's iteration of the algebraic part finds other roots, hundreds
// of volts away, which no error estimate sees.
TEST(Stiff, LooseTolerancesStayOnTheBranchOfTheAmplifier) {
  const auto problem = testset::problem("transistor_amplifier");
  const auto& reference = problem.references.back();
  for (double tolerance = 0.2; tolerance > 2e-3; tolerance *= 0.9) {
    const Solution solution = radau(problem.equations, problem.start, problem.begin, reference.time, tolerance);
    ASSERT_TRUE(solution.ok()) << tolerance;
    for (std::size_t i = 0; i < reference.state.size(); ++i)
      EXPECT_NEAR(solution.state(solution.size() - 1)[i], reference.state[i],
                  3.0 * tolerance * (1.0 + std::abs(reference.state[i])))
          << "y" << i + 1 << " at tolerance " << tolerance;
  }
}

// A spring of 1e6 N/m that turns with the pendulum.
TEST(Stiff, DoublePendulumArrivesAtEveryTolerance) {
  const Equations equations = testset::stiff_double_pendulum(1e6, 1e3);
  const Vector start = testset::stiff_double_pendulum_start();
  const Solution fine = radau(equations, start, 0.0, 1.0, 1e-13);
  ASSERT_TRUE(fine.ok());
  for (double tolerance = 1e-2; tolerance > 1e-12; tolerance *= 0.3) {
    const Solution solution = radau(equations, start, 0.0, 1.0, tolerance);
    ASSERT_TRUE(solution.ok()) << tolerance << ": " << solution.failure().message();
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_NEAR(solution.state(solution.size() - 1)[i], fine.state(fine.size() - 1)[i], 30.0 * tolerance)
          << i << " at " << tolerance;
  }
}

// Newton's iteration with one Jacobian for all stages takes 220 steps at 1e-6 and 380 at 1e-10, whatever the error.
TEST(Stiff, DoublePendulumTakesStepsThatItsErrorAllows) {
  const Equations equations = testset::stiff_double_pendulum(1e6, 1e3);
  const Vector start = testset::stiff_double_pendulum_start();
  const Solution fine =
      solve(equations, start, {.span = {0.0, 10.0}, .adaptive = AdaptiveMethod::dop853, .tolerance = {1e-9, 1e-9}});
  ASSERT_TRUE(fine.ok());
  for (const auto& [tolerance, most] : {std::pair{1e-4, 140u}, {1e-6, 140u}, {1e-8, 130u}, {1e-10, 200u}}) {
    const Solution solution = radau(equations, start, 0.0, 10.0, tolerance);
    ASSERT_TRUE(solution.ok()) << tolerance;
    EXPECT_LT(solution.statistics().steps, most) << tolerance;
    for (std::size_t i = 0; i < 8; ++i)
      EXPECT_NEAR(solution.state(solution.size() - 1)[i], fine.state(fine.size() - 1)[i], 50.0 * tolerance)
          << i << " at " << tolerance;
  }
}

// Corners that no event announces, across which a Jacobian of one side is of no use on the other.
TEST(Stiff, ChargePumpGetsAcrossItsCornersWithAnyOrder) {
  const auto problem = testset::problem("charge_pump");
  const auto& reference = problem.references.back();
  for (int stages : {3, 5, 7})
    for (int k = 0; k <= 70; ++k) {
      const double tolerance = std::pow(10.0, -2.0 - 0.1 * k);
      const Solution solution =
          radau(problem.equations, problem.start, problem.begin, reference.time, tolerance, stages);
      ASSERT_TRUE(solution.ok()) << stages << " stages, " << tolerance << ": " << solution.failure().message();
    }
}

}  // namespace
}  // namespace driftless::stiff_test
