// The same discrete behaviour from C++ functions and from text: events at the same moment are one event, reinit and
// pre in rounds, the start and the end.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/equations/index1_model.h"
#include "driftless/simulate/function_model.h"
#include "driftless/simulate/simulate.h"
#include "driftless/simulate/text_model.h"

namespace driftless::function_twins_test {
namespace {

struct Ramps {  // x' = 1, y' = 2
  void f(auto, auto, auto out) const {
    out[0] = 1.0;
    out[1] = 2.0;
  }
};

FunctionModelParts ramps() {
  return {.equations =
              [](const Parameters&) {
                return Equations(index1(Ramps{}, {.projector = ConstantMatrix::identity(2), .x_names = {"x", "y"}}));
              },
          .start =
              [](const Parameters&) {
                return Vector{0.0, 0.0};
              }};
}

const std::string declared =
    "model M\n  Real x(start = 0, fixed = true), y(start = 0, fixed = true);\n"
    "  Integer a(start = 0, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true);\n"
    "equation\n  der(x) = 1;\n  der(y) = 2;\n";

NamedRelation above(const std::string& name, const std::string& state, double bound) {
  return {name, [state, bound](double, NamedState s, const Parameters&) { return s[state] - bound; }};
}

auto holds(const std::string& name) {
  return [name](const Moment& m) { return m.holds(name); };
}

auto count(const std::string& name) {
  return [name](Moment& m) { m.set(name, m.pre(name) + 1.0); };
}

struct Expected {
  double a, b, c;
  std::size_t events;
  double x, y;
};

void expect_both(FunctionModelParts parts, const std::string& equations, double end, const Expected& expected) {
  parts.discrete = {{"a", 0.0}, {"b", 0.0}, {"c", 0.0}};
  parts.end = end;
  std::string others;  // a discrete variable that nothing sets is none in a text
  for (const char* name : {"a", "b", "c"})
    if (equations.find(std::string(name) + " =") == std::string::npos) others += std::string("  ") + name + " = 0;\n";
  const TextModel text({"m.mo", declared + equations + others + "end M;\n"});
  const FunctionModel functions(parts);
  SimulateOptions options;
  options.solve.span = {0.0, end};
  options.solve.tolerance = {.relative = 1e-9, .absolute = 1e-9};
  for (const Model* model : {static_cast<const Model*>(&text), static_cast<const Model*>(&functions)}) {
    const std::string which = model == &text ? "text" : "functions";
    const Simulation run = simulate(*model, options);
    ASSERT_TRUE(run.ok()) << which << ": " << run.failure->message();
    EXPECT_EQ(run.final("a"), expected.a) << which;
    EXPECT_EQ(run.final("b"), expected.b) << which;
    EXPECT_EQ(run.final("c"), expected.c) << which;
    EXPECT_EQ(run.events, expected.events) << which;
    EXPECT_NEAR(run.final("x"), expected.x, 1e-8) << which;
    EXPECT_NEAR(run.final("y"), expected.y, 1e-8) << which;
  }
}

TEST(FunctionTwins, RelationsWithTheSameRootAreOneEvent) {
  FunctionModelParts parts = ramps();
  parts.relations = {above("x", "x", 0.3), above("y", "y", 0.6)};
  parts.whens = {{"a", holds("x"), count("a")},
                 {"b", holds("y"), count("b")},
                 {"c", [](const Moment& m) { return m["a"] + m["b"] > 0.5; },
                  [](Moment& m) { m.set("c", 10.0 * m.pre("c") + m["a"] + m["b"]); }}};
  expect_both(parts,
              "  when x > 0.3 then a = pre(a) + 1; end when;\n  when y > 0.6 then b = pre(b) + 1; end when;\n"
              "  when a + b > 0 then c = 10*pre(c) + a + b; end when;\n",
              1.0, {1, 1, 2, 1, 1.0, 2.0});
}

TEST(FunctionTwins, AStateAndAClockAreOneEvent) {
  for (int k = 1; k < 20; ++k) {
    const double at = 0.05 * k;
    FunctionModelParts parts = ramps();
    parts.relations = {above("x", "x", at)};
    parts.clocks = {{"clock", at}};
    parts.whens = {{"a", holds("x"), count("a")},
                   {"b", holds("clock"), count("b")},
                   {"c", [](const Moment& m) { return m["a"] + m["b"] > 0.5; },
                    [](Moment& m) { m.set("c", 10.0 * m.pre("c") + m["a"] + m["b"]); }}};
    const std::string bound = fmt::format("{}", at);
    expect_both(parts,
                "  when x >= " + bound + " then a = pre(a) + 1; end when;\n  when sample(" + bound +
                    ", 10) then b = pre(b) + 1; end when;\n"
                    "  when a + b > 0 then c = 10*pre(c) + a + b; end when;\n",
                1.0, {1, 1, 2, 1, 1.0, 2.0});
  }
}

TEST(FunctionTwins, AnEventExactlyAtTheEndIsDone) {
  FunctionModelParts parts = ramps();
  parts.relations = {above("x", "x", 0.7)};
  parts.whens = {
      {"a", holds("x"), count("a")},
      {"b", [](const Moment& m) { return m.terminal(); }, [](Moment& m) { m.set("b", m.pre("b") + m["a"] + 1.0); }}};
  expect_both(parts,
              "  when x >= 0.7 then a = pre(a) + 1; end when;\n  when terminal() then b = pre(b) + a + 1; end when;\n",
              0.7, {1, 2, 0, 1, 0.7, 1.4});
}

// y reinit beyond the bound of another relation: seen in the next round, with x as it is then.
TEST(FunctionTwins, AReinitIsSeenInTheNextRound) {
  FunctionModelParts parts = ramps();
  parts.relations = {above("x", "x", 0.5), above("y", "y", 4.0)};
  parts.whens = {{"a", holds("x"),
                  [](Moment& m) {
                    m.set("a", m.state()["y"] < 1.5 ? 1.0 : 2.0);
                    m.reinit("y", 5.0);
                  }},
                 {"b", holds("y"), [](Moment& m) {
                    m.set("b", m.state()["y"]);
                    m.set("c", 10.0 * m.pre("a") + m["a"]);
                    m.reinit("y", 7.0);
                  }}};
  expect_both(parts,
              "  when x >= 0.5 then a = if y < 1.5 then 1 else 2; reinit(y, 5); end when;\n"
              "  when y > 4 then b = integer(y + 0.25); c = 10*pre(a) + a; reinit(y, 7); end when;\n",
              1.0, {1, 5, 11, 1, 1.0, 8.0});
}

TEST(FunctionTwins, TwoReinitsOfARoundSwap) {
  FunctionModelParts parts = ramps();
  parts.clocks = {{"clock", 0.25}};
  parts.whens = {{"swap", holds("clock"), [](Moment& m) {
                    m.reinit("x", m.state()["y"]);
                    m.reinit("y", m.state()["x"]);
                  }}};
  expect_both(parts, "  when sample(0.25, 10) then reinit(x, pre(y)); reinit(y, pre(x)); end when;\n", 1.0,
              {0, 0, 0, 1, 1.25, 1.75});
}

// The start: initial() first, then an event with the ticks that are due there.
TEST(FunctionTwins, InitialComesBeforeATickAtTheStart) {
  FunctionModelParts parts = ramps();
  parts.clocks = {{"clock", 0.0, 0.5}};
  parts.whens = {{"a", [](const Moment& m) { return m.initial(); }, [](Moment& m) { m.set("a", 3.0); }, true},
                 {"b", holds("clock"), [](Moment& m) { m.set("b", 10.0 * m.pre("b") + m.pre("a")); }}};
  expect_both(parts,
              "  when initial() then a = 3; end when;\n  when sample(0, 0.5) then b = 10*pre(b) + pre(a); end when;\n",
              1.0, {3, 333, 0, 2, 1.0, 2.0});
}

// true in the event in which it becomes so, and a chain of three rounds.
TEST(FunctionTwins, AChainTakesRoundsOfOneEvent) {
  FunctionModelParts parts = ramps();
  parts.relations = {above("x", "x", 0.5)};
  parts.whens = {{"a", holds("x"), count("a")},
                 {"b", [](const Moment& m) { return m.pre("a") > 0.5; }, count("b")},
                 {"c", [](const Moment& m) { return m.change("b"); },
                  [](Moment& m) { m.set("c", 100.0 * m.pre("b") + 10.0 * m["b"] + m.pre("a")); }}};
  expect_both(parts,
              "  when x >= 0.5 then a = pre(a) + 1; end when;\n  when pre(a) > 0 then b = pre(b) + 1; end when;\n"
              "  when change(b) then c = 100*pre(b) + 10*b + pre(a); end when;\n",
              1.0, {1, 1, 11, 1, 1.0, 2.0});
}

// At the moment of an event of another one the square is zero, and does not change its sign.
TEST(FunctionTwins, ARootThatTouchesZeroIsNotPassed) {
  FunctionModelParts parts = ramps();
  parts.relations = {above("x", "x", 0.5), {"square", [](double, NamedState s, const Parameters&) {
                                              return (s["y"] - 1.0) * (s["y"] - 1.0);
                                            }}};
  parts.whens = {{"a", holds("x"), count("a")}, {"b", [](const Moment& m) { return !m.holds("square"); }, count("b")}};
  expect_both(parts,
              "  when x > 0.5 then a = pre(a) + 1; end when;\n"
              "  when not (y - 1)^2 > 0 then b = pre(b) + 1; end when;\n",
              1.0, {1, 0, 0, 1, 1.0, 2.0});
}

TEST(FunctionTwins, TerminalIsTrueAfterTerminate) {
  FunctionModelParts parts = ramps();
  parts.relations = {above("x", "x", 0.5)};
  parts.whens = {{"a", holds("x"),
                  [](Moment& m) {
                    m.set("a", 1.0);
                    m.reinit("y", 7.0);
                    m.terminate("half");
                  }},
                 {"b", [](const Moment& m) { return m.terminal(); }, [](Moment& m) { m.set("b", m.pre("a") + 1.0); }}};
  expect_both(parts,
              "  when x > 0.5 then a = 1; reinit(y, 7); terminate(\"half\"); end when;\n"
              "  when terminal() then b = pre(a) + 1; end when;\n",
              1.0, {1, 2, 0, 1, 0.5, 7.0});
}

// elsewhen: what comes first acts alone. A clock with an offset ticks from there.
TEST(FunctionTwins, TheFirstOfSeveralConditionsActs) {
  FunctionModelParts parts = ramps();
  parts.relations = {above("x", "x", 0.45)};
  parts.clocks = {{"slow", 0.25, 0.4}, {"fast", 0.05, 0.2}};
  parts.whens = {{"first", holds("slow"), count("a")},
                 {"second", [](const Moment& m) { return m.holds("fast"); },
                  [](Moment& m) {
                    if (!m.holds("slow")) m.set("b", m.pre("b") + 1.0);
                  }},
                 {"c", holds("x"), [](Moment& m) { m.set("c", 10.0 * m.pre("b") + m["b"]); }}};
  expect_both(
      parts,
      "  when sample(0.25, 0.4) then a = pre(a) + 1;\n  elsewhen sample(0.05, 0.2) then b = pre(b) + 1; end when;\n"
      "  when x > 0.45 then c = 10*pre(b) + b; end when;\n",
      1.0, {2, 3, 12, 5, 1.0, 2.0});
}

}  // namespace
}  // namespace driftless::function_twins_test
