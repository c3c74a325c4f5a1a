#include "driftless/expression/graph.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "driftless/core/failure.h"

namespace driftless::graph_test {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
const double nan = std::nan("");

class Algebra : public testing::Test {
 protected:
  Expr c(double value) { return g.constant(value); }
  Expr power(Expr a, double p) { return g.power(a, p); }
  std::size_t operations(Expr e) { return operations_in(g, std::span(&e, 1)); }

  Graph g;
  const Expr x = g.input(0), y = g.input(1), z = g.input(2);
};

TEST_F(Algebra, EqualNodesAreOne) {
  EXPECT_EQ(g.input(0), x);
  EXPECT_NE(x, y);
  EXPECT_EQ(c(3.5), c(3.5));
  EXPECT_EQ(c(nan), c(-nan));
  EXPECT_NE(c(0.0), c(-0.0));
  EXPECT_EQ(c(0.0), Expr{});
  EXPECT_EQ(g.add(x, y), g.add(y, x));
  EXPECT_EQ(g.multiply(x, y), g.multiply(y, x));
  EXPECT_NE(g.subtract(x, y), g.subtract(y, x));
  EXPECT_EQ(g.apply(Op::min, x, y), g.apply(Op::min, y, x));
  EXPECT_EQ(g.select(x, y, z), g.select(x, y, z));
}

TEST_F(Algebra, ConstantsAreFolded) {
  EXPECT_TRUE(g.is_plainly(g.add(c(2), c(3)), 5));
  EXPECT_TRUE(g.is_plainly(g.apply(Op::sin, c(1)), std::sin(1.0)));
  EXPECT_TRUE(g.is_plainly(g.apply(Op::power, c(2), c(0.3)), std::pow(2.0, 0.3)));
  EXPECT_TRUE(g.is_plainly(g.apply(Op::less, c(2), c(3)), 1));
  EXPECT_TRUE(g.is_plainly(g.divide(c(1), c(0)), inf));
  EXPECT_TRUE(std::isnan(g.value(g.apply(Op::log, c(-1)))));
  EXPECT_EQ(g.select(c(0), x, y), y);
  EXPECT_EQ(g.select(c(nan), x, y), x);
}

TEST_F(Algebra, NeutralElementsVanish) {
  EXPECT_EQ(g.add(x, c(0)), x);
  EXPECT_EQ(g.subtract(x, c(0)), x);
  EXPECT_EQ(g.subtract(c(0), x), g.negate(x));
  EXPECT_EQ(g.multiply(x, c(1)), x);
  EXPECT_EQ(g.multiply(x, c(-1)), g.negate(x));
  EXPECT_EQ(g.multiply(x, c(0)), c(0));
  EXPECT_EQ(g.divide(x, c(1)), x);
  EXPECT_EQ(g.divide(x, c(-1)), g.negate(x));
  EXPECT_EQ(g.divide(c(0), x), c(0));
  EXPECT_EQ(g.subtract(x, x), c(0));
  EXPECT_EQ(g.divide(x, x), c(1));
  EXPECT_EQ(power(x, 0), c(1));
  EXPECT_EQ(power(x, 1), x);
  EXPECT_EQ(g.apply(Op::max, x, x), x);
}

TEST_F(Algebra, SignsMoveOutwards) {
  const Expr minus_x = g.negate(x), minus_y = g.negate(y);
  EXPECT_EQ(g.negate(minus_x), x);
  EXPECT_EQ(g.subtract(x, minus_y), g.add(x, y));
  EXPECT_EQ(g.add(x, minus_y), g.subtract(x, y));
  EXPECT_EQ(g.add(minus_x, y), g.subtract(y, x));
  EXPECT_EQ(g.add(minus_x, minus_y), g.negate(g.add(x, y)));
  EXPECT_EQ(g.negate(g.subtract(x, y)), g.subtract(y, x));
  EXPECT_EQ(g.multiply(minus_x, minus_y), g.multiply(x, y));
  EXPECT_EQ(g.divide(minus_x, y), g.negate(g.divide(x, y)));
  EXPECT_EQ(g.subtract(y, g.multiply(c(-2), x)), g.add(y, g.multiply(c(2), x)));
  EXPECT_EQ(g.apply(Op::sin, minus_x), g.negate(g.apply(Op::sin, x)));
  EXPECT_EQ(g.apply(Op::cos, minus_x), g.apply(Op::cos, x));
  EXPECT_EQ(g.apply(Op::abs, minus_x), g.apply(Op::abs, x));
  EXPECT_EQ(power(minus_x, 2), power(x, 2));
  EXPECT_EQ(g.negate(g.add(x, c(3))), g.subtract(c(-3), x));
}

TEST_F(Algebra, ConstantFactorsAreJoinedUnlessThatOverflows) {
  EXPECT_EQ(g.multiply(c(3), g.multiply(x, c(5))), g.multiply(c(15), x));
  EXPECT_EQ(g.multiply(c(6), g.divide(x, c(3))), g.multiply(c(2), x));
  EXPECT_EQ(g.multiply(c(3), g.divide(c(5), x)), g.divide(c(15), x));
  EXPECT_EQ(g.divide(g.multiply(c(6), x), c(3)), g.multiply(c(2), x));
  EXPECT_EQ(g.divide(c(1), g.divide(c(1), x)), x);
  EXPECT_EQ(g.divide(x, c(4)), g.multiply(c(0.25), x));
  EXPECT_EQ(g.op(g.divide(x, c(3))), Op::divide);
  EXPECT_EQ(operations(g.multiply(c(1e200), g.multiply(c(1e200), x))), 2u);
  EXPECT_EQ(operations(g.multiply(c(1e-200), g.multiply(c(1e-200), x))), 2u);
}

TEST_F(Algebra, LikeTermsAreJoined) {
  EXPECT_EQ(g.add(x, x), g.multiply(c(2), x));
  EXPECT_EQ(g.add(g.multiply(c(2), x), x), g.multiply(c(3), x));
  EXPECT_EQ(g.subtract(g.multiply(c(3), x), x), g.multiply(c(2), x));
  EXPECT_EQ(g.subtract(g.multiply(c(3), x), g.multiply(c(3), x)), c(0));
  EXPECT_EQ(g.subtract(x, g.multiply(c(3), x)), g.negate(g.multiply(c(2), x)));
}

// Joining these would lose digits of a result that is small against the constants.
TEST_F(Algebra, ConstantTermsStayWhereTheyAre) { EXPECT_EQ(operations(g.add(c(1), g.add(c(1e-20), x))), 2u); }

TEST_F(Algebra, SmallPowersAreMultipliedOut) {
  EXPECT_EQ(power(x, 2), g.multiply(x, x));
  EXPECT_EQ(power(x, 3), g.multiply(x, g.multiply(x, x)));
  EXPECT_EQ(power(x, -1), g.divide(c(1), x));
  EXPECT_EQ(power(x, 0.5), g.apply(Op::sqrt, x));
  EXPECT_EQ(power(x, 1.5), g.multiply(x, g.apply(Op::sqrt, x)));
  EXPECT_EQ(operations(power(x, 15)), 6u);
  EXPECT_EQ(operations(power(x, -16)), 5u);
  EXPECT_EQ(g.op(power(x, 17)), Op::power);
  EXPECT_EQ(g.op(power(x, 1.25)), Op::power);
  for (double p = -16; p <= 16; p += 0.5)
    for (const double at : {0.3, 1.7, 12.0})
      EXPECT_NEAR(evaluate(g, power(x, p), {{at}}) / std::pow(at, p), 1.0, 4e-15) << at << "^" << p;
}

TEST_F(Algebra, Booleans) {
  const Expr less = g.apply(Op::less, x, y);
  const Expr not_less = g.apply(Op::logical_not, less);
  EXPECT_EQ(g.apply(Op::logical_not, not_less), less);
  EXPECT_NE(g.apply(Op::logical_not, g.apply(Op::logical_not, z)), z);  // z may be 2
  EXPECT_EQ(g.apply(Op::logical_and, less, c(1)), less);
  EXPECT_EQ(g.apply(Op::logical_and, less, c(0)), c(0));
  EXPECT_EQ(g.apply(Op::logical_or, less, c(0)), less);
  EXPECT_EQ(g.apply(Op::logical_or, less, not_less), c(1));
  EXPECT_EQ(g.apply(Op::logical_and, not_less, less), c(0));
  EXPECT_EQ(g.select(less, c(1), c(0)), less);
  EXPECT_EQ(g.select(less, c(0), c(1)), not_less);
  EXPECT_EQ(g.select(not_less, x, y), g.select(less, y, x));
  EXPECT_EQ(g.select(less, x, x), x);
  EXPECT_EQ(g.select(less, g.select(less, x, y), z), g.select(less, x, z));
  EXPECT_EQ(g.apply(Op::less, x, x), c(0));
  EXPECT_EQ(g.apply(Op::less_equal, x, x), c(1));
  EXPECT_EQ(evaluate(g, g.apply(Op::logical_and, z, c(1)), {{0, 0, 2}}), 1.0);
}

TEST_F(Algebra, InputsAndSubstitution) {
  const Expr e = g.multiply(g.add(x, z), g.apply(Op::sin, z));
  EXPECT_EQ(inputs_of(g, e), (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(inputs_of(g, c(1)), std::vector<std::uint32_t>{});
  EXPECT_EQ(substitute(g, e, {{2, y}}), g.multiply(g.add(x, y), g.apply(Op::sin, y)));
  EXPECT_EQ(substitute(g, e, {{2, c(0)}}), c(0));
  EXPECT_EQ(substitute(g, e, {{7, y}}), e);
  EXPECT_EQ(substitute(g, e, {{0, z}, {2, x}}), g.multiply(g.add(x, z), g.apply(Op::sin, x)));
  EXPECT_EQ(substitute(g, g.select(x, y, z), {{0, c(1)}}), y);
}

TEST_F(Algebra, WrongNumbersOfOperandsAreRefused) {
  EXPECT_THROW(g.apply(Op::add, x), Misuse);
  EXPECT_THROW(g.apply(Op::sin, x, y), Misuse);
  EXPECT_THROW(g.apply(Op::select, x, y), Misuse);
  EXPECT_THROW(g.apply(Op::input, x), Misuse);
  EXPECT_THROW(g.apply(Op::constant, x), Misuse);
}

TEST_F(Algebra, ForeignExpressionsAndMissingInputsAreRefused) {
  EXPECT_THROW(inputs_of(g, Expr{123456}), Misuse);
  EXPECT_THROW(evaluate(g, z, {{1.0, 2.0}}), Misuse);
}

TEST(Operations, HaveNamesAndArities) {
  EXPECT_STREQ(name(Op::constant), "constant");
  EXPECT_STREQ(name(Op::atan), "atan");
  EXPECT_STREQ(name(Op::logical_not), "not");
  EXPECT_STREQ(name(Op::add), "add");
  EXPECT_STREQ(name(Op::less_equal), "less_equal");
  EXPECT_STREQ(name(Op::select), "select");
  EXPECT_EQ(arity(Op::input), 0);
  EXPECT_EQ(arity(Op::logical_not), 1);
  EXPECT_EQ(arity(Op::add), 2);
  EXPECT_EQ(arity(Op::logical_or), 2);
  EXPECT_EQ(arity(Op::select), 3);
}

}  // namespace
}  // namespace driftless::graph_test
