// Models that cannot be read, and every word that is said about them.
#include "compare_models.h"

namespace driftless::faulty_syntax_test {
namespace {

struct Faulty {
  const char *model, *messages;
};

const Faulty faulty_syntax[] = {
    {R"mo(package = 1;
model A
  Real x;
equation
  x = 1;
end A;
end 'P';
)mo",
     R"mo(m.mo:1:9: error: expected a name of the package, found '='
   1 | package = 1;
     |         ^
)mo"},
    {R"mo(model A
  Real x
equation
  x = 1;
end A;
)mo",
     R"mo(m.mo:2:9: error: expected ';' after the declaration, found 'equation'
   2 |   Real x
     |         ^
)mo"},
    {R"mo(model A
  Real x;
equation
  x = (1 + 2;
end A;
)mo",
     R"mo(m.mo:4:13: error: expected ')' to close '(', found ';'
   4 |   x = (1 + 2;
     |             ^
)mo"},
    {R"mo(model A
  Real x;
equation
  der(x) == -x;
end A;
)mo",
     R"mo(m.mo:4:3: error: '==' compares and makes no equation
   4 |   der(x) == -x;
     |   ^^^^^^^^^^^^
     = an equation is written with '='
)mo"},
    {R"mo(model A
  Real x;
equations
  x = 1;
end A;
)mo",
     R"mo(m.mo:3:1: error: this is no declaration
   3 | equations
     | ^^^^^^^^^
     = did you mean 'equation'?
)mo"},
    {R"mo(model A
  Real x;
equation
  x = 2^3^4;
end A;
)mo",
     R"mo(m.mo:4:10: error: powers do not chain
   4 |   x = 2^3^4;
     |          ^
     = write (a^b)^c or a^(b^c)
)mo"},
    {R"mo(model A
  Real x;
equation
  x = if time > 1 then 2;
end A;
)mo",
     R"mo(m.mo:4:25: error: expected 'else', found ';'
   4 |   x = if time > 1 then 2;
     |                         ^
     = an 'if' inside an expression needs an 'else', since it must have a value
)mo"},
    {R"mo(model A
  Real x;
equation
  if time > 1 then
    x = 1;
  else
    x = 2;
end A;
)mo",
     R"mo(m.mo:8:1: error: expected 'end if', found 'end'
   8 | end A;
     | ^^^
     = every 'if' is closed with 'end if;'
)mo"},
    {R"mo(model A
  Real x;
equation
  x = 1 != 2;
end A;
)mo",
     R"mo(m.mo:4:9: error: '!=' is no operator of Modelica
   4 |   x = 1 != 2;
     |         ^^
     = 'not equal' is written '<>'
)mo"},
    {R"mo(model A
  Real x;
equation
  x = 1;
end B;
)mo",
     R"mo(m.mo:5:5: error: 'A' ends with 'B'
   5 | end B;
     |     ^
     = write: end A;
)mo"},
    {R"mo(model A
  Real x;
equation
  x = 2 * -x;
end A;
)mo",
     R"mo(m.mo:4:11: error: a sign may not follow '*'
   4 |   x = 2 * -x;
     |           ^
     = write parentheses: a * (-b)
)mo"},
    {R"mo(mdoel A
  Real x;
end A;
)mo",
     R"mo(m.mo:1:1: error: expected 'model', found 'mdoel'
   1 | mdoel A
     | ^^^^^
     = did you mean 'model'?
)mo"},
    {R"mo(model A
  Real x;
equation
  x = 1;
  Real y;
end A;
)mo",
     R"mo(m.mo:5:3: error: declarations may not follow equations
   5 |   Real y;
     |   ^^^^
     = move it above 'equation'
)mo"},
    {R"mo(model A
  Real x;
algorithm
  x = 1;
end A;
)mo",
     R"mo(m.mo:4:5: error: '=' is for equations
   4 |   x = 1;
     |     ^
     = in an algorithm, values are assigned with ':='
)mo"},
    {R"mo(model A
  Real x = 1e400;
end A;
)mo",
     R"mo(m.mo:2:12: error: this number is too large
   2 |   Real x = 1e400;
     |            ^^^^^
     = the largest number is 1.7976931348623157e308
)mo"},
    {R"mo(model A
  Real x;
equation
  x = 1
  + 2
end A;
)mo",
     R"mo(m.mo:5:6: error: expected ';' at the end, found 'end'
   5 |   + 2
     |      ^
)mo"},
    {R"mo(model A
  Real 'x y;
equation
  'x y' = 1;
end A;
)mo",
     R"mo(m.mo:2:8: error: this quoted name does not end
   2 |   Real 'x y;
     |        ^^^^^
     = close it with ' on the same line; strings are in "..."
)mo"},
    {R"mo(model A
  Real x;
equation
  x = "abc;
end A;
)mo",
     R"mo(m.mo:4:7: error: this string does not end
   4 |   x = "abc;
     |       ^
     = close it with '"'; a '"' inside is written \"
)mo"},
    {R"mo()mo",
     R"mo(m.mo: error: there is no model in this file
     = write: model Name ... equation ... end Name;
)mo"},
};

const Faulty faulty_names[] = {
    {R"mo(model Spin
  Real phi, omega;
equation
  der(phi) = omgea;
  der(omega) = -phi;
end Spin;
)mo",
     R"mo(m.mo:4:14: error: the name 'omgea' is not known
   4 |   der(phi) = omgea;
     |              ^^^^^
     = did you mean 'omega'?
)mo"},
    {R"mo(model A
  Reel x;
equation
  x = 1;
end A;
)mo",
     R"mo(m.mo:2:3: error: the type 'Reel' is not known
   2 |   Reel x;
     |   ^^^^
     = did you mean 'Real'?
)mo"},
    {R"mo(model A
  Real x;
equation
  x = sine(time);
end A;
)mo",
     R"mo(m.mo:4:7: error: the function 'sine' is not known
   4 |   x = sine(time);
     |       ^^^^
     = did you mean 'sin'?
)mo"},
    {R"mo(model A
  Real x, x;
equation
  x = 1;
end A;
)mo",
     R"mo(m.mo:2:11: error: 'x' is declared twice
   2 |   Real x, x;
     |           ^
     = the first declaration is in line 2
)mo"},
    {R"mo(model A
  Real x(strat = 1);
equation
  der(x) = 1;
end A;
)mo",
     R"mo(m.mo:2:10: error: Real has no attribute 'strat'
   2 |   Real x(strat = 1);
     |          ^^^^^
     = did you mean 'start'?
)mo"},
    {R"mo(model A
  type E = enumeration(red, green);
  parameter E e = E.geen;
end A;
)mo",
     R"mo(m.mo:3:21: error: E has no literal 'geen'
   3 |   parameter E e = E.geen;
     |                     ^^^^
     = did you mean 'green'?
)mo"},
    {R"mo(model A
  record P Real x; end P;
  P p;
equation
  p.y = 1;
end A;
)mo",
     R"mo(m.mo:5:5: error: the record 'P' has no 'y'
   5 |   p.y = 1;
     |     ^
)mo"},
    {R"mo(model A
  Real x;
equation
  x = foo.bar;
end A;
)mo",
     R"mo(m.mo:4:7: error: the name 'foo' is not known
   4 |   x = foo.bar;
     |       ^^^
     = declare it: Real foo;
)mo"},
    {R"mo(model A
  Real x;
equation
  x.y = 1;
end A;
)mo",
     R"mo(m.mo:4:5: error: Real has no parts
   4 |   x.y = 1;
     |     ^
     = names with a dot in them are written in quotes: 'a.b'
)mo"},
    {R"mo(model A
  Real x;
equation
  x = x(1);
end A;
)mo",
     R"mo(m.mo:4:7: error: 'x' is a variable and cannot be called
   4 |   x = x(1);
     |       ^
     = subscripts are in brackets, and products need a '*'
)mo"},
    {R"mo(model A
  function f input Real x; output Real y; algorithm y := z; end f;
  Real x = f(1);
end A;
)mo",
     R"mo(m.mo:2:58: error: the name 'z' is not known
   2 |   function f input Real x; output Real y; algorithm y := z; end f;
     |                                                          ^
     = declare it: Real z;
)mo"},
};

TEST(FaultySyntax, SaysWhatAndWhere) {
  for (const auto& [model, text] : faulty_syntax) EXPECT_EQ(messages(model), text);
}

TEST(FaultyNames, SaysWhatAndWhere) {
  for (const auto& [model, text] : faulty_names) EXPECT_EQ(messages(model), text);
}

}  // namespace
}  // namespace driftless::faulty_syntax_test
