// Events as a user of the program meets them: what is kept, what is reported, and branches of another structure.
#include <cmath>

#include "tests/cli/program.h"

namespace driftless::cli_test::events_test {
namespace {

class Events : public InFolder {
 protected:
  static void write(const std::string& text) { std::ofstream("m.mo") << text; }
  static Json solved(const std::string& arguments) {
    const Outcome outcome = driftless("solve m.mo --json --rtol 1e-9 --atol 1e-11 " + arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return Json::parse(outcome.out);
  }
};

TEST_F(Events, AReinitLeavesOtherStatesAlone) {
  write(R"(model M
  Real x(start = 1, fixed = true), y(start = 1, fixed = true), z;
equation
  der(x) = -x; der(y) = -y; z + z^3 = x + 5*y;
  when time > 0.5 then reinit(y, 3); end when;
end M;
)");
  const Json run = solved("--t-end 1");
  EXPECT_NEAR(run["final"]["x"], std::exp(-1.0), 1e-7);
  EXPECT_NEAR(run["final"]["y"], 3.0 * std::exp(-0.5), 1e-7);
  const double z = run["final"]["z"];
  EXPECT_NEAR(z + z * z * z, std::exp(-1.0) + 15.0 * std::exp(-0.5), 1e-6);
  EXPECT_FALSE(run["statistics"].contains("moved_at_events"));  // z is algebraic: nothing to report
}

TEST_F(Events, TerminalIsExecutedAtTheEnd) {
  write(R"(model M
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  when terminal() then n = pre(n) + 7; end when;
end M;
)");
  EXPECT_EQ(solved("--t-end 1")["final"]["n"], 7);
}

TEST_F(Events, SlidingInsideNoEventDoesNotCrawl) {
  write(R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = noEvent(if x > 0 then -1 else 1);
end M;
)");
  const Json run = solved("--t-end 100");
  EXPECT_NEAR(run["final"]["x"], 0.0, 1e-10);
  EXPECT_LT(run["statistics"]["steps"], 1000);
}

TEST_F(Events, WhatConstraintsMoveIsReported) {
  write(R"(model M
  Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0, fixed = true), v, lambda;
equation
  der(x) = u; der(y) = v; der(u) = -lambda*x; der(v) = -lambda*y - 9.81;
  x^2 + y^2 = 1;
  when time > 0.1 then reinit(u, 2); end when;
end M;
)");
  const Json run = solved("--t-end 0.2");
  const Json moved = run["statistics"]["moved_at_events"];
  ASSERT_EQ(moved.size(), 1u);
  EXPECT_NEAR(moved[0]["t"], 0.1, 1e-9);
  ASSERT_EQ(moved[0]["moves"].size(), 1u);
  EXPECT_TRUE(moved[0]["moves"].contains("v"));
  const Outcome text = driftless("solve m.mo --t-end 0.2");
  EXPECT_TRUE(contains(text.out, "moved at t = 0.1 by the constraints: v ")) << text.out;
}

// The same pendulum, measured in something 1e9 times larger: the solver counts in other units, the user does not.
TEST_F(Events, WhatConstraintsMoveIsReportedInTheUnitsOfTheModel) {
  const auto moves_of = [&](double a) {
    write(fmt::format(R"(model M
  parameter Real a = {};
  Real x(start = 0.6*a, fixed = true, nominal = a), y(start = -0.8*a, nominal = a), u(start = 0, fixed = true, nominal = a),
    v(nominal = a), lambda;
equation
  der(x) = u; der(y) = v; der(u) = -lambda*x; der(v) = -lambda*y - 9.81*a;
  x^2 + y^2 = a^2;
  when time > 0.1 then reinit(u, 2*a); end when;
end M;
)",
                      a));
    return solved("--t-end 0.2")["statistics"]["moved_at_events"][0]["moves"]["v"];
  };
  const Json one = moves_of(1.0), small = moves_of(1e-9);
  EXPECT_NEAR(small["from"].get<double>() * 1e9, one["from"], 1e-6);
  EXPECT_NEAR(small["to"].get<double>() * 1e9, one["to"], 1e-6);
  EXPECT_GT(std::abs(one["to"].get<double>()), 0.1);
}

TEST_F(Events, ReinitsThatContradictAConstraintEndTheRun) {
  write(R"(model M
  Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0, fixed = true), v, lambda;
equation
  der(x) = u; der(y) = v; der(u) = -lambda*x; der(v) = -lambda*y - 9.81;
  x^2 + y^2 = 1;
  when time > 0.1 then reinit(u, 2); reinit(v, 5); end when;
end M;
)");
  const Outcome outcome = driftless("solve m.mo --t-end 0.2");
  EXPECT_EQ(outcome.exit_code, 14);
  EXPECT_TRUE(contains(outcome.err, "after the event the hidden velocity constraint cannot be satisfied"))
      << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "fewer variables a new value by reinit")) << outcome.err;
}

const char* locking_pendulum = R"(model Pendulum
  Real x(start = 0.6, fixed = true), y(start = -0.8), vx(start = 0, fixed = true), vy, F, T;
  Boolean locked(start = false, fixed = true);
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F*x - T;
  der(vy) = -F*y - 9.81;
  x^2 + y^2 = 1;
  if locked then
    x = 0;
  else
    T = 0;
  end if;
  when x < 0 then
    locked = true;
  end when;
  annotation(experiment(StopTime = 2));
end Pendulum;
)";

TEST_F(Events, APendulumThatLocksGoesOnAndTellsTheImpulse) {
  write(locking_pendulum);
  const Json run = solved("");
  EXPECT_EQ(run["final"]["x"], 0.0);
  EXPECT_EQ(run["final"]["vx"], 0.0);
  EXPECT_NEAR(run["final"]["y"], -1.0, 1e-12);
  EXPECT_NEAR(run["final"]["F"], 9.81, 1e-9);
  const Json moved = run["statistics"]["moved_at_events"];
  ASSERT_EQ(moved.size(), 1u);
  const double speed = std::sqrt(2.0 * 9.81 * 0.2);
  EXPECT_NEAR(moved[0]["moves"]["vx"]["from"], -speed, 1e-5);
  EXPECT_NEAR(moved[0]["impulses"]["T"], -speed, 1e-5);
  const Outcome text = driftless("solve m.mo --verify");
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_TRUE(contains(text.out, "moved at t = 0.514813 by the constraints: vx -1.98091 -> 0;")) << text.out;
  EXPECT_TRUE(contains(text.out, "T -1.98091")) << text.out;
}

// The slope of a root is infinite at the edge of its domain; that does not bring its zero to this moment.
TEST_F(Events, ASteepRootDoesNotFireWithAnotherEvent) {
  write(R"(model M
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), u(start = -1, fixed = true);
  discrete Real k(start = 0, fixed = true), l(start = 0, fixed = true);
equation
  der(x) = if sqrt(max(time - 1, 0)) > 0.1 then 1 else 0;
  der(y) = if log(abs(u) + 1e-14) > -1 and u > 0 then 1 else 0;
  der(u) = 1;
  when time >= 1 then k = 1; end when;
  when u >= 0 then l = 1; end when;
end M;
)");
  const Json end = solved("--t-end 2")["final"];
  EXPECT_NEAR(end["x"], 0.99, 1e-6);
  EXPECT_NEAR(end["y"], 1.0 - std::exp(-1.0), 1e-6);
  EXPECT_EQ(end["k"], 1.0);
  EXPECT_EQ(end["l"], 1.0);
}

// Both change at t = 1, whatever rounding makes of their order, and in one event.
TEST_F(Events, RootsOfTheSameMomentFireTogether) {
  write(R"(model M
  Real u(start = -1, fixed = true), w(start = 3, fixed = true);
  discrete Real k(start = 0, fixed = true);
equation
  der(u) = 1;
  der(w) = -3;
  when u >= 0 and w <= 0 then k = pre(k) + 1; end when;
end M;
)");
  const Json run = solved("--t-end 2");
  EXPECT_EQ(run["final"]["k"], 1.0);
  EXPECT_EQ(run["statistics"]["events"], 1) << run["statistics"];
}

TEST_F(Events, ALockAwayFromItsPlaceEndsTheRunWithWhatToWrite) {
  write(R"(model M
  Real x(start = 0.5, fixed = true), v(start = -1, fixed = true), T;
  Boolean locked(start = false, fixed = true);
equation
  der(x) = v;
  der(v) = T;
  if locked then x = 0; else T = 0; end if;
  when time > 0.25 then locked = true; end when;
end M;
)");
  const Outcome outcome = driftless("solve m.mo --t-end 2");
  EXPECT_EQ(outcome.exit_code, 14) << outcome.out;
  EXPECT_TRUE(contains(outcome.err, "does not hold: it is off by 0.25, and positions do not jump")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "'if locked then x = 0 else T = 0' (line 7)")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "x = x0, with x0 = x in the when that locks")) << outcome.err;
}

TEST_F(Events, CheckNamesTheModes) {
  write(locking_pendulum);
  const Outcome outcome = driftless("check m.mo");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(contains(outcome.out, "modes       the branch in line 11 has a form of its own: index 3 with 0"))
      << outcome.out;
  const Json found = Json::parse(driftless("check m.mo --json").out)["other_branches"];
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0]["line"], 11);
  EXPECT_EQ(found[0]["has_form"], true);
  const Outcome locked = driftless("check m.mo --set locked=true --set x=0 --set y=-1");
  EXPECT_EQ(locked.exit_code, 0) << locked.err;
  EXPECT_TRUE(contains(locked.out, "the branch in line 13 has a form of its own: index 3 with 2")) << locked.out;
}

TEST_F(Events, CheckWarnsOfABranchWithoutAForm) {
  write(R"(model M
  Real x(start = 0.5, fixed = true), v(start = -1, fixed = true), T;
  Boolean locked(start = false, fixed = true);
equation
  der(x) = v;
  der(v) = T;
  if locked then time = 1; else T = 0; end if;
  when x < 0 then locked = true; end when;
end M;
)");
  const Outcome outcome = driftless("check m.mo");
  EXPECT_TRUE(contains(outcome.err, "m.mo:7:18: warning: this branch has another structure than the one at the start"))
      << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "a run ends where it would become active")) << outcome.err;
  const Outcome run = driftless("solve m.mo --t-end 1");
  EXPECT_EQ(run.exit_code, 5) << run.err;
  EXPECT_TRUE(contains(run.err, "at t = 0.5 the run comes to a branch of another structure")) << run.err;
}

TEST_F(Events, BranchesOfTheSameStructureAreNoNews) {
  write(R"(model M
  Real x(start = 1, fixed = true), z;
equation
  der(x) = -1;
  if x > 0.5 then z + z^3 = x; else z = 2*x; end if;
end M;
)");
  const Outcome outcome = driftless("check m.mo --json");
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(Json::parse(outcome.out)["other_branches"].size(), 0u);
  EXPECT_NEAR(solved("--t-end 0.75")["final"]["z"], 0.5, 1e-9);
}

// The Boolean cannot be a mixture of both sides: it chatters, and how many events mean that is an option.
TEST_F(Events, TheLimitIsAnOptionAndAboutAccumulation) {
  write(R"(model M
  Real x(start = 1, fixed = true);
  Boolean on = x > 0;
equation
  der(x) = if on then -1 else 1;
end M;
)");
  for (const char* limit : {"50", "2000"}) {
    const Outcome outcome = driftless(std::string("solve m.mo --t-end 2 --event-limit ") + limit);
    EXPECT_NE(outcome.exit_code, 0);
    EXPECT_TRUE(contains(outcome.err, std::string("events accumulate: ") + limit + " of them")) << outcome.err;
  }
  write(R"(model M
  Integer n(start = 0, fixed = true);
equation
  when sample(0, 0.001) then n = pre(n) + 1; end when;
end M;
)");
  EXPECT_EQ(solved("--t-end 1 --event-limit 50")["final"]["n"], 1001);
}

}  // namespace
}  // namespace driftless::cli_test::events_test
