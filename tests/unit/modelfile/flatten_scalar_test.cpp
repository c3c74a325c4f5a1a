#include "compare_models.h"

namespace driftless::flatten_scalar_test {
namespace {

TEST(FlattenScalar, ReadsThePendulum) {
  const FlatModel model = flat(R"(
model Pendulum "a mass on a rod"
  parameter Real L(unit = "m", min = 0) = 2 * half "length of the rod";
  final parameter Real half = 0.5;
  constant Real g = 9.81;
  Real x(start = L, fixed = true, unit = "m", nominal = 2) "to the right";
  output Real y(start = 0.0, min = -3, max = 3);
  Real vx, vy, lambda;
initial equation
  vx = 0;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -lambda * x;
  der(vy) = -lambda * y - g;
  x^2 + y^2 = L^2;
  annotation(experiment(StartTime = 0, StopTime = 2.5, Tolerance = 1e-6, Interval = 0.01));
end Pendulum;
)");
  EXPECT_EQ(model.name, "Pendulum");
  EXPECT_EQ(model.description, "a mass on a rod");
  ASSERT_EQ(model.parameters.size(), 3u);
  EXPECT_EQ(model.parameters[0].name, "L");
  EXPECT_EQ(model.parameters[0].value, 1.0);
  EXPECT_EQ(model.parameters[0].unit, "m");
  EXPECT_EQ(model.parameters[0].description, "length of the rod");
  EXPECT_FALSE(model.parameters[0].is_constant);
  EXPECT_TRUE(model.parameters[1].is_constant);
  EXPECT_TRUE(model.parameters[2].is_constant);
  ASSERT_EQ(model.variables.size(), 5u);
  EXPECT_EQ(model.variables[0].name, "x");
  EXPECT_TRUE(model.variables[0].fixed);
  EXPECT_EQ(value(model, *model.variables[0].start), 1.0);
  EXPECT_EQ(model.variables[0].nominal, 2.0);
  EXPECT_EQ(model.variables[0].unit, "m");
  EXPECT_EQ(model.variables[0].place.line, 6u);
  EXPECT_EQ(model.variables[0].place.column, 8u);
  EXPECT_TRUE(model.variables[1].output);
  EXPECT_EQ(model.variables[1].min, -3.0);
  EXPECT_EQ(model.variables[1].max, 3.0);
  EXPECT_TRUE(model.variables[3].has_derivative);
  EXPECT_FALSE(model.variables[4].has_derivative);
  ASSERT_EQ(model.equations.size(), 5u);
  EXPECT_EQ(model.equations[4].text, "x^2 + y^2 = L^2");
  EXPECT_EQ(model.equations[4].place.line, 16u);
  EXPECT_EQ(model.equations[4].place.column, 3u);
  EXPECT_NEAR(value(model, model.equations[4].residual, {{"x", 0.6}, {"y", 0.5}}), 0.36 + 0.25 - 1.0, 1e-15);
  EXPECT_NEAR(value(model, model.equations[3].residual, {{"der(vy)", 2.0}, {"lambda", 3.0}, {"y", 0.5}}),
              2.0 + 1.5 + 9.81, 1e-14);
  EXPECT_EQ(model.initial_equations.size(), 1u);
  EXPECT_EQ(model.experiment.start_time, 0.0);
  EXPECT_EQ(model.experiment.stop_time, 2.5);
  EXPECT_EQ(model.experiment.tolerance, 1e-6);
  EXPECT_EQ(model.experiment.interval, 0.01);
}

TEST(FlattenScalar, ConstantsAreComputed) {
  const std::vector<std::pair<std::string, std::string>> table{
      {"1 + 2 * 3", "7"},
      {"-2^2", "-4"},
      {"2^10", "1024"},
      {"7 / 2", "3.5"},
      {"div(7, 2)", "3"},
      {"div(-7, 2)", "-3"},
      {"mod(-7, 3)", "2"},
      {"rem(-7, 3)", "-1"},
      {"mod(5.5, 2)", "1.5"},
      {"floor(-1.5)", "-2"},
      {"ceil(-1.5)", "-1"},
      {"integer(2.7)", "2"},
      {"abs(-3)", "3"},
      {"sign(-3.5)", "-1"},
      {"sqrt(16)", "4"},
      {"exp(0)", "1"},
      {"log10(1000)", "3"},
      {"atan2(0, 1)", "0"},
      {"min(3, 2)", "2"},
      {"max({1, 5, 3})", "5"},
      {"if 1 < 2 then 10 else 20", "10"},
      {"if false then 1 elseif true then 2 else 3", "2"},
      {"if true or 1 / 0 > 1 then 1 else 2", "1"},
      {"if not (1 == 2) and 2 <> 3 then 1 else 0", "1"},
      {"if \"a\" + \"b\" == \"ab\" then 1 else 0", "1"},
      {"if false then 1 / 0 else 3", "3"},
      {"homotopy(actual = 3, simplified = 4)", "3"},
      {"homotopy(3, 4)", "3"},
      {"noEvent(3)", "3"},
      {"smooth(1, 3)", "3"},
      {"semiLinear(-2, 3, 5)", "-10"},
      {"Modelica.Constants.pi", "3.141592653589793"},
      {"Modelica.Math.cos(0)", "1"},
      {"pure(f(2))", "4"},
      {"f(3) + f(u = 1)", "8"},
  };
  const std::string f = "function f input Real u; output Real y; algorithm y := 2 * u; end f;";
  for (const auto& [expression, number] : table) EXPECT_EQ(constant(expression, f), number) << expression;
}

TEST(FlattenScalar, ParametersMayBeInAnyOrderAndOverridden) {
  const std::string text = R"(
model A
  parameter Real a = 2 * b;
  parameter Real b = c + 1;
  parameter Integer c = 3;
  parameter Boolean on = true;
  parameter String s = "abc";
  parameter Real v[3] = {1, 2, 3};
  parameter Real 'q.r'(start = 4) = 5;
  type E = enumeration(red, green);
  parameter E e = E.red;
  parameter Integer n = 0;
  constant Real k = 1;
  Real x = a;
end A;)";
  const auto values = [&](std::vector<std::pair<std::string, std::string>> set) {
    const FlatModel model = flat(text, {.parameters = std::move(set)});
    std::map<std::string, double> out;
    for (const FlatParameter& parameter : model.parameters) out[parameter.name] = parameter.value;
    return out;
  };
  EXPECT_EQ(values({})["a"], 8.0);
  EXPECT_EQ(values({{"c", "4"}})["a"], 10.0);
  EXPECT_EQ(values({{"b", "2 * c"}})["a"], 12.0);
  EXPECT_EQ(values({{"a", "-1e3"}})["a"], -1000.0);
  EXPECT_EQ(values({{"on", "false"}})["on"], 0.0);
  EXPECT_EQ(values({{"v[2]", "7"}})["v[2]"], 7.0);
  EXPECT_EQ(values({{"v[2]", "7"}})["v[3]"], 3.0);
  EXPECT_EQ(values({{"v", "{4, 5, 6}"}})["v[1]"], 4.0);
  EXPECT_EQ(values({{"q.r", "6"}})["'q.r'"], 6.0);
  EXPECT_EQ(values({{"'q.r'", "7"}})["'q.r'"], 7.0);
  const FlatModel model = flat(text, {.parameters = {{"s", "\"xyz\""}}});
  EXPECT_EQ(model.parameters[4].text, "xyz");
  EXPECT_EQ(flat(text, {.parameters = {{"s", "u v"}}}).parameters[4].text, "u v");
  EXPECT_EQ(flat(text, {.parameters = {{"c", "n + 1"}, {"n", "7"}}}).parameters[2].value, 8.0);
  EXPECT_EQ(flat(text, {.parameters = {{"e", "green"}}}).parameters[9].text, "green");
  EXPECT_EQ(flat(text, {.parameters = {{"e", "E.green"}}}).parameters[9].value, 2.0);
  EXPECT_EQ(model.parameters[4].type, FlatParameter::Type::string);
  EXPECT_EQ(model.parameters[3].type, FlatParameter::Type::boolean);
  EXPECT_EQ(model.parameters[2].type, FlatParameter::Type::integer);
}

TEST(FlattenScalar, DerivativesOfExpressions) {
  expect_equivalent({"Real x, y;", "der(x * y) = 1; der(sin(x) + time^2) = y;", "Real x, y;",
                     "der(x) * y + x * der(y) = 1; cos(x) * der(x) + 2 * time = y;"});
  expect_equivalent({"Real x; parameter Real p = 2;", "x = der(p) + der(3);", "Real x;", "x = 0;"});
  const FlatModel model = flat_body("Real x;", "der(der(x)) = -x;");
  ASSERT_EQ(model.variables.size(), 2u);
  EXPECT_EQ(model.variables[1].name, "der(x)");
  EXPECT_TRUE(model.variables[1].introduced);
  ASSERT_EQ(model.equations.size(), 2u);
  EXPECT_NEAR(value(model, model.equations[1].residual, {{"der(der(x))", 3.0}, {"x", 2.0}}), 5.0, 1e-15);
}

TEST(FlattenScalar, DeclarationEquationsAndConditions) {
  expect_equivalent({"parameter Boolean big = true; Real x = 2 * y, y;",
                     "if big then y = 1; else y = 2; x = 1; end if;", "Real x, y;", "x = 2 * y; y = 1;"});
  expect_equivalent({"Real x, y;", "if time > 1 then x = 1; y = 2; else y = 3; x = 4; end if;", "Real x, y;",
                     "x = if time > 1 then 1 else 4; y = if time > 1 then 2 else 3;"});
  expect_equivalent({"Real x;", "if x > 1 then x + 1 = 2; elseif time > 1 then 3 = x; else x = 4; end if;", "Real x;",
                     "(if x > 1 then x + 1 - 2 else if time > 1 then 3 - x else x - 4) = 0;"});
  expect_equivalent(
      {"Real x;", "x = if noEvent(x > 1) then 1 else 2;", "Real x;", "x = noEvent(if x > 1 then 1 else 2);"});
}

TEST(FlattenScalar, RelationsAreHeldUnlessNoEvent) {
  const FlatModel model =
      flat_body("Real x, y; Boolean b; parameter Real p = 2;",
                "x = if y > p then 1 else 2; b = y <= x; y = noEvent(if x < 1 then 1 else abs(x));");
  ASSERT_EQ(model.relations.size(), 2u);
  EXPECT_EQ(model.relations[0].text, "y > p");
  EXPECT_FALSE(model.relations[0].holds_if_negative);
  EXPECT_FALSE(model.relations[0].at_zero);
  EXPECT_NEAR(value(model, model.relations[0].root, {{"y", 5.0}}), 3.0, 1e-15);
  EXPECT_TRUE(model.relations[1].holds_if_negative);
  EXPECT_TRUE(model.relations[1].at_zero);
  EXPECT_NEAR(value(model, model.equations[0].residual, {{"x", 5.0}, {"relation 0", 1.0}}), 4.0, 1e-15);
  EXPECT_NEAR(value(model, model.equations[0].residual, {{"x", 5.0}, {"relation 0", 0.0}}), 3.0, 1e-15);
  EXPECT_NEAR(value(model, model.equations[2].residual, {{"y", 5.0}, {"x", -2.0}}), 4.0, 1e-15);
  EXPECT_TRUE(model.variables[2].boolean);
  EXPECT_TRUE(model.variables[2].discrete);
  // The same relation is one input.
  EXPECT_EQ(flat_body("Real x, y;", "x = if time > 1 then 1 else 2; y = if time > 1 then 3 else 4;").relations.size(),
            1u);
  // What does not move needs no event.
  EXPECT_EQ(flat_body("Integer n; Real x;", "n = 3; x = if n > 2 then 1 else 2;").relations.size(), 0u);
}

TEST(FlattenScalar, ReadsBaseModelica) {
  const FlatModel model = flat(R"(//! base 0.1.0
package 'Swing'
  type 'Mode' = enumeration('slow', 'fast');
  constant Real 'c' = 2.0;
  record 'Point' Real 'x'(unit = "m"); Real 'y'; end 'Point';
  model 'Swing' "two masses on a rod"
    parameter Real 'rod.length'(min = 0.0, unit = "m") = 1.0 "length of the rod";
    parameter 'Mode' 'mode' = 'Mode'.'fast';
    parameter StateSelect 'ss' = StateSelect.prefer;
    parameter equation guess('bob.v[2]') = prioritize(3.0, 4);
    Real 'bob.r[1]'(start = 1.0, fixed = true, unit = "m", stateSelect = StateSelect.prefer) @ 12;
    Real 'bob.r[2]';
    Real 'bob.v[1]', 'bob.v[2]', 'rod.force';
    Boolean 'taut'(start = true);
  initial equation
    'bob.v[1]' = 0.0;
    prioritize('bob.r[2]', 2);
  equation
    @ 3 der('bob.r[1]') = 'bob.v[1]' @ 4;
    der('bob.r[2]') = 'bob.v[2]';
    der('bob.v[1]') = -'rod.force' * 'bob.r[1]';
    der('bob.v[2]') = -9.81 - 'rod.force' * 'bob.r[2]';
    'bob.r[1]' ^ 2.0 + 'bob.r[2]' ^ 2.0 = (if 'mode' == 'Mode'.'fast' then 'c' else 1.0) * 'rod.length' ^ 2.0;
    'taut' = 'rod.force' > 0.0;
    annotation(experiment(StartTime = 0, StopTime = 2.0, Tolerance = 1e-06, Interval = 0.004));
  end 'Swing';
end 'Swing';
)");
  EXPECT_EQ(model.name, "'Swing'");
  ASSERT_EQ(model.variables.size(), 6u);
  EXPECT_EQ(model.variables[0].name, "'bob.r[1]'");
  EXPECT_EQ(model.variables[0].state_select, "prefer");
  EXPECT_EQ(model.variables[1].start_priority, 2.0);
  EXPECT_EQ(value(model, *model.variables[3].start), 3.0);
  EXPECT_EQ(model.variables[3].start_priority, 4.0);
  EXPECT_EQ(model.equations.size(), 6u);
  EXPECT_NEAR(value(model, model.equations[4].residual, {{"bob.r[1]", 3.0}, {"bob.r[2]", 1.0}}), 8.0, 1e-14);
  ASSERT_EQ(model.parameters.size(), 4u);
  EXPECT_EQ(model.parameters[2].text, "'fast'");
  EXPECT_EQ(model.parameters[2].value, 2.0);
}

TEST(FlattenScalar, ChoosesAmongModels) {
  const std::string text = "model A Real x = 1; end A; model 'B.c' Real y = 2; end 'B.c'; function f end f;";
  EXPECT_EQ(flat(text).name, "'B.c'");
  EXPECT_EQ(flat(text, {.model = "A"}).name, "A");
  EXPECT_EQ(flat(text, {.model = "B.c"}).name, "'B.c'");
}

TEST(FlattenScalar, ComputedParametersAreUnknownsThatDoNotChange) {
  const FlatModel model = flat(
      "model A parameter Real p(fixed = false, start = 2); Real x; initial equation x = 5; equation "
      "der(x) = p - x; end A;");
  ASSERT_EQ(model.variables.size(), 2u);
  EXPECT_EQ(model.variables[0].name, "p");
  EXPECT_FALSE(model.variables[0].fixed);
  EXPECT_EQ(value(model, *model.variables[0].start), 2.0);
  ASSERT_EQ(model.equations.size(), 2u);
  EXPECT_EQ(value(model, model.equations[0].residual, {{"der(p)", 7.0}}), 7.0);
}

}  // namespace
}  // namespace driftless::flatten_scalar_test
