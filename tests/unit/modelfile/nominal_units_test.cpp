// States in units of their nominal values: the same model, whatever it is measured in.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/integrate/solve.h"
#include "text_model.h"

namespace driftless::testing_models::nominal_units_test {
namespace {

constexpr CompileOptions in_units{.nominal_units = true};

// A pendulum of the length a, in units of a: x = a x1, v = a v1, F = a F1.
FlatModel pendulum(double a) {
  return flat(fmt::format("parameter Real a = {}; Real x(start = 0.6*a, fixed = true, nominal = a), y(start = -0.8*a, "
                          "nominal = a), u(start = 0, nominal = a), v(nominal = a), F(nominal = a);",
                          a),
              "der(x) = u; der(y) = v; der(u) = -x*F/a; der(v) = -y*F/a - 9.81*a; x^2 + y^2 = a^2;");
}

Vector results_at_end(const CompiledModel& model, double end) {
  const ModelStart start = model.start();
  EXPECT_TRUE(start.ok()) << text_of(start.errors);
  SolveOptions options{.span = {0.0, end}, .tolerance = {1e-8, 1e-11}};
  for (const double nominal : model.nominals())
    options.tolerance.absolute_by_component.push_back(options.tolerance.absolute * nominal);
  const Solution run = solve(model.equations(start.held), start.state, options);
  EXPECT_TRUE(run.ok()) << run.failure().message();
  Vector out(model.variables().size());
  model.results(start.held)(end, run.state(run.size() - 1), out);
  return out;
}

// In units of powers of two every operation is the same, but for the rounding of 0.6 a and the like.
TEST(NominalUnits, MakeAModelOfAnySizeTheSame) {
  const Vector one = results_at_end(compiled(pendulum(1.0), in_units), 2.0);
  for (const double a : {1e-19, 1e-9, 1e5, 1e20}) {
    const Vector other = results_at_end(compiled(pendulum(a), in_units), 2.0);
    for (std::size_t k = 0; k < one.size(); ++k) EXPECT_NEAR(other[k] / a, one[k], 2e-6) << a << " " << k;
  }
  const Vector half = results_at_end(compiled(pendulum(std::exp2(-60)), in_units), 2.0);
  for (std::size_t k = 0; k < one.size(); ++k) EXPECT_NEAR(half[k] * std::exp2(60), one[k], 1e-12) << k;
}

TEST(NominalUnits, AreUsedForSizesFarFromOneOnly) {
  const CompiledModel model = compiled(
      flat("Real x(start = 3, nominal = 50), y(start = 1e-7, nominal = 2e-7);", "der(x) = -x; der(y) = -y;"), in_units);
  ASSERT_EQ(model.units().size(), 2U);
  EXPECT_EQ(model.units()[0], 1.0);
  EXPECT_EQ(model.units()[1], std::exp2(-22));
  EXPECT_DOUBLE_EQ(model.nominals()[1] * model.units()[1], 2e-7);
  EXPECT_DOUBLE_EQ(model.start().state[1] * model.units()[1], 1e-7);
  const CompiledModel unasked = compiled(pendulum(1e-9));
  for (const double unit : unasked.units()) EXPECT_EQ(unit, 1.0);
}

// Whatever a user is told is in the user's units: starts, aliases, constants, what events set.
TEST(NominalUnits, StayInside) {
  const CompiledModel model = compiled(
      flat("Real x(start = 4e-9, fixed = true, nominal = 1e-9), y(nominal = 1e-9), z(nominal = 1e-9), w;",
           "der(x) = -x; y = -2*x; z = 5e-9; w = 1e9*x; when time > 0.5 then reinit(x, 8e-9 + pre(x)); end when;"),
      in_units);
  const ModelStart start = model.start();
  for (const StartValue& value : start.values)
    if (value.name == "x") {
      EXPECT_DOUBLE_EQ(value.given, 4e-9);
      EXPECT_DOUBLE_EQ(value.found, 4e-9);
    }
  EXPECT_EQ(model.variables()[0].role, VariableRole::state);
  EXPECT_EQ(model.variables()[1].of, "-2*x");
  EXPECT_EQ(model.variables()[2].of, "5e-09");
  EXPECT_EQ(model.variables()[3].of, "1e+09*x");
  Vector out(4);
  model.results(start.held)(0.0, start.state, out);
  EXPECT_DOUBLE_EQ(out[0], 4e-9);
  EXPECT_DOUBLE_EQ(out[1], -8e-9);
  EXPECT_DOUBLE_EQ(out[2], 5e-9);
  EXPECT_DOUBLE_EQ(out[3], 4.0);
  const RunResult after = run(model, 0.75);
  EXPECT_EQ(after.events, 1U);
  EXPECT_NEAR(after.values.at("x"), (8e-9 + 4e-9 * std::exp(-0.5)) * std::exp(-0.25), 1e-16);
}

// Relations, assertions and messages are about the user's numbers, too.
TEST(NominalUnits, EventsComeWhereTheyAreWritten) {
  const CompiledModel model =
      compiled(flat("Real x(start = 1e12, nominal = 1e12); discrete Real d(start = 0);",
                    "der(x) = -x; when x < 5e11 then d = x; terminate(\"at \" + String(x)); end when;"),
               in_units);
  const RunResult r = run(model, 2.0);
  EXPECT_NEAR(r.time, std::log(2.0), 1e-8);
  EXPECT_NEAR(r.values.at("d"), 5e11, 1e3);
  EXPECT_EQ(r.ended, "at 5e+11");
}

TEST(NominalUnits, AreNotShownInMessages) {
  const CompiledModel model = compiled(
      flat("Real x(start = 2e-9, fixed = true, nominal = 1e-9), y(start = 2e-9, fixed = true, nominal = 1e-9);",
           "der(x) = y; x + y = 1e-9;"),
      in_units);
  const ModelStart start = model.start();
  ASSERT_FALSE(start.ok());
  EXPECT_NE(text_of(start.errors).find("x = 2e-09"), std::string::npos) << text_of(start.errors);
}

}  // namespace
}  // namespace driftless::testing_models::nominal_units_test
