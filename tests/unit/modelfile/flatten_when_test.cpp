#include "compare_models.h"

namespace driftless::flatten_when_test {
namespace {

using Kind = FlatAction::Kind;

TEST(FlattenWhen, BouncingBall) {
  const FlatModel model = flat(R"(
model Ball
  parameter Real e = 0.8;
  Real h(start = 1), v;
  Integer n(start = 0);
  discrete Real last;
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -e * pre(v));
    last = time + n;
    n = pre(n) + 1;
  elsewhen h > 10 then
    terminate("gone at " + String(time));
  end when;
end Ball;
)");
  EXPECT_TRUE(model.variables[2].integer);
  EXPECT_TRUE(model.variables[3].discrete);
  ASSERT_EQ(model.relations.size(), 2u);
  ASSERT_EQ(model.whens.size(), 1u);
  const FlatWhen& when = model.whens[0];
  EXPECT_FALSE(when.at_initial);
  ASSERT_EQ(when.branches.size(), 2u);
  EXPECT_EQ(value(model, when.branches[0].condition, {{"relation 0", 1.0}}), 1.0);
  const auto& actions = when.branches[0].actions;
  ASSERT_EQ(actions.size(), 3u);
  // n first, since `last` reads its new value; the reinit last.
  EXPECT_EQ(actions[0].kind, Kind::assign);
  EXPECT_EQ(model.variables[actions[0].variable].name, "n");
  EXPECT_EQ(value(model, actions[0].value, {{"pre(n)", 4.0}}), 5.0);
  EXPECT_EQ(model.variables[actions[1].variable].name, "last");
  EXPECT_EQ(value(model, actions[1].value, {{"n", 5.0}, {"time", 2.0}}), 7.0);
  EXPECT_EQ(actions[2].kind, Kind::reinit);
  EXPECT_EQ(model.variables[actions[2].variable].name, "v");
  EXPECT_NEAR(value(model, actions[2].value, {{"pre(v)", -2.0}}), 1.6, 1e-15);
  const FlatAction& end = when.branches[1].actions.at(0);
  EXPECT_EQ(end.kind, Kind::terminate);
  EXPECT_EQ(value(model, end.value), 1.0);
  EXPECT_EQ(fill_in(end.message, end.message_values, {1.5}), "gone at 1.5");
  EXPECT_EQ(model.equations.size(), 2u);
}

TEST(FlattenWhen, VectorsOfConditionsAndInitial) {
  const FlatModel model =
      flat_body("Integer n; Boolean b;", "b = time > 1; when {initial(), b, time > 2} then n = pre(n) + 1; end when;");
  ASSERT_EQ(model.whens.size(), 1u);
  EXPECT_TRUE(model.whens[0].at_initial);
  ASSERT_EQ(model.whens[0].branches.size(), 3u);
  EXPECT_TRUE(model.whens[0].branches[0].at_initial);
  EXPECT_FALSE(model.whens[0].branches[1].at_initial);
  EXPECT_EQ(value(model, model.whens[0].branches[1].condition, {{"b", 1.0}}), 1.0);
  EXPECT_EQ(model.whens[0].branches[2].actions.size(), 1u);
}

TEST(FlattenWhen, PreEdgeAndChange) {
  const FlatModel model =
      flat_body("Integer n; Boolean b, c, d; Real x;",
                "n = if time > 1 then 1 else 0; b = time > 2; c = edge(b); d = change(n) or change(b); x = pre(n);");
  EXPECT_EQ(value(model, model.equations[2].residual, {{"b", 1.0}, {"pre(b)", 0.0}}), -1.0);
  EXPECT_EQ(value(model, model.equations[2].residual, {{"b", 1.0}, {"pre(b)", 1.0}}), 0.0);
  EXPECT_EQ(value(model, model.equations[3].residual, {{"n", 1.0}, {"pre(n)", 0.0}}), -1.0);
  EXPECT_EQ(value(model, model.equations[4].residual, {{"x", 1.0}, {"pre(n)", 3.0}}), -2.0);
}

TEST(FlattenWhen, ConditionsInsideSelect) {
  const FlatModel model =
      flat_body("Integer n, m; Real v; parameter Boolean on = true; parameter Integer k = 2; Integer a[2];",
                "der(v) = 1; when time > 1 then if v > 0 then n = 1; reinit(v, 2); else n = 5; m = 4; "
                "terminate(\"t\"); end if; if on then for i "
                "in 1:k loop a[i] = i; end for; end if; assert(v < 9, \"v\"); end when;");
  ASSERT_EQ(model.relations.size(), 1u);  // v > 0 is looked at when the event is there
  const auto& actions = model.whens.at(0).branches.at(0).actions;
  std::map<std::string, const FlatAction*> by_name;
  for (const FlatAction& action : actions) {
    if (action.kind == Kind::assign || action.kind == Kind::reinit)
      by_name[model.variables[action.variable].name] = &action;
    if (action.kind == Kind::terminate) by_name["terminate"] = &action;
    if (action.kind == Kind::assert_) by_name["assert"] = &action;
  }
  ASSERT_EQ(by_name.size(), 7u);
  EXPECT_EQ(value(model, by_name["n"]->value, {{"v", 1.0}}), 1.0);
  EXPECT_EQ(value(model, by_name["n"]->value, {{"v", -1.0}}), 5.0);
  EXPECT_EQ(value(model, by_name["m"]->value, {{"v", 1.0}, {"pre(m)", 7.0}}), 7.0);
  EXPECT_EQ(value(model, by_name["v"]->value, {{"v", -3.0}}), -3.0);
  EXPECT_EQ(value(model, by_name["v"]->value, {{"v", 3.0}}), 2.0);
  EXPECT_EQ(value(model, by_name["terminate"]->value, {{"v", 3.0}}), 0.0);
  EXPECT_EQ(value(model, by_name["terminate"]->value, {{"v", -3.0}}), 1.0);
  EXPECT_EQ(value(model, by_name["a[2]"]->value), 2.0);
  EXPECT_EQ(value(model, by_name["assert"]->value, {{"v", 10.0}}), 0.0);
}

TEST(FlattenWhen, SamplesCountIntervals) {
  const FlatModel model =
      flat_body("discrete Real u; Real x;", "der(x) = u; when sample(0.5, 0.25) then u = 2 * x; end when;");
  ASSERT_EQ(model.relations.size(), 1u);
  ASSERT_EQ(model.whens.size(), 2u);
  const FlatVariable& count = model.variables.at(2);
  EXPECT_TRUE(count.introduced);
  EXPECT_EQ(count.name, "sample(0.5, 0.25)");
  EXPECT_EQ(value(model, *count.start, {{"time", 0.0}}), 0.0);
  EXPECT_EQ(value(model, *count.start, {{"time", 0.5}}), 0.0);  // this tick is still to come
  EXPECT_EQ(value(model, *count.start, {{"time", 1.1}}), 3.0);
  EXPECT_NEAR(value(model, model.relations[0].root, {{"time", 1.0}, {"pre(sample(0.5, 0.25))", 2.0}}), 0.0, 1e-15);
  EXPECT_FALSE(model.relations[0].holds_if_negative);
  EXPECT_TRUE(model.relations[0].at_zero);
  EXPECT_FALSE(model.whens[0].at_initial);
  EXPECT_FALSE(model.whens[1].at_initial);
  EXPECT_TRUE(model.relations[0].sample);
}

TEST(FlattenWhen, FloorIsHeldByAnInteger) {
  const FlatModel model = flat_body("Real x;", "x = mod(time, 2) + floor(time / 2);");
  ASSERT_EQ(model.variables.size(), 2u);
  EXPECT_TRUE(model.variables[1].introduced);
  EXPECT_TRUE(model.variables[1].integer);
  ASSERT_EQ(model.relations.size(), 2u);
  ASSERT_EQ(model.whens.size(), 1u);
  EXPECT_TRUE(model.whens[0].at_initial);
  const std::string n = without_quotes(model.variables[1].name);
  EXPECT_NEAR(value(model, model.equations[0].residual, {{"x", 0.0}, {"time", 5.0}, {n, 2.0}}), -(1.0 + 2.0), 1e-15);
  EXPECT_EQ(value(model, model.whens[0].branches[0].actions[0].value, {{"time", 5.0}}), 2.0);
  // Rounding may leave the argument inside; the count moves on all the same.
  EXPECT_EQ(value(model, model.whens[0].branches[2].actions[0].value, {{"time", 5.999999}, {"pre(" + n + ")", 2.0}}),
            3.0);
  EXPECT_EQ(value(model, model.whens[0].branches[1].actions[0].value, {{"time", 4.0}, {"pre(" + n + ")", 2.0}}), 1.0);
  EXPECT_EQ(flat_body("Real x;", "x = noEvent(floor(time));").relations.size(), 0u);
}

TEST(FlattenWhen, AlgorithmsAssignAtEvents) {
  const FlatModel model = flat(R"(
model M
  Integer n, m; Real v;
equation
  der(v) = 1;
algorithm
  when v > 1 then
    n := n + 1;
    m := n;
    reinit(v, 0);
  elsewhen time > 7 then
    m := 0;
  end when;
end M;)");
  ASSERT_EQ(model.whens.size(), 1u);
  ASSERT_EQ(model.whens[0].branches.size(), 2u);
  const auto& actions = model.whens[0].branches[0].actions;
  ASSERT_EQ(actions.size(), 3u);
  // The body ran on n = 4: what its actions read is what was before all of them.
  EXPECT_NE(model.whens[0].section, 0u);
  const std::map<std::string, double> before{{"n", 4.0}};
  std::map<std::string, double> now;
  for (const FlatAction& action : actions) {
    const double result = value(model, action.value, before);
    if (action.kind == Kind::assign) now[model.variables[action.variable].name] = result;
  }
  EXPECT_EQ(now["n"], 5.0);
  EXPECT_EQ(now["m"], 5.0);
  EXPECT_EQ(model.equations.size(), 1u);
}

TEST(FlattenWhen, ThoseWhoReadComeAfterThoseWhoAssign) {
  const FlatModel model =
      flat_body("Integer a, b, c;",
                "when time > 1 then a = b + 1; end when; when time > 1 then b = c; end when; when time > 1 then c = "
                "pre(c) + 1; end when;");
  ASSERT_EQ(model.whens.size(), 3u);
  std::string order;
  for (const FlatWhen& when : model.whens) order += model.variables[when.branches[0].actions[0].variable].name;
  EXPECT_EQ(order, "cba");
}

TEST(FlattenWhen, InitialAndTerminalAreFlags) {
  const FlatModel model =
      flat_body("Real x; Integer n;", "x = if initial() then 1 else 2; when terminal() then n = 1; end when;");
  ASSERT_TRUE(model.initial_slot.has_value());
  ASSERT_TRUE(model.terminal_slot.has_value());
  EXPECT_EQ(value(model, model.equations[0].residual, {{"x", 0.0}, {"initial()", 1.0}}), -1.0);
  EXPECT_EQ(value(model, model.whens[0].branches[0].condition, {{"terminal()", 1.0}}), 1.0);
}

TEST(FlattenWhen, AssertionsAndConditions) {
  const FlatModel model = flat_body(
      "Real x; parameter Real p = 1;",
      "x = time; assert(p > 0, \"fine\"); assert(x < 5, \"x is large\"); if x > 1 then assert(x < 3, \"x\"); end if;");
  ASSERT_EQ(model.asserts.size(), 2u);
  EXPECT_EQ(model.asserts[0].message, "x is large");
  EXPECT_EQ(value(model, model.asserts[0].condition, {{"x", 6.0}}), 0.0);
  EXPECT_EQ(value(model, model.asserts[1].condition, {{"x", 4.0}, {"relation 0", 1.0}}), 0.0);
  EXPECT_EQ(value(model, model.asserts[1].condition, {{"x", 4.0}, {"relation 0", 0.0}}), 1.0);
}

}  // namespace
}  // namespace driftless::flatten_when_test
