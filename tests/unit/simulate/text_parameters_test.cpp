// Other values of the parameters of a text: what costs a compilation and what does not, and what comes out.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "driftless/simulate/simulate.h"
#include "driftless/simulate/text_model.h"

namespace driftless::text_parameters_test {
namespace {

ModelText text_of(const std::string& declarations, const std::string& equations) {
  return {"test.mo", "model M\n" + declarations + "\nequation\n" + equations + "\nend M;\n"};
}

// Compilations that a change costs.
template <class Change>
std::size_t cost(const Change& change) {
  const std::size_t before = compilations();
  change();
  return compilations() - before;
}

Simulation run_of(const TextModel& model) {
  SimulateOptions options = usual_options(model);
  options.solve.output_times.clear();
  return simulate(model, options);
}

void expect_as_fresh(const TextModel& model, const ModelText& text, const std::vector<Setting>& settings) {
  const Simulation a = run_of(model), b = run_of(TextModel(text, settings));
  ASSERT_EQ(a.recording.values.size(), b.recording.values.size());
  for (std::size_t k = 0; k < a.recording.values.size(); ++k)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(a.recording.values[k]), std::bit_cast<std::uint64_t>(b.recording.values[k]));
}

TEST(TextParameters, DependentOnesStartsAndRangesFollow) {
  const ModelText text =
      text_of("parameter Real k = 2, c = 3*k, x0 = k + 1; Real x(start = x0, fixed = true, max = 10*k), y;",
              "der(x) = -c*x; y = k*x;");
  TextModel model(text);
  EXPECT_EQ(cost([&] { model.set("k", 0.5); }), 0U);
  EXPECT_EQ(model.parameters()["c"], 1.5);
  EXPECT_EQ(*model.results[0].max, 5.0);
  const Simulation run = run_of(model);
  EXPECT_NEAR(run.final("x"), 1.5 * std::exp(-1.5), 1e-5);
  EXPECT_DOUBLE_EQ(run.final("y"), 0.5 * run.final("x"));
  expect_as_fresh(model, text, {{"k", "0.5"}});
  EXPECT_EQ(cost([&] { model.set("c", 4.0); }), 0U);  // no longer 3 k
  EXPECT_NEAR(run_of(model).final("x"), 1.5 * std::exp(-4.0), 1e-5);
  EXPECT_EQ(cost([&] { model.set({{"k", 1.0}, {"c", -1.0}}); }), 0U);  // 1 and a sign are no special cases
  EXPECT_NEAR(run_of(model).final("x"), 2.0 * std::exp(1.0), 1e-5);
}

TEST(TextParameters, SizesAndBranchesAreCompiledAgain) {
  const ModelText text =
      text_of("parameter Integer n = 10; parameter Boolean fast = false; Real x[n](each start = 1, each fixed = true);",
              "for i in 1:n loop der(x[i]) = if fast then -i*x[i] else -x[i]; end for;");
  TextModel model(text);
  EXPECT_EQ(cost([&] { model.set("n", 12); }), 1U);
  EXPECT_EQ(model.results.size(), 12U);
  EXPECT_NEAR(run_of(model).final("x[12]"), std::exp(-1.0), 1e-5);
  EXPECT_EQ(cost([&] { model.set("fast", 1); }), 1U);
  EXPECT_NEAR(run_of(model).final("x[3]"), std::exp(-3.0), 1e-5);
  expect_as_fresh(model, text, {{"n", "12"}, {"fast", "true"}});
  EXPECT_EQ(cost([&] { model.set({{"n", 12}, {"fast", 0}}); }), 0U);  // it is still there
  EXPECT_NEAR(run_of(model).final("x[3]"), std::exp(-1.0), 1e-5);
}

// m v' = -v + sin(t), and v = sin(t) if there is no mass: another structure.
TEST(TextParameters, AFactorThatVanishesIsAnotherStructure) {
  const ModelText text = text_of("parameter Real m = 1, R = 2; Real v(start = 0), i, u;",
                                 "m*der(v) = -v + sin(time); R*i = v - u; u = if R > 0 then 0.5*i else v;");
  TextModel model(text);
  EXPECT_EQ(cost([&] { model.set("m", 0.25); }), 0U);
  expect_as_fresh(model, text, {{"m", "0.25"}});
  EXPECT_EQ(cost([&] { model.set("m", 0.0); }), 1U);
  EXPECT_NEAR(run_of(model).final("v"), std::sin(1.0), 1e-9);
  EXPECT_EQ(cost([&] { model.set({{"m", 0.5}, {"R", 3.0}}); }), 0U);
  const Simulation run = run_of(model);
  EXPECT_NEAR(run.final("i"), run.final("v") / 3.5, 1e-12);
}

TEST(TextParameters, EventsAssertionsAndSamplesFollow) {
  const ModelText text = text_of(
      "parameter Real wall = 0.5, T = 0.25; Real x(start = 0, fixed = true); discrete Real hits(start = 0, fixed = "
      "true);"
      " discrete Integer ticks(start = 0, fixed = true);",
      "der(x) = 1; when x > wall then hits = time; end when; when sample(T, T) then ticks = pre(ticks) + 1; end when;\n"
      "assert(wall > 0.1, \"the wall is at \" + String(wall));");
  TextModel model(text);
  EXPECT_EQ(cost([&] { model.set({{"wall", 0.75}, {"T", 0.125}}); }), 0U);
  const Simulation run = run_of(model);
  EXPECT_NEAR(run.final("hits"), 0.75, 1e-9);
  EXPECT_EQ(run.final("ticks"), 8.0);
  expect_as_fresh(model, text, {{"wall", "0.75"}, {"T", "0.125"}});
  try {
    model.set("wall", 0.05);
    FAIL() << "accepted";
  } catch (const RefusedModel& refused) {
    EXPECT_NE(std::string(refused.what()).find("the wall is at 0.05"), std::string::npos) << refused.what();
  }
  EXPECT_EQ(model.parameters()["wall"], 0.75);  // as it was
}

TEST(TextParameters, WhatCannotBeSetIsRefused) {
  TextModel model(
      text_of("parameter Real k = 2; constant Real c = 1; final parameter Real f = k; parameter Integer n = 3;"
              " parameter Boolean b = true; Real x(start = 1, fixed = true);",
              "der(x) = -k*x*c*f*n*(if b then 1 else 2);"));
  EXPECT_THROW(model.set("q", 1.0), Misuse);
  EXPECT_THROW(model.set("c", 1.0), Misuse);
  EXPECT_THROW(model.set("f", 1.0), Misuse);
  EXPECT_THROW(model.set("x", 1.0), Misuse);
  EXPECT_THROW(model.set("n", 1.5), Misuse);
  EXPECT_THROW(model.set("b", 2.0), Misuse);
  EXPECT_THROW(model.set("k", std::nan("")), Misuse);
}

TEST(TextParameters, CopiesAreIndependent) {
  TextModel a(text_of("parameter Real k = 2; Real x(start = 1, fixed = true);", "der(x) = -k*x;"));
  TextModel b = a;
  b.set("k", 1.0);
  EXPECT_NEAR(run_of(a).final("x"), std::exp(-2.0), 1e-5);
  EXPECT_NEAR(run_of(b).final("x"), std::exp(-1.0), 1e-5);
  EXPECT_EQ(a.parameters()["k"], 2.0);
}

}  // namespace
}  // namespace driftless::text_parameters_test
