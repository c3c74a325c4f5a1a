// What is said about models that cannot be solved: where, what, and what to do.
#include <gtest/gtest.h>

#include "text_model.h"

namespace driftless::testing_models::structure_faults_test {
namespace {

struct Fault {
  const char* name;
  const char* text;
  const char* said;  // "line: message; suggestion", one line each
};

std::ostream& operator<<(std::ostream& out, const Fault& fault) { return out << fault.name; }

// Everything that compiling and starting say.
std::string said_about(const char* text) {
  const Compilation compilation = compile(flat(text));
  if (!compilation.ok()) return text_of(compilation.errors);
  return text_of(compilation.model->start().errors);
}

class Faults : public testing::TestWithParam<Fault> {};

TEST_P(Faults, AreNamedWithTheirPlace) { EXPECT_EQ(said_about(GetParam().text), GetParam().said); }

const Fault faults[] = {
    {"missing equation", R"(model M
  Real x(start = 1), y, v;
equation
  der(x) = v;
  y = 2*x;
end M;)",
     "2: too few equations: 2 equations for the 3 unknowns x, y, v: 'der(x) = v' (line 4), 'y = 2*x' (line 5); add an "
     "equation for one of these unknowns, or make one of them a parameter\n"},
    {"unused variable", R"(model M
  Real x(start = 1);
  Real y;
equation
  der(x) = -x;
end M;)",
     "3: no equation contains y; add the equation that determines it, or remove it\n"},
    {"too many equations", R"(model M
  Real x(start = 1), y;
equation
  der(x) = -x;
  y = 2*x;
  y = sin(time);
end M;)",
     "6: too many equations: 3 equations for the 2 unknowns x, y: 'der(x) = -x' (line 4), 'y = 2*x' (line 5), 'y = "
     "sin(time)' (line 6); remove what is said twice, or add the unknown that one of them should determine\n"},
    {"structurally singular", R"(model M
  Real x, y, z, w;
equation
  der(x) = y;
  x + y = 1;
  x - y = time;
  z + w = x;
end M;)",
     "6: too many equations: 3 equations for the 2 unknowns x, y: 'der(x) = y' (line 4), 'x + y = 1' (line 5), 'x - y "
     "= "
     "time' (line 6); remove what is said twice, or add the unknown that one of them should determine\n"
     "2: too few equations: 1 equation for the 2 unknowns z, w: 'z + w = x' (line 7); add an equation for one of these "
     "unknowns, or make one of them a parameter\n"},
    {"equation of parameters", R"(model M
  parameter Real k = 2;
  Real x(start = 1);
equation
  der(x) = -x;
  k = 3;
end M;)",
     "6: 'k = 3' (line 6) contains no unknown, so nothing can make it true; remove it, or use a variable that is not a "
     "parameter\n"},
    {"repeated", R"(model M
  Real x, y, z;
equation
  x = y;
  y = z;
  z = x;
end M;)",
     "6: 'z = x' (line 6) says nothing new: it follows from 'x = y' (line 4), 'y = z' (line 5); replace it by an "
     "equation that is missing\n"},
    {"linearly dependent", R"(model M
  Real x(start = 1), y, z;
equation
  der(x) = -x;
  y + z = x;
  2*y + 2*z = 2*x;
end M;)",
     "6: '2*y + 2*z = 2*x' (line 6) says nothing new: it follows from 'y + z = x' (line 5); replace it by an equation "
     "that is missing\n"},
    {"contradiction", R"(model M
  Real x, y, z;
equation
  x = y + 1;
  y = z;
  z = x;
end M;)",
     "6: 'z = x' (line 6) contradicts 'x = y + 1' (line 4), 'y = z' (line 5): together they say 0 = -1; one of them is "
     "wrong\n"},
    {"contradicting derivatives", R"(model M
  Real x, y;
equation
  der(x) + der(y) = 1;
  2*der(x) + 2*der(y) = 3;
end M;)",
     "5: '2*der(x) + 2*der(y) = 3' (line 5) contradicts 'der(x) + der(y) = 1' (line 4): together they say 0 = -1; one "
     "of them is wrong\n"},
    {"index 4", R"(model M
  Real x(start = 1), y, u, v, a, b, lambda;
equation
  der(x) = u;
  der(y) = v;
  der(u) = a;
  der(v) = b;
  der(a) = -lambda*x;
  der(b) = -lambda*y;
  x^2 + y^2 = 1;
end M;)",
     "10: the index is 4 or higher: 'x^2 + y^2 = 1' (line 10) would have to be differentiated more than twice until "
     "something determines x, y, u, v; it is tied to them by 'der(x) = u' (line 4), 'der(y) = v' (line 5), 'der(u) = "
     "a' "
     "(line 6), 'der(v) = b' (line 7); replace the constraint by its derivative, which lowers the index by one, or let "
     "its multiplier act closer to it\n"},
    {"multiplier that does not act", R"(model M
  Real x(start = 1), y, u, v, lambda;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -lambda*y;
  der(v) = lambda*x - 1;
  x^2 + y^2 = 1;
end M;)",
     "8: lambda does not enforce 'x^2 + y^2 = 1' (line 8): the matrix that decides the index has rank 0 of 1; let it "
     "act "
     "along the gradients of the constraints; as it is, the index is higher than 3, or there is no unique solution\n"},
    {"multipliers that act alike", R"(model M
  Real x(start = 1), y, u, v, a, b;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -(a + b);
  der(v) = -(a + b) - 1;
  x^2 + y^2 = 1;
  x - y = time + 1;
end M;)",
     "8: a, b together do not enforce 'x^2 + y^2 = 1' (line 8), 'x - y = time + 1' (line 9): the matrix that decides "
     "the "
     "index has rank 1 of 2; let them act along the gradients of the constraints; as it is, the index is higher than "
     "3, "
     "or there is no unique solution\n"},
    {"division by zero", R"(model M
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = 1/y;
  der(y) = x;
end M;)",
     "4: 'der(x) = 1/y' (line 4) cannot be evaluated at the start: division by y, which is 0; give start values for "
     "which "
     "it is defined\n"},
    {"not a number", R"(model M
  Real x(start = -1, fixed = true);
equation
  der(x) = sqrt(x);
end M;)",
     "4: 'der(x) = sqrt(x)' (line 4) cannot be evaluated at the start: sqrt(x) has the argument -1; give start values "
     "for "
     "which it is defined\n"},
    {"not finite in an equation that was put into another", R"(model M
  Real x(start = 0, fixed = true), y;
equation
  der(x) = y;
  y = log(x);
end M;)",
     "5: 'y = log(x)' (line 5) cannot be evaluated at the start: log(x) has the argument 0; give start values for "
     "which "
     "it is defined\n"},
    {"constraint without a solution", R"(model M
  Real x(start = 1), y, u, v, lambda;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -lambda*x;
  der(v) = -lambda*y - 1;
  x^2 + y^2 + 1 = 0;
end M;)",
     "8: 'x^2 + y^2 + 1 = 0' (line 8) cannot be satisfied at the start: 1 is left of it; give start values closer to a "
     "solution, or check whether there is one\n"},
    {"fixed start values that contradict a constraint", R"(model M
  Real x(start = 1, fixed = true), y(start = 1, fixed = true), u, v, lambda;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -lambda*x;
  der(v) = -lambda*y - 1;
  x^2 + y^2 = 1;
end M;)",
     "8: 'x^2 + y^2 = 1' (line 8) cannot be satisfied at the start: 1 is left of it; free one of the start values that "
     "are fixed: x = 1, y = 1\n"},
    {"fixed start values that contradict each other", R"(model M
  Real x(start = 1, fixed = true);
  Real y(start = 1, fixed = true);
equation
  der(x) = -x;
  y = -x;
end M;)",
     "3: the fixed start value of y cannot be satisfied at the start: -2 is left of it; free one of the start values "
     "that "
     "are fixed: x = 1\n"},
    {"initial equations that contradict", R"(model M
  Real x(start = 1), y(start = 2, fixed = true);
initial equation
  x + y = 1;
  x - y = 7;
equation
  der(x) = -x;
  der(y) = -y;
end M;)",
     "4: the initial equation 'x + y = 1' (line 4) cannot be satisfied at the start: 5 is left of it; free one of the "
     "start values that are fixed: y = 2\n"},
    {"algebraic loop that is singular at the start", R"(model M
  Real x(start = 1), y(start = 0), z;
equation
  der(x) = -x;
  y^2 = z;
  sin(z) = y^3;
end M;)",
     "6: the algebraic equations do not determine the algebraic variables at the start (rank 0 of 1); start elsewhere "
     "if "
     "this happens at one point only; otherwise the equations depend on each other and the index is higher than 1\n"},
    {"reinit of what is no state", R"(model M
  Real x(start = 1), y;
equation
  der(x) = -x;
  y = x^2;
  when x < 0.5 then
    reinit(y, 1);
  end when;
end M;)",
     "7: reinit(y, ...): y is not a state; only variables that the equations differentiate can be given a new value\n"},
    {"discrete variable that depends on itself", R"(model M
  Real x(start = 1);
  Boolean b;
equation
  der(x) = -x;
  b = not pre(b);
end M;)",
     "0: the event at t = 0 does not come to an end: these go on to change: b; make sure that what a when-clause "
     "assigns "
     "does not make its own condition true again, and let no new value depend on itself\n"},
    {"assertion at the start", R"(model M
  Real x(start = 1);
equation
  der(x) = -x;
  assert(x > 2, "x is " + String(x) + ", which is too small");
end M;)",
     "5: x is 1, which is too small\n"},
};

INSTANTIATE_TEST_SUITE_P(Structure, Faults, testing::ValuesIn(faults), [](const auto& one) {
  std::string name = one.param.name;
  for (char& c : name)
    if (c == ' ') c = '_';
  return name;
});

}  // namespace
}  // namespace driftless::testing_models::structure_faults_test
