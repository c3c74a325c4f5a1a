#include "driftless/expression/differentiate.h"

#include <gtest/gtest.h>

#include <cmath>

namespace driftless::differentiate_test {
namespace {

class Derivative : public testing::Test {
 protected:
  Expr c(double value) { return g.constant(value); }
  Expr f(Op op, Expr a) { return g.apply(op, a); }
  Expr f(Op op, Expr a, Expr b) { return g.apply(op, a, b); }
  // d e / dx at x by both ways, which must agree to the last bit or both be NaN.
  double slope(Expr e, double at) {
    const double forward = evaluate(g, differentiate(g, e, 0), {{at, 0, 0}});
    double backward = 0.0;
    for (const Partial& partial : gradient(g, e))
      if (partial.slot == 0) backward = evaluate(g, partial.derivative, {{at, 0, 0}});
    EXPECT_NEAR(forward, backward, 1e-15 * std::abs(forward));
    return forward;
  }
  std::size_t operations(Expr e) { return operations_in(g, std::span(&e, 1)); }

  Graph g;
  const Expr x = g.input(0), y = g.input(1), z = g.input(2);
};

TEST_F(Derivative, OfPolynomialsIsWhatOneWouldWrite) {
  EXPECT_EQ(differentiate(g, g.power(x, 2), 0), g.multiply(c(2), x));
  for (int n = 3; n <= 16; ++n) {
    EXPECT_EQ(differentiate(g, g.power(x, n), 0), g.multiply(c(n), g.power(x, n - 1))) << n;
    EXPECT_EQ(gradient(g, g.power(x, n))[0].derivative, g.multiply(c(n), g.power(x, n - 1))) << n;
    const Expr xy = g.multiply(x, y);
    EXPECT_EQ(differentiate(g, g.power(xy, n), 0), g.multiply(g.multiply(c(n), g.power(xy, n - 1)), y)) << n;
  }
  EXPECT_EQ(differentiate(g, g.multiply(c(3), x), 0), c(3));
  EXPECT_EQ(differentiate(g, g.multiply(y, x), 0), y);
  EXPECT_EQ(differentiate(g, g.multiply(y, y), 0), c(0));
  EXPECT_EQ(differentiate(g, g.divide(y, x), 1), g.divide(c(1), x));
}

TEST_F(Derivative, SharesWhatTheFunctionComputes) {
  const Expr root = f(Op::sqrt, x), e = f(Op::exp, x), t = f(Op::tanh, x);
  EXPECT_EQ(differentiate(g, root, 0), g.divide(c(0.5), root));
  EXPECT_EQ(differentiate(g, e, 0), e);
  EXPECT_EQ(differentiate(g, t, 0), g.subtract(c(1), g.multiply(t, t)));
}

TEST_F(Derivative, GradientHasTheSlotsThatMatter) {
  const Expr e = g.add(g.multiply(x, z), f(Op::floor, y));
  const auto partials = gradient(g, e);
  ASSERT_EQ(partials.size(), 2u);
  EXPECT_EQ(partials[0].slot, 0u);
  EXPECT_EQ(partials[0].derivative, z);
  EXPECT_EQ(partials[1].slot, 2u);
  EXPECT_EQ(partials[1].derivative, x);
  EXPECT_TRUE(gradient(g, c(1)).empty());
  EXPECT_TRUE(gradient(g, g.subtract(x, x)).empty());
}

TEST_F(Derivative, OfOnePiece) {
  EXPECT_EQ(slope(f(Op::abs, x), -3), -1);
  EXPECT_EQ(slope(f(Op::abs, x), 3), 1);
  EXPECT_EQ(slope(f(Op::floor, x), 0.5), 0);
  EXPECT_EQ(slope(f(Op::min, x, g.multiply(c(2), x)), 3), 1);
  EXPECT_EQ(slope(f(Op::min, x, g.multiply(c(2), x)), -3), 2);
  EXPECT_EQ(slope(f(Op::max, x, g.multiply(c(2), x)), 3), 2);
  EXPECT_EQ(slope(f(Op::max, x, c(1)), 0), 0);
  EXPECT_EQ(slope(f(Op::less, x, c(1)), 0), 0);
}

// if x > 0 then sqrt(x) else 0: the root of a negative number must not spoil the other branch.
TEST_F(Derivative, BranchNotInUseDoesNotMatter) {
  const Expr positive = f(Op::less, c(0), x), root = f(Op::sqrt, x), logarithm = f(Op::log, x);
  const Expr guarded = g.select(positive, root, c(0));
  EXPECT_EQ(slope(guarded, 4), 0.25);
  EXPECT_EQ(slope(guarded, -4), 0);
  EXPECT_EQ(slope(g.multiply(guarded, x), 4), 3);
  EXPECT_EQ(slope(g.multiply(guarded, x), -4), 0);
  EXPECT_EQ(slope(g.select(positive, root, g.multiply(x, x)), -3), -6);
  EXPECT_EQ(slope(g.select(positive, g.multiply(root, logarithm), g.negate(x)), -3), -1);
  EXPECT_EQ(slope(f(Op::max, f(Op::sqrt, f(Op::max, x, c(0))), c(1)), 0), 0);
  EXPECT_TRUE(std::isnan(evaluate(g, differentiate(g, g.add(guarded, root), 0), {{-1}})));
}

// The same subexpression in branches of several choices: its adjoint is guarded by a union.
TEST_F(Derivative, SubexpressionSharedBetweenBranches) {
  const Expr root = f(Op::sqrt, g.subtract(x, c(1)));  // NaN below 1, slope 1/(2 root)
  const Expr above1 = f(Op::less, c(1), x), above2 = f(Op::less, c(2), x), above5 = f(Op::less, c(5), x);
  const Expr both = g.add(g.select(above1, root, c(7)), g.select(above2, g.multiply(c(3), root), x));
  EXPECT_EQ(slope(both, 5), 0.25 + 0.75);
  EXPECT_EQ(slope(both, 1.25), 1.0 + 1.0);
  EXPECT_EQ(slope(both, 0), 1.0);
  const Expr chain = g.select(above5, g.multiply(c(2), root),
                              g.select(above2, g.multiply(c(3), root), g.select(above1, root, g.multiply(c(9), x))));
  EXPECT_EQ(slope(chain, 10), 2 * 0.5 / 3);
  EXPECT_EQ(slope(chain, 5), 0.75);
  EXPECT_EQ(slope(chain, 1.25), 1.0);
  EXPECT_EQ(slope(chain, 0), 9.0);
  const Expr nested = g.add(g.select(above1, g.select(above5, root, g.multiply(c(2), root)), c(0)),
                            g.select(above2, g.multiply(root, root), c(0)));
  EXPECT_NEAR(slope(nested, 10), 1.0 / 6 + 1, 1e-15);
  EXPECT_NEAR(slope(nested, 5), 0.5 + 1, 1e-15);
  EXPECT_NEAR(slope(nested, 1.25), 2.0, 1e-15);
  EXPECT_EQ(slope(nested, 0), 0.0);
}

// if x < 1 then 1 u elseif x < 2 then 2 u ... with one u for all: the guards of all branches join to none.
TEST_F(Derivative, LongChainOfBranches) {
  const Expr u = f(Op::sin, x);
  Expr e = g.multiply(c(301), u);
  for (int k = 300; k > 0; --k) e = g.select(f(Op::less, x, c(k)), g.multiply(c(k), u), e);
  const std::size_t before = g.size();
  for (const double at : {0.5, 149.5, 298.5, 2000.0})
    EXPECT_NEAR(slope(e, at), std::min(std::ceil(at), 301.0) * std::cos(at), 1e-12 * at + 1e-15) << at;
  EXPECT_LT(g.size(), before + 2500);
}

TEST_F(Derivative, OfPowersWithVaryingExponent) {
  const Expr e = f(Op::power, x, y);
  const auto value = [&](std::uint32_t slot, double a, double b) {
    return evaluate(g, differentiate(g, e, slot), {{a, b}});
  };
  EXPECT_NEAR(value(0, 2, 3.3), 3.3 * std::pow(2, 2.3), 1e-14);
  EXPECT_NEAR(value(1, 2, 3.3), std::pow(2, 3.3) * std::log(2), 1e-14);
  EXPECT_EQ(value(1, 0, 3.3), 0);
  EXPECT_EQ(value(0, -2, 3), 12);
  EXPECT_EQ(value(1, -2, 3), 0);
  EXPECT_EQ(operations(differentiate(g, f(Op::power, c(0), x), 0)), 0u);
}

TEST_F(Derivative, AlongTheSolutionIsTheTotalTimeDerivative) {
  // x(t)^2 + t y with x' = z: 2 x z + y, where t is slot 3 and y is held
  const Expr t = g.input(3);
  const Expr e = g.add(g.multiply(x, x), g.multiply(t, y));
  const Expr total = derivative_along(g, e, {{3, c(1)}, {0, z}});
  EXPECT_EQ(evaluate(g, total, {{3, 5, 7, 11}}), 2 * 3 * 7 + 5);
  const Expr both[] = {e, x};
  EXPECT_EQ(derivative_along(g, both, {{3, c(1)}, {0, z}}), (std::vector<Expr>{total, z}));
}

TEST_F(Derivative, JacobianRowsAreGradients) {
  const Expr rows[] = {g.multiply(x, y), f(Op::sin, z), c(4)};
  const auto jac = jacobian(g, rows);
  ASSERT_EQ(jac.size(), 3u);
  ASSERT_EQ(jac[0].size(), 2u);
  EXPECT_EQ(jac[0][1].slot, 1u);
  EXPECT_EQ(jac[0][1].derivative, x);
  ASSERT_EQ(jac[1].size(), 1u);
  EXPECT_EQ(jac[1][0].derivative, f(Op::cos, z));
  EXPECT_TRUE(jac[2].empty());
}

// A long function of two inputs that twenty rows use, each in its own way: differentiated once, not twenty times.
TEST_F(Derivative, JacobianPassesSharedFunctionsOnce) {
  Expr density = g.add(x, y);
  for (int k = 1; k <= 30; ++k) density = g.multiply(f(Op::exp, g.multiply(c(0.01 * k), density)), f(Op::atan, x));
  std::vector<Expr> rows;
  for (std::uint32_t k = 0; k < 20; ++k)
    rows.push_back(g.multiply(g.input(10 + k), f(Op::sin, g.multiply(c(k + 1), density))));
  const auto count = [&](const std::vector<std::vector<Partial>>& jac) {
    std::vector<Expr> all = rows;
    for (const auto& row : jac)
      for (const Partial& partial : row) all.push_back(partial.derivative);
    return operations_in(g, all);
  };
  const auto together = jacobian(g, rows);
  std::vector<std::vector<Partial>> one_by_one;
  for (const Expr row : rows) one_by_one.push_back(gradient(g, row));
  EXPECT_LT(count(together), 500u);
  EXPECT_GT(count(one_by_one), 2000u);
  std::vector<double> inputs(30, 0.75);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ASSERT_EQ(together[i].size(), 3u);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(together[i][k].slot, one_by_one[i][k].slot);
      const double expected = evaluate(g, one_by_one[i][k].derivative, inputs);
      EXPECT_NEAR(evaluate(g, together[i][k].derivative, inputs), expected, 1e-13 * std::abs(expected));
    }
  }
}

// The shared function is NaN for x < 0, where no row uses it.
TEST_F(Derivative, JacobianKeepsSharedFunctionsInTheirBranches) {
  const Expr shared = f(Op::sqrt, g.multiply(f(Op::sqrt, x), f(Op::log, g.add(x, c(3)))));
  const Expr positive = f(Op::less, {}, x);
  const Expr rows[] = {g.select(positive, g.multiply(y, shared), x), g.select(positive, f(Op::exp, shared), y),
                       g.multiply(shared, z)};
  const auto jac = jacobian(g, rows);
  ASSERT_EQ(jac[0].size(), 2u);
  EXPECT_EQ(evaluate(g, jac[0][0].derivative, {{-1, 5, 7}}), 1.0);
  EXPECT_EQ(evaluate(g, jac[0][1].derivative, {{-1, 5, 7}}), 0.0);
  EXPECT_EQ(evaluate(g, jac[1][0].derivative, {{-1, 5, 7}}), 0.0);
  EXPECT_EQ(evaluate(g, jac[1][1].derivative, {{-1, 5, 7}}), 1.0);
  EXPECT_TRUE(std::isnan(evaluate(g, jac[2][0].derivative, {{-1, 5, 7}})));
  for (std::size_t i = 0; i < 3; ++i)
    for (const Partial& partial : jac[i]) {
      const double expected = evaluate(g, differentiate(g, rows[i], partial.slot), {{2, 5, 7}});
      EXPECT_NEAR(evaluate(g, partial.derivative, {{2, 5, 7}}), expected, 1e-14 * std::abs(expected));
    }
}

}  // namespace
}  // namespace driftless::differentiate_test
