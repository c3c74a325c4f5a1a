// C++ functions with named parameters as a model.
#include "driftless/simulate/function_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stop_token>

#include "driftless/equations/mechanical_model.h"
#include "driftless/simulate/simulate.h"

namespace driftless::function_model_test {
namespace {

struct Pendulum {
  double length, gravity;
  void force(auto, auto, auto, auto f) const { f[1] = -gravity; }
  void constraint(auto q, auto, auto g) const { g[0] = q[0] * q[0] + q[1] * q[1] - length * length; }
};

// A pendulum that swings against a wall at x = 0.5 L.
FunctionModel pendulum() {
  return FunctionModel(
      {.name = "pendulum",
       .parameters = {{"L", 1.0}, {"g", 9.81}, {"restitution", 0.8}},
       .equations =
           [](const Parameters& p) {
             return Equations(
                 mechanical(Pendulum{p["L"], p["g"]}, {.q_names = {"x", "y"}, .constraint_names = {"rod"}}));
           },
       .start =
           [](const Parameters& p) {
             return Vector{-p["L"], 0.0};
           },
       .events = {{.name = "wall",
                   .root = [](double, NamedState s, const Parameters& p) { return s["x"] - 0.5 * p["L"]; },
                   .direction = Direction::rising,
                   .jump =
                       [](double, ChangingState s, const Parameters& p) {
                         s["x'"] *= -p["restitution"];
                         s["y'"] *= -p["restitution"];
                       }},
                  {.name = "bottom", .root = [](double, NamedState s, const Parameters&) { return s["x"]; }}},
       .end = 3.0});
}

SimulateOptions accurate(const Model& model) {
  SimulateOptions options = usual_options(model);
  options.solve.tolerance = {1e-10, 1e-10};
  return options;
}

// Between hits the energy stays: each is slower than the one before by the restitution alone.
TEST(FunctionModel, JumpsAtItsEvents) {
  FunctionModel model = pendulum();
  for (const double length : {1.0, 0.25}) {
    model.set("L", length);
    const Simulation run = simulate(model, accurate(model));
    ASSERT_TRUE(run.ok()) << run.failure->message();
    double speed = std::sqrt(2.0 * 9.81 * length * std::sqrt(0.75));
    std::size_t hits = 0, passages = 0;
    for (const SimulationEvent& event : run.happened) (event.name == "wall" ? hits : passages) += 1;
    EXPECT_EQ(run.events, hits);
    EXPECT_GT(hits, 1U);
    EXPECT_GT(passages, hits);
    for (std::size_t k = 0; k < hits; ++k) speed *= 0.8;
    const double drop = run.final("y") / length + std::sqrt(0.75);  // from the height of the wall, negative below it
    EXPECT_NEAR(std::hypot(run.final("x'"), run.final("y'")), std::sqrt(speed * speed - 2.0 * 9.81 * length * drop),
                1e-7);
  }
}

// A run with a new value is the run of a model that was made with it, to the last bit.
TEST(FunctionModel, NewValuesAreANewModel) {
  FunctionModel model = pendulum();
  simulate(model);
  model.set("g", 1.62);
  FunctionModel fresh = pendulum();
  fresh.set("g", 1.62);
  EXPECT_EQ(simulate(model).recording.values, simulate(fresh).recording.values);
}

TEST(FunctionModel, EndsAtATerminalEvent) {
  FunctionModelParts parts{
      .equations =
          [](const Parameters&) {
            return Equations(mechanical(Pendulum{1.0, 9.81}, {.q_names = {"x", "y"}, .constraint_names = {"rod"}}));
          },
      .start =
          [](const Parameters&) {
            return Vector{-1.0, 0.0};
          }};
  parts.events.push_back(
      {.name = "lowest", .root = [](double, NamedState s, const Parameters&) { return s["x"]; }, .terminal = true});
  const Simulation run = simulate(FunctionModel(parts));
  EXPECT_EQ(run.ended_by, "lowest");
  EXPECT_NEAR(run.final("x"), 0.0, 1e-9);
  EXPECT_NEAR(run.final("x'"), std::sqrt(2.0 * 9.81), 1e-5);
}

struct Chain {
  std::size_t links;
  void force(auto, auto, auto, auto f) const { f[0] = -1.0; }
  void constraint(auto q, auto, auto g) const {
    for (std::size_t i = 0; i + 1 < links; ++i) g[i] = q[i + 1] - q[i];
  }
};

// A parameter may be a size.
TEST(FunctionModel, AParameterMayChangeTheUnknowns) {
  FunctionModel model({.parameters = {{"links", 2.0}},
                       .equations =
                           [](const Parameters& p) {
                             const auto n = static_cast<std::size_t>(p["links"]);
                             return Equations(mechanical(Chain{n}, {.q = n, .lambda = n - 1}));
                           },
                       .start = [](const Parameters& p) { return Vector(static_cast<std::size_t>(p["links"]), 0.0); }});
  EXPECT_EQ(model.results.size(), 5U);
  const Start old = model.start(0.0);
  for (const double links : {9.0, 3.0}) {
    model.set("links", links);
    const auto n = static_cast<std::size_t>(links);
    ASSERT_EQ(model.results.size(), 3 * n - 1);
    EXPECT_NEAR(simulate(model).final(model.results[n - 1].name), -0.5 / links, 1e-7);  // all masses move together
    EXPECT_THROW(simulate(model, old, usual_options(model)), Misuse);
  }
}

// A stop that came before it is seen at once.
TEST(FunctionModel, DoesNotBeginAfterAStop) {
  std::stop_source stop;
  FunctionModel model = pendulum();
  SimulateOptions options = accurate(model);
  options.solve.stop = stop.get_token();
  std::size_t steps = 0;
  options.solve.observer = [&](double, ConstSpan) { ++steps; };
  stop.request_stop();
  const Simulation run = simulate(model, options);
  EXPECT_EQ(run.failure->kind, FailureKind::stopped);
  EXPECT_LE(steps, 1U);
}

TEST(FunctionModel, KnowsItsNames) {
  FunctionModel model = pendulum();
  EXPECT_THROW(model.set("l", 1.0), Misuse);
  EXPECT_THROW(model.set("L", std::nan("")), Misuse);
  try {
    (void)model.parameters()["length"];
    FAIL();
  } catch (const Misuse& misuse) {
    EXPECT_STREQ(misuse.what(), "there is no parameter 'length'; there are: L, g, restitution");
  }
  EXPECT_THROW(FunctionModel({}), Misuse);
  EXPECT_THROW(FunctionModel({.parameters = {{"k", std::nan("")}},
                              .equations = [](const Parameters&) -> Equations { throw Misuse("not asked for"); },
                              .start = [](const Parameters&) { return Vector(); }}),
               Misuse);
}

}  // namespace
}  // namespace driftless::function_model_test
