// Branches: which modes have the same structure, and where a run has to end.
#include <gtest/gtest.h>

#include <cmath>

#include "text_model.h"

namespace driftless::testing_models::structure_modes_test {
namespace {

// z of z + z^3 = c, by Cardano's formula.
double cubic_root(double c) {
  const double d = std::sqrt(0.25 * c * c + 1.0 / 27.0);
  return std::cbrt(0.5 * c + d) + std::cbrt(0.5 * c - d);
}

std::string trouble(const std::string& text, double end) {
  try {
    run(compiled(flat(text)), end);
    return "";
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

std::vector<Finding> others(const std::string& text) {
  const CompiledModel model = compiled(flat(text));
  const ModelStart start = model.start();
  if (!start.ok()) throw std::runtime_error(text_of(start.errors));
  std::vector<Finding> found;
  for (const OtherStructure& one : model.other_structures(start.held)) found.push_back(one);
  return found;
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const char* stop_on_the_way = R"(model M
  Real x(start = 0.5, fixed = true), v(start = -1, fixed = true), T;
  Boolean locked(start = false, fixed = true);
equation
  der(x) = v;
  der(v) = T;
  if locked then
    x = 0;
  else
    T = 0;
  end if;
  when x < 0 then
    locked = true;
  end when;
end M;)";

TEST(Modes, ARunGoesOnInABranchOfIndexThree) {
  const RunResult r = run(compiled(flat(stop_on_the_way)), 2.0);
  EXPECT_EQ(r.values.at("x"), 0.0);
  EXPECT_EQ(r.values.at("v"), 0.0);
  EXPECT_EQ(trouble(stop_on_the_way, 0.4), "");
}

TEST(Modes, CheckNamesTheBranchThatHasAnotherIndex) {
  const auto found = others(stop_on_the_way);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].place.line, 8u);
  EXPECT_EQ(found[0].message,
            "this branch has another structure than the one at the start: index 3 with 0 degrees of freedom instead of "
            "index 1 with 2 degrees of freedom");
}

TEST(Modes, AStartInABranchOfAnotherIndexIsRefusedWithBothIndices) {
  std::string text = stop_on_the_way;
  text.replace(text.find("start = false"), 13, "start = true ");
  text.replace(text.find("start = 0.5"), 11, "start = 0  ");
  text.replace(text.find("start = -1"), 10, "start = 0 ");
  const CompiledModel model = compiled(flat(text));
  const ModelStart start = model.start();
  ASSERT_FALSE(start.ok());
  EXPECT_TRUE(start.other_structure);
  EXPECT_EQ(start.errors[0].place.line, 8u);
  EXPECT_TRUE(
      says(start.errors[0].message, "index 3 with 0 degrees of freedom instead of index 0 with 2 degrees of freedom"))
      << start.errors[0].message;
}

TEST(Modes, ARelationWithoutWhenIsWatchedToo) {
  const std::string text = R"(model M
  Real x(start = 1, fixed = true), y(start = 2, fixed = true), z(start = 1);
equation
  der(x) = -1;
  der(y) = z;
  if x > 0.5 then
    z + z^3 = y;
  else
    y = 2*x;
  end if;
end M;)";
  // y = 2 x with x = 1 - t: y jumps by the impulse of z, which then is y'.
  const RunResult r = run(compiled(flat(text)), 0.75);
  EXPECT_NEAR(r.values.at("y"), 0.5, 1e-9);
  EXPECT_NEAR(r.values.at("z"), -2.0, 1e-9);
  const auto found = others(text);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].place.line, 9u);
}

TEST(Modes, AnIfExpressionIsWatchedToo) {
  const std::string text = R"(model M
  Real x(start = 1, fixed = true), y(start = 2, fixed = true), z(start = 1);
equation
  der(x) = -1;
  der(y) = -y;
  0 = (if x > 0.5 then z + z^3 else x) - y;
end M;)";
  const std::string said = trouble(text, 1.0);
  EXPECT_TRUE(says(said, ": error: at t = 0.5 the run comes to a branch of another structure: ")) << said;
  EXPECT_EQ(others(text).size(), 1u);
}

TEST(Modes, ASingularBranchIsNamed) {
  const std::string text = R"(model M
  Real x(start = 1, fixed = true), a(start = 1), b(start = 1);
equation
  der(x) = -1;
  a + a^3 = x + b;
  if x > 0.5 then
    b + b^3 = x;
  else
    a^2 = x;
  end if;
end M;)";
  const auto found = others(text);
  EXPECT_TRUE(found.empty()) << text_of(found);  // a from line 9, b from line 5: another order, the same structure
  std::string singular = text;
  singular.replace(singular.find("a^2 = x"), 7, "x^2 = 1");
  const auto fault = others(singular);
  ASSERT_EQ(fault.size(), 1u);
  EXPECT_EQ(fault[0].place.line, 9u);
  EXPECT_TRUE(says(fault[0].message, "too many equations")) << fault[0].message;
  const std::string said = trouble(singular, 1.0);
  EXPECT_TRUE(says(said, ": error: at t = 0.5 the run comes to a branch of another structure: too many equations"))
      << said;
}

// Branches that say the same in numbers: only the rank tells.
TEST(Modes, ABranchThatIsSingularInNumbersEndsTheRun) {
  const std::string said = trouble(R"(model M
  Real x(start = 1, fixed = true), a(start = 1), b(start = 1);
equation
  der(x) = -1;
  a^3 + b^3 = x;
  if x > 0.5 then
    a^3 - b^3 + a - b = 0.1;
  else
    2*(a^3 + b^3) = x + 1;
  end if;
end M;)",
                                   1.0);
  EXPECT_TRUE(says(said, ": error: at t = 0.5")) << said;
  EXPECT_TRUE(says(said, "rank 1 of 2")) << said;
}

TEST(Modes, BranchesOfEqualIndexGoOn) {
  // The unknowns of the two branches differ, and so does what determines what; the structure does not.
  const RunResult r = run(compiled(flat(R"(model M
  Real x(start = 1, fixed = true), a(start = 1), b(start = 1);
equation
  der(x) = -1;
  a + a^3 = x + b;
  if x > 0.5 then
    b + b^3 = x;
  else
    a = x;
  end if;
end M;)")),
                          0.8);
  const double x = 0.2;
  EXPECT_NEAR(r.values.at("a"), x, 1e-9);
  EXPECT_NEAR(r.values.at("b"), x * x * x, 1e-9);
}

// A point runs down a slope and then along a floor: index 3 in both branches, another constraint.
TEST(Modes, ConstraintsOfIndexThreeTakeTurns) {
  const std::string text = R"(model M
  Real x(start = 0, fixed = true), y, u(start = 1, fixed = true), v, force;
  Boolean floor(start = false, fixed = true);
equation
  der(x) = u; der(y) = v;
  der(u) = if floor then 0 else -force;
  der(v) = -9.81 - force;
  if floor then
    y = 0;
  else
    x + y = 1;
  end if;
  when y < 0 then floor = true; end when;
end M;)";
  EXPECT_TRUE(others(text).empty()) << text_of(others(text));
  const CompiledModel model = compiled(flat(text));
  EXPECT_EQ(model.index(), 3);
  // Down: x = t + 9.81 t^2/4 until x = 1; then u goes on, v is stopped.
  const double t = (-1.0 + std::sqrt(1.0 + 9.81)) / (0.5 * 9.81), u = 1.0 + 0.5 * 9.81 * t;
  const RunResult r = run(model, t + 0.5);
  EXPECT_NEAR(r.values.at("y"), 0.0, 1e-9);
  EXPECT_NEAR(r.values.at("v"), 0.0, 1e-9);
  EXPECT_NEAR(r.values.at("u"), u, 1e-7);
  EXPECT_NEAR(r.values.at("x"), 1.0 + 0.5 * u, 1e-7);
}

TEST(Modes, AnIfInsideAFor) {
  const std::string text = R"(model M
  Real x[3](start = {1, 2, 3}, each fixed = true), z[3](each start = 1);
equation
  for i in 1:3 loop
    der(x[i]) = -1;
    if x[i] > 0.5 then
      z[i] + z[i]^3 = x[i];
    else
      WHAT
    end if;
  end for;
end M;)";
  std::string good = text, bad = text;
  good.replace(good.find("WHAT"), 4, "z[i] = 2*x[i];");
  bad.replace(bad.find("WHAT"), 4, "x[i] = 0.5;");
  EXPECT_TRUE(others(good).empty());
  EXPECT_NEAR(run(compiled(flat(good)), 0.75).values.at("z[1]"), 0.5, 1e-9);
  EXPECT_NEAR(run(compiled(flat(good)), 0.75).values.at("z[2]"), cubic_root(1.25), 1e-9);
  const auto found = others(bad);
  ASSERT_EQ(found.size(), 1u) << text_of(found);
  EXPECT_EQ(found[0].place.line, 9u);
  const std::string said = trouble(bad, 1.0);
  EXPECT_TRUE(says(said, ": error: at t = 0.5")) << said;
}

// mode = 1, 2, 3 by elseif, and a Boolean that follows from another one.
TEST(Modes, EveryBranchOfAChainIsLookedAt) {
  const std::string text = R"(model M
  Real x(start = 1, fixed = true), z(start = 1), w;
  Integer mode(start = 1, fixed = true);
  Boolean first;
equation
  first = mode == 1;
  der(x) = -1;
  if first then
    z + z^3 = x;
  elseif mode == 2 then
    z = 2*x;
  else
    x = 0;
  end if;
  w = if mode >= 2 then z else 2*z;
  when x < 0.7 then mode = 2; elsewhen x < 0.5 then mode = 3; end when;
end M;)";
  const auto found = others(text);
  ASSERT_EQ(found.size(), 1u) << text_of(found);
  EXPECT_EQ(found[0].place.line, 13u);
  EXPECT_NEAR(run(compiled(flat(text)), 0.4).values.at("z"), 1.2, 1e-9);
  EXPECT_NEAR(run(compiled(flat(text)), 0.4).values.at("w"), 1.2, 1e-9);
  EXPECT_TRUE(says(trouble(text, 1.0), ": error: at t = 0.5 the run comes to a branch of another structure"));
}

// What is a mechanical system in the mode of the start only must not be made one.
TEST(Modes, AForceThatFollowsTheConstraintInOneModeOnly) {
  const std::string text = R"(model M
  Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0, fixed = true), v, lambda;
  Boolean slip(start = false, fixed = true);
equation
  der(x) = u; der(y) = v;
  der(u) = -lambda*x;
  der(v) = -lambda*y*(if slip then 0.5 else 1) - 9.81;
  x^2 + y^2 = 1;
  when time > 0.1 then slip = true; end when;
end M;)";
  const RunResult r = run(compiled(flat(text)), 0.3);
  // The second derivative of the constraint: u^2 + v^2 = lambda (x^2 + y^2/2) + 9.81 y
  const double x = r.values.at("x"), y = r.values.at("y"), u = r.values.at("u"), v = r.values.at("v");
  EXPECT_NEAR(r.values.at("lambda"), (u * u + v * v - 9.81 * y) / (x * x + 0.5 * y * y), 1e-8);
}

// The derivatives depend on each other for b = true only.
TEST(Modes, DerivativesThatDependOnEachOtherInOneModeOnly) {
  const std::string text = R"(model M
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
  Boolean b(start = false, fixed = true);
equation
  (if b then 1 else 2)*der(x) + der(y) = -x;
  der(x) + der(y) = 0;
  when time > 5 then b = true; end when;
end M;)";
  const RunResult r = run(compiled(flat(text)), 1.0);
  EXPECT_NEAR(r.values.at("x"), std::exp(-1.0), 1e-8);
  EXPECT_NEAR(r.values.at("y"), 1.0 - std::exp(-1.0), 1e-8);
  EXPECT_TRUE(says(trouble(text, 6.0), ": error: at t = 5 the run comes to a branch of another structure"));
}

}  // namespace
}  // namespace driftless::testing_models::structure_modes_test
