// Linear systems that are known in closed form, of models of index 1, 2 and 3.
#include "driftless/study/linearise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace driftless::linearise_test {
namespace {

TextModel model_of(const std::string& text) { return TextModel({"m.mo", text}, {}, StateUnits::as_written); }

// A pendulum of length L: hanging, its frequency is sqrt(g/L); upright, it falls with that rate.
TextModel pendulum(double y) {
  return model_of(
      "model P parameter Real L = 0.7, g = 9.81, c = 0; Real x(start = 0.001), y(start = " + std::to_string(y) +
      "), vx, vy, F; equation der(x) = vx; der(y) = vy; der(vx) = -F*x - c*vx; der(vy) = -F*y - g - c*vy; x^2 + y^2 = "
      "L^2; end P;");
}

TEST(Linearise, ThePendulumOfIndexThree) {
  const double w = std::sqrt(9.81 / 0.7);
  const Linearisation hanging = linearise(pendulum(-0.7), {.steady = true}).value();
  ASSERT_EQ(hanging.modes.size(), 2U);
  EXPECT_TRUE(hanging.at_equilibrium());
  for (const LinearMode& mode : hanging.modes) {
    EXPECT_NEAR(mode.eigenvalue.real(), 0.0, 1e-8);
    EXPECT_NEAR(std::abs(mode.eigenvalue.imag()), w, 1e-8);
  }
  const Linearisation upright = linearise(pendulum(0.7), {.steady = true}).value();
  ASSERT_EQ(upright.modes.size(), 2U);
  EXPECT_NEAR(upright.modes[0].eigenvalue.real(), w, 1e-8);
  EXPECT_NEAR(upright.modes[1].eigenvalue.real(), -w, 1e-8);
  EXPECT_TRUE(upright.unstable());
  EXPECT_FALSE(hanging.stable() || hanging.unstable());  // purely imaginary
}

// Newton's method has nowhere to go where the pendulum is horizontal: the flow, damped, leads down.
TEST(Linearise, ComesToRestFromFarAway) {
  const TextModel model = model_of(
      "model P Real x(start = 1, fixed = true), y(start = 0), vx, vy, F; equation der(x) = vx; der(y) = vy; der(vx) = "
      "-F*x; der(vy) = -F*y - 9.81; x^2 + y^2 = 1; end P;");
  const Linearisation found = linearise(model, {.steady = true}).value();
  EXPECT_NEAR(found.state[1], -1.0, 1e-9);
  ASSERT_EQ(found.modes.size(), 2U);
  EXPECT_NEAR(std::abs(found.modes[0].eigenvalue.imag()), std::sqrt(9.81), 1e-8);
}

// Two equal rods and masses: w^2 = (2 -+ sqrt(2)) g / L.
TEST(Linearise, TheDoublePendulumInCartesianCoordinates) {
  const TextModel model = model_of(
      "model D parameter Real L = 1.3, g = 9.81; Real x1(start = 0.01), y1(start = -1.3), x2(start = 0.01), y2(start = "
      "-2.6), u1, v1, u2, v2, F1, F2; equation der(x1) = u1; der(y1) = v1; der(x2) = u2; der(y2) = v2; der(u1) = "
      "-F1*x1 "
      "+ F2*(x2 - x1); der(v1) = -F1*y1 + F2*(y2 - y1) - g; der(u2) = -F2*(x2 - x1); der(v2) = -F2*(y2 - y1) - g; x1^2 "
      "+ "
      "y1^2 = L^2; (x2 - x1)^2 + (y2 - y1)^2 = L^2; end D;");
  const Linearisation found = linearise(model, {.steady = true}).value();
  ASSERT_EQ(found.modes.size(), 4U);
  std::vector<double> frequencies;
  for (const LinearMode& mode : found.modes) {
    EXPECT_NEAR(mode.eigenvalue.real(), 0.0, 1e-7);
    frequencies.push_back(mode.eigenvalue.imag());
  }
  std::ranges::sort(frequencies);
  EXPECT_NEAR(frequencies[2], std::sqrt((2.0 - std::sqrt(2.0)) * 9.81 / 1.3), 1e-7);
  EXPECT_NEAR(frequencies[3], std::sqrt((2.0 + std::sqrt(2.0)) * 9.81 / 1.3), 1e-7);
  EXPECT_LT(found.accuracy, 1e-8);
}

// x' = f(x, z), 0 = g(x, z): A = f_x - f_z g_z^-1 g_x.
TEST(Linearise, IndexOneEliminatesItsAlgebraicUnknowns) {
  const TextModel model = model_of(
      "model M Real x(start = 1, fixed = true), z(start = 1); equation der(x) = -x*z; z + exp(z) - 2*x = "
      "exp(1) - 1; end M;");
  const Linearisation found = linearise(model).value();
  ASSERT_EQ(found.modes.size(), 1U);
  const double z = 1.0, g_z = 1.0 + std::exp(z);
  EXPECT_NEAR(found.modes[0].eigenvalue.real(), -z - 1.0 * 2.0 / g_z, 1e-9);
  EXPECT_FALSE(found.at_equilibrium());
}

// A low pass: G = 1/(1 + i w R C), and 1 - exp(-t/RC) after a step.
TEST(Linearise, AFilterHasItsTransferFunction) {
  const TextModel model = model_of(
      "model F parameter Real R = 2e3, C = 1e-6, U = 0; Real u(start = 0, fixed = true), i, y; equation R*i = U - u; "
      "C*der(u) = i; y = 3*u + U; end F;");
  const Linearisation found = linearise(model, {.steady = true, .inputs = {"U"}, .outputs = {"u", "y"}}).value();
  const double rc = 2e-3;
  for (const double w : {1.0, 500.0, 1e5}) {
    const std::complex<double> wanted = 1.0 / std::complex<double>(1.0, w * rc);
    const auto response = frequency_response(found, w);
    ASSERT_EQ(response.size(), 2U);
    EXPECT_LT(std::abs(response[0] - wanted), 1e-8);
    EXPECT_LT(std::abs(response[1] - (3.0 * wanted + 1.0)), 1e-8);
  }
  const Vector times = {0.0, 1e-3, 2e-3, 7e-3};
  const Matrix steps = step_response(found, 0, times);
  for (std::size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(steps(i, 0), 1.0 - std::exp(-times[i] / rc), 1e-8) << i;
}

// Force as an input of a constrained mechanism: at rest y' = A y + B p reproduces what a short run does.
TEST(Linearise, AnInputMovesAMechanismAsARunDoes) {
  const std::string text =
      "model P parameter Real f = 0; Real x(start = 0, fixed = true), y(start = -1), vx(start = 0, fixed = true), vy, "
      "F; "
      "equation der(x) = vx; der(y) = vy; der(vx) = -F*x + f - 0.5*vx; der(vy) = -F*y - 9.81 - 0.5*vy; x^2 + y^2 = 1; "
      "end P;";
  const Linearisation found = linearise(model_of(text), {.steady = true, .inputs = {"f"}, .outputs = {"x"}}).value();
  const double t = 1.2;
  const double linear = step_response(found, 0, Vector{t})(0, 0);
  TextModel moved({"m.mo", text});
  moved.set("f", 1e-4);
  SimulateOptions run = usual_options(moved);
  run.solve.span = {0.0, t};
  run.solve.tolerance = {.relative = 1e-11, .absolute = 1e-13};
  run.solve.output_times.clear();
  EXPECT_NEAR(simulate(moved, run).or_throw().final("x") / 1e-4, linear, 1e-6);
}

TEST(Linearise, IndexTwoKeepsItsConstraint) {
  const TextModel model = model_of(  // on the sphere, downhill: at the pole with rates -1 and -3
      "model G Real x(start = 0.1), y(start = 0.1), z(start = 1), l; equation der(x) = -2*x + 2*x*l; der(y) = -4*y + "
      "2*y*l; der(z) = -z + 2*z*l; x^2 + y^2 + z^2 = 1; end G;");
  const Linearisation found = linearise(model, {.steady = true}).value();
  ASSERT_EQ(found.modes.size(), 2U);
  EXPECT_NEAR(found.modes[0].eigenvalue.real(), -1.0, 1e-8);
  EXPECT_NEAR(found.modes[1].eigenvalue.real(), -3.0, 1e-8);
  EXPECT_TRUE(found.stable());
  EXPECT_NEAR(found.state[2], 1.0, 1e-12);
}

// The eigenvalue at x = 0 is 0, and what Newton's method stops at says nothing.
TEST(Linearise, WhatTheLinearSystemDoesNotDecideIsNotDecided) {
  for (const char* slope : {"-x^2", "x^2", "-x^3", "x^3"}) {
    const Linearisation found =
        linearise(
            model_of(std::string("model M Real x(start = 1, fixed = true); equation der(x) = ") + slope + "; end M;"),
            {.steady = true})
            .value();
    EXPECT_FALSE(found.stable() || found.unstable()) << slope << ' ' << found.modes[0].eigenvalue << ' ' << found.doubt;
  }
}

TEST(Linearise, AtATimeOfARun) {
  const TextModel model = model_of("model M Real x(start = 1, fixed = true); equation der(x) = -x^2; end M;");
  const Linearisation found = linearise(model, {.time = 3.0, .run = {.tolerance = {1e-11, 1e-13}}}).value();
  EXPECT_NEAR(found.state[0], 0.25, 1e-10);  // x = 1/(1 + t)
  EXPECT_NEAR(found.modes[0].eigenvalue.real(), -0.5, 1e-8);
  EXPECT_EQ(found.drift, 0.0);
}

TEST(Linearise, WhatIsNotSmoothOrNotThereIsRefused) {
  const auto kink = linearise(model_of(
      "model K Real x(start = 0, fixed = true); equation der(x) = noEvent(if x > 0 then -x else -2*x); end K;"));
  ASSERT_FALSE(kink.ok());
  EXPECT_NE(kink.failure().message().find("both sides"), std::string::npos);
  const auto none = linearise(model_of("model N Real x(start = 0, fixed = true); equation der(x) = 1 + x^2; end N;"),
                              {.steady = true});
  ASSERT_FALSE(none.ok());
  EXPECT_NE(none.failure().message().find("no equilibrium"), std::string::npos);
  EXPECT_THROW((void)linearise(pendulum(-0.7), {.inputs = {"nobody"}}), Misuse);
  EXPECT_THROW((void)linearise(pendulum(-0.7), {.outputs = {"nobody"}}), Misuse);
}

}  // namespace
}  // namespace driftless::linearise_test
