// Faulty models, given to the program: its exit code, and every word that it says.
#include <regex>

#include "tests/cli/program.h"

namespace driftless::cli_test::faulty_models_test {
namespace {

struct Faulty {
  const char* name;
  int exit_code;
  const char* text;
  const char* said;

  friend std::ostream& operator<<(std::ostream& out, const Faulty& one) { return out << one.name; }
};

const Faulty models[] = {
    // Syntax
    {"semicolon", 4, R"(model M
  Real x(start = 1)
equation
  der(x) = -x;
end M;
)",
     R"(driftless: m.mo:2:20: error: expected ';' after the declaration, found 'equation'
   2 |   Real x(start = 1)
     |                    ^
)"},
    {"paren", 4, R"(model M
  Real x(start = 1);
equation
  der(x) = -(x + 1;
end M;
)",
     R"(driftless: m.mo:4:19: error: expected ')' to close '(', found ';'
   4 |   der(x) = -(x + 1;
     |                   ^
)"},
    {"open_string", 4, R"(model M "a model
  Real x(start = 1);
equation
  der(x) = -x;
end M;
)",
     R"(driftless: m.mo:1:9: error: this string does not end
   1 | model M "a model
     |         ^
     = close it with '"'; a '"' inside is written \"
)"},
    {"wrong_end", 4, R"(model M
  Real x(start = 1);
equation
  der(x) = -x;
end N;
)",
     R"(driftless: m.mo:5:5: error: 'M' ends with 'N'
   5 | end N;
     |     ^
     = write: end M;
)"},
    {"assign", 4, R"(model M
  Real x(start = 1);
equation
  der(x) := -x;
end M;
)",
     R"(driftless: m.mo:4:10: error: ':=' is for algorithms
   4 |   der(x) := -x;
     |          ^^
     = an equation is written with '='
)"},
    {"chain", 4, R"(model M
  Real x(start = 1);
equation
  der(x) = -x^2^3;
end M;
)",
     R"(driftless: m.mo:4:16: error: powers do not chain
   4 |   der(x) = -x^2^3;
     |                ^
     = write (a^b)^c or a^(b^c)
)"},
    {"empty", 4, R"()",
     R"(driftless: m.mo: error: there is no model in this file
     = write: model Name ... equation ... end Name;
)"},
    // Names
    {"misspelt", 4, R"(model M
  Real speed(start = 1);
equation
  der(sped) = -speed;
end M;
)",
     R"(driftless: m.mo:4:7: error: the name 'sped' is not known
   4 |   der(sped) = -speed;
     |       ^^^^
     = did you mean 'speed'?
)"},
    {"notype", 4, R"(model M
  Rael x(start = 1);
equation
  der(x) = -x;
end M;
)",
     R"(driftless: m.mo:2:3: error: the type 'Rael' is not known
   2 |   Rael x(start = 1);
     |   ^^^^
     = did you mean 'Real'?
)"},
    {"declared_twice", 4, R"(model M
  Real x(start = 1);
  Real x;
equation
  der(x) = -x;
end M;
)",
     R"(driftless: m.mo:3:8: error: 'x' is declared twice
   3 |   Real x;
     |        ^
     = the first declaration is in line 2
)"},
    {"noparam", 4, R"(model M
  parameter Real k;
  Real x(start = 1);
equation
  der(x) = -k * x;
end M;
)",
     R"(driftless: m.mo:2:18: error: the parameter 'k' has no value
   2 |   parameter Real k;
     |                  ^
     = write: parameter ... k = value;
)"},
    // Sizes and types
    {"sizes", 4, R"(model M
  Real x[3](each start = 1);
equation
  der(x) = {1, 2};
end M;
)",
     R"(driftless: m.mo:4:3: error: the left side has size [3], but the right side has size [2]
   4 |   der(x) = {1, 2};
     |   ^^^^^^^^^^^^^^^
)"},
    {"subscript", 4, R"(model M
  Real x[2](each start = 1);
equation
  der(x[1]) = -x[3];
  der(x[2]) = -x[1];
end M;
)",
     R"(driftless: m.mo:4:18: error: the subscript 3 is out of range: 1 to 2
   4 |   der(x[1]) = -x[3];
     |                  ^
)"},
    {"args", 4, R"(model M
  Real x(start = 1);
equation
  der(x) = -atan2(x);
end M;
)",
     R"(driftless: m.mo:4:13: error: 'atan2' needs 2 arguments: 'u2' is missing
   4 |   der(x) = -atan2(x);
     |             ^^^^^^^^
)"},
    {"boolean", 4, R"(model M
  Real x(start = 1);
equation
  der(x) = if x then 1 else 2;
end M;
)",
     R"(driftless: m.mo:4:15: error: the condition of 'if' must be Boolean, but this is Real
   4 |   der(x) = if x then 1 else 2;
     |               ^
)"},
    // Not covered
    {"connection", 4, R"(model M
  Real x(start = 1);
equation
  der(x) = -x;
  connect(a.p, b.n);
end M;
)",
     R"(driftless: m.mo:5:11: error: there is no 'a' here
   5 |   connect(a.p, b.n);
     |           ^
)"},
    {"inheritance", 4, R"(model M
  extends Base;
  Real x(start = 1);
equation
  der(x) = -x;
end M;
)",
     R"(driftless: m.mo:2:11: error: the type 'Base' is not known
   2 |   extends Base;
     |           ^^^^
     = classes are looked for in this file alone
)"},
    {"delayed", 4, R"(model M
  Real x(start = 1);
equation
  der(x) = -delay(x, 0.1);
end M;
)",
     R"(driftless: m.mo:4:13: error: 'delay' is not covered
   4 |   der(x) = -delay(x, 0.1);
     |             ^^^^^
     = delays make other equations than differential-algebraic ones; a chain of first-order lags is near
)"},
    // Structure
    {"missing", 5, R"(model M
  Real x(start = 1), y;
equation
  der(x) = -x + y;
end M;
)",
     R"(driftless: m.mo:2:22: error: too few equations: 1 equation for the 2 unknowns x, y: 'der(x) = -x + y' (line 4)
   2 |   Real x(start = 1), y;
     |                      ^
     = add an equation for one of these unknowns, or make one of them a parameter
)"},
    {"toomany", 5, R"(model M
  Real x(start = 1), y;
equation
  der(x) = -x;
  y = 2 * x;
  y = x + 1;
end M;
)",
     R"(driftless: m.mo:6:3: error: too many equations: 3 equations for the 2 unknowns x, y: 'der(x) = -x' (line 4), 'y = 2 * x' (line 5), 'y = x + 1' (line 6)
   6 |   y = x + 1;
     |   ^^^^^^^^^
     = remove what is said twice, or add the unknown that one of them should determine
)"},
    {"singular", 5, R"(model M
  Real x(start = 1), y, z;
equation
  der(x) = -x;
  y + z = x;
  2 * y + 2 * z = 3 * x;
end M;
)",
     R"(driftless: m.mo:6:3: error: '2 * y + 2 * z = 3 * x' (line 6) says nothing new: it follows from 'der(x) = -x' (line 4), 'y + z = x' (line 5)
   6 |   2 * y + 2 * z = 3 * x;
     |   ^^^^^^^^^^^^^^^^^^^^^
     = replace it by an equation that is missing
)"},
    {"twice", 5, R"(model M
  Real x(start = 1), a, b;
equation
  der(x) = -a;
  a * b = x;
  a * b = x;
end M;
)",
     R"(driftless: m.mo:6:3: error: 'a * b = x' (line 6) says nothing new: it follows from 'der(x) = -a' (line 4), 'a * b = x' (line 5)
   6 |   a * b = x;
     |   ^^^^^^^^^
     = replace it by an equation that is missing
)"},
    {"index_four", 5, R"(model M
  Real x, v, a, j;
equation
  der(x) = v;
  der(v) = a;
  der(a) = j - x;
  x = sin(time);
end M;
)",
     R"(driftless: m.mo:7:3: error: the index is 4 or higher: 'x = sin(time)' (line 7) would have to be differentiated more than twice until something determines x, v; it is tied to them by 'der(x) = v' (line 4), 'der(v) = a' (line 5)
   7 |   x = sin(time);
     |   ^^^^^^^^^^^^^
     = replace the constraint by its derivative, which lowers the index by one, or let its multiplier act closer to it
)"},
    {"index_four_mechanism", 5, R"(model M
  Real x(start = 1), y, vx, vy, ax, ay, F;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = ax;
  der(vy) = ay;
  der(ax) = -F * x;
  der(ay) = -F * y - 1;
  x^2 + y^2 = 1;
end M;
)",
     R"(driftless: m.mo:10:3: error: the index is 4 or higher: 'x^2 + y^2 = 1' (line 10) would have to be differentiated more than twice until something determines x, y, vx, vy; it is tied to them by 'der(x) = vx' (line 4), 'der(y) = vy' (line 5), 'der(vx) = ax' (line 6), 'der(vy) = ay' (line 7)
  10 |   x^2 + y^2 = 1;
     |   ^^^^^^^^^^^^^
     = replace the constraint by its derivative, which lowers the index by one, or let its multiplier act closer to it
)"},
    // The start
    {"divide", 14, R"(model M
  Real x(start = 0, fixed = true);
equation
  der(x) = 1 / x;
end M;
)",
     R"(driftless: m.mo:4:3: error: 'der(x) = 1 / x' (line 4) cannot be evaluated at the start: division by x, which is 0
   4 |   der(x) = 1 / x;
     |   ^^^^^^^^^^^^^^
     = give start values for which it is defined
  more:  driftless explain inconsistent-start
)"},
    {"impossible", 14, R"(model M
  Real x(start = 1), y, u, v, F;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -F * x;
  der(v) = -F * y - 1;
  x^2 + y^2 = -1;
end M;
)",
     R"(driftless: m.mo:8:3: error: 'x^2 + y^2 = -1' (line 8) cannot be satisfied at the start: 1 is left of it
   8 |   x^2 + y^2 = -1;
     |   ^^^^^^^^^^^^^^
     = give start values closer to a solution, or check whether there is one
  more:  driftless explain inconsistent-start
)"},
    {"fixed_values", 14, R"(model M
  Real x(start = 1, fixed = true), y(start = 1, fixed = true), u, v, F;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -F * x;
  der(v) = -F * y - 1;
  x^2 + y^2 = 1;
end M;
)",
     R"(driftless: m.mo:8:3: error: 'x^2 + y^2 = 1' (line 8) cannot be satisfied at the start: 1 is left of it
   8 |   x^2 + y^2 = 1;
     |   ^^^^^^^^^^^^^
     = free one of the start values that are fixed: x = 1, y = 1
  more:  driftless explain inconsistent-start
)"},
    // The run; numbers in the message are not compared
    {"square_root", 10, R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -sqrt(x - 0.5);
  annotation(experiment(StopTime = 3));
end M;
)",
     R"(driftless: not finite at t = #: a function of the model is not finite
  where: f returned nan in component # ('der(x) = -sqrt(x - #)' (line #)), called with t = #, x = #
  try:   guard the formula (division by zero, square root or logarithm of a negative number), or take smaller steps
  more:  driftless explain not-finite
)"},
    {"logarithm", 10, R"(model M
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -1;
  y = log(x);
  annotation(experiment(StopTime = 3));
end M;
)",
     R"(driftless: not finite at t = #: a result is not finite
  where: y
  try:   guard its formula (division by zero, square root or logarithm of a negative number)
  more:  driftless explain not-finite
)"},
    {"pole", 16, R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = x^2;
  annotation(experiment(StopTime = 3));
end M;
)",
     R"(driftless: step size too small at t = #: the step size fell to # (the last accepted step was #) after # steps; rejected: # by the error test, # by Newton, # by the projection
  where: the largest correction was in x
  try:   (#) a pole: x grows without bound; end the run before it, or state #/x instead; (#) a discontinuity in the equations; state it as an event with a jump, or smooth it
  more:  driftless explain step-size-too-small
)"},
    {"assertion", 18, R"(model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -1;
  assert(x > 0.5, "x is too small: " + String(x));
  annotation(experiment(StopTime = 3));
end M;
)",
     R"(driftless: assertion failed at t = #
m.mo:#:#: error: x is too small: #
   # |   assert(x > #, "x is too small: " + String(x));
     |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  more:  driftless explain assertion-failed
)"},
};

std::string without_numbers(const std::string& text) {
  return std::regex_replace(text, std::regex(R"(-?\d+(\.\d+)?(e[-+]?\d+)?)"), "#");
}

class FaultyModels : public InFolder, public testing::WithParamInterface<Faulty> {};

TEST_P(FaultyModels, AreRefusedWithTheseWords) {
  const Faulty& faulty = GetParam();
  std::ofstream("m.mo") << faulty.text;
  const Outcome outcome = driftless("solve m.mo --quiet");
  EXPECT_EQ(outcome.exit_code, faulty.exit_code);
  const bool in_the_run = contains(faulty.said, "#");
  EXPECT_EQ(in_the_run ? without_numbers(outcome.err) : outcome.err, faulty.said);
  EXPECT_EQ(outcome.out, "");
}

// The same in one object, for programs.
TEST_P(FaultyModels, HaveAStatusInJson) {
  const Faulty& faulty = GetParam();
  std::ofstream("m.mo") << faulty.text;
  const Outcome outcome = driftless("solve m.mo --json");
  EXPECT_EQ(outcome.exit_code, faulty.exit_code);
  const Json report = Json::parse(outcome.out);
  const Json explanation = Json::parse(driftless("explain " + std::to_string(faulty.exit_code) + " --json").out);
  EXPECT_EQ(report["status"], explanation["name"]) << explanation;
}

INSTANTIATE_TEST_SUITE_P(Program, FaultyModels, testing::ValuesIn(models),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace driftless::cli_test::faulty_models_test
