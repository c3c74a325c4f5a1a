#include <fmt/format.h>
#include <gtest/gtest.h>

#include "driftless/modelfile/text/parse.h"
#include "driftless/modelfile/text/token.h"

namespace driftless::parser_test {
namespace {

// The tree with all its parentheses.
std::string show(const SyntaxTree& tree, NodeId id) {
  if (id == no_node) return "";
  const SyntaxNode& node = tree.node(id);
  const auto children = tree.children(id);
  const auto list = [&](std::size_t from, std::string_view separator) {
    std::string out;
    for (std::size_t i = from; i < children.size(); ++i) {
      if (i > from) out += separator;
      out += show(tree, children[i]);
    }
    return out;
  };
  const auto word = [](std::uint32_t kind) { return spelling(static_cast<TokenKind>(kind)); };
  switch (node.kind) {
    case NodeKind::none: return "?";
    case NodeKind::number: return fmt::format("{}{}", node.number, node.op == 1 ? "" : "r");
    case NodeKind::string: return fmt::format("\"{}\"", tree.strings[node.text]);
    case NodeKind::boolean: return node.number == 1.0 ? "true" : "false";
    case NodeKind::name: return tree.name_of(id);
    case NodeKind::reference: return list(0, ".");
    case NodeKind::part: return children.empty() ? tree.name_of(id) : tree.name_of(id) + "[" + list(0, ",") + "]";
    case NodeKind::call: return show(tree, children[0]) + "(" + list(1, ",") + ")";
    case NodeKind::named_argument: return tree.name_of(id) + "=" + list(0, "");
    case NodeKind::negate: return "(-" + list(0, "") + ")";
    case NodeKind::plus: return "(+" + list(0, "") + ")";
    case NodeKind::logical_not: return "(not " + list(0, "") + ")";
    case NodeKind::sum:
    case NodeKind::product: {
      std::string out = "(" + show(tree, children[0]);
      for (std::size_t i = 1; i < children.size(); i += 2) {
        out += fmt::format("{}{}", word(children[i]), show(tree, children[i + 1]));
      }
      return out + ")";
    }
    case NodeKind::power: return "(" + list(0, node.op == 1 ? ".^" : "^") + ")";
    case NodeKind::relation: return "(" + list(0, word(node.op)) + ")";
    case NodeKind::logical_and: return "(" + list(0, " and ") + ")";
    case NodeKind::logical_or: return "(" + list(0, " or ") + ")";
    case NodeKind::choice: return "if(" + list(0, ",") + ")";
    case NodeKind::range: return "(" + list(0, ":") + ")";
    case NodeKind::array: return "{" + list(0, ",") + "}";
    case NodeKind::matrix: return "[" + list(0, ";") + "]";
    case NodeKind::matrix_row: return list(0, ",");
    case NodeKind::comprehension: return show(tree, children[0]) + " for " + list(1, ",");
    case NodeKind::iterator: return tree.name_of(id) + " in " + list(0, "");
    case NodeKind::tuple: return "(" + list(0, ",") + ")";
    case NodeKind::end: return "end";
    case NodeKind::colon: return ":";
    case NodeKind::subscripted: return show(tree, children[0]) + "[" + list(1, ",") + "]";
  }
  return "?";
}

struct Parsed {
  SyntaxTree tree;
  std::vector<Diagnostic> diagnostics;
};

Parsed parse(std::string_view text) {
  Parsed out;
  out.tree.sources.emplace_back("m.mo", text);
  Diagnostics diagnostics(out.tree.sources);
  parse_model_text(out.tree, diagnostics);
  out.diagnostics = diagnostics.take();
  return out;
}

std::string parse_expression(std::string_view text) {
  SyntaxTree tree;
  tree.sources.emplace_back("m.mo", text);
  Diagnostics diagnostics(tree.sources);
  const NodeId id = parse_expression_text(tree, 0, diagnostics);
  const std::vector<Diagnostic> list = diagnostics.take();
  if (!list.empty()) return fmt::format("{}: {}", list[0].place.column, list[0].message);
  return show(tree, id);
}

TEST(Parser, PrecedenceIsThatOfModelica) {
  const std::vector<std::pair<std::string, std::string>> table{
      {"a + b * c", "(a+(b*c))"},
      {"a - b - c", "(a-b-c)"},
      {"a / b * c", "(a/b*c)"},
      {"-x^2", "(-(x^2))"},
      {"-a * b", "(-(a*b))"},
      {"-a + b", "((-a)+b)"},
      {"+a", "(+a)"},
      {"2^(-3)", "(2^(-3))"},
      {"a .* b ./ c .^ d", "(a.*b./(c.^d))"},
      {"a .+ b .- c", "(a.+b.-c)"},
      {"not a and b or c", "(((not a) and b) or c)"},
      {"a or b and c or d", "(a or (b and c) or d)"},
      {"not a == b", "(not (a==b))"},
      {"a + 1 < b * 2", "((a+1)<(b*2))"},
      {"a < b and c >= d", "((a<b) and (c>=d))"},
      {"1:n", "(1:n)"},
      {"1:2:n + 1", "(1:2:(n+1))"},
      {"if a then b else c", "if(a,b,c)"},
      {"if a then b elseif c then d else e + 1", "if(a,b,c,d,(e+1))"},
      {"if a then b else if c then d else e", "if(a,b,c,d,e)"},
      {"a.b[1].c[i, :]", "a.b[1].c[i,:]"},
      {"x[end]", "x[end]"},
      {"x[2:end - 1]", "x[(2:(end-1))]"},
      {"f(a, b = 2)", "f(a,b=2)"},
      {"A.f(a)", "A.f(a)"},
      {"{1, 2.0, x}", "{1,2r,x}"},
      {"{}", "{}"},
      {"{i^2 for i in 1:3}", "(i^2) for i in (1:3)"},
      {"sum(x[i] for i in 1:3, j in 1:2)", "sum(x[i] for i in (1:3),j in (1:2))"},
      {"[1, 2; 3, 4]", "[1,2;3,4]"},
      {"(a, , b)", "(a,,b)"},
      {"(a)", "a"},
      {"(f(x))[2]", "f(x)[2]"},
      {"der(x)", "der(x)"},
      {"initial()", "initial()"},
      {"'a.b' + \"s\"", "('a.b'+\"s\")"},
      {"x @ 12 ", "x"},
      {"true and false", "(true and false)"},
      {"1e3", "1000r"},
  };
  for (const auto& [text, tree] : table) EXPECT_EQ(parse_expression(text), tree) << text;
}

TEST(Parser, RefusesWhatModelicaRefuses) {
  const std::vector<std::pair<std::string, std::string>> table{
      {"a^b^c", "4: powers do not chain"},
      {"a < b < c", "7: comparisons do not chain"},
      {"a * -b", "5: a sign may not follow '*'"},
      {"a^-b", "3: a sign may not follow '^'"},
      {"a + -b", "5: a sign may not follow '+'"},
      {"--a", "2: a sign may not follow a sign"},
      {"not not a", "5: 'not' may not follow 'not'"},
      {"1 + if a then b else c", "5: an 'if' inside a larger expression needs parentheses"},
      {"if a then b", "12: expected 'else', found the end of the file"},
      {"a b", "3: expected one expression, but it goes on with 'b'"},
      {"(a", "3: expected ')' to close '(', found the end of the file"},
      {"()", "1: there is nothing between these parentheses"},
      {"f(a,)", "5: an argument is missing after ','"},
      {"x[1", "4: expected ']' to close '[', found the end of the file"},
      {"1e999", "1: this number is too large"},
      {"99999999999999999999", "1: this integer is too large: beyond 2^53 they are not exact"},
      {"f(function g)", "13: expected '(' after the function, found ')'"},
      {"", "1: expected an expression, found the end of the file"},
  };
  for (const auto& [text, message] : table) EXPECT_EQ(parse_expression(text), message) << text;
  EXPECT_EQ(parse_expression("1e-999"), "0r");
}

TEST(Parser, SurvivesDeepNesting) {
  for (const char* opening : {"(", "{", "[", "f(", "x[", "if ", "if a then ", "-(", "not ("}) {
    std::string text;
    for (int i = 0; i < (opening[0] == '(' ? 1'000'000 : 10'000); ++i) text += opening;
    EXPECT_NE(parse_expression(text).find("nested more than 400 levels deep"), std::string::npos) << opening;
  }
  std::string long_sum = "a";
  for (int i = 0; i < 100'000; ++i) long_sum += " + a * b";
  EXPECT_EQ(parse_expression(long_sum).substr(0, 8), "(a+(a*b)");
  std::string long_choice;
  for (int i = 0; i < 10'000; ++i) long_choice += "if a then b else ";
  EXPECT_EQ(parse_expression(long_choice + "c").substr(0, 8), "if(a,b,a");
  std::string loops = "model A equation ";
  for (int i = 0; i < 100'000; ++i) loops += "for i in 1:2 loop ";
  EXPECT_EQ(parse(loops).diagnostics.at(0).message, "nested more than 400 levels deep");
}

TEST(Parser, ReadsAModel) {
  const Parsed out = parse(R"(
within ;
model Pendulum "a rod"
  parameter Real L(min = 0, unit = "m") = 1 "length";
  final constant Real g = 9.81;
  Real x(start = 1, fixed = true), y, r[2, n](each start = 0.0);
  discrete Real[3] d;
  input Real u;
  output Boolean b;
  type Angle = Real(unit = "rad");
  function f input Real a; output Real c; algorithm c := a; end f;
initial equation
  x = 0;
equation
  der(x) = y "rule";
  for i in 1:2, j loop r[i, j] = 0; end for;
  if b then x = 1; elseif u > 1 then x = 2; else x = 3; end if;
  when x > 1 then reinit(y, 0); elsewhen x < 0 then terminate("low"); end when;
  assert(x > 0, "x");
algorithm
  b := x > 1;
  (y, ) := f(x);
  while b loop break; end while;
initial algorithm
  d := {1, 2, 3};
  annotation(experiment(StopTime = 2), Icon(graphics = {Line(points = {{1, 2}})}), __driftless(a = "b", c(d = 1)));
end Pendulum;
)");
  EXPECT_EQ(render(out.diagnostics), "");
  ASSERT_EQ(out.tree.root.classes.size(), 1u);
  const ClassDefinition& model = out.tree.root.classes[0];
  EXPECT_EQ(out.tree.names.text(model.name), "Pendulum");
  EXPECT_EQ(model.description, "a rod");
  ASSERT_EQ(model.declarations.size(), 8u);
  EXPECT_EQ(model.declarations[0].variability, Variability::parameter);
  EXPECT_EQ(model.declarations[0].modifications.size(), 2u);
  EXPECT_EQ(model.declarations[0].description, "length");
  EXPECT_TRUE(model.declarations[1].is_final);
  EXPECT_EQ(model.declarations[4].sizes.size(), 2u);
  EXPECT_TRUE(model.declarations[4].modifications[0].each);
  EXPECT_EQ(model.declarations[5].type_sizes.size(), 1u);
  EXPECT_EQ(model.declarations[6].causality, Causality::input);
  EXPECT_EQ(model.classes.size(), 2u);
  EXPECT_EQ(model.initial_equations.size(), 1u);
  ASSERT_EQ(model.equations.size(), 5u);
  EXPECT_EQ(model.equations[0].kind, Statement::Kind::equation);
  EXPECT_EQ(model.equations[1].iterators.size(), 2u);
  EXPECT_EQ(model.equations[2].branches.size(), 3u);
  EXPECT_EQ(model.equations[3].branches.size(), 2u);
  EXPECT_EQ(model.equations[4].kind, Statement::Kind::call);
  ASSERT_EQ(model.algorithms.size(), 1u);
  EXPECT_EQ(model.algorithms[0].size(), 3u);
  EXPECT_EQ(model.initial_algorithms.size(), 1u);
  ASSERT_EQ(model.annotations.size(), 2u);
  EXPECT_EQ(model.annotations[1].nested.size(), 2u);
}

TEST(Parser, ReadsBaseModelica) {
  const Parsed out = parse(R"(//! base 0.1.0
package 'P'
  type 'E' = enumeration('a' "first", 'b');
  record 'R' Real 'x'; end 'R';
  @ 1 constant Real 'c' = 2.0;
  pure constant function 'f' input Real 'u'; output Real 'y'; external "C" 'y' = f('u') annotation(Library = "l"); end 'f';
  model 'M'
    parameter equation guess('x') = prioritize(1.0, 2);
    @ 17 Real 'x'(@ 3 start = 1.0 @ 4) @ 5 "text";
  initial equation
    prioritize('x', 3);
  equation
    @ 6 der('x') @ 7 = -'x' @ 8 "decay";
    annotation(experiment(StopTime = 1));
  end 'M';
  annotation(uses(X = 1));
end 'P';
)");
  EXPECT_EQ(render(out.diagnostics), "");
  EXPECT_TRUE(out.tree.base_modelica);
  const ClassDefinition& package = out.tree.root;
  EXPECT_EQ(out.tree.names.text(package.name), "'P'");
  EXPECT_EQ(package.declarations.size(), 1u);
  ASSERT_EQ(package.classes.size(), 4u);
  EXPECT_EQ(package.classes[0].literals.size(), 2u);
  EXPECT_TRUE(package.classes[2].is_external);
  EXPECT_EQ(package.classes[3].guesses.size(), 1u);
  EXPECT_EQ(package.classes[3].initial_equations[0].kind, Statement::Kind::prioritize);
}

TEST(Parser, GoesOnAfterErrors) {
  const Parsed out = parse(R"(model A
  Real x
  Real y;
  parameter Real = 2;
equation
  der(x) = (1 + 2;
  y = x +;
  if x > 0 then
    y == 2;
  end if;
  x := 3;
  y = x[end + * 2];
end B;
)");
  std::string lines;
  for (const Diagnostic& d : out.diagnostics)
    lines += fmt::format("{}:{}: {}\n", d.place.line, d.place.column, d.message);
  EXPECT_EQ(lines,
            "2:9: expected ';' after the declaration, found 'Real'\n"
            "4:18: expected a name for the variable, found '='\n"
            "6:18: expected ')' to close '(', found ';'\n"
            "7:10: expected an expression, found ';'\n"
            "9:5: '==' compares and makes no equation\n"
            "11:5: ':=' is for algorithms\n"
            "12:15: expected an expression, found '*'\n"
            "13:5: 'A' ends with 'B'\n");
}

}  // namespace
}  // namespace driftless::parser_test
