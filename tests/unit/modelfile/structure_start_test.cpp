// Consistent starts: what is fixed stays, what is stated moves last, and everything that has to hold does.
#include <gtest/gtest.h>

#include "text_model.h"

namespace driftless::testing_models::structure_start_test {
namespace {

std::map<std::string, double> start_values(const CompiledModel& model) {
  const ModelStart start = model.start();
  if (!start.ok()) throw std::runtime_error(text_of(start.errors));
  Vector all(model.variables().size());
  model.results(start.held)(start.time, start.state, all);
  std::map<std::string, double> values;
  for (std::size_t k = 0; k < all.size(); ++k) values[model.variables()[k].name] = all[k];
  const auto residuals = constraint_residuals(model.equations(start.held), start.time, start.state);
  for (int level = 1; level <= 3; ++level) EXPECT_LT(residuals.largest(level), 1e-10) << level;
  return values;
}

const char* pendulum = R"(
  der(x) = u;
  der(y) = v;
  der(u) = -lambda*x;
  der(v) = -lambda*y - 9.81;
  x^2 + y^2 = 1;)";

TEST(Start, FixedValuesStayAndOthersFollow) {
  auto at = start_values(
      compiled(flat("Real x(start = 0.6, fixed = true), y, u(start = 0.3, fixed = true), v, lambda;", pendulum)));
  EXPECT_DOUBLE_EQ(at["x"], 0.6);
  EXPECT_NEAR(at["y"], 0.8, 1e-14);
  EXPECT_DOUBLE_EQ(at["u"], 0.3);
  EXPECT_NEAR(at["v"], -0.225, 1e-14);
  EXPECT_NEAR(at["lambda"], 0.09 + 0.225 * 0.225 - 9.81 * 0.8, 1e-12);
}

TEST(Start, GuessesDecideBetweenSolutions) {
  auto at = start_values(compiled(flat("Real x(start = 0.6, fixed = true), y(start = -1), u, v, lambda;", pendulum)));
  EXPECT_NEAR(at["y"], -0.8, 1e-14);
}

TEST(Start, StatedValuesMoveOnlyIfOthersCannot) {
  // y can move away from 0, where the circle has no slope along it; so x keeps its value.
  auto at = start_values(compiled(flat("Real x(start = 0.6), y, u, v, lambda;", pendulum)));
  EXPECT_NEAR(at["x"], 0.6, 1e-12);
  EXPECT_NEAR(std::abs(at["y"]), 0.8, 1e-12);
  // Both are stated: the change is shared in proportion of their sizes. (x/0.66 - 1)^2 + (y/0.88 - 1)^2 is least on the
  // circle where x = 0.66 / (1 + 0.66^2 m), y = -0.88 / (1 + 0.88^2 m) for some m.
  at = start_values(compiled(flat("Real x(start = 0.66), y(start = -0.88), u, v, lambda;", pendulum)));
  const auto on_circle = [](double m) { return std::pair(0.66 / (1 + 0.4356 * m), -0.88 / (1 + 0.7744 * m)); };
  double low = 0.0, high = 1.0;
  for (int i = 0; i < 200; ++i) {
    const auto [x, y] = on_circle(0.5 * (low + high));
    (x * x + y * y > 1.0 ? low : high) = 0.5 * (low + high);
  }
  EXPECT_NEAR(at["x"], on_circle(low).first, 1e-8);
  EXPECT_NEAR(at["y"], on_circle(low).second, 1e-8);
  // With nominal values of one size it goes along the gradient.
  at = start_values(
      compiled(flat("Real x(start = 0.66, nominal = 1), y(start = -0.88, nominal = 1), u, v, lambda;", pendulum)));
  EXPECT_NEAR(at["x"], 0.6, 1e-12);
  EXPECT_NEAR(at["y"], -0.8, 1e-12);
  // Nominal values are the units of the change.
  at = start_values(compiled(flat("Real x(start = 0.66, nominal = 1e-3), y(start = -0.88), u, v, lambda;", pendulum)));
  EXPECT_NEAR(at["x"], 0.66, 1e-5);
}

TEST(Start, InitialEquationsHoldAlsoForDerivativesAndMultipliers) {
  auto at = start_values(compiled(flat(R"(model M
  Real x, y(start = -1), u, v, lambda, T;
initial equation
  T = 20;
  der(x) = 2*u - 0.7;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -lambda*x;
  der(v) = -lambda*y - 9.81;
  x^2 + y^2 = 1;
  T = lambda;
end M;)")));
  EXPECT_NEAR(at["u"], 0.7, 1e-12);
  EXPECT_NEAR(at["lambda"], 20.0, 1e-9);
  EXPECT_NEAR(at["u"] * at["u"] + at["v"] * at["v"] - 9.81 * at["y"], 20.0, 1e-9);
}

TEST(Start, SteadyState) {
  auto at = start_values(compiled(flat(R"(model M
  Real x(start = 1), y, z;
initial equation
  der(x) = 0;
equation
  der(x) = -x + z;
  z + z^3 = 3 - y;
  y = 0.5*x;
end M;)")));
  EXPECT_NEAR(at["x"], at["z"], 1e-12);
  EXPECT_NEAR(at["z"] + std::pow(at["z"], 3), 3.0 - 0.5 * at["x"], 1e-12);
}

TEST(Start, AliasesShareTheirStartValues) {
  auto at = start_values(compiled(flat("Real x, y(start = 4, fixed = true), z;", "der(x) = -x; y = -2*x; z = x + 1;")));
  EXPECT_DOUBLE_EQ(at["x"], -2.0);
  EXPECT_DOUBLE_EQ(at["z"], -1.0);
}

TEST(Start, DampedNewtonFindsDiodes) {
  auto at = start_values(compiled(
      flat("Real v, i, c(start = 0, fixed = true);", "10 = 100*i + v + c; i = 1e-12*(exp(v/0.025) - 1); der(c) = i;")));
  EXPECT_NEAR(100.0 * at["i"] + at["v"], 10.0, 1e-9);
  EXPECT_GT(at["v"], 0.5);
  EXPECT_LT(at["v"], 0.7);
}

TEST(Start, ReportsWhatWasGivenAndFound) {
  const ModelStart start = compiled(flat("Real x(start = 0.6, fixed = true), y, u, v, lambda;", pendulum)).start();
  ASSERT_EQ(start.values.size(), 5u);
  EXPECT_EQ(start.values[0].name, "x");
  EXPECT_TRUE(start.values[0].fixed);
  EXPECT_EQ(start.values[1].name, "y");
  EXPECT_FALSE(start.values[1].stated);
  EXPECT_EQ(start.values[1].given, 0.0);
  EXPECT_NEAR(start.values[1].found, 0.8, 1e-14);
}

TEST(Start, TakesTheTimeOfTheExperiment) {
  const CompiledModel model = compiled(flat(R"(model M
  Real x(start = 1, fixed = true), y;
equation
  der(x) = 1;
  y = time;
  annotation(experiment(StartTime = 2.5));
end M;)"));
  EXPECT_EQ(model.start().time, 2.5);
  EXPECT_EQ(start_values(model)["y"], 2.5);
  EXPECT_EQ(model.start(4.0).time, 4.0);
}

}  // namespace
}  // namespace driftless::testing_models::structure_start_test
