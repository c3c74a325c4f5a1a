// Studies of models whose answers are known in closed form.
#include "driftless/study/sweep.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

#include "driftless/core/failure.h"

namespace driftless::sweep_test {
namespace {

constexpr double pi = std::numbers::pi;

// x = a sin(w t), so that extremes, means and crossings have formulas.
TextModel oscillator(const std::vector<Setting>& settings = {}) {
  return TextModel({"o.mo",
                    "model O parameter Real a = 1, w = 1; Real x(start = 0, fixed = true), v; Integer n(start = 0, "
                    "fixed = true); equation der(x) = v; v = a*w*cos(w*time); when x < -0.5*a then n = pre(n) + 1; end "
                    "when; assert(a < 5, \"a is too large\"); annotation(experiment(StopTime = 6)); end O;"},
                   settings);
}

std::map<std::size_t, StudyRow> rows_of(const TextModel& model, const StudyDesign& design,
                                        const std::vector<std::string>& shown, unsigned threads = 1,
                                        std::vector<std::size_t> runs = {}) {
  std::vector<Measure> measures;
  for (const std::string& text : shown) measures.push_back(measure_from(text));
  SweepOptions options{.simulate = usual_options(model)};
  options.simulate.solve.tolerance = {.relative = 1e-9, .absolute = 1e-9};
  options.rows = options.simulate.solve.output_times;
  options.simulate.solve.output_times.clear();
  options.execution.threads = threads;
  if (runs.empty()) {
    runs.resize(design.size());
    std::iota(runs.begin(), runs.end(), 0U);
  }
  std::map<std::size_t, StudyRow> rows;
  EXPECT_TRUE(sweep(model, design, measures, runs, options, [&](const StudyRow& row) { rows[row.run] = row; }));
  return rows;
}

StudyDesign design_of(std::initializer_list<const char*> texts, std::size_t samples = 0) {
  DesignOptions options{.samples = samples, .seed = 4};
  for (const char* text : texts) options.variations.push_back(*variation_from(text));
  return StudyDesign(options);
}

TEST(Sweep, MeasuresAreThoseOfTheClosedForm) {
  const auto rows = rows_of(oscillator(), design_of({"a=1,2,3", "w=1,2"}),
                            {"x", "max(x)", "min(x)", "mean(x)", "time(x<-0.5*a)", "end(n)"});
  ASSERT_EQ(rows.size(), 6U);
  for (const auto& [run, row] : rows) {
    ASSERT_FALSE(row.failure) << row.failure->message();
    const double a = row.values[0], w = row.values[1];
    EXPECT_NEAR(row.measures[0], a * std::sin(6.0 * w), 1e-7);
    EXPECT_NEAR(row.measures[1], a, 1e-7) << run;  // at pi/(2 w), between two rows
    EXPECT_NEAR(row.measures[2], -a, 1e-7) << run;
    EXPECT_NEAR(row.measures[3], a * (1.0 - std::cos(6.0 * w)) / (6.0 * w), 1e-7) << run;
    EXPECT_NEAR(row.measures[4], (pi + pi / 6.0) / w, 1e-7) << run;
    EXPECT_EQ(row.measures[5], w == 1.0 ? 1.0 : 2.0);
  }
}

TEST(Sweep, StartValuesAreVariedWhereTheModelHasThem) {
  const TextModel model = oscillator({{"x", "0"}});
  const auto rows = rows_of(model, design_of({"x=0,1,-2"}), {"x"});
  for (const auto& [run, row] : rows) EXPECT_NEAR(row.measures[0], row.values[0] + std::sin(6.0), 1e-7) << run;
  EXPECT_THROW(rows_of(oscillator(), design_of({"x=0,1"}), {"x"}), Misuse);
}

// A run that fails is a row, with its reason, and no values.
TEST(Sweep, FailuresAreRows) {
  const auto rows = rows_of(oscillator(), design_of({"a=1,6,2"}), {"x", "max(x)"});
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_FALSE(rows.at(0).failure);
  EXPECT_FALSE(rows.at(2).failure);
  ASSERT_TRUE(rows.at(1).failure);
  EXPECT_NE(rows.at(1).failure->message().find("a is too large"), std::string::npos);
  for (const double x : rows.at(1).measures) EXPECT_TRUE(std::isnan(x));
}

TEST(Sweep, AnEventThatDoesNotComeHasNoTime) {
  const auto rows = rows_of(oscillator(), design_of({"w=0.1,1"}), {"time(x < -0.5*a)"});
  EXPECT_TRUE(std::isnan(rows.at(0).measures[0]));
  EXPECT_FALSE(rows.at(0).failure);
  EXPECT_NEAR(rows.at(1).measures[0], pi + pi / 6.0, 1e-7);
}

// To the last bit: for any number of threads, any part, any order.
TEST(Sweep, ARunDependsOnItsNumberAlone) {
  const StudyDesign design = design_of({"a=1,2", "w~normal(1,0.2)"}, 20);
  const std::vector<std::string> shown = {"x", "max(x)", "mean(x)"};
  const TextModel model = oscillator();
  const auto all = rows_of(model, design, shown, 1), threads = rows_of(model, design, shown, 2);
  const auto part = rows_of(model, design, shown, 2, {39, 3, 17});
  ASSERT_EQ(all.size(), 40U);
  ASSERT_EQ(threads.size(), 40U);
  for (const auto& [run, row] : all) {
    EXPECT_EQ(row.values, threads.at(run).values);
    EXPECT_EQ(row.measures, threads.at(run).measures);
  }
  ASSERT_EQ(part.size(), 3U);
  for (const auto& [run, row] : part) EXPECT_EQ(row.measures, all.at(run).measures) << run;
}

TEST(Sweep, TheValuesAreThoseOfPlainRuns) {
  const auto rows = rows_of(oscillator(), design_of({"a=1,2.5"}), {"x"});
  TextModel plain = oscillator({{"a", "2.5"}});
  SimulateOptions options = usual_options(plain);
  options.solve.tolerance = {.relative = 1e-9, .absolute = 1e-9};
  options.solve.output_times.clear();
  options.solve.keep_every = std::numeric_limits<std::size_t>::max();
  options.solve.dense = false;
  EXPECT_EQ(rows.at(1).measures[0], simulate(plain, options).or_throw().final("x"));
}

TEST(Sweep, UnknownNamesAreRefusedBeforeAnyRun) {
  EXPECT_THROW(rows_of(oscillator(), design_of({"b=1,2"}), {"x"}), Misuse);
  EXPECT_THROW(rows_of(oscillator(), design_of({"a=1,2"}), {"max(y)"}), Misuse);
  EXPECT_THROW(rows_of(oscillator(), design_of({"a=1,2"}), {"time(x<0)"}), Misuse);
  EXPECT_THROW(measure_from("median(x)"), Misuse);
  EXPECT_THROW(measure_from("max()"), Misuse);
}

}  // namespace
}  // namespace driftless::sweep_test
