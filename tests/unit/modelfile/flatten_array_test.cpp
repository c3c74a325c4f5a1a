#include "compare_models.h"

namespace driftless::flatten_array_test {
namespace {

TEST(FlattenArray, ConstantsAreComputed) {
  const std::string declarations = R"(
  parameter Real v[3] = {1, 2, 3};
  parameter Real A[2, 3] = [1, 2, 3; 4, 5, 6];
  parameter Integer n = 3;
  parameter Real cube[2, 2, 2] = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
  type E = enumeration(red, green);
  parameter Real byColour[E] = {10, 20};
)";
  const std::vector<std::pair<std::string, std::string>> table{
      {"v[2]", "2"},
      {"v[end]", "3"},
      {"v[end - 1]", "2"},
      {"v[n]", "3"},
      {"A[2, 1]", "4"},
      {"A[end, end]", "6"},
      {"sum(A[2, :])", "15"},
      {"sum(A[:, 2])", "7"},
      {"sum(A[1, 2:3])", "5"},
      {"sum(A[:, {1, 3}])", "14"},
      {"cube[2, 1, 2]", "6"},
      {"sum(cube[2])", "26"},
      {"sum(cube[:, 1, :])", "14"},
      {"v * v", "14"},
      {"sum(A * v)", "46"},
      {"sum({1, 1} * A)", "21"},
      {"(A * transpose(A))[1, 2]", "32"},
      {"sum(2 * v)", "12"},
      {"sum(v / 2)", "3"},
      {"sum(v + v - v)", "6"},
      {"sum(v .* v)", "14"},
      {"sum(v ./ v)", "3"},
      {"sum(v .^ 2)", "14"},
      {"sum(2 .^ v)", "14"},
      {"sum(v .+ 1)", "9"},
      {"sum(1 .- v)", "-3"},
      {"sum(-v)", "-6"},
      {"([1, 1; 0, 1]^5)[1, 2]", "5"},
      {"([2, 0; 0, 3]^0)[2, 2]", "1"},
      {"size(A, 1) + 10 * size(A, 2)", "32"},
      {"sum(size(A))", "5"},
      {"ndims(A)", "2"},
      {"ndims(3)", "0"},
      {"scalar({{7}})", "7"},
      {"sum(vector([1; 2; 3]))", "6"},
      {"size(matrix(v), 2)", "1"},
      {"(transpose(A))[3, 2]", "6"},
      {"(outerProduct(v, {10, 20}))[3, 2]", "60"},
      {"(symmetric([1, 2; 3, 4]))[2, 1]", "2"},
      {"(cross({1, 0, 0}, {0, 1, 0}))[3]", "1"},
      {"(skew({1, 2, 3}) * {1, 2, 3})[2]", "0"},
      {"(skew({1, 2, 3}))[1, 2]", "-3"},
      {"(identity(3))[2, 2] + (identity(3))[1, 2]", "1"},
      {"(diagonal(v))[3, 3]", "3"},
      {"sum(zeros(2, 3)) + sum(ones(2, 2))", "4"},
      {"sum(fill(2.5, 2, 2))", "10"},
      {"size(fill(v, 2), 2)", "3"},
      {"(linspace(0, 1, 5))[2]", "0.25"},
      {"(linspace(0, 1, 5))[5]", "1"},
      {"size(cat(1, v, {4}), 1)", "4"},
      {"(cat(2, A, [7; 8]))[2, 4]", "8"},
      {"size([A; A], 1)", "4"},
      {"([v, v])[3, 2]", "3"},
      {"sum(array(1, 2, 3))", "6"},
      {"sum(1:4)", "10"},
      {"sum(1:2:7)", "16"},
      {"sum(4:-1:1)", "10"},
      {"size(0:0.1:1, 1)", "11"},
      {"size(1:0, 1)", "0"},
      {"sum(zeros(0))", "0"},
      {"product(1:5)", "120"},
      {"min(v) + max(A)", "7"},
      {"sum({i^2 for i in 1:3})", "14"},
      {"({i + 10 * j for i in 1:2, j in 1:3})[3, 2]", "32"},
      {"size({i + 10 * j for i in 1:2, j in 1:3}, 1)", "3"},
      {"({i + 10 * j + 100 * k for i in 1:2, j in 1:3, k in 1:4})[4, 3, 2]", "432"},
      {"sum(i * j for i in 1:3, j in 1:2)", "18"},
      {"sum(v[i] for i)", "6"},
      {"max(i * (5 - i) for i in 1:4)", "6"},
      {"product(i for i in 1:0)", "1"},
      {"sum(x for x in {0.5, 1.5})", "2"},
      {"byColour[E.green]", "20"},
      {"sum(byColour[e] for e in E)", "30"},
      {"sum(Integer(e) for e in E)", "3"},
      {"(sin({0, 0}))[2]", "0"},
      {"(constsize(v, 3))[1]", "1"},
      {"(v + v)[2]", "4"},
  };
  for (const auto& [expression, number] : table) EXPECT_EQ(constant(expression, declarations), number) << expression;
}

TEST(FlattenArray, EquationsBecomeScalar) {
  const std::string xyz = "Real 'x[1]', 'x[2]', 'x[3]', 's';";
  const std::vector<Equivalent> table{
      {"Real x[3], s;", "der(x) = {1, 2, 3}; s = sum(x);", xyz,
       "der('x[1]') = 1; der('x[2]') = 2; der('x[3]') = 3; 's' = 'x[1]' + 'x[2]' + 'x[3]';"},
      {"Real[3] x; Real s;", "x = {s, 2 * s, x[1] * x[2]}; s = x * x;", xyz,
       "'x[1]' = 's'; 'x[2]' = 2 * 's'; 'x[3]' = 'x[1]' * 'x[2]'; 's' = 'x[1]'^2 + 'x[2]'^2 + 'x[3]'^2;"},
      {"Real x[3](start = {1, 2, 3}), s; parameter Real A[3, 3] = [1, 2, 0; 0, 0, 0; 5, 0, 7];",
       "A * x = fill(s, 3); s = time;", "Real 'x[1]'(start = 1), 'x[2]'(start = 2), 'x[3]'(start = 3), 's';",
       "'x[1]' + 2 * 'x[2]' = 's'; 0 = 's'; 5 * 'x[1]' + 7 * 'x[3]' = 's'; 's' = time;"},
      {"Real x[3](each start = 4), s;", "for i in 1:3 loop x[i] = i * s; end for; s = 1;",
       "Real 'x[1]'(start = 4), 'x[2]'(start = 4), 'x[3]'(start = 4), 's';",
       "'x[1]' = 's'; 'x[2]' = 2 * 's'; 'x[3]' = 3 * 's'; 's' = 1;"},
      {"Real x[3], s;", "for i loop x[i] = if i == 2 then s else 0; end for; s = x[end];", xyz,
       "'x[1]' = 0; 'x[2]' = 's'; 'x[3]' = 0; 's' = 'x[3]';"},
      {"Real x[3], s;", "x[1:2] = x[2:3]; x[{3}] = {s}; s = 1;", xyz,
       "'x[1]' = 'x[2]'; 'x[2]' = 'x[3]'; 'x[3]' = 's'; 's' = 1;"},
      {"Real x[3] = {s, s, s}, s;", "s = 1;", xyz, "'x[1]' = 's'; 'x[2]' = 's'; 'x[3]' = 's'; 's' = 1;"},
      {"Real x[:] = {s, s, s}, s;", "s = 1;", xyz, "'x[1]' = 's'; 'x[2]' = 's'; 'x[3]' = 's'; 's' = 1;"},
      {"type V = Real[3]; V x; Real s;", "x = s * ones(3); s = 1;", xyz,
       "'x[1]' = 's'; 'x[2]' = 's'; 'x[3]' = 's'; 's' = 1;"},
      {"Real r[2, 2], s;", "for i in 1:2, j in 1:2 loop r[i, j] = i * s + j; end for; s = r[2, 1];",
       "Real 'r[1,1]', 'r[1,2]', 'r[2,1]', 'r[2,2]', 's';",
       "'r[1,1]' = 's' + 1; 'r[1,2]' = 's' + 2; 'r[2,1]' = 2 * 's' + 1; 'r[2,2]' = 2 * 's' + 2; 's' = 'r[2,1]';"},
      {"Real r[2, 2], s;", "r = if s > 1 then identity(2) else zeros(2, 2); s = time;",
       "Real 'r[1,1]', 'r[1,2]', 'r[2,1]', 'r[2,2]', 's';",
       "'r[1,1]' = if 's' > 1 then 1 else 0; 'r[1,2]' = 0; 'r[2,1]' = 0; 'r[2,2]' = if 's' > 1 then 1 else 0; 's' = "
       "time;"},
      {"parameter Integer n = 4; Real x[n - 2];",
       "for i in 1:size(x, 1) loop for j in i:i loop der(x[j]) = j; end for; end for;", "Real 'x[1]', 'x[2]';",
       "der('x[1]') = 1; der('x[2]') = 2;"},
      {"Real x[2]; parameter Boolean on = false;",
       "for i in 1:2 loop if on then x[i] = 1; else x[i] = i; end if; end for;", "Real 'x[1]', 'x[2]';",
       "'x[1]' = 1; 'x[2]' = 2;"},
  };
  for (const Equivalent& row : table) expect_equivalent(row);
}

TEST(FlattenArray, EquationsSayWhichElementTheyAre) {
  const FlatModel model =
      flat_body("Real x[2], y[2];", "der(x) = -x;\nfor i in 1:2 loop\n  y[i] = // why\n x[i]; end for;");
  ASSERT_EQ(model.equations.size(), 4u);
  EXPECT_EQ(model.equations[0].text, "element [1] of der(x) = -x");
  EXPECT_EQ(model.equations[3].text, "for i = 2: y[i] = x[i]");
  EXPECT_EQ(model.equations[3].place.line, 6u);
  EXPECT_EQ(model.equations[3].place.column, 3u);
  EXPECT_EQ(model.variables[1].name, "x[2]");
}

TEST(FlattenArray, RecordsFallApart) {
  const std::string record = "record P Real x(unit = \"m\"); Real v[2]; end P; ";
  const std::string plain = "Real 'p.x', 'p.v[1]', 'p.v[2]';";
  const std::vector<Equivalent> table{
      {record + "P p;", "p.x = 1; p.v = {2, p.x};", plain, "'p.x' = 1; 'p.v[1]' = 2; 'p.v[2]' = 'p.x';"},
      {record + "P p = P(1, {2, 3});", "", plain, "'p.x' = 1; 'p.v[1]' = 2; 'p.v[2]' = 3;"},
      {record + "P p(x = 1, v(start = {4, 5}));", "p.v = {2, 3};",
       "Real 'p.x', 'p.v[1]'(start = 4), 'p.v[2]'(start = 5);", "'p.x' = 1; 'p.v[1]' = 2; 'p.v[2]' = 3;"},
      {record + "P p; function f input P a; output P b; algorithm b := P(x = a.v[2], v = {a.x, 2 * a.x}); end f;",
       "p = f(P(time, {1, 2}));", plain, "'p.x' = 2; 'p.v[1]' = time; 'p.v[2]' = 2 * time;"},
      {record + "P q[2];", "q[1] = P(1, {2, 3}); q[2].x = q[1].x; q[2].v = q[1].v; ",
       "Real 'q[1].x', 'q[1].v[1]', 'q[1].v[2]', 'q[2].x', 'q[2].v[1]', 'q[2].v[2]';",
       "'q[1].x' = 1; 'q[1].v[1]' = 2; 'q[1].v[2]' = 3; 'q[2].x' = 'q[1].x'; 'q[2].v[1]' = 'q[1].v[1]'; 'q[2].v[2]' = "
       "'q[1].v[2]';"},
      {record + "P q[2]; Real s;", "q.x = {1, 2}; q.v = [3, 4; 5, 6]; s = sum(q.v[1]);",
       "Real 'q[1].x', 'q[1].v[1]', 'q[1].v[2]', 'q[2].x', 'q[2].v[1]', 'q[2].v[2]', 's';",
       "'q[1].x' = 1; 'q[2].x' = 2; 'q[1].v[1]' = 3; 'q[1].v[2]' = 4; 'q[2].v[1]' = 5; 'q[2].v[2]' = 6; 's' = "
       "'q[1].v[1]' + "
       "'q[2].v[1]';"},
  };
  for (const Equivalent& row : table) expect_equivalent(row);
  const FlatModel model =
      flat(record.substr(0, 0) + "model M " + record + "parameter P p(x = 3, v = {4, 5}); Real y = p.v[2]; end M;");
  ASSERT_EQ(model.parameters.size(), 3u);
  EXPECT_EQ(model.parameters[2].name, "p.v[2]");
  EXPECT_EQ(model.parameters[2].value, 5.0);
  EXPECT_EQ(model.parameters[0].unit, "m");
}

TEST(FlattenArray, TypesBringTheirAttributes) {
  const FlatModel model = flat(R"(
model M
  type Length = Real(unit = "m", min = 0, nominal = 10);
  type Point = Length[2](each nominal = 5);
  Point p(each max = 7), q[2];
  Length l(min = -1) = 3;
equation
  p = {1, 2}; q = {p, p};
end M;)");
  ASSERT_EQ(model.variables.size(), 7u);
  EXPECT_EQ(model.variables[0].unit, "m");
  EXPECT_EQ(model.variables[1].nominal, 5.0);
  EXPECT_EQ(model.variables[1].max, 7.0);
  EXPECT_EQ(model.variables[5].name, "q[2,2]");
  EXPECT_EQ(model.variables[5].min, 0.0);
  EXPECT_EQ(model.variables[6].min, -1.0);
  EXPECT_EQ(model.variables[6].nominal, 10.0);
}

// One value for a whole array means all elements, but other tools want to be told so.
TEST(FlattenArray, MissingEachIsAWarning) {
  const ModelReading reading =
      read_model("model M\n  Real x[2](start = 1);\nequation\n  der(x) = -x;\nend M;\n", "m.mo");
  ASSERT_TRUE(reading.ok());
  EXPECT_EQ(render(reading.diagnostics),
            "m.mo:2:13: warning: one value for all of 'x', which has size [2]\n"
            "   2 |   Real x[2](start = 1);\n"
            "     |             ^^^^^^^^^\n"
            "     = write: each start = ...\n");
  EXPECT_EQ(value(*reading.model, *reading.model->variables[1].start), 1.0);
}

}  // namespace
}  // namespace driftless::flatten_array_test
