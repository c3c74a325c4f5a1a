// What an event leaves alone: a reinit sets what it names, other states keep their values, the rest follows.
#include <gtest/gtest.h>

#include <cmath>

#include "text_model.h"

namespace driftless::testing_models::structure_reinit_test {
namespace {

// z of z + z^3 = c, by Cardano's formula.
double cubic_root(double c) {
  const double d = std::sqrt(0.25 * c * c + 1.0 / 27.0);
  return std::cbrt(0.5 * c + d) + std::cbrt(0.5 * c - d);
}

TEST(Reinit, LeavesOtherStatesOfIndexOneAlone) {
  const RunResult r = run(compiled(flat(R"(model M
  Real x(start = 1, fixed = true), y(start = 1, fixed = true), z;
equation
  der(x) = -x; der(y) = -y; z + z^3 = x + 5*y;
  when time > 0.5 then reinit(y, 3); end when;
end M;)")),
                          1.0);
  EXPECT_NEAR(r.values.at("x"), std::exp(-1.0), 1e-9);
  EXPECT_NEAR(r.values.at("y"), 3.0 * std::exp(-0.5), 1e-9);
  EXPECT_NEAR(r.values.at("z"), cubic_root(std::exp(-1.0) + 15.0 * std::exp(-0.5)), 1e-9);
}

// Two algebraic unknowns in one loop, an alias chain b = -a = 2 c, and a matrix of derivatives that is not constant.
TEST(Reinit, OfAnAliasBesideTwoAlgebraicUnknowns) {
  const RunResult r = run(compiled(flat(R"(model M
  Real x(start = 1, fixed = true), a(start = 1, fixed = true), b, c, z(start = 1), w(start = 1);
equation
  (1 + 0.1*z^2)*der(x) = -x*(1 + 0.1*z^2);
  der(a) = -2*a;
  b = -a;
  b = 2*c;
  z + z^3 + 0.1*w = x - c;
  w + w^3 - 0.1*z = a;
  when time > 0.5 then reinit(c, -1.5); end when;
end M;)")),
                          1.0);
  EXPECT_NEAR(r.values.at("x"), std::exp(-1.0), 1e-8);
  EXPECT_NEAR(r.values.at("a"), 3.0 * std::exp(-1.0), 1e-8);
  EXPECT_NEAR(r.values.at("c"), -1.5 * std::exp(-1.0), 1e-8);
  const double z = r.values.at("z"), w = r.values.at("w");
  EXPECT_NEAR(z + z * z * z + 0.1 * w, std::exp(-1.0) + 1.5 * std::exp(-1.0), 1e-8);
  EXPECT_NEAR(w + w * w * w - 0.1 * z, 3.0 * std::exp(-1.0), 1e-8);
}

// c is a sum of two algebraic unknowns, which follow.
TEST(Reinit, OfASumOfAlgebraicUnknowns) {
  const RunResult r = run(compiled(flat(R"(model M
  Real a(start = 1), b(start = 2), c(start = 3, fixed = true), T(start = 1, fixed = true);
equation
  c = a + b; der(c) = -c; der(T) = -T; b = 5*exp(-T)*a + 0.1*a^3;
  when time > 0.5 then reinit(c, 3); end when;
end M;)")),
                          1.0);
  EXPECT_NEAR(r.values.at("c"), 3.0 * std::exp(-0.5), 1e-8);
  EXPECT_NEAR(r.values.at("T"), std::exp(-1.0), 1e-9);
  EXPECT_NEAR(r.values.at("a") + r.values.at("b"), 3.0 * std::exp(-0.5), 1e-8);
}

// u - v and v - w are differentiated together; the sum is algebraic.
TEST(Reinit, OfANodeBetweenCapacitors) {
  const std::string model = R"(model M
  Real u(start = 1), v(start = 0.2), w(start = 0);
equation
  der(u) - der(v) = 0; der(v) - der(w) = 0;
  u + v + w + 0.1*w^3 = 1;
  when time > 0.5 then reinit(u, 3); end when;
end M;)";
  const RunResult before = run(compiled(flat(model)), 0.4), after = run(compiled(flat(model)), 1.0);
  EXPECT_NEAR(after.values.at("u"), 3.0, 1e-12);
  EXPECT_NEAR(after.values.at("v") - after.values.at("w"), before.values.at("v") - before.values.at("w"), 1e-12);
}

TEST(Reinit, OfAnAlgebraicUnknownOrAMultiplierIsRefused) {
  for (const char* name : {"z", "lambda"}) {
    const std::string text = fmt::format(R"(model M
  Real x(start = 0.6), y(start = -0.8), u, v, lambda, z;
equation
  der(x) = u; der(y) = v; der(u) = -lambda*x; der(v) = -lambda*y - 9.81;
  x^2 + y^2 = 1;
  z + z^3 = x;
  when time > 0.5 then reinit({}, 3); end when;
end M;)",
                                         name);
    const Compilation result = compile(flat(text));
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.errors[0].message, fmt::format("reinit({0}, ...): {0} is not a state", name));
    EXPECT_EQ(result.errors[0].place.line, 7u);
  }
}

// A discrete variable changes an algebraic equation: z jumps, x and y do not.
TEST(Restart, WithoutReinitStatesKeepTheirValuesToTheLastBit) {
  const CompiledModel model = compiled(flat(R"(model M
  Real x(start = 1, fixed = true), y(start = 1, fixed = true), z(start = 1);
  discrete Real k(start = 1, fixed = true);
equation
  der(x) = -x; der(y) = -y; z + z^3 = k*(x + 5*y);
  when time > 0.5 then k = 4; end when;
end M;)"));
  const ModelStart start = model.start();
  Vector held = start.held;
  const Vector state{0.7, 0.3, 1.0};
  for (double& h : held) h = h == 1.0 ? 4.0 : h;
  const auto after = make_consistent(model.equations(held), 0.5, state, {.after_event = true});
  ASSERT_TRUE(after);
  EXPECT_EQ(after->state[0], 0.7);
  EXPECT_EQ(after->state[1], 0.3);
  EXPECT_NEAR(after->state[2], cubic_root(4.0 * 2.2), 1e-14);
  EXPECT_TRUE(after->moves.empty());
  const RunResult r = run(model, 1.0);
  EXPECT_NEAR(r.values.at("x"), std::exp(-1.0), 1e-9);
  EXPECT_NEAR(r.values.at("z"), cubic_root(24.0 * std::exp(-1.0)), 1e-9);
}

// A leash x + x^3 = y^2 + s of index 2 whose force acts on x: y keeps its course.
TEST(Reinit, OnAConstraintOfIndexTwoMovesWhatTheMultiplierActsOn) {
  const CompiledModel model = compiled(flat(R"(model M
  Real x, y(start = 1, fixed = true), s(start = 1, fixed = true), force;
equation
  der(x) = force + 0.1*sin(force); der(y) = -y; der(s) = -s; x + x^3 = y^2 + s;
  when time > 0.5 then reinit(s, 3); end when;
end M;)"));
  EXPECT_EQ(model.index(), 2);
  const RunResult r = run(model, 1.0);
  EXPECT_NEAR(r.values.at("y"), std::exp(-1.0), 1e-9);
  EXPECT_NEAR(r.values.at("s"), 3.0 * std::exp(-0.5), 1e-9);
  EXPECT_NEAR(r.values.at("x"), cubic_root(std::exp(-2.0) + 3.0 * std::exp(-0.5)), 1e-9);
}

// The same leash, whose length jumps: y has no part in it.
TEST(Restart, AConstraintThatJumpsMovesWhatItsMultiplierActsOn) {
  const CompiledModel model = compiled(flat(R"(model M
  Real x(start = 1), y(start = 1, fixed = true), force;
  discrete Real k(start = 1, fixed = true);
equation
  der(x) = force + 0.1*sin(force); der(y) = -y; x + x^3 = k*y;
  when time > 0.5 then k = 2; end when;
end M;)"));
  EXPECT_EQ(model.index(), 2);
  const RunResult r = run(model, 1.0);
  EXPECT_NEAR(r.values.at("y"), std::exp(-1.0), 1e-9);
  EXPECT_NEAR(r.values.at("x"), cubic_root(2.0 * std::exp(-1.0)), 1e-9);
}

TEST(Reinit, OfOneVelocityOfAPendulumMovesTheOtherOne) {
  const CompiledModel model = compiled(flat(R"(model M
  Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0, fixed = true), v, lambda;
  Real s(start = 1, fixed = true);
equation
  der(x) = u; der(y) = v; der(u) = -lambda*x; der(v) = -lambda*y - 9.81;
  x^2 + y^2 = 1;
  der(s) = -s;
  when time > 0.1 then reinit(u, 2); end when;
end M;)"));
  const RunResult before = run(model, 0.1), after = run(model, 0.1 + 1e-9);
  ASSERT_EQ(after.events, 1u);
  EXPECT_NEAR(after.values.at("u"), 2.0, 1e-6);
  EXPECT_NEAR(after.values.at("v"), -2.0 * before.values.at("x") / before.values.at("y"), 1e-6);
  EXPECT_NEAR(after.values.at("x"), before.values.at("x"), 1e-7);
  EXPECT_NEAR(run(model, 1.0).values.at("s"), std::exp(-1.0), 1e-9);
}

}  // namespace
}  // namespace driftless::testing_models::structure_reinit_test
