// Whom a start believes: fixed values, then stated ones, then nothing; in units of their size; and what it says.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "text_model.h"

namespace driftless::testing_models::start_trust_test {
namespace {

ModelStart found_start(const CompiledModel& model) {
  ModelStart start = model.start();
  if (!start.ok()) throw std::runtime_error(text_of(start.errors));
  return start;
}

std::map<std::string, double> values_of(const CompiledModel& model, const ModelStart& start) {
  Vector all(model.variables().size());
  model.results(start.held)(start.time, start.state, all);
  std::map<std::string, double> values;
  for (std::size_t k = 0; k < all.size(); ++k) values[model.variables()[k].name] = all[k];
  return values;
}

std::map<std::string, double> values_of(const CompiledModel& model) { return values_of(model, found_start(model)); }

const StartValue* value_named(const ModelStart& start, const std::string& name) {
  for (const StartValue& value : start.values)
    if (value.name == name) return &value;
  return nullptr;
}

std::vector<std::string> chosen(const ModelStart& start) {
  std::vector<std::string> names;
  for (const StartValue& value : start.values)
    if (value.chosen) names.push_back(value.name);
  return names;
}

// a is eliminated, and c, the state, is not stated: c = (1 + 5 exp(-1)) 0.1.
TEST(StartTrust, StatedValueOfAnEliminatedVariableBeatsTheDefault) {
  const CompiledModel model = compiled(
      flat("Real a(start = 0.1), b, c, T(start = 1);", "c = a + b; der(c) = -c; der(T) = -T; b = 5*exp(-T)*a;"));
  const ModelStart start = found_start(model);
  auto at = values_of(model, start);
  EXPECT_NEAR(at["a"], 0.1, 1e-15);
  EXPECT_NEAR(at["c"], 0.1 * (1.0 + 5.0 * std::exp(-1.0)), 1e-15);
  EXPECT_DOUBLE_EQ(at["T"], 1.0);
  EXPECT_TRUE(chosen(start).empty());
}

// z is algebraic and stays an unknown; x, the state, is not stated: x = z + z^3 - 1.
TEST(StartTrust, StatedAlgebraicVariableSetsAStateThatIsNotStated) {
  const char* equations = "der(x) = -x; z + z^3 + sin(z) = x + 1;";
  auto at = values_of(compiled(flat("Real x, z(start = 2);", equations)));
  EXPECT_NEAR(at["z"], 2.0, 1e-12);
  EXPECT_NEAR(at["x"], 9.0 + std::sin(2.0), 1e-11);
  // A state that is stated keeps its value, and the algebraic variable follows, as it does for fixed ones.
  for (const char* stated : {"start = 0.5", "start = 0.5, fixed = true"}) {
    const ModelStart start =
        found_start(compiled(flat("Real x(" + std::string(stated) + "), z(start = 2);", equations)));
    EXPECT_EQ(value_named(start, "x")->found, 0.5);
    ASSERT_TRUE(value_named(start, "z")->moved());
    const double z = value_named(start, "z")->found;
    EXPECT_NEAR(z + z * z * z + std::sin(z), 1.5, 1e-12);
  }
}

// A fixed value beats a stated one, wherever it is stated.
TEST(StartTrust, FixedBeatsStated) {
  const CompiledModel model = compiled(flat("Real a(start = 0.1), b, c(start = 3, fixed = true), T(start = 1);",
                                            "c = a + b; der(c) = -c; der(T) = -T; b = 5*exp(-T)*a;"));
  const ModelStart start = found_start(model);
  const double a = 3.0 / (1.0 + 5.0 * std::exp(-1.0));
  EXPECT_NEAR(values_of(model, start)["a"], a, 1e-14);
  // What moved is said by name, with both values, although the solver does not know a.
  ASSERT_NE(value_named(start, "a"), nullptr);
  EXPECT_TRUE(value_named(start, "a")->moved());
  EXPECT_EQ(value_named(start, "a")->given, 0.1);
  EXPECT_NEAR(value_named(start, "a")->found, a, 1e-14);
  EXPECT_FALSE(value_named(start, "c")->moved());
}

// s = x/0.1 and h/1e5 = 0.8 s^2 have to be near 1: (s - 1)^2 + (0.8 s^2 - 1)^2 is least for 1.28 s^3 - 0.6 s - 1 = 0.
TEST(StartTrust, DistancesAreRelativeToTheSizeOfWhatIsStated) {
  double s = 1.0;
  for (int i = 0; i < 50; ++i) s -= (1.28 * s * s * s - 0.6 * s - 1.0) / (3.84 * s * s - 0.6);
  // The enthalpy is eliminated, or a state with a multiplier beside it.
  for (const char* equations :
       {"der(x) = -l - x; der(h) = l; h = 8e6*x^2;", "der(x) = -l - x; der(h) = 3*l; exp(h/1e5) = exp(80*x^2);"}) {
    const ModelStart start = found_start(compiled(flat("Real x(start = 0.1), h(start = 1e5), l;", equations)));
    ASSERT_NE(value_named(start, "h"), nullptr) << equations;
    EXPECT_NEAR(value_named(start, "x")->found, 0.1 * s, 1e-10) << equations;
    EXPECT_NEAR(value_named(start, "h")->found, 0.8e5 * s * s, 1e-4) << equations;
  }
}

// Contradictory aliases: one start counts, and the other is said to have moved.
TEST(StartTrust, ContradictoryAliasesAreReported) {
  const ModelStart start = found_start(compiled(flat("Real y(start = 2), x(start = 1);", "y = x; der(x) = -x;")));
  EXPECT_EQ(value_named(start, "x")->found, 1.0);
  ASSERT_NE(value_named(start, "y"), nullptr);
  EXPECT_TRUE(value_named(start, "y")->moved());
  EXPECT_EQ(value_named(start, "y")->given, 2.0);
  EXPECT_EQ(value_named(start, "y")->found, 1.0);
}

// phi is not stated, but where it leads is.
TEST(StartTrust, PositionsInOtherCoordinatesSetTheAngle) {
  auto at = values_of(compiled(flat("Real phi, w(start = 0.3), x(start = 1.2), y;",
                                    "der(phi) = w; der(w) = -9.81*sin(phi)/2; x = 2*sin(phi); y = -2*cos(phi);")));
  EXPECT_NEAR(at["phi"], std::asin(0.6), 1e-12);
  EXPECT_NEAR(at["x"], 1.2, 1e-12);
  EXPECT_EQ(at["w"], 0.3);
}

// The energy has no slope along velocities that are 0.
TEST(StartTrust, AnEnergySetsAVelocity) {
  auto at = values_of(compiled(flat("Real x(start = 0.6), y(start = -0.8), u, v, lambda, E(start = 3);", R"(
    der(x) = u; der(y) = v; der(u) = -lambda*x; der(v) = -lambda*y - 9.81; x^2 + y^2 = 1;
    E = 0.5*(u^2 + v^2) + 9.81*y;)")));
  EXPECT_NEAR(at["x"], 0.6, 1e-12);
  EXPECT_NEAR(at["y"], -0.8, 1e-12);
  EXPECT_NEAR(at["E"], 3.0, 1e-12);
  EXPECT_NEAR(at["u"] * at["u"] + at["v"] * at["v"], 2.0 * (3.0 + 9.81 * 0.8), 1e-10);
}

TEST(StartTrust, WhatIsChosenIsListed) {
  const char* pendulum = R"(
  der(x) = u;
  der(y) = v;
  der(u) = -lambda*x;
  der(v) = -lambda*y - 9.81;
  x^2 + y^2 = 1;)";
  using Names = std::vector<std::string>;
  // One velocity is free, and shows in both.
  EXPECT_EQ(chosen(found_start(compiled(flat("Real x(start = 0.6), y(start = -0.8), u, v, lambda;", pendulum)))),
            (Names{"u", "v"}));
  EXPECT_EQ(
      chosen(found_start(compiled(flat("Real x(start = 0.6), y(start = -0.8), u(start = 0.1), v, lambda;", pendulum)))),
      Names{});
  EXPECT_EQ(chosen(found_start(compiled(flat("Real x, y(start = 1);", "der(x) = -x; der(y) = -y;")))), Names{"x"});
  // An initial equation determines x.
  EXPECT_EQ(chosen(found_start(compiled(flat(R"(model M
  Real x;
initial equation
  der(x) = 0;
equation
  der(x) = 3 - x;
end M;)")))),
            Names{});
}

// The slope of the cosine is -0.01 at the start; Newton's step leads to 99, and the curve to pi/2.
TEST(StartTrust, ARootNearTheStatedStart) {
  for (const double start : {0.01, 1e-4, -0.02, 3.1}) {
    const double x = values_of(compiled(flat("Real x(start = " + std::to_string(start) + ");", "cos(x) = time;")))["x"];
    EXPECT_NEAR(x, start < 0.0 ? -std::numbers::pi / 2 : std::numbers::pi / 2, 1e-9) << start;
  }
}

// Residuals are measured against the unknowns, however small they are.
TEST(StartTrust, TinyUnknownsAreSolvedFor) {
  const double z = values_of(compiled(flat("Real q(start = 0, fixed = true), z(start = 3e-20, nominal = 1e-20);",
                                           "der(q) = z; z + 1e40*z^3 = 2e-20 + q;")))["z"];
  EXPECT_NEAR(z / 1e-20, 1.0, 1e-9);
}

// x = 3 meets both. From x = 0 the way to w = 0.001 ends at x = 1, where w is off by a ten-thousandth, and b by two
// thirds.
TEST(StartTrust, StatedValuesThatAgreeAreMetWhereOneOfThemLeads) {
  const CompiledModel model = compiled(flat("Real x, b(start = 6), w(start = 0.001), T(start = 1);",
                                            "der(x) = -x; der(T) = -T; b = 2*x*T; w = 0.001*T + (x - 1)*(x - 3);"));
  const ModelStart start = found_start(model);
  auto at = values_of(model, start);
  EXPECT_NEAR(at["x"], 3.0, 1e-12);
  EXPECT_NEAR(at["b"], 6.0, 1e-12);
  EXPECT_NEAR(at["w"], 0.001, 1e-12);
}

// The same where no equation tells x or y alone but that of w, which tells x = 1: with b first, both are 3.
TEST(StartTrust, StatedValuesThatAgreeAreMetWhereNoChainLeads) {
  const CompiledModel model =
      compiled(flat("Real x, y, b(start = 6), d(start = 0), w(start = 0.001), T(start = 1);",
                    "der(x) = -x; der(y) = -y; der(T) = -T; b = (x + y)*T; d = x - y; w = 0.001*T + (x - 1)*(x - 3);"));
  const ModelStart start = found_start(model);
  auto at = values_of(model, start);
  EXPECT_NEAR(at["x"], 3.0, 1e-12);
  EXPECT_NEAR(at["y"], 3.0, 1e-12);
  EXPECT_NEAR(at["b"], 6.0, 1e-12);
  EXPECT_NEAR(at["w"], 0.001, 1e-12);
}

// From u = 0, which is a guess, the way to u = 1.668 leads v from 1.1 through 0 to its other root.
TEST(StartTrust, StatedValuesAreMetFromWhereTheRestBelongs) {
  auto at = values_of(compiled(flat(R"(model M
  Real u, v(start = 1.1), l;
initial equation
  u = 1.668;
equation
  der(u) = -u + (0.813 - 0.4*u)*l;
  der(v) = -v + 0.453*v*l;
  0.813*u + 0.2265*v^2 - 0.2*u^2 = 0.813*1.668 + 0.2265*1.1^2 - 0.2*1.668^2;
end M;
)")));
  EXPECT_NEAR(at["u"], 1.668, 1e-12);
  EXPECT_NEAR(at["v"], 1.1, 1e-12);
}

// w = 1.1 + 0.0004 (c - 1) + q/10 can be made 1.2 by c = 251 as well, but c is 1 whatever is wished. On the way back
// from there, c^2 leads x to its other root, -7.672. If x is stated, it is sought from there once more; if it is not,
// nobody would notice.
TEST(StartTrust, WishesDoNotMoveWhatConditionsDetermine) {
  for (const char* stated : {"(start = 1.732)", ""}) {
    auto at = values_of(compiled(flat(fmt::format(R"(model M
  Real c, q, w(start = 1.2), v(start = 1.6), x{};
initial equation
  c = 1;
equation
  der(c) = -c;
  der(q) = -q;
  w = 1.1 + 0.0004*(c - 1) + 0.1*q;
  v = q + 0.1*sin(q);
  1.188*x + 0.2*x^2 = 1.188*(1.522 + 0.21*c) + 0.2*(1.522 + 0.21*c)^2;
end M;)",
                                                  stated))));
    EXPECT_DOUBLE_EQ(at["c"], 1.0);
    EXPECT_NEAR(at["x"], 1.732, 1e-12) << stated;
  }
}

// w and v contradict each other: one of them moves, and far. That does not hide that x moves without need, to pi -
// 1.732, as it does on the way from c = 0.
TEST(StartTrust, AContradictionElsewhereHidesNoOtherRoot) {
  auto at = values_of(compiled(flat(R"(model M
  Real c, q, w(start = 1.2), v(start = 6), x(start = 1.732);
initial equation
  c = 1;
equation
  der(c) = -c;
  der(q) = -q;
  w = 1.1 + 0.0004*(c - 1) + 0.1*q;
  v = q + 0.1*sin(q);
  sin(x) + 0.1*c^2 = sin(1.732) + 0.1;
end M;)")));
  EXPECT_DOUBLE_EQ(at["c"], 1.0);
  EXPECT_NEAR(at["x"], 1.732, 1e-12);
}

// All stated values agree: x, which is not stated, follows from a and b alone. From its guess 0 the nearest point is a
// compromise on the other side of the minimum of the last equation, with a = 0.18.
TEST(StartTrust, ValuesThatAgreeAreNotLostToACompromise) {
  auto at = values_of(compiled(flat(R"(model M
  Real a(start = 0.55), b(start = 2.159), x, w(start = -0.06);
equation
  x = a*b;
  2*a + b = 3.259;
  der(x) = -1.894*x;
  w + 0.473*w^3 = -0.06 - 0.473*0.06^3 - 0.602*(cos(x) - cos(1.18745)) - 0.67*(sin(x) - sin(1.18745));
end M;)")));
  EXPECT_NEAR(at["a"], 0.55, 1e-12);
  EXPECT_NEAR(at["b"], 2.159, 1e-12);
  EXPECT_NEAR(at["x"], 1.18745, 1e-12);
  EXPECT_NEAR(at["w"], -0.06, 1e-12);
}

// The same where the chain of what follows is longer, and one link of it is an eliminated variable with a start value.
TEST(StartTrust, WhatFollowsFromStatedValuesIsFollowedThroughEquations) {
  auto at = values_of(compiled(flat(R"(model M
  Real p(start = 2), q, r, x, w(start = 0.3);
equation
  q^3 + q = 2 + p^3;
  r = 2*q - p;
  x + 0.1*x^3 = r + 0.1*r^3;
  der(x) = -x;
  w = 0.3 + 0.5*(cos(3*x) - cos(6)) * (x - 1);
end M;)")));
  EXPECT_NEAR(at["p"], 2.0, 1e-12);
  EXPECT_NEAR(at["q"], 2.0, 1e-12);
  EXPECT_NEAR(at["x"], 2.0, 1e-12);
  EXPECT_NEAR(at["w"], 0.3, 1e-12);
}

// A condition between fixed values alone, times any factor, and where a slope vanishes at the start: it holds or not,
// whatever its units.
TEST(StartTrust, FixedValuesThatContradictAreRefusedInAnyUnits) {
  const auto start = [](const std::string& declarations, const std::string& equations) {
    return compiled(flat(declarations, equations)).start();
  };
  for (const char* factor : {"1e-14", "1e-10", "1", "1e10"}) {
    SCOPED_TRACE(factor);
    const auto on_circle = [&](const char* y) {
      return start(fmt::format("Real x(start = 0.6, fixed = true), y(start = {}, fixed = true), l;", y),
                   fmt::format("der(x) = -2*x*l; der(y) = -2*y*l - 1; {}*(x^2 + y^2 - 1) = 0;", factor));
    };
    EXPECT_TRUE(on_circle("0.8").ok());
    EXPECT_FALSE(on_circle("0.9").ok());
    EXPECT_FALSE(on_circle("0.80001").ok());
    const auto algebraic = [&](const char* y) {
      return start(fmt::format("Real x(start = 1, fixed = true), y(start = {}, fixed = true);", y),
                   fmt::format("der(x) = -x; {}*(y^3 + y - 10*x) = 0;", factor));
    };
    EXPECT_TRUE(algebraic("2").ok());
    EXPECT_FALSE(algebraic("2.1").ok());
    const ModelStart flat_slope = start("Real x, q(start = 0);", fmt::format("der(q) = 1; {}*(x^2 - 1) = 0;", factor));
    EXPECT_TRUE(flat_slope.ok());
  }
  // A few last places of large numbers contradict nothing.
  EXPECT_TRUE(start("Real x(start = 3e7, fixed = true), y(start = 4.00000000000001e7, fixed = true), l;",
                    "der(x) = -2*x*l; der(y) = -y - 2*y*l; x^2 + y^2 = 2.5e15;")
                  .ok());
}

}  // namespace
}  // namespace driftless::testing_models::start_trust_test
