// Faulty functions and calls, and every word that is said about them.
#include "compare_models.h"

namespace driftless::faulty_function_test {
namespace {

struct Faulty {
  const char *model, *messages;
};

const Faulty faulty_functions[] = {
    {R"mo(model A
  function f
    input Real a;
    input Real b;
    output Real c;
  algorithm
    c := a + b;
  end f;
  Real x = f(1);
  Real y = f(1, 2, 3);
  Real z = f(1, d = 2);
end A;
)mo",
     R"mo(m.mo:9:12: error: the argument 'b' of 'f' is missing
   9 |   Real x = f(1);
     |            ^^^^
m.mo:10:20: error: 'f' has 2 arguments, but 3 are given
  10 |   Real y = f(1, 2, 3);
     |                    ^
m.mo:11:17: error: 'f' has no argument 'd'
  11 |   Real z = f(1, d = 2);
     |                 ^^^^^
)mo"},
    {R"mo(model A
  function f
    input Real a;
    output Real c;
  algorithm
    if a > 0 then
      c := a;
    end if;
  end f;
  Real x = f(time);
end A;
)mo",
     R"mo(m.mo:4:17: error: the function 'f' does not always assign its output 'c'
   4 |     output Real c;
     |                 ^
)mo"},
    {R"mo(model A
  function f
    input Real a;
    output Real c;
  algorithm
    c := f(a - 1);
  end f;
  Real x = f(time);
end A;
)mo",
     R"mo(m.mo:6:10: error: functions call each other more than 100 levels deep
   6 |     c := f(a - 1);
     |          ^^^^^^^^
     = does the recursion end?
)mo"},
    {R"mo(model A
  function f
    input Real a;
    output Real c;
  algorithm
    c := a;
    for i in 1:integer(a):5 loop
      c := c / 2;
    end for;
  end f;
  Real x = f(time);
end A;
)mo",
     R"mo(m.mo:7:16: error: the step of a range must be known before the run
   7 |     for i in 1:integer(a):5 loop
     |                ^^^^^^^^^^
)mo"},
    {R"mo(model A
  parameter Real g = 9.81;
  function f
    input Real a;
    output Real c;
  algorithm
    c := g * a;
  end f;
  Real x = f(time);
end A;
)mo",
     R"mo(m.mo:7:10: error: a function does not see 'g', which belongs to the model
   7 |     c := g * a;
     |          ^
     = hand it over as an input, or make it a constant
)mo"},
    {R"mo(model A
  function f
    input Real a;
    output Real c;
    external "C";
  end f;
  Real x = f(time);
end A;
)mo",
     R"mo(m.mo:7:12: error: the function 'f' is external: its body is not in the model
   7 |   Real x = f(time);
     |            ^^^^^^^
     = write its algorithm in Modelica
)mo"},
    {R"mo(model A
  Real x = sin(1, 2);
  Real y = atan2(1);
  Real z = max({1, 2}, 3);
end A;
)mo",
     R"mo(m.mo:2:19: error: 'sin' has 1 argument, but 2 are given
   2 |   Real x = sin(1, 2);
     |                   ^
m.mo:3:12: error: 'atan2' needs 2 arguments: 'u2' is missing
   3 |   Real y = atan2(1);
     |            ^^^^^^^^
m.mo:4:12: error: 'max' takes two numbers or one array
   4 |   Real z = max({1, 2}, 3);
     |            ^^^^^^^^^^^^^^
)mo"},
    {R"mo(model A
  function f input Real x; output Real y; algorithm x := 1; y := x; end f;
  Real x = f(1);
end A;
)mo",
     R"mo(m.mo:2:53: error: the input 'x' may not be assigned
   2 |   function f input Real x; output Real y; algorithm x := 1; y := x; end f;
     |                                                     ^
)mo"},
    {R"mo(model A
  function f input Real x[3]; output Real y; algorithm y := x[1]; end f;
  Real x = f({1, 2});
  Real y = f(1);
end A;
)mo",
     R"mo(m.mo:3:12: error: the argument 'x' must have size [3], but this has size [2]
   3 |   Real x = f({1, 2});
     |            ^^^^^^^^^
m.mo:4:12: error: the argument 'x' must have size [3], but this has size [] (one number)
   4 |   Real y = f(1);
     |            ^^^^
)mo"},
};

TEST(FaultyFunctions, SaysWhatAndWhere) {
  for (const auto& [model, text] : faulty_functions) EXPECT_EQ(messages(model), text);
}

}  // namespace
}  // namespace driftless::faulty_function_test
