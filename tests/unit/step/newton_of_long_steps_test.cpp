// Newton's method in fixed steps so long that the matrix of their start does not serve: x' = -k x^3 and stiff
// relatives.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/equations/index1_model.h"
#include "driftless/integrate/solve.h"
#include "driftless/step/stepper.h"
#include "driftless/tableau/families.h"
#include "testset/problem.h"

namespace driftless::newton_of_long_steps_test {
namespace {

struct Cubic {
  double k;
  void f(auto x, auto, auto out) const { out[0] = -k * x[0] * x[0] * x[0]; }
};

Solution one_step(double k, const Tableau& tableau, NewtonOptions newton = {}) {
  newton.damped = true;
  return solve(index1(Cubic{k}, {.projector = ConstantMatrix::identity(1)}), {1.0},
               {.span = {0.0, 1.0}, .steps = 1, .method = {.tableau = tableau}, .newton = newton});
}

// x + k x^3 = 1, by bisection.
double implicit_euler(double k) {
  double low = 0.0, high = 1.0;
  for (int i = 0; i < 80; ++i) {
    const double x = 0.5 * (low + high);
    (x + k * x * x * x > 1.0 ? high : low) = x;
  }
  return low;
}

TEST(NewtonOfLongSteps, ConvergesWhereTheMatrixOfTheStartDoesNotServe) {
  for (const double k : {1e2, 1e3, 1e6, 1e9}) {
    const Solution run = one_step(k, radau_iia(1));
    ASSERT_TRUE(run.ok()) << run.failure().message();
    EXPECT_NEAR(run.state(1)[0], implicit_euler(k), 1e-14) << k;
    EXPECT_GT(run.statistics().jacobians, 1u) << k;
  }
}

// Long steps of other problems have several solutions; what was not asked for is not done.
TEST(NewtonOfLongSteps, IsDampedOnlyIfAskedFor) {
  const Solution run = solve(index1(Cubic{1e3}, {.projector = ConstantMatrix::identity(1)}), {1.0},
                             {.span = {0.0, 1.0}, .steps = 1, .method = {.tableau = radau_iia(1)}});
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.failure().kind, FailureKind::newton_did_not_converge);
}

TEST(NewtonOfLongSteps, RefusesToDampWhatHasNoImplicitStages) {
  const Equations form = testset::problem("ascher_petzold_index2").equations;
  EXPECT_NO_THROW(make_stepper(form, {.tableau = hem3()}));
  EXPECT_THROW(make_stepper(form, {.tableau = hem3()}, {.damped = true}), Misuse);
}

// All stages of Radau IIA and one stage after another: the equations of the stages hold at the end. With b = a_s the
// new point is the last stage; from the outside, a step is right if one that is restarted with a tighter iteration
// agrees.
TEST(NewtonOfLongSteps, ConvergesForAllStages) {
  for (const Tableau& tableau : {radau_iia(2), radau_iia(3), radau_iia(5), sdirk2(), sdirk3()})
    for (const double k : {1e2, 1e4}) {
      const Solution loose = one_step(k, tableau, {.relative = 1e-6, .absolute = 1e-6});
      const Solution tight = one_step(k, tableau);
      ASSERT_TRUE(loose.ok() && tight.ok()) << tableau.name << ' ' << k;
      EXPECT_NEAR(loose.state(1)[0], tight.state(1)[0], 1e-5) << tableau.name << ' ' << k;
      EXPECT_LT(std::abs(tight.state(1)[0]), 1.0);
    }
}

// Corrections of this iteration shrink by a fifth at a time. What was asked for has to be reached all the same.
TEST(NewtonOfLongSteps, ReachesTheAccuracyThatWasAskedFor) {
  for (const double asked : {1e-3, 1e-6, 1e-9}) {
    const Solution run = one_step(10.0, radau_iia(1), {.relative = asked, .absolute = asked});
    ASSERT_TRUE(run.ok()) << run.failure().message();
    EXPECT_LT(std::abs(run.state(1)[0] - implicit_euler(10.0)), 10.0 * asked) << asked;
  }
}

}  // namespace
}  // namespace driftless::newton_of_long_steps_test
