#include "compare_models.h"

namespace driftless::flatten_function_test {
namespace {

Equivalent row(const std::string& function, const std::string& equation, const std::string& plain) {
  return {"Real x, y; " + function, "x = time; " + equation, "Real x, y;", "x = time; " + plain};
}

TEST(FlattenFunction, BodiesAreRunWithFormulas) {
  const std::vector<Equivalent> table{
      row("function f input Real a; output Real b; algorithm b := a^2; b := b + a; end f;", "y = f(x);",
          "y = x^2 + x;"),
      row("function f input Real a; input Real k = 3; output Real b; protected Real t = k * a; algorithm b := t + 1; "
          "end f;",
          "y = f(x) + f(x, 5) + f(a = x, k = 7);", "y = 3 * x + 1 + 5 * x + 1 + 7 * x + 1;"),
      row("function f input Real a; output Real b; output Real c; algorithm b := a; c := 2 * a; end f;",
          "(y, ) = f(x); (, x) = f(y);", "y = x; x = 2 * y;"),
      row("function f input Real a[:]; output Real s; algorithm s := 0; for i in 1:size(a, 1) loop s := s + i * a[i]; "
          "end for; end f;",
          "y = f({x, x^2, 3});", "y = x + 2 * x^2 + 9;"),
      row("function f input Real a[:]; output Real b[size(a, 1)]; algorithm for i loop b[i] := 2 * a[i]; end for; end "
          "f;",
          "y = sum(f({x, 1}));", "y = 2 * x + 2;"),
      row("function f input Real a; output Real b[:]; algorithm b := {a, a}; b := cat(1, b, {1}); end f;",
          "y = sum(f(x));", "y = 2 * x + 1;"),
      row("function f input Real a; output Real b; algorithm if a > 1 then b := a; elseif a > 0 then b := 2 * a; else "
          "b := 0; "
          "end if; b := b + 1; end f;",
          "y = f(x);", "y = noEvent(if x > 1 then x else if x > 0 then 2 * x else 0) + 1;"),
      row("function f input Real a; input Integer n; output Real b; algorithm b := 1; for i in 1:n loop b := b * a; "
          "end for; end f;",
          "y = f(x, 3) + f(x, 0);", "y = x^3 + 1;"),
      row("function f input Real a; output Real b; protected Integer k; algorithm k := 5; b := a; while k > 2 loop b "
          ":= b + k; k := "
          "k - 1; end while; end f;",
          "y = f(x);", "y = x + 5 + 4 + 3;"),
      row("function f input Real a; input Integer n; output Real b; algorithm b := if n == 0 then 1 else a * f(a, n - "
          "1); end f;",
          "y = f(x, 4);", "y = x^4;"),
      row("function f input Real a; output Real b; algorithm b := g(a) + 1; end f; function g input Real a; output "
          "Real b; "
          "algorithm b := 3 * a; end g;",
          "y = f(x);", "y = 3 * x + 1;"),
      row("function f input Real a; output Real b; protected constant Real c = 2; algorithm b := c * a; end f;",
          "y = f(x);", "y = 2 * x;"),
      row("constant Real k = 4; function f input Real a; output Real b; algorithm b := k * a; end f;", "y = f(x);",
          "y = 4 * x;"),
      row("function f input Real a; input Boolean up; output Real b; algorithm if up then b := a; return; end if; b := "
          "-a; end f;",
          "y = f(x, true) * f(x, false);", "y = -x * x;"),
  };
  for (const Equivalent& each : table) expect_equivalent(each);
}

TEST(FlattenFunction, PathsThatLeaveEarlyMeetAgain) {
  const std::vector<Equivalent> table{
      // return under a condition that changes
      row("function f input Real a; output Real b; algorithm if a < 0 then b := 0; return; end if; b := sqrt(a); if a "
          "> 1 then b := "
          "b + 1; return; end if; b := b + 2; end f;",
          "y = f(x);", "y = noEvent(if x < 0 then 0 else if x > 1 then sqrt(x) + 1 else sqrt(x) + 2);"),
      // a declared value that one branch assigns and the other reads
      row("function f input Real a; output Real b; protected Real t = 5; algorithm if a > 1 then t := 2; b := t; else "
          "b := t + 1; end "
          "if; end f;",
          "y = f(x);", "y = noEvent(if x > 1 then 2 else 6);"),
      // break under a condition that changes
      row("function f input Real a; output Real b; algorithm b := 0; for i in 1:3 loop b := b + a; if b > 1 then "
          "break; end if; b := "
          "b + 10; end for; b := 2 * b; end f;",
          "y = f(x);",
          "y = noEvent(2 * (if x > 1 then x else if 2 * x + 10 > 1 then 2 * x + 10 else if 3 * x + 20 > 1 then 3 * x + "
          "20 else 3 * x "
          "+ 30));"),
      // return out of a loop, and break out of an inner one
      row("function f input Real a; output Real b; algorithm b := a; for i in 1:2 loop for j in 1:2 loop if a > j then "
          "break; end if; "
          "b := b + 1; end for; if b > 3 then b := 100; return; end if; end for; b := b + 0.5; end f;",
          "y = f(x);",
          "y = noEvent(if x > 1 then (if x > 3 then 100 else x + 0.5) else if x > 2 then 0 else if x + 2 > 3 then 100 "
          "else if x + 4 > "
          "3 then 100 else x + 4.5);"),
      // both branches leave
      row("function f input Real a; output Real b; algorithm for i in 1:3 loop b := i; if a > i then break; else "
          "return; end if; end "
          "for; b := b + 10; end f;",
          "y = f(x);", "y = noEvent(if x > 1 then 11 else 1);"),
      row("function f input Real a; output Real b; algorithm for i in 1:3 loop b := i; if a > i then return; end if; "
          "break; end for; b "
          ":= b + 10; end f;",
          "y = f(x);", "y = noEvent(if x > 1 then 1 else 11);"),
  };
  for (const Equivalent& each : table) expect_equivalent(each);
}

TEST(FlattenFunction, ScalarFunctionsTakeArrays) {
  expect_equivalent({"Real x[2]; function f input Real a; input Real k; output Real b; algorithm b := k * a; end f;",
                     "x = f({time, 2}, 3);", "Real 'x[1]', 'x[2]';", "'x[1]' = 3 * time; 'x[2]' = 6;"});
  expect_equivalent({"Real x[2]; function f input Real a[2]; output Real b; algorithm b := a[1] - a[2]; end f;",
                     "x = f([time, 1; 2, 3]);", "Real 'x[1]', 'x[2]';", "'x[1]' = time - 1; 'x[2]' = -1;"});
}

TEST(FlattenFunction, AssertionsOfFunctionsHoldWhereTheyAreReached) {
  const FlatModel model = flat_body(
      "Real x, y; function f input Real a; output Real b; algorithm assert(a > 0, \"a = \" + String(a)); b := log(a); "
      "end f;",
      "x = time; y = if x > 1 then f(x - 1) else 0;");
  ASSERT_EQ(model.asserts.size(), 1u);
  // Not reached: relation 0 (x > 1) does not hold.
  EXPECT_EQ(value(model, model.asserts[0].condition, {{"x", 0.5}, {"relation 0", 0.0}}), 1.0);
  EXPECT_EQ(value(model, model.asserts[0].condition, {{"x", 0.5}, {"relation 0", 1.0}}), 0.0);
  EXPECT_EQ(value(model, model.asserts[0].condition, {{"x", 1.5}, {"relation 0", 1.0}}), 1.0);
  ASSERT_EQ(model.asserts[0].message_values.size(), 1u);
  EXPECT_EQ(fill_in(model.asserts[0].message, model.asserts[0].message_values, {-0.25}), "a = -0.25");
  EXPECT_TRUE(model.relations.size() == 1u);
}

TEST(FlattenFunction, MessagesAreFormatted) {
  const FlatModel model =
      flat_body("Real x; Integer n; Boolean b; parameter Real p = 2.5; type E = enumeration(one, two);",
                R"(x = time; n = 3; b = true;
assert(x > 0, "p = " + String(p) + ", x = " + String(x, significantDigits = 3) + ", n = " + String(n, minimumLength = 3) + "|" +
 String(n, minimumLength = 3, leftJustified = false) + ", b = " + String(b) + ", e = " + String(E.two), AssertionLevel.warning);)");
  ASSERT_EQ(model.asserts.size(), 1u);
  EXPECT_TRUE(model.asserts[0].warning);
  EXPECT_EQ(fill_in(model.asserts[0].message, model.asserts[0].message_values, {2.5, 1.23456, 7, 8, 1}),
            "p = 2.5, x = 1.23, n = 7  |  8, b = true, e = two");
}

TEST(FlattenAlgorithm, SectionsBecomeEquations) {
  const std::vector<Equivalent> table{
      {"Real x, y; algorithm x := time; y := x + 1; y := 2 * y;", "", "Real x, y;", "x = time; y = 2 * (time + 1);"},
      {"Real x(start = 3), y; algorithm y := x; x := time;", "", "Real x(start = 3), y;", "y = 3; x = time;"},
      {"Real x; Integer n; algorithm if time > 1 then n := 1; else n := pre(n); end if; x := n;", "",
       "Real x; Integer n;", "n = if time > 1 then 1 else pre(n); x = if time > 1 then 1 else pre(n);"},
      {"Real x; Integer n; algorithm if time > 1 then n := 1; end if; x := 2;", "", "Real x; Integer n;",
       "n = if time > 1 then 1 else pre(n); x = 2;"},
      {"Real x[3]; algorithm for i in 1:3 loop x[i] := i * time; end for;", "", "Real 'x[1]', 'x[2]', 'x[3]';",
       "'x[1]' = time; 'x[2]' = 2 * time; 'x[3]' = 3 * time;"},
      {"Real x, y; algorithm if time > 1 then x := 1; elseif time > 0.5 then x := 2; else x := 3; end if; y := x;", "",
       "Real x, y;",
       "x = if time > 1 then 1 elseif time > 0.5 then 2 else 3; y = if time > 1 then 1 elseif time > 0.5 then 2 else "
       "3;"},
  };
  for (const Equivalent& each : table) {
    SCOPED_TRACE(each.declarations);
    const FlatModel model = flat("model M " + each.declarations + " end M;");
    const FlatModel plain = flat_body(each.plain_declarations, each.plain_equations);
    // In the order in which the algorithm assigns.
    ASSERT_EQ(model.equations.size(), plain.equations.size());
    for (std::size_t i = 0; i < plain.equations.size(); ++i) {
      expect_same(model, model.equations[i].residual, plain, plain.equations[i].residual, model.equations[i].text);
    }
  }
  const FlatModel model = flat("model M Real x; algorithm x :=  time\n * 2; end M;");
  EXPECT_EQ(model.equations[0].text, "algorithm: x := time * 2");
}

TEST(FlattenAlgorithm, InitialOnesGiveFirstValues) {
  const FlatModel model = flat(
      "model M Integer n; discrete Real t; initial algorithm n := integer((time - 2) / 5); t := 2 + n * 5; equation "
      "when time > t then "
      "n = pre(n) + 1; t = time; end when; end M;");
  ASSERT_EQ(model.initial_assignments.size(), 2u);
  EXPECT_EQ(model.initial_equations.size(), 0u);
  EXPECT_EQ(model.variables[model.initial_assignments[1].variable].name, "t");
  EXPECT_NEAR(value(model, model.initial_assignments[1].value, {{"time", 8.0}}), 7.0, 1e-14);
}

}  // namespace
}  // namespace driftless::flatten_function_test
