// Models whose equations cannot be right, or are not covered, and every word that is said about them.
#include "compare_models.h"

namespace driftless::faulty_structure_test {
namespace {

struct Faulty {
  const char *model, *messages;
};

const Faulty faulty_structure[] = {
    {R"mo(model A
  Real x, y;
equation
  if x > 1 then
    x = 1;
    y = 2;
  else
    x = 3;
  end if;
end A;
)mo",
     R"mo(m.mo:4:3: error: the branches of this 'if' have different numbers of equations: 2 and 1
   4 |   if x > 1 then
     |   ^^^^^^^^^^^^^
     = as the condition changes during the run, every branch, 'else' included, needs one equation for each unknown
)mo"},
    {R"mo(model A
  Real x[3], k;
equation
  for i in 1:k loop
    x[i] = 1;
  end for;
  k = 3;
end A;
)mo",
     R"mo(m.mo:4:14: error: a bound of a range may not depend on the variable 'k'
   4 |   for i in 1:k loop
     |              ^
     = it must be known before the run: use numbers, constants and parameters
)mo"},
    {R"mo(model A
  Real x;
equation
  der(x) = 1;
  reinit(x, 0);
end A;
)mo",
     R"mo(m.mo:5:3: error: 'reinit' acts at an event and belongs in a 'when'
   5 |   reinit(x, 0);
     |   ^^^^^^^^^^^^
     = write: when condition then reinit(x, 0); end when;
)mo"},
    {R"mo(model A
  Integer n;
equation
  when time > 1 then
    n = n + 1;
  end when;
end A;
)mo",
     R"mo(m.mo:5:5: error: the new value of 'n' depends on itself
   5 |     n = n + 1;
     |     ^^^^^^^^^
     = the value before the event is pre(n)
)mo"},
    {R"mo(model A
  Real x;
equation
  der(x) = 1;
  when x > 1 then
    x = 0;
  end when;
end A;
)mo",
     R"mo(m.mo:4:7: error: 'x' changes at events only and has no derivative
   4 |   der(x) = 1;
     |       ^
     = what 'when' assigns is discrete; to set a continuous variable at an event use reinit(x, value)
)mo"},
    {R"mo(model A
  Real x;
equation
  when noEvent(time > 1) then
    x = 0;
  end when;
end A;
)mo",
     R"mo(m.mo:4:8: error: the condition of 'when' may change at events only
   4 |   when noEvent(time > 1) then
     |        ^^^^^^^^^^^^^^^^^
     = leave out noEvent and smooth here
)mo"},
    {R"mo(model A
  Boolean b;
equation
  b = noEvent(time > 1);
end A;
)mo",
     R"mo(m.mo:4:3: error: this Boolean would change between events
   4 |   b = noEvent(time > 1);
     |   ^^^^^^^^^^^^^^^^^^^^^
     = there are no events inside of noEvent, smooth and functions: compare outside of them
)mo"},
    {R"mo(model A
  Real x;
equation
  (x, x) = sin(time);
end A;
)mo",
     R"mo(m.mo:4:3: error: there are 2 targets, but 1 result
   4 |   (x, x) = sin(time);
     |   ^^^^^^
)mo"},
    {R"mo(model A
  Real x;
equation
  sin(x);
end A;
)mo",
     R"mo(m.mo:4:3: error: this is a value, and no equation
   4 |   sin(x);
     |   ^^^^^^
     = an equation is written with '='
)mo"},
    {R"mo(model A
  Real x;
equation
  when time > 1 then
    x = 1;
    x = 2;
  end when;
end A;
)mo",
     R"mo(m.mo:4:3: error: 'x' gets two values in this 'when'
   4 |   when time > 1 then
     |   ^^^^^^^^^^^^^^^^^^
     = the second one is in line 6
)mo"},
    {R"mo(model A
  Integer a, b;
equation
  when time > 1 then
    a = b;
    b = a;
  end when;
end A;
)mo",
     R"mo(m.mo:4:3: error: the new value of 'a' depends on itself through others of this 'when'
   4 |   when time > 1 then
     |   ^^^^^^^^^^^^^^^^^^
     = pre(x) is the value before the event
)mo"},
    {R"mo(model A
  Real x;
equation
  der(x) = 1;
  if x > 1 then
    when time > 2 then
      reinit(x, 0);
    end when;
  end if;
end A;
)mo",
     R"mo(m.mo:6:5: error: 'when' is not allowed inside an 'if' whose condition changes
   6 |     when time > 2 then
     |     ^^^^^^^^^^^^^^^^^^
     = make the condition part of the one of 'when'
)mo"},
    {R"mo(model A
  Real x;
equation
  der(x) = pre(x);
end A;
)mo",
     R"mo(m.mo:4:16: error: 'pre' of something continuous is allowed inside 'when' only
   4 |   der(x) = pre(x);
     |                ^
)mo"},
};

const Faulty faulty_coverage[] = {
    {R"mo(model A
  Real x, y;
equation
  x = delay(y, 1);
  y = time;
end A;
)mo",
     R"mo(m.mo:4:7: error: 'delay' is not covered
   4 |   x = delay(y, 1);
     |       ^^^^^
     = delays make other equations than differential-algebraic ones; a chain of first-order lags is near
)mo"},
    {R"mo(model A
  extends B;
  Resistor r(R = 1);
equation
  connect(r.p, r.n);
end A;
)mo",
     R"mo(m.mo:2:11: error: the type 'B' is not known
   2 |   extends B;
     |           ^
     = classes are looked for in this file alone
m.mo:3:3: error: the type 'Resistor' is not known
   3 |   Resistor r(R = 1);
     |   ^^^^^^^^
     = classes are looked for in this file alone
)mo"},
    {R"mo(model A
  String s;
equation
  s = "a";
end A;
)mo",
     R"mo(m.mo:2:10: error: variables of type String are not covered
   2 |   String s;
     |          ^
     = make it a parameter, or put String(x) into the message where it is needed
)mo"},
    {R"mo(model A
  Real x[3];
  Integer k;
equation
  k = 2;
  x = {1, 2, 3};
algorithm
  for i in 1:3 loop
    x[k, i] := 4;
  end for;
end A;
)mo",
     R"mo(m.mo:9:5: error: too many subscripts: the size is [3]
   9 |     x[k, i] := 4;
     |     ^^^^^^^
)mo"},
    {R"mo(model A
  parameter Integer n(fixed = false, start = 1);
  Real 'rod.x';
equation
  rod.x = n;
end A;
)mo",
     R"mo(m.mo:5:3: error: the name 'rod.x' is not known without its quotes
   5 |   rod.x = n;
     |   ^^^^^
     = write: 'rod.x'
)mo"},
    {R"mo(model A
  partial model B Real y; end B;
  B b;
end A;
)mo",
     R"mo(m.mo:3:3: error: 'A.B' is partial: only what extends it can be a component
   3 |   B b;
     |   ^
)mo"},
    {R"mo(model A
  Modelica.Units.SI.Lenght l;
end A;
)mo",
     R"mo(m.mo:2:3: error: 'Modelica.Units.SI.Lenght' is not covered: of the Modelica Standard Library only Constants, Math and Units are known
   2 |   Modelica.Units.SI.Lenght l;
     |   ^^^^^^^^^^^^^^^^^^^^^^^^
     = let a Modelica tool flatten the model, for example as Base Modelica: omc --baseModelica
)mo"},
    {R"mo(//! base 0.1.0
package 'P'
  model 'P'
    Real 'y'(fixed = true);
  equation
  partition
    Clock 'c' = Clock(0.1);
  subpartition (clock = 'c')
  equation
    'y' = previous('y') + 1.0;
  end 'P';
end 'P';
)mo",
     R"mo(m.mo:6:3: error: clocked partitions are not covered
   6 |   partition
     |   ^^^^^^^^^
     = use when sample(start, interval) then ... end when
m.mo:8:3: error: clocked partitions are not covered
   8 |   subpartition (clock = 'c')
     |   ^^^^^^^^^^^^
     = use when sample(start, interval) then ... end when
)mo"},
    {R"mo(expandable connector A
  Real x;
end A;
)mo",
     R"mo(m.mo:1:1: error: 'expandable' is not covered
   1 | expandable connector A
     | ^^^^^^^^^^
     = let a Modelica tool flatten the model, for example as Base Modelica: omc --baseModelica
)mo"},
};

TEST(FaultyStructure, SaysWhatAndWhere) {
  for (const auto& [model, text] : faulty_structure) EXPECT_EQ(messages(model), text);
}

TEST(FaultyCoverage, SaysWhatAndWhere) {
  for (const auto& [model, text] : faulty_coverage) EXPECT_EQ(messages(model), text);
}

}  // namespace
}  // namespace driftless::faulty_structure_test
