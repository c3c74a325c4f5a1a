// Relations that change without an excursion of their root, at any speed: few are done, many end the run by name.
#include "driftless/simulate/chatter_watch.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/equations/index1_model.h"
#include "driftless/simulate/function_model.h"
#include "driftless/simulate/simulate.h"
#include "driftless/simulate/text_model.h"

namespace driftless::chatter_watch_test {
namespace {

constexpr double rounding = 1e-10;

// How many changes are seen until it chatters, of at most so many, one every `spacing` of a run of length 1.
std::size_t changes_until_chatter(double spacing, double farthest, std::size_t most) {
  ChatterWatch watch(100, 1.0);
  for (std::size_t k = 0; k <= most; ++k) {
    watch.changes("r", static_cast<double>(k) * spacing, farthest, rounding);
    if (watch.chattering()) return k;
  }
  return 0;
}

// With a limit of 100 a whole run may have 10000 of them: all spacings below 1e-4 are chatter after 100 changes.
TEST(ChatterWatch, NoSpacingIsBetweenRules) {
  for (const double spacing : {0.0, 1e-16, 1e-12, 5e-10, 1e-8, 1e-6, 9e-5})
    EXPECT_EQ(changes_until_chatter(spacing, rounding, 20000), 100U) << spacing;
  for (const double spacing : {1.1e-4, 1e-3}) EXPECT_EQ(changes_until_chatter(spacing, rounding, 900), 0U) << spacing;
}

TEST(ChatterWatch, EventsWithAnExcursionAreAsManyAsTheyLike) {
  EXPECT_EQ(changes_until_chatter(1e-12, 11.0 * rounding, 1000000), 0U);
  EXPECT_EQ(changes_until_chatter(1e-12, 9.0 * rounding, 1000000), 100U);
}

// 99 changes at the root, one excursion, and so on.
TEST(ChatterWatch, CountsChangesInARow) {
  ChatterWatch watch(100, 1.0);
  for (std::size_t k = 0; k <= 10000; ++k) {
    watch.changes("r", 1e-9 * static_cast<double>(k), k % 100 == 0 ? 1.0 : rounding, rounding);
    EXPECT_EQ(watch.chattering(), nullptr) << k;
  }
}

// Events of others cut the way of a relation into short pieces: it is away all the same.
TEST(ChatterWatch, LooksWhereARootIsAtEventsOfOthers) {
  ChatterWatch away(100, 1.0), there(100, 1.0);
  for (std::size_t k = 0; k <= 100; ++k) {
    const double t = 1e-9 * static_cast<double>(k);
    away.is_away("r", 1e-3, rounding);
    away.changes("r", t, rounding, rounding);
    there.is_away("r", rounding, rounding);
    there.changes("r", t, rounding, rounding);
  }
  EXPECT_EQ(away.chattering(), nullptr);
  ASSERT_NE(there.chattering(), nullptr);
  EXPECT_EQ(*there.chattering(), "r");
}

TEST(ChatterWatch, TwoThatTakeTurnsAreCountedEach) {
  ChatterWatch watch(100, 1.0);
  for (std::size_t k = 0; k < 100; ++k)
    for (const char* relation : {"a", "b"}) watch.changes(relation, 1e-9 * static_cast<double>(k), rounding, rounding);
  EXPECT_EQ(watch.chattering(), nullptr);
  watch.changes("b", 1e-7, rounding, rounding);
  ASSERT_NE(watch.chattering(), nullptr);
  EXPECT_EQ(*watch.chattering(), "b");
}

// Pushed towards x = 1 by `speed` from both sides: the events come 1e-10/speed apart.
Simulation text_relay(double speed, const std::string& more = "") {
  const std::string text = "model Relay\n  parameter Real s = " + fmt::format("{}", speed) +
                           ";\n  Real x(start = 1 + 1e-12, fixed = true);\n  Boolean on;\nequation\n"
                           "  on = x > 1;\n  der(x) = if on then -s else s;\n" +
                           more + "end Relay;\n";
  SimulateOptions options;
  options.solve.tolerance = {.relative = 1e-9, .absolute = 1e-9};
  options.solve.event_limit = 100;
  return simulate(TextModel({"relay.mo", text}), options);
}

struct Relay {
  double s = 0.0;
  void f(auto, auto, auto out) const { out[0] = s; }
};

Simulation function_relay(double speed) {
  FunctionModelParts parts;
  parts.equations = [speed](const Parameters& p) {
    return Equations(
        index1(Relay{p["on"] > 0.5 ? -speed : speed}, {.projector = ConstantMatrix::identity(1), .x_names = {"x"}}));
  };
  parts.start = [](const Parameters&) { return Vector{1.0 + 1e-12}; };
  parts.discrete = {{"on", 1.0}};
  parts.relations = {{"above", [](double, NamedState state, const Parameters&) { return state["x"] - 1.0; }}};
  parts.whens = {{"up", [](const Moment& m) { return m.holds("above"); }, [](Moment& m) { m.set("on", 1.0); }},
                 {"down", [](const Moment& m) { return !m.holds("above"); }, [](Moment& m) { m.set("on", 0.0); }}};
  SimulateOptions options;
  options.solve.span = {0.0, 1.0};
  options.solve.tolerance = {.relative = 1e-9, .absolute = 1e-9};
  options.solve.event_limit = 100;
  return simulate(FunctionModel(parts), options);
}

TEST(ChatterWatch, EndsRunsOfAllSpeeds) {
  for (const double speed : {1e4, 1.0, 0.1, 1e-2, 1e-3, 1e-4, 1e-5})
    for (const Simulation& run : {text_relay(speed), function_relay(speed)}) {
      ASSERT_FALSE(run.ok()) << speed;
      EXPECT_EQ(run.failure->kind, FailureKind::too_many_steps) << speed;
      EXPECT_NE(run.failure->what_happened.find("events accumulate"), std::string::npos);
      EXPECT_TRUE(run.failure->where == "x > 1" || run.failure->where == "above") << run.failure->where;
      EXPECT_LT(run.failure->time, 2e-2) << speed;
      EXPECT_LT(run.events, 2000U) << speed;
    }
}

// Slow enough to be afforded: the mean of both sides, by some thousand events.
TEST(ChatterWatch, GoesThroughWhereItIsSlow) {
  for (const double speed : {1e-7, 3e-7})
    for (const Simulation& run : {text_relay(speed), function_relay(speed)}) {
      ASSERT_TRUE(run.ok()) << speed << ": " << run.failure->message();
      EXPECT_NEAR(run.final("x"), 1.0, 1e-9);
      EXPECT_GT(run.events, 500U) << speed;
    }
}

// A fast sawtooth, each arc within one step. Its 50000 turns are two events each: a relation that became true is false
// again at once.
TEST(ChatterWatch, ASmallHysteresisIsNoChatter) {
  const std::string text =
      "model Fast\n  Real x(start = 1, fixed = true);\n  Boolean up(start = true, fixed = true);\nequation\n"
      "  der(x) = if up then 1e-3 else -1e-3;\n  when x >= 1 + 1e-8 then\n    up = false;\n"
      "  elsewhen x <= 1 - 1e-8 then\n    up = true;\n  end when;\nend Fast;\n";
  SimulateOptions options;
  options.solve.tolerance = {.relative = 1e-9, .absolute = 1e-9};
  options.solve.event_limit = 100;
  const Simulation run = simulate(TextModel({"fast.mo", text}), options);
  ASSERT_TRUE(run.ok()) << run.failure->message();
  EXPECT_NEAR(static_cast<double>(run.events), 100000.0, 1000.0);
}

// Arcs from the root to the root, 5e-7 high, each within one step. There are at most 500, since a relation is late by
// 1e-10, which makes each arc a little longer.
TEST(ChatterWatch, ArcsInsideOneStepAreSeen) {
  const std::string text =
      "model Arcs\n  Real x(start = 1, fixed = true), v(start = 1e-3, fixed = true);\n  Boolean on;\nequation\n"
      "  on = x > 1;\n  der(x) = v;\n  der(v) = if on then -1 else 1;\nend Arcs;\n";
  SimulateOptions options;
  options.solve.tolerance = {.relative = 1e-9, .absolute = 1e-9};
  options.solve.event_limit = 3;
  const Simulation run = simulate(TextModel({"arcs.mo", text}), options);
  ASSERT_TRUE(run.ok()) << run.failure->message();
  EXPECT_NEAR(static_cast<double>(run.events), 475.0, 25.0);
  EXPECT_NEAR(run.final("x"), 1.0, 1e-6);
}

}  // namespace
}  // namespace driftless::chatter_watch_test
