#include <gtest/gtest.h>

#include "driftless/modelfile/structure/expression_text.h"
#include "driftless/modelfile/structure/linear_row.h"

namespace driftless::structure_linear_row_test {
namespace {

std::string text(const Graph& graph, Expr e) {
  return expression_text(graph, e, [](std::uint32_t slot) { return std::string(1, static_cast<char>('a' + slot)); });
}

TEST(LinearRow, CollectsFactorsThroughSums) {
  Graph g;
  const Expr a = g.input(0), b = g.input(1), c = g.input(2), product = g.multiply(b, c);
  // 3 (a - b / 4) - (2 a + bc - 5) + 2 bc = a - 0.75 b + bc + 5
  const Expr sum = g.subtract(a, g.divide(b, g.constant(4.0)));
  const Expr e = g.add(g.subtract(g.multiply(g.constant(3.0), sum),
                                  g.subtract(g.add(g.multiply(g.constant(2.0), a), product), g.constant(5.0))),
                       g.multiply(g.constant(2.0), product));
  const LinearRow row = linear_row(g, e);
  EXPECT_EQ(row.terms.size(), 3u);
  EXPECT_DOUBLE_EQ(row.factor_of(a).at_compilation(), 1.0);
  EXPECT_DOUBLE_EQ(row.factor_of(b).at_compilation(), -0.75);
  EXPECT_DOUBLE_EQ(row.factor_of(product).at_compilation(), 1.0);
  EXPECT_DOUBLE_EQ(row.factor_of(c).at_compilation(), 0.0);
  EXPECT_DOUBLE_EQ(row.constant.at_compilation(), 5.0);
  const std::vector<double> at{0.3, -1.7, 2.9};
  EXPECT_NEAR(evaluate(g, to_expr(g, row), at), evaluate(g, e, at), 1e-14);
}

TEST(LinearRow, DropsWhatCancelsToRounding) {
  Graph g;
  const Expr a = g.input(0), b = g.input(1);
  const auto times = [&](double x, Expr e) { return g.multiply(g.constant(x), e); };
  // 0.1 (a + b) + 0.2 (a - b) - 0.3 a: the factor of a is 5e-17.
  const Expr e = g.subtract(g.add(times(0.1, g.add(a, b)), times(0.2, g.subtract(a, b))), times(0.3, a));
  const LinearRow row = linear_row(g, e);
  EXPECT_TRUE(row.cancelled);
  EXPECT_EQ(row.terms.size(), 1u);
  EXPECT_NEAR(row.factor_of(b).at_compilation(), -0.1, 1e-16);
}

TEST(LinearRow, DigitsAreNotLostInWhatCancels) {
  Graph graph;
  const Expr x = graph.input(0), y = graph.input(1), small = graph.apply(Op::sin, y);
  const Expr hidden = graph.subtract(x, graph.subtract(graph.add(x, small), y));
  const std::vector<double> at = {1e9, 0.5};
  EXPECT_GT(std::abs(evaluate(graph, hidden, at) - (0.5 - std::sin(0.5))), 1e-9);
  EXPECT_EQ(evaluate(graph, without_cancellation(graph, hidden), at), 0.5 - std::sin(0.5));
  const Expr plain = graph.subtract(x, small);
  EXPECT_EQ(without_cancellation(graph, plain), plain);
}

TEST(LinearRow, SharedSumsAreOpenedOnce) {
  Graph g;
  Expr e = g.input(0);
  for (int k = 0; k < 200; ++k) e = g.add(g.add(e, g.input(1)), e);  // 2^200 paths
  const LinearRow row = linear_row(g, e);
  EXPECT_EQ(row.terms.size(), 2u);
  EXPECT_DOUBLE_EQ(row.factor_of(g.input(0)).at_compilation(), std::ldexp(1.0, 200));
}

TEST(LinearRow, AddsAndScalesAndRemoves) {
  Graph g;
  const Expr a = g.input(0), b = g.input(1);
  const LinearRow x = linear_row(g, g.add(g.add(a, b), g.constant(1.0)));
  const LinearRow y = linear_row(g, g.subtract(a, b));
  const LinearRow sum = add(x, 1.0, y);
  EXPECT_EQ(sum.terms.size(), 1u);
  EXPECT_DOUBLE_EQ(sum.factor_of(a).at_compilation(), 2.0);
  EXPECT_DOUBLE_EQ(scale(sum, 3.0).constant.at_compilation(), 3.0);
  EXPECT_TRUE(without(sum, a).terms.empty());
}

TEST(Dependence, NoneAffineAndNonlinear) {
  Graph g;
  const Expr a = g.input(0), b = g.input(1), c = g.input(2);
  const std::vector<char> of_a_and_b{1, 1, 0};
  const auto of = [&](Expr e) { return dependence(g, e, of_a_and_b); };
  EXPECT_EQ(of(g.apply(Op::sin, c)), Dependence::none);
  EXPECT_EQ(of(g.add(g.multiply(a, g.apply(Op::sin, c)), g.divide(b, c))), Dependence::affine);
  EXPECT_EQ(of(g.multiply(a, b)), Dependence::nonlinear);
  EXPECT_EQ(of(g.divide(c, a)), Dependence::nonlinear);
  EXPECT_EQ(of(g.apply(Op::abs, b)), Dependence::nonlinear);
  EXPECT_EQ(of(g.select(c, a, b)), Dependence::affine);
  EXPECT_EQ(of(g.select(a, c, b)), Dependence::nonlinear);
}

TEST(CertainlyNotZero, SeesSumsOfSquaresAndExponentials) {
  Graph g;
  const Expr a = g.input(0), b = g.input(1), one = g.constant(1.0);
  const auto sure = [&](Expr e) { return certainly_not_zero(g, e); };
  EXPECT_TRUE(sure(g.constant(-2.0)));
  EXPECT_TRUE(sure(g.add(one, g.multiply(a, a))));
  EXPECT_TRUE(sure(g.negate(g.add(g.apply(Op::exp, a), g.multiply(b, b)))));
  EXPECT_TRUE(sure(g.divide(g.apply(Op::cosh, a), g.add(one, g.apply(Op::abs, b)))));
  EXPECT_TRUE(sure(g.apply(Op::sqrt, g.add(g.constant(2.0), g.multiply(a, a)))));
  EXPECT_FALSE(sure(a));
  EXPECT_FALSE(sure(g.multiply(a, a)));
  EXPECT_FALSE(sure(g.subtract(one, g.multiply(a, a))));
  EXPECT_FALSE(sure(g.constant(0.0)));
}

TEST(ExpressionText, ReadsAsWritten) {
  Graph g;
  const Expr a = g.input(0), b = g.input(1), c = g.input(2);
  EXPECT_EQ(text(g, g.subtract(a, g.subtract(b, c))), "a - (b - c)");
  EXPECT_EQ(text(g, g.divide(a, g.multiply(b, c))), "a/(b*c)");
  EXPECT_EQ(text(g, g.multiply(a, a)), "a^2");
  EXPECT_EQ(text(g, g.multiply(g.add(a, b), c)), "c*(a + b)");
  EXPECT_EQ(text(g, g.apply(Op::power, a, b)), "a^b");
  EXPECT_EQ(text(g, g.apply(Op::sin, g.negate(a))), "-sin(a)");
  EXPECT_EQ(text(g, g.select(g.apply(Op::less, a, b), a, c)), "(if a < b then a else c)");
  EXPECT_EQ(text(g, g.apply(Op::atan2, a, b)), "atan2(a, b)");
}

TEST(ExpressionText, ExplainsWhatIsNotFinite) {
  Graph g;
  const Expr a = g.input(0), b = g.input(1);
  const auto why = [&](Expr e, std::vector<double> at) {
    return explain_not_finite(g, e, at,
                              [](std::uint32_t slot) { return std::string(1, static_cast<char>('a' + slot)); });
  };
  EXPECT_EQ(why(g.add(a, b), {1.0, 2.0}), "");
  EXPECT_EQ(why(g.add(a, g.divide(b, g.subtract(a, b))), {2.0, 2.0}), "division by a - b, which is 0");
  EXPECT_EQ(why(g.apply(Op::sin, g.apply(Op::sqrt, a)), {-3.0, 0.0}), "sqrt(a) has the argument -3");
  EXPECT_EQ(why(g.apply(Op::power, a, g.constant(0.3)), {-1.0, 0.0}),
            "the power a^0.3 has the base -1 and the exponent 0.3");
  EXPECT_EQ(why(g.apply(Op::exp, a), {1000.0, 0.0}), "exp(a) has the argument 1000");
  EXPECT_EQ(why(a, {std::nan(""), 0.0}), "a is nan");
  const Expr guarded = g.select(g.apply(Op::less, g.constant(0.0), a), g.apply(Op::log, a), b);
  EXPECT_EQ(why(guarded, {-1.0, 2.0}), "");
}

}  // namespace
}  // namespace driftless::structure_linear_row_test
