// Results are put back into the equations as written: errors of the size of the tolerance count as 1.
#include <gtest/gtest.h>

#include <cmath>

#include "text_model.h"

namespace driftless::testing_models::equation_check_test {
namespace {

struct Checked {
  CompiledModel model;
  ModelStart start = model.start();

  EquationCheck::Worst at(ConstSpan state, CheckedEquations which = CheckedEquations::all) const {
    return model.check(start.held, which)->worst(start.time, state, 1e-6, 1e-9);
  }
};

TEST(EquationCheck, FindsNothingAtAConsistentState) {
  const Checked checked{
      compiled(flat("Real x(start = 1), y, z(start = 1);", "der(x) = -y; y = 2*x; z + z^3 = x + y;"))};
  const auto worst = checked.at(checked.start.state);
  EXPECT_LT(worst.ratio, 1e-3);
}

TEST(EquationCheck, CountsInUnitsOfTheTolerance) {
  const Checked checked{
      compiled(flat("Real x(start = 1), y, z(start = 1);", "der(x) = -y; y = 2*x; z + z^3 = x + y;"))};
  for (const double error : {1.0, 100.0, 1e4}) {
    Vector state = checked.start.state;
    const std::size_t z = state.size() - 1;
    state[z] *= 1.0 + 1e-6 * error;
    const auto worst = checked.at(state);
    EXPECT_EQ(checked.model.flat().equations[worst.equation].text, "z + z^3 = x + y");
    // Other variables may be off by the tolerance as well, with any sign.
    EXPECT_GT(worst.ratio, 0.3 * error);
    EXPECT_LT(worst.ratio, 3.0 * error);
  }
}

TEST(EquationCheck, DoesNotDependOnHowAnEquationIsScaled) {
  double ratios[2];
  for (const int k : {0, 1}) {
    const std::string factor = k == 0 ? "1" : "1e8";
    const Checked checked{compiled(
        flat("Real x(start = 1), z(start = 1);", "der(x) = -x; " + factor + "*(z + z^3) = " + factor + "*3*x;"))};
    Vector state = checked.start.state;
    state.back() *= 1.001;
    ratios[k] = checked.at(state).ratio;
  }
  EXPECT_NEAR(ratios[1] / ratios[0], 1.0, 1e-6);
}

// z = x, where both vanish and are off by a thousandth of the absolute tolerance: moved by it in the same direction,
// they would explain nothing.
TEST(EquationCheck, ValuesThatCancelAreMovedApart) {
  const Checked checked{
      compiled(flat("Real x[40], z[40];", "for i in 1:40 loop der(x[i]) = -x[i]; z[i] + z[i]^3 = x[i]; end for;"))};
  Vector state = checked.start.state;
  ASSERT_EQ(state.size(), 80u);
  for (std::size_t i = 40; i < 80; ++i) state[i] += 1e-12;
  EXPECT_LT(checked.at(state).ratio, 1.1e-3);
}

// A residual of 1e-12 where all terms are that small is no rounding.
TEST(EquationCheck, KnowsNominalValues) {
  const char* equations = "der(x) = -x; z^3 + 1e-40*z = 1e-40*x;";
  for (const bool nominal : {true, false}) {
    const std::string size = nominal ? ", nominal = 1e-20" : "";
    const Checked checked{
        compiled(flat("Real x(start = 1e-20" + size + "), z(start = 1e-20" + size + ");", equations))};
    Vector state = checked.start.state;
    state.back() *= 1.01;
    const double ratio = checked.at(state).ratio;
    if (nominal)
      EXPECT_GT(ratio, 1e3);
    else
      EXPECT_LT(ratio, 1.0);
  }
}

// Derivatives beside algebraic equations whose unknowns are in other units by far.
TEST(EquationCheck, RatesOfChangeDoNotDependOnUnits) {
  const Checked checked{compiled(flat(
      "Real s(start = 0, nominal = 1e-20), c(start = 1e-20, nominal = 1e-20), y(start = 0.61), r(start = 8e-21, "
      "nominal "
      "= 1e-20), q(start = 8e-21, nominal = 1e-20);",
      "der(s)/1e-20 = 1.896*c/1e-20; der(c)/1e-20 = -1.896*s/1e-20; der(y) = -y; (3 + 2*r/1e-20)*r/1e-20 - q/1e-20 = "
      "1 + 0.157*s/1e-20; (3 + q/1e-20)*q/1e-20 - r/1e-20 = y + time + 0.1*c/1e-20;"))};
  ASSERT_TRUE(checked.start.ok());
  EXPECT_LT(checked.at(checked.start.state).ratio, 1e-3);
}

TEST(EquationCheck, PutsEliminatedUnknownsInAsTheyAreShown) {
  const Checked checked{compiled(flat("Real x(start = 1), y, w;", "der(x) = -x; y = 2*x; w = y + x;"))};
  EXPECT_EQ(checked.model.eliminated(), 2U);
  EXPECT_EQ(checked.at(checked.start.state, CheckedEquations::eliminated).ratio, 0.0);
  EXPECT_EQ(checked.at(checked.start.state).ratio, 0.0);
}

}  // namespace
}  // namespace driftless::testing_models::equation_check_test
