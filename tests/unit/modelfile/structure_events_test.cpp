// Events of compiled models: relations, when-clauses, reinit, samples, assertions and the end by terminate.
#include <gtest/gtest.h>

#include "text_model.h"

namespace driftless::testing_models::structure_events_test {
namespace {

TEST(Events, BouncingBallLandsWhereItShould) {
  const CompiledModel model = compiled(flat(R"(model M
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -0.8*pre(v));
    n = pre(n) + 1;
  end when;
end M;)"));
  EXPECT_TRUE(model.has_events());
  const RunResult r = run(model, 3.0);
  EXPECT_EQ(r.values.at("n"), 6.0);
  double t = std::sqrt(2.0 / 9.81), v = std::sqrt(2.0 * 9.81);
  for (int k = 0; k < 6; ++k) {
    v *= 0.8;
    if (k < 5) t += 2.0 * v / 9.81;
  }
  const double s = 3.0 - t;
  EXPECT_NEAR(r.values.at("h"), v * s - 0.5 * 9.81 * s * s, 1e-7);
  EXPECT_NEAR(r.values.at("v"), v - 9.81 * s, 1e-7);
}

TEST(Events, ReinitOfAnAliasOrOfAVelocityInOtherUnits) {
  const CompiledModel model = compiled(flat(R"(model M
  Real x(start = 1, fixed = true), y, u, v, w, lambda, momentum;
equation
  der(x) = 2*u;
  der(y) = v;
  w = -u;
  momentum = 3*w + 1;
  der(u) = -lambda*x;
  der(v) = -2*lambda*y - 9.81;
  x^2 + y^2 = 1;
  when time > 0.5 then
    reinit(momentum, 1);
  end when;
end M;)"));
  EXPECT_EQ(model.index(), 3);
  const RunResult before = run(model, 0.5), after = run(model, 0.5000001);
  EXPECT_GT(std::abs(before.values.at("u")), 0.1);
  EXPECT_NEAR(after.values.at("u"), 0.0, 1e-5);
  EXPECT_NEAR(after.values.at("momentum"), 1.0, 1e-5);
  EXPECT_NEAR(after.values.at("x") * 2.0 * after.values.at("u") + after.values.at("y") * after.values.at("v"), 0.0,
              1e-9);
}

// A root is small where the state is, in its units: y stands for a state of 1e-19.
TEST(Events, AreFoundInAnyUnits) {
  for (const char* unit : {"1e-19", "1e-3", "1", "1e12"}) {
    const std::string u = unit;
    const CompiledModel model =
        compiled(flat("model M\n  Real y, x(start = " + u + ", fixed = true, nominal = " + u +
                      ");\n  discrete Real d(start = 0, fixed = true);\nequation\n  der(x) = " + u + ";\n  y = x / " +
                      u + ";\n  when y > 1.5 then d = 1; end when;\nend M;"));
    EXPECT_EQ(run(model, 0.4).values.at("d"), 0.0) << unit;
    EXPECT_EQ(run(model, 0.6).values.at("d"), 1.0) << unit;
  }
}

TEST(Events, SamplesAtTheSameTimeAllAct) {
  const CompiledModel model = compiled(flat(R"(model M
  discrete Real u(start = 0);
  Real x(start = 0, fixed = true);
  Integer k(start = 0), k2(start = 0), n;
equation
  der(x) = u - x;
  n = integer(5*time);
  when sample(0.1, 0.1) then
    u = 1 - x;
    k = pre(k) + 1;
  end when;
  when sample(0.2, 0.2) then
    k2 = pre(k2) + 1;
  end when;
end M;)"));
  const RunResult r = run(model, 1.05);
  EXPECT_EQ(r.values.at("k"), 10.0);
  EXPECT_EQ(r.values.at("k2"), 5.0);
  EXPECT_EQ(r.values.at("n"), 5.0);
  double x = 0.0, u = 0.0;  // exactly: x relaxes to u between the samples
  for (int k = 1; k <= 10; ++k) {
    x = u + (x - u) * std::exp(-0.1);
    u = 1.0 - x;
  }
  x = u + (x - u) * std::exp(-0.05);
  EXPECT_NEAR(r.values.at("x"), x, 1e-8);
}

TEST(Events, TerminateEndsTheRunWithItsMessage) {
  const RunResult r = run(compiled(flat(R"(model M
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > 0.25 then
    terminate("x is " + String(x));
  end when;
end M;)")),
                          1.0);
  EXPECT_NEAR(r.time, 0.25, 1e-9);
  EXPECT_EQ(r.ended, "x is 0.25");
}

TEST(Events, RelationsChooseBetweenEquations) {
  // A relay with hysteresis drives a temperature.
  const CompiledModel model = compiled(flat(R"(model M
  Real T(start = 20, fixed = true);
  Boolean on(start = true);
equation
  der(T) = (if on then 5 else 0) - 0.1*(T - 15);
  on = pre(on) and T < 30 or T < 25;
end M;)"));
  const RunResult r = run(model, 50.0);
  EXPECT_GT(r.values.at("T"), 24.99);
  EXPECT_LT(r.values.at("T"), 30.01);
  EXPECT_GT(r.events, 10u);
  // One period: heating from 25 to 30 towards 65, cooling back towards 15.
  const double heating = 10.0 * std::log(40.0 / 35.0), cooling = 10.0 * std::log(15.0 / 10.0);
  const double first = 10.0 * std::log(45.0 / 35.0);
  const double phase = std::fmod(50.0 - first, heating + cooling);
  const double expected =
      phase < cooling ? 15.0 + 15.0 * std::exp(-0.1 * phase) : 65.0 - 40.0 * std::exp(-0.1 * (phase - cooling));
  EXPECT_NEAR(r.values.at("T"), expected, 1e-6);
}

TEST(Events, RelationThatLeavesZeroAtTheStart) {
  const RunResult r = run(compiled(flat(R"(model M
  Real x(start = 1, fixed = true), y, u, v, force;
  Boolean taut(start = true);
equation
  der(x) = u;
  der(y) = v;
  der(u) = -force*x;
  der(v) = -9.81 - force*y;
  x^2 + y^2 = 1;
  taut = force > 0;
end M;)")),
                          0.5);
  EXPECT_EQ(r.values.at("taut"), 1.0);
  EXPECT_GT(r.values.at("force"), 1.0);
}

TEST(Events, ConditionsThatGoOnToChangeAreAnError) {
  const CompiledModel model = compiled(flat(R"(model M
  Real x(start = 0, fixed = true);
  Boolean b(start = false), c(start = false);
equation
  der(x) = 1;
  c = x > 0.5;
  b = c and not pre(b);
end M;)"));
  try {
    run(model, 1.0);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("the event at t = 0.5 does not come to an end"), std::string::npos)
        << error.what();
  }
}

TEST(Events, AssertionsAreWatched) {
  const CompiledModel model = compiled(flat(R"(model M
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  assert(x < 0.5, "x has reached " + String(x));
  assert(x < 0.2, "x is large", AssertionLevel.warning);
end M;)"));
  const ModelStart start = model.start();
  ASSERT_TRUE(start.ok());
  EXPECT_TRUE(model.failed_asserts(0.0, start.state, start.held).empty());
  const Vector later{0.75};
  const auto failed = model.failed_asserts(0.75, later, start.held);
  ASSERT_EQ(failed.size(), 1u);
  EXPECT_EQ(failed[0].message, "x has reached 0.75");
  EXPECT_EQ(failed[0].place.line, 5u);
}

TEST(Events, EquationsWithOtherHeldValuesShareTheirFormulas) {
  const CompiledModel model = compiled(flat(R"(model M
  Real x(start = 1, fixed = true);
  Boolean low(start = false);
equation
  low = x < 0.5;
  der(x) = if low then -1 else -2;
end M;)"));
  const ModelStart start = model.start();
  Vector held = start.held;
  double rate = 0.0;
  std::get<Index1>(model.equations(held)).functions().f(start.state, 0.0, Span(&rate, 1));
  EXPECT_EQ(rate, -2.0);
  const std::size_t fired = 0;
  held = model.handle(0.25, Vector{0.5}, held, std::span(&fired, 1)).held;
  std::get<Index1>(model.equations(held)).functions().f(Vector{0.5}, 0.25, Span(&rate, 1));
  EXPECT_EQ(rate, -1.0);
}

// A comparison with what is not a number is false, and changes where it becomes a number or ends to be one.
TEST(ModelEvents, RelationsThatAreNotNumbers) {
  const RunResult low = run(compiled(flat("Real x(start = 1, fixed = true);",
                                          "der(x) = -1; when sqrt(x) < 0.1 then terminate(\"low\"); end when;")),
                            3.0);
  EXPECT_EQ(low.ended, "low");
  EXPECT_NEAR(low.time, 0.99, 1e-9);
  const RunResult high = run(compiled(flat("Real x(start = -1, fixed = true);",
                                           "der(x) = 1; when sqrt(x) > 0.5 then terminate(\"high\"); end when;")),
                             3.0);
  EXPECT_EQ(high.ended, "high");
  EXPECT_NEAR(high.time, 1.25, 1e-9);
  const RunResult none = run(compiled(flat("Real x(start = 1, fixed = true), n(start = 0, fixed = true);",
                                           "der(x) = -1; der(n) = if sqrt(x) >= 0 then 1 else 0;")),
                             3.0);
  EXPECT_NEAR(none.values.at("n"), 1.0, 1e-8);
}

}  // namespace
}  // namespace driftless::testing_models::structure_events_test
