// Models with events through the one function that programs call.
#include "driftless/simulate/simulate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stop_token>

#include "driftless/analysis/stability/run_bound.h"
#include "driftless/simulate/text_model.h"

namespace driftless::simulate_test {
namespace {

TextModel text_model(const std::string& declarations, const std::string& equations,
                     const std::vector<Setting>& settings = {}) {
  return TextModel({"test.mo", "model M\n" + declarations + "\nequation\n" + equations + "\nend M;\n"}, settings);
}

SimulateOptions until(const Model& model, double end, double tolerance = 1e-9) {
  SimulateOptions options = usual_options(model);
  options.solve.span.end = end;
  options.solve.output_times.clear();
  options.solve.tolerance = {.relative = tolerance, .absolute = tolerance};
  return options;
}

constexpr const char* ball = "Real h(start = 1, fixed = true, unit = \"m\"), v(start = 0, fixed = true);";
constexpr const char* falls = "der(h) = v; der(v) = -10; when h < 0 then reinit(v, -0.5*pre(v)); end when;";

// From height 1 with g = 10 and restitution 1/2: bounces at T, 2 T, 2.5 T, ... with T = sqrt(0.2).
TEST(Simulate, FollowsTheEventsOfAModel) {
  const TextModel model = text_model(ball, falls);
  const double fall = std::sqrt(0.2);
  const Simulation run = simulate(model, until(model, 2.2 * fall));
  ASSERT_TRUE(run.ok());
  ASSERT_EQ(run.happened.size(), 4U);  // the relation becomes true, and false again when the ball has left the ground
  EXPECT_EQ(run.events, 4U);
  EXPECT_NEAR(run.happened[0].time, fall, 1e-8);
  EXPECT_NEAR(run.happened[2].time, 2.0 * fall, 1e-8);
  EXPECT_EQ(run.happened[0].name, "h < 0");
  const double since = 0.2 * fall, up = 0.25 * 10.0 * fall;
  EXPECT_NEAR(run.final("h"), up * since - 5.0 * since * since, 1e-8);
  EXPECT_NEAR(run.final("v"), up - 10.0 * since, 1e-7);
  EXPECT_EQ(run.final("time"), 2.2 * fall);
  EXPECT_EQ(run.recording.columns[1].unit, "m");
}

TEST(Simulate, GivesResultsByName) {
  const TextModel model = text_model(ball, falls);
  const Simulation run = simulate(model, until(model, 0.3));
  const Vector times = run.column("time"), heights = run.column("h");
  ASSERT_EQ(times.size(), run.recording.rows());
  for (std::size_t i = 0; i < times.size(); ++i) {
    EXPECT_NEAR(heights[i], 1.0 - 5.0 * times[i] * times[i], 1e-9);
    EXPECT_EQ(run.value("h", i), heights[i]);
  }
  EXPECT_THROW(run.final("hight"), Misuse);
  EXPECT_THROW(run.value("h", times.size()), Misuse);
  EXPECT_NO_THROW(run.or_throw());
}

TEST(Simulate, RunsAsTheModelSays) {
  const TextModel model = text_model("Real x(start = 1, fixed = true);",
                                     "der(x) = -x; annotation(experiment(StartTime = 1, StopTime = 3, Tolerance = "
                                     "1e-8, Interval = 0.25));");
  const SimulateOptions usual = usual_options(model);
  EXPECT_EQ(usual.solve.span.begin, 1.0);
  EXPECT_EQ(usual.solve.span.end, 3.0);
  EXPECT_EQ(usual.solve.tolerance.relative, 1e-8);
  const Simulation run = simulate(model);
  ASSERT_EQ(run.recording.rows(), 9U);
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_DOUBLE_EQ(run.value("time", i), 1.0 + 0.25 * static_cast<double>(i));
    EXPECT_NEAR(run.value("x", i), std::exp(1.0 - run.value("time", i)), 1e-7);
  }
}

TEST(Simulate, TakesSettings) {
  const std::string declarations = "parameter Real k = 1; Real x(start = 1, fixed = true);";
  const TextModel model = text_model(declarations, "der(x) = -k*x;", {{"k", "2*1.5"}, {"x", "4"}});
  EXPECT_NEAR(simulate(model, until(model, 1.0)).final("x"), 4.0 * std::exp(-3.0), 1e-8);
  EXPECT_THROW(text_model(declarations, "der(x) = -k*x;", {{"x", "wide"}}), Misuse);
}

TEST(Simulate, EndsWhereTheModelEndsIt) {
  const TextModel model = text_model("Real x(start = 0, fixed = true);",
                                     "der(x) = 1; when x > 0.5 then terminate(\"far enough\"); end when;");
  const Simulation run = simulate(model, until(model, 2.0));
  EXPECT_TRUE(run.ok());
  EXPECT_EQ(run.ended_by, "far enough");
  EXPECT_NEAR(run.t, 0.5, 1e-9);
}

// What the last event does counts: it is in the results, and on the constraints.
TEST(Simulate, TheLastEventIsDone) {
  const TextModel model =
      text_model("Real x(start = 0, fixed = true), y; discrete Real d(start = 0);",
                 "der(x) = 1; y + y^3 = x; when x > 0.5 then d = 7; reinit(x, 2); terminate(\"enough\"); end when;");
  const Simulation run = simulate(model, until(model, 2.0));
  EXPECT_EQ(run.ended_by, "enough");
  EXPECT_EQ(run.final("d"), 7.0);
  EXPECT_EQ(run.final("x"), 2.0);
  EXPECT_NEAR(run.final("y"), 1.0, 1e-12);
  const std::size_t last = run.recording.rows() - 1;
  EXPECT_NEAR(run.value("x", last - 1), 0.5, 1e-9);
  EXPECT_EQ(run.value("x", last), 2.0);
}

FailureKind failure_of(const Simulation& run) {
  EXPECT_FALSE(run.ok());
  EXPECT_THROW(run.or_throw(), FailedRun);
  return run.failure ? run.failure->kind : FailureKind::stopped;
}

TEST(Simulate, NamesWhatTheModelAsserts) {
  const TextModel model = text_model("Real x(start = 0, fixed = true);", "der(x) = 1; assert(x < 0.5, \"too far\");");
  const Simulation run = simulate(model, until(model, 2.0));
  EXPECT_EQ(failure_of(run), FailureKind::assertion_failed);
  EXPECT_NE(run.failure->message().find("test.mo:4"), std::string::npos) << run.failure->message();
  EXPECT_NE(run.failure->message().find("too far"), std::string::npos);
  EXPECT_GE(run.t, 0.5);
  EXPECT_GT(run.recording.rows(), 0U);
}

TEST(Simulate, EndsAtABranchWithoutAForm) {
  const TextModel model = text_model(
      "Real x(start = 1, fixed = true), v(start = -1, fixed = true), F; discrete Boolean locked(start = false);",
      "der(x) = v; der(v) = F; if locked then time = 1; else F = 0; end if; when x < 0 then locked = true; end when;");
  const Simulation run = simulate(model, until(model, 2.0));
  EXPECT_EQ(failure_of(run), FailureKind::other_structure);
  EXPECT_NEAR(run.failure->time, 1.0, 1e-8);
}

TEST(Simulate, RefusesModelsWithAPlace) {
  const auto stage_of = [](const std::string& declarations, const std::string& equations) {
    try {
      const TextModel model = text_model(declarations, equations);
      simulate(model);
    } catch (const RefusedModel& refused) {
      EXPECT_NE(std::string(refused.what()).find("test.mo:"), std::string::npos) << refused.what();
      return refused.stage();
    }
    ADD_FAILURE() << equations;
    return RefusedModel::Stage::reading;
  };
  EXPECT_EQ(stage_of("Real x;", "der(x) = -y;"), RefusedModel::Stage::reading);
  EXPECT_EQ(stage_of("Real x, y;", "der(x) = -x; x + y = 1; x - 2*y = 3;"), RefusedModel::Stage::structure);
  EXPECT_EQ(stage_of("Real x(start = 2, fixed = true), y(start = 2, fixed = true);", "der(x) = y; x^2 + y^2 = 1;"),
            RefusedModel::Stage::start);
}

// What belongs to the model is not taken from anywhere else without a word.
TEST(Simulate, RefusesOptionsThatAreTheModels) {
  const TextModel model = text_model(ball, falls);
  SimulateOptions options = until(model, 1.0);
  options.solve.events.push_back({.name = "e", .root = [](double, ConstSpan s) { return s[0]; }});
  EXPECT_THROW(simulate(model, options), Misuse);
  options = until(model, 1.0);
  options.solve.start.fixed = {"h"};
  EXPECT_THROW(simulate(model, options), Misuse);
  options = until(model, 1.0);
  options.solve.written.resize(1);
  EXPECT_THROW(simulate(model, options), Misuse);
}

TEST(Simulate, ShowsEveryStepAndStopsWhenAsked) {
  const TextModel model = text_model(ball, falls);
  SimulateOptions options = until(model, 100.0);
  std::stop_source stop;
  double last = 0.0;
  options.solve.stop = stop.get_token();
  options.solve.observer = [&](double t, ConstSpan) {
    last = t;
    if (t > 0.6) stop.request_stop();
  };
  const Simulation run = simulate(model, options);
  EXPECT_EQ(failure_of(run), FailureKind::stopped);
  EXPECT_EQ(run.t, last);
  EXPECT_GT(run.t, 0.6);
  EXPECT_LT(run.t, 1.0);
}

// Tolerances of the user's, component by component, are taken; they are in the units of the model.
TEST(Simulate, TakesTolerancesByComponent) {
  const std::string header = "Real x(start = 1e-9, fixed = true, nominal = 1e-9), y(start = 1e-9, fixed = true);";
  const TextModel model = text_model(header, "der(x) = -x*(2 + sin(9*time)); der(y) = -y*(2 + sin(9*time));");
  SimulateOptions options = until(model, 3.0);
  options.solve.tolerance = {.relative = 1e-9, .absolute = 1e-6, .absolute_by_component = {1e-18, 1e-18}};
  const Simulation fine = simulate(model, options);
  options.solve.tolerance.absolute_by_component = {1e-3, 1e-3};
  const Simulation coarse = simulate(model, options);
  ASSERT_TRUE(fine.ok() && coarse.ok());
  const double exact = 1e-9 * std::exp(-6.0 - (1.0 - std::cos(27.0)) / 9.0);
  EXPECT_NEAR(fine.final("x"), exact, 1e-6 * exact);
  EXPECT_NEAR(fine.final("y"), exact, 1e-6 * exact);
  EXPECT_LT(3 * coarse.statistics.steps, fine.statistics.steps);
  options.solve.tolerance.absolute_by_component = {1e-3};
  EXPECT_THROW(simulate(model, options), Misuse);
}

// An event that ends the run may move what the constraints demand, like any other.
TEST(Simulate, TellsWhatTheLastEventMoved) {
  const TextModel model = text_model("Real x(start = 1, fixed = true), y(start = 0), vx(start = 0), vy(start = 1), T;",
                                     "der(x) = vx; der(y) = vy; der(vx) = -2*x*T; der(vy) = -2*y*T; x^2 + y^2 = 1;"
                                     "when time > 0.5 then reinit(vx, 3); terminate(\"hit\"); end when;");
  const Simulation run = simulate(model, until(model, 1.0));
  EXPECT_EQ(run.ended_by, "hit");
  ASSERT_EQ(run.moved.size(), 1U);
  ASSERT_EQ(run.moved[0].moves.size(), 1U);
  EXPECT_EQ(run.moved[0].moves[0].name, "vy");
  EXPECT_NEAR(run.final("x") * run.final("vx") + run.final("y") * run.final("vy"), 0.0, 1e-12);
}

TEST(Simulate, PutsResultsBackIntoTheEquations) {
  const TextModel model = text_model("Real x(start = 1, fixed = true), y;", "der(x) = -x; y + y^3 = x;");
  SimulateOptions options = until(model, 1.0);
  options.show_verified = true;
  const Simulation run = simulate(model, options);
  ASSERT_TRUE(run.verification);
  EXPECT_GE(run.verification->rows, run.recording.rows());
  EXPECT_LT(run.verification->worst.equation.ratio, 1.0);
  EXPECT_EQ(run.verification->not_evaluated, 0U);
}

// Behind an event the error of its time would have to be known as well.
TEST(Simulate, BoundsTheErrorUpToTheFirstEvent) {
  const TextModel model =
      text_model("Real x(start = 1, fixed = true);", "der(x) = -x; when time > 0.5 then reinit(x, 2); end when;");
  SimulateOptions options = until(model, 1.0);
  options.solve.error_bound = logarithmic_norm_bound();
  options.solve.output_times = {0.25, 0.75};
  const Simulation run = simulate(model, options);
  ASSERT_TRUE(run.error_bound);
  EXPECT_NEAR(run.error_bound->at.back().time, 0.5, 1e-12);
  EXPECT_NEAR(run.final("x"), 2.0 * std::exp(-0.5), 1e-8);
  EXPECT_NEAR(run.value("x", 1), std::exp(-0.25), 1e-8);
}

TEST(Simulate, BoundsErrorsInTheUnitsOfTheModelOnly) {
  const ModelText text{"test.mo", "model M Real x(start = 1e-9, nominal = 1e-9); equation der(x) = -x; end M;"};
  const TextModel model(text);
  SimulateOptions options = until(model, 1.0);
  options.solve.error_bound = logarithmic_norm_bound();
  EXPECT_THROW(simulate(model, options), Misuse);
  EXPECT_TRUE(simulate(TextModel(text, {}, StateUnits::as_written), options).error_bound);
}

// Stretches keep what they need: a result may be read after its model is gone.
TEST(Simulate, ResultsOutliveTheirModel) {
  auto model = std::make_unique<TextModel>(text_model(ball, falls));
  const Simulation run = simulate(*model, until(*model, 0.3));
  model.reset();
  Vector out(2);
  run.start.stretch.results(0.0, run.start.stretch.start, out);
  EXPECT_EQ(out[0], 1.0);
  EXPECT_EQ(run.start.stretch.equations_hold(0.0, run.start.stretch.start, Tolerance{}).ratio, 0.0);
}

}  // namespace
}  // namespace driftless::simulate_test
