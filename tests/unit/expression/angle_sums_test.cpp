#include "driftless/expression/angle_sums.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "driftless/expression/subgraph.h"

namespace driftless::angle_sums_test {
namespace {

class AngleSums : public ::testing::Test {
 protected:
  Expr sin(Expr x) { return g.apply(Op::sin, x); }
  Expr cos(Expr x) { return g.apply(Op::cos, x); }
  // How many different angles sines or cosines are called for.
  std::size_t calls(const std::vector<Expr>& expressions) const {
    std::unordered_set<std::uint32_t> angles;
    for (const auto& entry : Subgraph(g, expressions))
      if (g.op(entry.node) == Op::sin || g.op(entry.node) == Op::cos) angles.insert(g.child(entry.node, 0).id);
    return angles.size();
  }
  void expect_unchanged(const std::vector<Expr>& expressions) {
    EXPECT_EQ(expand_angle_sums(g, expressions), expressions);
  }
  // The largest absolute difference at random angles of this size.
  double largest_difference(const std::vector<Expr>& before, const std::vector<Expr>& after, double size) const {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> angle(-size, size);
    double largest = 0.0;
    for (int k = 0; k < 2000; ++k) {
      const double inputs[] = {angle(random), angle(random), angle(random), angle(random)};
      for (std::size_t i = 0; i < before.size(); ++i)
        largest = std::max(largest, std::abs(evaluate(g, before[i], inputs) - evaluate(g, after[i], inputs)));
    }
    return largest;
  }

  Graph g;
  const Expr a = g.input(0), b = g.input(1), c = g.input(2), d = g.input(3);
};

TEST_F(AngleSums, ComeFromTheirSummands) {
  for (const Op op : {Op::add, Op::subtract}) {
    const Expr sum = g.apply(op, a, b);
    const std::vector<Expr> before{sin(a), cos(a), sin(b), cos(b), sin(sum), cos(sum)};
    const std::vector<Expr> after = expand_angle_sums(g, before);
    EXPECT_EQ(calls(before), 3u);
    EXPECT_EQ(calls(after), 2u);
    EXPECT_TRUE(std::equal(before.begin(), before.begin() + 4, after.begin()));
    EXPECT_LE(largest_difference(before, after, 1.0), 1e-15);
    EXPECT_GT(largest_difference(before, after, 1.0), 0.0);
  }
}

// The sum is rounded before its sine, which is a larger error than those of the products.
TEST_F(AngleSums, OfLargeAnglesDifferByTheRoundingOfTheSum) {
  const std::vector<Expr> before{sin(a), sin(b), sin(g.add(a, b))};
  EXPECT_LE(largest_difference(before, expand_angle_sums(g, before), 1e4), 2e4 * 1.2e-16 + 1e-15);
}

TEST_F(AngleSums, OneFunctionOfEachSummandIsEnough) {
  const std::vector<Expr> before{sin(a), cos(b), g.multiply(c, cos(g.add(a, b)))};
  const std::vector<Expr> after = expand_angle_sums(g, before);
  EXPECT_EQ(calls(after), 2u);
  EXPECT_LE(largest_difference(before, after, 1.0), 1e-15);
}

TEST_F(AngleSums, OfSumsAndOfConstantsToo) {
  const Expr ab = g.add(a, b), abc = g.add(ab, c), abcd = g.subtract(abc, d);
  const Expr shifted = g.add(a, g.constant(2.0 * std::numbers::pi / 3.0));
  const std::vector<Expr> before{sin(a), sin(b), cos(c), cos(d), sin(ab), cos(abc), sin(abcd), cos(abcd), sin(shifted)};
  const std::vector<Expr> after = expand_angle_sums(g, before);
  EXPECT_EQ(calls(before), 8u);
  EXPECT_EQ(calls(after), 4u);
  EXPECT_LE(largest_difference(before, after, 1.0), 2e-15);
}

TEST_F(AngleSums, AChainOfManyIsNoProblem) {
  Expr sum = g.input(0);
  std::vector<Expr> before{sin(sum)};
  for (std::uint32_t k = 1; k < 20000; ++k) {
    sum = g.add(sum, g.input(k));
    before.push_back(cos(g.input(k)));
    before.push_back(sin(sum));
  }
  EXPECT_EQ(calls(expand_angle_sums(g, before)), 20000u);
}

TEST_F(AngleSums, StayWhereASummandHasNoCallOfItsOwn) {
  expect_unchanged({sin(a), cos(a), sin(g.add(a, b)), cos(g.add(a, b))});
  expect_unchanged({sin(a), sin(g.multiply(a, b))});
  expect_unchanged({sin(g.add(a, g.constant(1.0))), sin(g.add(a, g.constant(2.0)))});
  expect_unchanged({});
}

// Small values of the sum must keep their relative accuracy there.
TEST_F(AngleSums, StayWhereTheSumOrAQuotientByItsSineIsWanted) {
  const Expr difference = g.subtract(a, b), s = sin(difference);
  const std::vector<Expr> summands{sin(a), sin(b)};
  for (const Expr delicate :
       {g.divide(s, difference), g.divide(c, s), g.divide(sin(g.multiply(g.constant(2.0), difference)), s),
        g.apply(Op::sqrt, s), g.apply(Op::less, s, c), g.apply(Op::sin, s), g.power(s, 2.5)}) {
    std::vector<Expr> all = summands;
    all.push_back(delicate);
    expect_unchanged(all);
  }
  expect_unchanged({sin(a), sin(b), s, difference});
}

TEST_F(AngleSums, AreExpandedInSumsProductsAndNumerators) {
  const Expr s = sin(g.add(a, b));
  for (const Expr harmless : {g.negate(s), g.add(s, c), g.subtract(c, s), g.multiply(s, s), g.divide(s, c)})
    EXPECT_EQ(calls(expand_angle_sums(g, std::vector<Expr>{sin(a), sin(b), harmless})), 2u);
}

}  // namespace
}  // namespace driftless::angle_sums_test
