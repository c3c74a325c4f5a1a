// Models whose values cannot be right, and every word that is said about them.
#include "compare_models.h"

namespace driftless::faulty_value_test {
namespace {

struct Faulty {
  const char *model, *messages;
};

const Faulty faulty_sizes[] = {
    {R"mo(model A
  Real x[3];
equation
  x = {1, 2};
end A;
)mo",
     R"mo(m.mo:4:3: error: the left side has size [3], but the right side has size [2]
   4 |   x = {1, 2};
     |   ^^^^^^^^^^
)mo"},
    {R"mo(model A
  Real x[3];
equation
  x[4] = 1;
end A;
)mo",
     R"mo(m.mo:4:5: error: the subscript 4 is out of range: 1 to 3
   4 |   x[4] = 1;
     |     ^
)mo"},
    {R"mo(model A
  parameter Real M[2, 2] = [1, 2; 3, 4];
  Real x[3];
equation
  M * x = {1, 2};
end A;
)mo",
     R"mo(m.mo:5:3: error: the sizes [2, 2] and [3] do not fit for a product
   5 |   M * x = {1, 2};
     |   ^^^^^
)mo"},
    {R"mo(model A
  Real x[3], y;
equation
  x = 1 + x;
  y = {1, {2, 3}};
end A;
)mo",
     R"mo(m.mo:4:7: error: '+' needs equal sizes, but these are [] (one number) and [3]
   4 |   x = 1 + x;
     |       ^^^^^
     = a number with each element: a .+ b
m.mo:5:7: error: the entries of an array must have equal sizes, but these have [] (one number) and [2]
   5 |   y = {1, {2, 3}};
     |       ^^^^^^^^^^^
)mo"},
    {R"mo(model A
  Real x[3](start = {1, 2});
equation
  der(x) = -x;
end A;
)mo",
     R"mo(m.mo:2:21: error: 'start' of 'x' must have size [3], but this has size [2]
   2 |   Real x[3](start = {1, 2});
     |                     ^^^^^^
)mo"},
    {R"mo(model A
  parameter Integer n = -1;
  Real x[n];
end A;
)mo",
     R"mo(m.mo:3:10: error: a size may not be negative, but this is -1
   3 |   Real x[n];
     |          ^
)mo"},
    {R"mo(model A
  Real x[1000000, 1000000];
end A;
)mo",
     R"mo(m.mo:2:8: error: an array of size [1000000, 1000000] is too large: more than 10000000 numbers
   2 |   Real x[1000000, 1000000];
     |        ^^^^^^^^^^^^^^^^^^^
     = are the sizes of arrays and loops what they are meant to be? If so, raise the limit: --max-memory SIZE
)mo"},
    {R"mo(model A
  Real x[2];
equation
  x[1, 2] = 1;
  x[1.5] = 2;
end A;
)mo",
     R"mo(m.mo:4:3: error: too many subscripts: the size is [2]
   4 |   x[1, 2] = 1;
     |   ^^^^^^^
m.mo:5:5: error: a subscript must be Integer, but this is Real
   5 |   x[1.5] = 2;
     |     ^^^
)mo"},
    {R"mo(model A
  Real x;
equation
  x = {1, 2} * [1, 2, 3; 4, 5, 6; 7, 8, 9];
end A;
)mo",
     R"mo(m.mo:4:7: error: the sizes [2] and [3, 3] do not fit for a product
   4 |   x = {1, 2} * [1, 2, 3; 4, 5, 6; 7, 8, 9];
     |       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
)mo"},
    {R"mo(model A
  Real x[3] = zeros(4);
  parameter Real v[2] = 1;
end A;
)mo",
     R"mo(m.mo:2:8: error: the left side has size [3], but the right side has size [4]
   2 |   Real x[3] = zeros(4);
     |        ^^^^^^^^^^^^^^^
m.mo:3:18: error: 'v' has size [2], but its value has size [] (one number)
   3 |   parameter Real v[2] = 1;
     |                  ^^^^^^^^
     = fill(x, n) is an array of n times x
)mo"},
    {R"mo(model A
  Real x;
equation
  for i in 1:1e9 loop
    x = i;
  end for;
end A;
)mo",
     R"mo(m.mo:4:12: error: this range is too long: more than 10000000 numbers
   4 |   for i in 1:1e9 loop
     |            ^^^^^
     = is it as long as it is meant to be? If so, raise the limit: --max-memory SIZE
)mo"},
    {R"mo(model A
  Real x = {};
end A;
)mo",
     R"mo(m.mo:2:12: error: '{}' has no type
   2 |   Real x = {};
     |            ^^
     = an empty array of numbers is written zeros(0)
)mo"},
};

const Faulty faulty_types[] = {
    {R"mo(model A
  Real x;
equation
  x = time > 1;
end A;
)mo",
     R"mo(m.mo:4:3: error: the left side is Real, but the right side is Boolean
   4 |   x = time > 1;
     |   ^^^^^^^^^^^^
)mo"},
    {R"mo(model A
  parameter Integer n = 2.5;
end A;
)mo",
     R"mo(m.mo:2:25: error: 'n' must be Integer, but this is Real
   2 |   parameter Integer n = 2.5;
     |                         ^^^
     = round it: integer(x) is the largest Integer that is not above x
)mo"},
    {R"mo(model A
  Real x;
equation
  x = 1 + true;
end A;
)mo",
     R"mo(m.mo:4:7: error: '+' needs numbers, but the right side is Boolean
   4 |   x = 1 + true;
     |       ^^^^^^^^
)mo"},
    {R"mo(model A
  Real x;
equation
  x = if time then 1 else 2;
end A;
)mo",
     R"mo(m.mo:4:10: error: the condition of 'if' must be Boolean, but this is Real
   4 |   x = if time then 1 else 2;
     |          ^^^^
)mo"},
    {R"mo(model A
  Real x;
equation
  x = if x == 1 then 1 else 2;
end A;
)mo",
     R"mo(m.mo:4:10: error: '==' of Real numbers that change with time is not allowed
   4 |   x = if x == 1 then 1 else 2;
     |          ^^^^^^
     = no one can say when two such numbers are equal; compare with '<' or '>'
)mo"},
    {R"mo(model A
  Boolean b;
equation
  b = not 1;
  b = true and 2 > 1 and time;
end A;
)mo",
     R"mo(m.mo:4:11: error: what 'not' stands before must be Boolean, but this is Integer
   4 |   b = not 1;
     |           ^
m.mo:5:26: error: an operand of 'and' must be Boolean, but this is Real
   5 |   b = true and 2 > 1 and time;
     |                          ^^^^
)mo"},
    {R"mo(model A
  Real x(min = "low");
equation
  x = 1;
end A;
)mo",
     R"mo(m.mo:2:16: error: 'min' of 'x' must be Real, but this is String
   2 |   Real x(min = "low");
     |                ^^^^^
)mo"},
    {R"mo(model A
  Integer n = integer(9e15) * 10;
end A;
)mo",
     R"mo(m.mo:2:15: error: integer(9e15) * 10 is too large for an Integer: beyond 2^53 they are not exact
   2 |   Integer n = integer(9e15) * 10;
     |               ^^^^^^^^^^^^^^^^^^
)mo"},
};

const Faulty faulty_parameters[] = {
    {R"mo(model A
  parameter Real a = b + 1;
  parameter Real b = 2 * c;
  parameter Real c = a;
end A;
)mo",
     R"mo(m.mo:4:22: error: 'a' depends on itself: 'a' needs 'b' needs 'c' needs 'a'
   4 |   parameter Real c = a;
     |                      ^
)mo"},
    {R"mo(model A
  parameter Real m = 0;
  parameter Real f = 3 / m;
end A;
)mo",
     R"mo(m.mo:3:22: error: division by zero: 3 / m
   3 |   parameter Real f = 3 / m;
     |                      ^^^^^
)mo"},
    {R"mo(model A
  Real x;
  parameter Real p = 2 * x;
equation
  x = 1;
end A;
)mo",
     R"mo(m.mo:3:26: error: the parameter 'p' may not depend on the variable 'x'
   3 |   parameter Real p = 2 * x;
     |                          ^
     = it must be known before the run: use numbers, constants and parameters
)mo"},
    {R"mo(model A
  parameter Real p;
  Real x = p;
end A;
)mo",
     R"mo(m.mo:2:18: error: the parameter 'p' has no value
   2 |   parameter Real p;
     |                  ^
     = write: parameter ... p = value;
)mo"},
    {R"mo(model A
  parameter Real s = sqrt(-2);
end A;
)mo",
     R"mo(m.mo:2:22: error: sqrt(-2) is not a finite number
   2 |   parameter Real s = sqrt(-2);
     |                      ^^^^^^^^
)mo"},
    {R"mo(model A
  parameter Real m(min = 0) = -1;
equation
  assert(m > 0, "the mass must be positive");
end A;
)mo",
     R"mo(m.mo:2:18: warning: 'm' = -1 is below its minimum 0
   2 |   parameter Real m(min = 0) = -1;
     |                  ^
m.mo:4:3: error: the assertion does not hold: the mass must be positive
   4 |   assert(m > 0, "the mass must be positive");
     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
)mo"},
    {R"mo(model A
  parameter Real p = time;
end A;
)mo",
     R"mo(m.mo:2:22: error: the parameter 'p' may not depend on 'time'
   2 |   parameter Real p = time;
     |                      ^^^^
)mo"},
    {R"mo(model A
  parameter Real p = 1;
algorithm
  p := 2;
end A;
)mo",
     R"mo(m.mo:4:3: error: the parameter 'p' cannot be assigned
   4 |   p := 2;
     |   ^
     = give it its value where it is declared
)mo"},
    {R"mo(model A
  Real x(start = y), y;
equation
  x = 1; y = 2;
end A;
)mo",
     R"mo(m.mo:2:18: error: 'start' of 'x' may not depend on the variable 'y'
   2 |   Real x(start = y), y;
     |                  ^
     = it must be known before the run: use numbers, constants and parameters
)mo"},
};

TEST(FaultySizes, SaysWhatAndWhere) {
  for (const auto& [model, text] : faulty_sizes) EXPECT_EQ(messages(model), text);
}

TEST(FaultyTypes, SaysWhatAndWhere) {
  for (const auto& [model, text] : faulty_types) EXPECT_EQ(messages(model), text);
}

TEST(FaultyParameters, SaysWhatAndWhere) {
  for (const auto& [model, text] : faulty_parameters) EXPECT_EQ(messages(model), text);
}

}  // namespace
}  // namespace driftless::faulty_value_test
