// Branches with other constraints: impulses, what is kept, what is compiled, what is refused.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/simulate/simulate.h"
#include "driftless/simulate/text_model.h"

namespace driftless::branch_switch_test {
namespace {

SimulateOptions until(double end, double tolerance = 1e-10) {
  return {.solve = {.span = {0.0, end}, .tolerance = {tolerance, tolerance}}, .verify = true};
}

TextModel model_of(const std::string& text) { return TextModel({"test.mo", text}); }

// Two links without gravity: M (w+ - w-) = (0, Lambda), w2+ = 0.
const char* const elbow = R"(model M
  parameter Real c = 0.8;
  Real a(start = 0, fixed = true), b(start = 0.7, fixed = true), wa(start = 1, fixed = true), wb(start = -2, fixed = true);
  Real T, J11, J12, J22;
  discrete Real b0(start = 0);
  Boolean locked(start = false, fixed = true);
equation
  der(a) = wa; der(b) = wb;
  J11 = 3 + 2*c*cos(b); J12 = 1 + c*cos(b); J22 = 1;
  J11*der(wa) + J12*der(wb) = c*sin(b)*wb*(2*wa + wb);
  J12*der(wa) + J22*der(wb) = T - c*sin(b)*wa^2;
  if locked then b = b0; else T = 0; end if;
  when time > 0.5 then locked = true; b0 = b; elsewhen time > 1 then locked = false; b0 = pre(b0); end when;
end M;)";

TEST(BranchSwitch, AnImpulseActsThroughAllInertia) {
  const Simulation run = simulate(model_of(elbow), until(1.5));
  ASSERT_TRUE(run.ok()) << run.failure->message();
  ASSERT_EQ(run.moved.size(), 1U);  // none where it opens
  const MovesAtEvent& event = run.moved[0];
  EXPECT_NEAR(event.time, 0.5, 1e-12);
  ASSERT_EQ(event.moves.size(), 2U);
  EXPECT_EQ(event.moves[0].name, "wa");
  EXPECT_EQ(event.moves[1].name, "wb");
  const double b = run.final("b0"), j11 = 3 + 1.6 * std::cos(b), j12 = 1 + 0.8 * std::cos(b);
  EXPECT_NEAR(j11 * (event.moves[0].to - event.moves[0].from) + j12 * (0.0 - event.moves[1].from), 0.0, 1e-12);
  EXPECT_EQ(event.moves[1].to, 0.0);
  ASSERT_EQ(event.impulses.size(), 1U);
  EXPECT_EQ(event.impulses[0].name, "T");
  EXPECT_NEAR(event.impulses[0].size, j12 * (event.moves[0].to - event.moves[0].from) - event.moves[1].from, 1e-12);
  EXPECT_GT(event.impulses[0].size, 0.1);
}

TEST(BranchSwitch, ResultsKeepTheirNamesAndTheLockHoldsAtAllTimes) {
  SimulateOptions options = until(1.5);
  options.dense = true;
  options.show_verified = true;
  const TextModel model = model_of(elbow);
  const Simulation run = simulate(model, options);
  ASSERT_TRUE(run.ok()) << run.failure->message();
  ASSERT_EQ(run.kept.size(), 3U);
  EXPECT_TRUE(run.kept[0].stretch.mode.branches.empty());
  EXPECT_FALSE(run.kept[1].stretch.mode.branches.empty());
  EXPECT_TRUE(run.kept[2].stretch.mode.branches.empty());
  const std::size_t b = run.recording.column("b") - 1, wb = run.recording.column("wb") - 1,
                    wa = run.recording.column("wa") - 1, torque = run.recording.column("T") - 1;
  for (const double t : {0.5, 0.61, 0.8, 0.99}) {
    const Vector all = run.at(t);
    ASSERT_EQ(all.size(), model.results.size());
    EXPECT_NEAR(all[b], run.final("b0"), 1e-15);
    EXPECT_NEAR(all[wb], 0.0, 1e-14);
    EXPECT_NEAR(all[torque], 0.8 * std::sin(all[b]) * all[wa] * all[wa], 1e-12);  // wa is constant then
  }
  EXPECT_EQ(run.at(0.3)[torque], 0.0);
  EXPECT_EQ(run.at(1.2)[torque], 0.0);
  ASSERT_TRUE(run.verification);
  EXPECT_LT(run.verification->worst.equation.residual, 1e-12);
  EXPECT_EQ(run.verification->not_evaluated, 0U);
}

const char* const catcher = R"(model M
  parameter Real k = 1;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), T;
  discrete Real x0(start = 0);
  Boolean locked(start = false, fixed = true);
equation
  der(x) = v;
  der(v) = T - k*x;
  if locked then x = x0; else T = 0; end if;
  when sample(0.05, 0.1) then locked = not pre(locked); x0 = x; end when;
end M;)";

TEST(BranchSwitch, AThousandOfThemCostTwoCompilations) {
  const std::size_t before = compilations();
  const TextModel model = model_of(catcher);
  const Simulation run = simulate(model, until(100.0));
  ASSERT_TRUE(run.ok()) << run.failure->message();
  EXPECT_EQ(run.events, 1000U);
  EXPECT_EQ(compilations() - before, 2U);
}

// x(0.1) of x' = v, v' = -k x from rest at 1, locked at 0.05.
TEST(BranchSwitch, ParametersStayInputs) {
  const std::size_t before = compilations();
  TextModel model = model_of(catcher);
  for (const double k : {1.0, 4.0, 9.0, 0.25}) {
    model.set("k", k);
    const Simulation run = simulate(model, until(0.1));
    ASSERT_TRUE(run.ok()) << run.failure->message();
    EXPECT_NEAR(run.final("x"), std::cos(0.05 * std::sqrt(k)), 1e-10);
    EXPECT_NEAR(run.final("T"), k * std::cos(0.05 * std::sqrt(k)), 1e-9);
    ASSERT_EQ(run.moved.size(), 1U);
    EXPECT_NEAR(run.moved[0].impulses.at(0).size, std::sqrt(k) * std::sin(0.05 * std::sqrt(k)), 1e-9);
  }
  EXPECT_EQ(compilations() - before, 2U);
}

TEST(BranchSwitch, StartsInAnyBranch) {
  const TextModel model = model_of(R"(model M
  Real x(start = 0.5, fixed = true), v(start = 0.1), T;
  Boolean locked(start = true, fixed = true);
equation
  der(x) = v;
  der(v) = T - 2;
  if locked then x = 0.5; else T = 0; end if;
  when time > 1 then locked = false; end when;
end M;)");
  const Start start = model.start(0.0);
  ASSERT_EQ(start.changes.size(), 1U);
  EXPECT_EQ(start.changes[0].name, "v");
  EXPECT_EQ(start.changes[0].to, 0.0);
  const Simulation run = simulate(model, until(1.5));
  ASSERT_TRUE(run.ok()) << run.failure->message();
  EXPECT_NEAR(run.value("T", 0), 2.0, 1e-14);
  EXPECT_NEAR(run.final("x"), 0.5 - 0.25, 1e-10);
  EXPECT_TRUE(run.moved.empty());
}

// The event at the start closes the lock.
TEST(BranchSwitch, AnEventAtTheStartMayLock) {
  const Simulation run = simulate(model_of(R"(model M
  Real x(start = 0.5, fixed = true), v(start = 3, fixed = true), T;
  Boolean locked(start = false, fixed = true);
equation
  der(x) = v;
  2*der(v) = T - 2;
  if locked then x = 0.5; else T = 0; end if;
  when sample(0, 10) then locked = true; end when;
end M;)"),
                                  until(1.0));
  ASSERT_TRUE(run.ok()) << run.failure->message();
  EXPECT_EQ(run.final("x"), 0.5);
  EXPECT_NEAR(run.final("T"), 2.0, 1e-14);
  ASSERT_EQ(run.moved.size(), 1U);
  EXPECT_NEAR(run.moved[0].impulses.at(0).size, -6.0, 1e-12);
}

std::string failure_of(const std::string& text, double end) {
  const Simulation run = simulate(model_of(text), until(end));
  return run.failure ? run.failure->message() : "";
}

TEST(BranchSwitch, WhatAWhenReadsFollowsTheImpulseInTheNextRound) {
  // In the round that locks v is what it was; in the next one it is 0.
  const Simulation run = simulate(model_of(R"(model M
  Real x(start = 0.5, fixed = true), v(start = -1, fixed = true), T;
  discrete Real before(start = 0), behind(start = 0);
  Boolean locked(start = false, fixed = true);
equation
  der(x) = v;
  der(v) = T;
  if locked then x = 0; else T = 0; end if;
  when x < 0 then locked = true; before = v; end when;
  when pre(locked) then behind = 1 + v; end when;
end M;)"),
                                  until(1.0));
  ASSERT_TRUE(run.ok()) << run.failure->message();
  EXPECT_NEAR(run.final("before"), -1.0, 1e-12);
  EXPECT_EQ(run.final("behind"), 1.0);
}

TEST(BranchSwitch, EndsByNameWhereNoImpulseCanDoIt) {
  // The force acts on the other mass.
  const std::string said = failure_of(R"(model M
  Real x(start = 0.5, fixed = true), v(start = -1, fixed = true), u(start = 1, fixed = true), T;
  Boolean locked(start = false, fixed = true);
equation
  der(x) = v;
  der(v) = -1;
  der(u) = T;
  if locked then x = 0; else T = 0; end if;
  when x < 0 then locked = true; end when;
end M;)",
                                      1.0);
  EXPECT_NE(said.find("comes to a branch of another structure"), std::string::npos) << said;
}

TEST(BranchSwitch, BranchesThatTakeTurnsForEverAreNamed) {
  const std::string said = failure_of(R"(model M
  Real x(start = 0.5, fixed = true), v(start = -1, fixed = true), T;
  Boolean locked(start = false, fixed = true);
equation
  der(x) = v;
  der(v) = T - 1;
  if locked then x = 0; else T = 0; end if;
  locked = if pre(locked) then T > 2 else x <= 0;
end M;)",
                                      2.0);
  EXPECT_NE(said.find("does not come to an end"), std::string::npos) << said;
}

// On a table that shakes: s = A sin(w t), A w^2 < g, the contact never opens, and rounding makes no events.
const char* const table = R"(model M
  parameter Real A = 0.02, w = 20, g = 9.81;
  Real s, h(start = 0), v(start = 0.4), N;
  Boolean resting(start = true, fixed = true);
equation
  s = A*sin(w*time);
  der(h) = v;
  der(v) = N - g;
  if resting then h = s; else N = 0; end if;
  when h < s then resting = true; elsewhen N < 0 then resting = false; end when;
end M;)";

TEST(BranchSwitch, RoundingMakesNoEventsAtRest) {
  const Simulation run = simulate(model_of(table), until(30.0));
  ASSERT_TRUE(run.ok()) << run.failure->message();
  EXPECT_EQ(run.events, 0U);
  EXPECT_NEAR(run.final("h"), 0.02 * std::sin(600.0), 1e-14);
  EXPECT_NEAR(run.final("N"), 9.81 - 8.0 * std::sin(600.0), 1e-9);
}

// It opens at sin(w t) = g/(A w^2), and the flight begins with the velocity of the table.
TEST(BranchSwitch, AContactOpensWhereItsForceFallsThroughZero) {
  TextModel model = model_of(table);
  model.set("A", 0.04);
  const double opens = std::asin(9.81 / 16.0) / 20.0, speed = 0.8 * std::cos(20.0 * opens), later = 0.01;
  const Simulation run = simulate(model, until(opens + later));
  ASSERT_TRUE(run.ok()) << run.failure->message();
  ASSERT_GE(run.happened.size(), 1U);
  EXPECT_NEAR(run.happened[0].time, opens, 1e-10);
  EXPECT_EQ(run.happened[0].name, "N < 0");
  EXPECT_NEAR(run.final("v"), speed - 9.81 * later, 1e-9);
  EXPECT_EQ(run.final("N"), 0.0);
  EXPECT_EQ(run.final("resting"), 0.0);
  EXPECT_TRUE(run.moved.empty());
}

// Falls back onto the table, with an impulse, and goes on like that: N never pulls, and h is never below.
TEST(BranchSwitch, AContactOpensAndClosesManyTimes) {
  TextModel model = model_of(table);
  model.set("A", 0.04);
  SimulateOptions options = until(10.0);
  for (int k = 1; k < 2000; ++k) options.solve.output_times.push_back(0.005 * k);
  const Simulation run = simulate(model, options);
  ASSERT_TRUE(run.ok()) << run.failure->message();
  EXPECT_GT(run.moved.size(), 20U);
  for (const MovesAtEvent& event : run.moved) {
    ASSERT_EQ(event.impulses.size(), 1U);
    EXPECT_GT(event.impulses[0].size, 0.0);
    const StartChange& jump = event.moves.back();  // in front of it a correction of h, as the event comes 1e-10 late
    ASSERT_EQ(jump.name, "v");
    EXPECT_NEAR(event.impulses[0].size, jump.to - jump.from, 1e-12);
    EXPECT_NEAR(jump.to, 0.8 * std::cos(20.0 * event.time), 1e-9);
  }
  for (std::size_t k = 0; k < run.recording.rows(); ++k) {
    EXPECT_GE(run.value("h", k) - run.value("s", k), -1e-9);  // events come 1e-10 late, of s and of time
    EXPECT_GE(run.value("N", k), -1e-6);
    if (run.value("resting", k) != 0.0) {
      EXPECT_NEAR(run.value("h", k), run.value("s", k), 1e-14);
    }
  }
}

// Slower and slower bounces, n of them, then rest: no accumulation, neither there nor behind.
TEST(BranchSwitch, ManyBouncesEndInRestAndTheRunGoesOn) {
  const Simulation run = simulate(model_of(R"(model M
  Real h(start = 1, fixed = true), v(start = 0, fixed = true), N;
  Boolean resting(start = false, fixed = true);
equation
  der(h) = v;
  der(v) = N - 10 + (if time > 3 then 20*(time - 3) else 0);
  if resting then h = 0; else N = 0; end if;
  when h < 0 then
    resting = v > -1e-5;
    reinit(v, if v > -1e-5 then 0 else -0.5*v);
  elsewhen N < 0 then
    resting = false;
  end when;
end M;)"),
                                  until(4.0));
  ASSERT_TRUE(run.ok()) << run.failure->message();
  EXPECT_NEAR(run.final("h"), 20.0 * 0.125 / 6.0, 1e-9);
}

// Sliding and locks in one model: dry friction while it is free.
TEST(BranchSwitch, FrictionSlidesBetweenLocks) {
  const Simulation run = simulate(model_of(R"(model M
  Real x(start = 0, fixed = true), v(start = 1, fixed = true), T;
  discrete Real x0(start = 0);
  Boolean locked(start = false, fixed = true);
equation
  der(x) = v;
  der(v) = T - (if v > 0 then 2 else -2);
  if locked then x = x0; else T = 0; end if;
  when time > 1 then locked = true; x0 = x; elsewhen time > 2 then locked = false; x0 = pre(x0); end when;
end M;)"),
                                  until(3.0));
  ASSERT_TRUE(run.ok()) << run.failure->message();
  EXPECT_NEAR(run.final("x"), 0.25, 1e-9);  // 1/2 of 1 over 1/2
  EXPECT_NEAR(run.final("v"), 0.0, 1e-9);
}

}  // namespace
}  // namespace driftless::branch_switch_test
