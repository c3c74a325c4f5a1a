// Discrete behaviour of C++ models is that of model files: the same models in both ways, and values by hand.
#include "driftless/simulate/function_events.h"

#include <gtest/gtest.h>

#include <cmath>

#include "driftless/equations/index1_model.h"
#include "driftless/simulate/function_model.h"
#include "driftless/simulate/simulate.h"
#include "driftless/simulate/text_model.h"

namespace driftless::function_events_test {
namespace {

template <class Model>
Index1 ode(const Model& model, Names names) {
  return index1(model, {.projector = ConstantMatrix::identity(names.size()), .x_names = std::move(names)});
}

struct Clock {  // x' = 1
  void f(auto, auto, auto out) const { out[0] = 1.0; }
};

FunctionModelParts ramp() {
  return {.equations = [](const Parameters&) { return Equations(ode(Clock{}, {"x"})); },
          .start = [](const Parameters&) { return Vector{0.0}; }};
}

NamedRelation at_least(const std::string& name, double bound) {
  return {name, [bound](double, NamedState s, const Parameters&) { return s["x"] - bound; }};
}

auto holds(const std::string& name) {
  return [name](const Moment& m) { return m.holds(name); };
}

auto count(const std::string& name) {
  return [name](Moment& m) { m.set(name, m.pre(name) + 1.0); };
}

// when x >= 0.5 then a = pre(a) + 1; when a >= 1 then c = 100 pre(a) + a: both in one round, so pre(a) is 0.
TEST(FunctionEvents, PreIsFixedInARound) {
  for (const bool reversed : {false, true}) {
    FunctionModelParts parts = ramp();
    parts.discrete = {{"a", 0.0}, {"c", 0.0}};
    parts.relations = {at_least("half", 0.5)};
    parts.whens = {{"first", holds("half"), count("a")},
                   {"second", [](const Moment& m) { return m["a"] >= 1.0; },
                    [](Moment& m) { m.set("c", 100.0 * m.pre("a") + m["a"]); }}};
    if (reversed) std::swap(parts.whens[0], parts.whens[1]);
    const Simulation run = simulate(FunctionModel(parts));
    ASSERT_TRUE(run.ok()) << run.failure->message();
    EXPECT_EQ(run.final("a"), 1.0);
    EXPECT_EQ(run.final("c"), 1.0);
    EXPECT_EQ(run.events, 1U);
  }
}

TEST(FunctionEvents, ChangeIsSeenWhoeverMadeIt) {
  FunctionModelParts parts = ramp();
  parts.discrete = {{"d", 0.0}, {"seen", 0.0}};
  parts.relations = {at_least("quarter", 0.25), at_least("half", 0.5)};
  parts.whens = {{"sets", holds("quarter"), [](Moment& m) { m.set("d", 7.0); }},
                 {"sets again", holds("half"), [](Moment& m) { m.set("d", 8.0); }},
                 {"sees", [](const Moment& m) { return m.change("d"); }, count("seen")}};
  EXPECT_EQ(simulate(FunctionModel(parts)).final("seen"), 2.0);
}

// Ticks at 0, 0.1, ..., 1: at the start and at the end, too, and each is hit exactly.
TEST(FunctionEvents, ClocksTickFromTheStartToTheEnd) {
  FunctionModelParts parts = ramp();
  parts.discrete = {{"n", 0.0}, {"late", -1.0}, {"ended", 0.0}};
  parts.clocks = {{"tick", 0.0, 0.1}, {"once", 0.35}};
  parts.whens = {{"count", holds("tick"), count("n")},
                 {"late", holds("once"), [](Moment& m) { m.set("late", m.time()); }},
                 {"end", [](const Moment& m) { return m.terminal(); }, count("ended")}};
  const Simulation run = simulate(FunctionModel(parts));
  ASSERT_TRUE(run.ok()) << run.failure->message();
  EXPECT_EQ(run.final("n"), 11.0);
  EXPECT_EQ(run.final("late"), 0.35);
  EXPECT_EQ(run.final("ended"), 1.0);
  for (const SimulationEvent& event : run.happened)
    if (event.name == "tick") {
      EXPECT_NEAR(10.0 * event.time, std::round(10.0 * event.time), 1e-14);
    }
}

TEST(FunctionEvents, AWhenMayActAtTheStart) {
  for (const bool at_initial : {false, true}) {
    FunctionModelParts parts = ramp();
    parts.discrete = {{"n", 3.0}, {"was initial", 0.0}};
    parts.relations = {at_least("below zero", -1.0)};  // holds from the start on
    parts.whens = {{"start", holds("below zero"),
                    [](Moment& m) {
                      m.set("n", m.pre("n") + 1.0);
                      m.set("was initial", m.initial() ? 1.0 : 0.0);
                    },
                    at_initial}};
    const Simulation run = simulate(FunctionModel(parts));
    EXPECT_EQ(run.value("n", 0), at_initial ? 4.0 : 3.0);
    EXPECT_EQ(run.final("n"), at_initial ? 4.0 : 3.0);
    EXPECT_EQ(run.final("was initial"), at_initial ? 1.0 : 0.0);
  }
}

struct Falling {  // h' = v, v' = -g
  double gravity;
  void f(auto x, auto, auto out) const {
    out[0] = x[1];
    out[1] = -gravity;
  }
};

// Bounces come at t1 (1 + 2 e (1 - e^k) / (1 - e)) with t1 = sqrt(2 h / g).
TEST(FunctionEvents, ABallBouncesAtTheTimesOfTheClosedForm) {
  const double g = 9.81, e = 0.7, first = std::sqrt(2.0 / g);
  FunctionModelParts parts{.equations =
                               [&](const Parameters&) {
                                 return Equations(ode(Falling{g}, {"h", "v"}));
                               },
                           .start =
                               [](const Parameters&) {
                                 return Vector{1.0, 0.0};
                               },
                           .discrete = {{"bounces", 0.0}, {"last", 0.0}},
                           .relations = {{"above", [](double, NamedState s, const Parameters&) { return s["h"]; }}},
                           .whens = {{"bounce", [](const Moment& m) { return !m.holds("above"); },
                                      [e](Moment& m) {
                                        m.reinit("v", -e * m.state()["v"]);
                                        m.set("bounces", m.pre("bounces") + 1.0);
                                        m.set("last", m.time());
                                      }}},
                           .end = 2.0};
  const FunctionModel model(parts);
  SimulateOptions options = usual_options(model);
  options.solve.tolerance = {1e-10, 1e-10};
  const Simulation run = simulate(model, options);
  ASSERT_TRUE(run.ok()) << run.failure->message();
  double time = first, flight = 2.0 * first * e;
  std::size_t bounces = 1;
  for (; time + flight < 2.0; flight *= e, ++bounces) time += flight;
  EXPECT_EQ(run.final("bounces"), static_cast<double>(bounces));
  EXPECT_NEAR(run.final("last"), time, 1e-8);
  EXPECT_GT(run.final("h"), 0.0);
}

struct Room {  // T' = heat - k (T - 10)
  double heat;
  void f(auto x, auto, auto out) const { out[0] = heat - 0.5 * (x[0] - 10.0); }
};

// A thermostat, in C++ and as text: a discrete variable decides the equations.
TEST(FunctionEvents, AThermostatIsThatOfItsModelFile) {
  FunctionModelParts parts{
      .parameters = {{"power", 10.0}},
      .equations = [](const Parameters& p) { return Equations(ode(Room{p["on"] * p["power"]}, {"T"})); },
      .start = [](const Parameters&) { return Vector{15.0}; },
      .discrete = {{"on", 1.0}, {"switched", 0.0}},
      .relations = {{"warm", [](double, NamedState s, const Parameters&) { return s["T"] - 21.0; }},
                    {"cold", [](double, NamedState s, const Parameters&) { return 19.0 - s["T"]; }}},
      .whens = {{"off", holds("warm"),
                 [](Moment& m) {
                   m.set("on", 0.0);
                   m.set("switched", m.pre("switched") + 1.0);
                 }},
                {"on", holds("cold"),
                 [](Moment& m) {
                   m.set("on", 1.0);
                   m.set("switched", m.pre("switched") + 1.0);
                 }}},
      .end = 10.0};
  const TextModel text({"room.mo", R"(model Room
  Real T(start = 15, fixed = true);
  discrete Real on(start = 1, fixed = true);
  Integer switched(start = 0, fixed = true);
equation
  der(T) = on*10 - 0.5*(T - 10);
  when {T > 21, T < 19} then
    on = if T > 20 then 0 else 1;
    switched = pre(switched) + 1;
  end when;
  annotation(experiment(StopTime = 10));
end Room;)"});
  SimulateOptions options = usual_options(text);
  options.solve.tolerance = {1e-10, 1e-10};
  const Simulation there = simulate(text, options), here = simulate(FunctionModel(parts), options);
  ASSERT_TRUE(here.ok()) << here.failure->message();
  ASSERT_TRUE(there.ok());
  EXPECT_GT(here.final("switched"), 5.0);
  EXPECT_EQ(here.final("switched"), there.final("switched"));
  EXPECT_EQ(here.final("on"), there.final("on"));
  EXPECT_NEAR(here.final("T"), there.final("T"), 1e-8);
}

struct Coupled {  // x' = 1, 0 = y - k x: y follows from the state
  double k;
  void F(auto, auto, auto, auto out) const { out[0] = 1.0; }
  void G(auto x, auto y, auto, auto out) const { out[0] = y[0] - k * x[0]; }
};

// What a `when` of the second round reads of algebraic unknowns fits the values that the first one set.
TEST(FunctionEvents, AlgebraicUnknownsFollowWithinAnEvent) {
  FunctionModelParts parts{
      .equations =
          [](const Parameters& p) {
            return Equations(partitioned(Coupled{p["k"]}, {.y_names = {"x"}, .z_names = {"y"}}));
          },
      .start =
          [](const Parameters&) {
            return Vector{0.0, 0.0};
          },
      .discrete = {{"k", 1.0}, {"y seen", 0.0}},
      .relations = {at_least("half", 0.5),
                    {"large", [](double, NamedState s, const Parameters&) { return s["y"] - 1.2; }}},
      .whens = {{"gear", holds("half"), [](Moment& m) { m.set("k", 3.0); }},
                {"see", holds("large"), [](Moment& m) { m.set("y seen", m.state()["y"]); }}},
      .end = 0.6};
  const Simulation run = simulate(FunctionModel(parts));
  ASSERT_TRUE(run.ok()) << run.failure->message();
  EXPECT_NEAR(run.final("y seen"), 1.5, 1e-8);
  EXPECT_EQ(run.events, 1U);
}

TEST(FunctionEvents, SaysWhatCannotBe) {
  FunctionModelParts endless = ramp();
  endless.discrete = {{"a", 0.0}};
  endless.relations = {at_least("half", 0.5)};
  endless.whens = {{"flip", [](const Moment& m) { return m.holds("half") && m["a"] == m.pre("a"); }, count("a")}};
  const Simulation run = simulate(FunctionModel(endless));
  ASSERT_FALSE(run.ok());
  EXPECT_NE(run.failure->what_happened.find("does not come to an end"), std::string::npos);
  EXPECT_NE(run.failure->what_happened.find("flip"), std::string::npos);

  FunctionModelParts wrong = ramp();
  wrong.discrete = {{"x", 0.0}};
  EXPECT_THROW(FunctionModel{wrong}, Misuse);
  wrong = ramp();
  wrong.parameters = {{"p", 0.0}};
  wrong.discrete = {{"p", 0.0}};
  EXPECT_THROW(FunctionModel{wrong}, Misuse);
  wrong = ramp();
  wrong.clocks = {{"tick", 0.0, 0.0}};
  EXPECT_THROW(FunctionModel{wrong}, Misuse);
  wrong = ramp();
  wrong.clocks = {{"tick", 0.0, 0.1}};
  wrong.whens = {{"sets", holds("tick"), [](Moment& m) { m.set("y", 1.0); }}};
  EXPECT_THROW(simulate(FunctionModel(wrong)), Misuse);
}

TEST(FunctionEvents, AWhenMayEndTheRun) {
  FunctionModelParts parts = ramp();
  parts.clocks = {{"noon", 0.5}};
  parts.whens = {{"stop", holds("noon"), [](Moment& m) { m.terminate("it is noon"); }}};
  const Simulation run = simulate(FunctionModel(parts));
  EXPECT_EQ(run.ended_by, "it is noon");
  EXPECT_EQ(run.t, 0.5);
}

}  // namespace
}  // namespace driftless::function_events_test
