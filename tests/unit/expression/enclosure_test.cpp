// Intervals must contain the value at every point of the box, whatever the formula.
#include "driftless/expression/enclosure.h"

#include <gtest/gtest.h>

#include "driftless/core/failure.h"
#include "driftless/expression/differentiate.h"
#include "effort.h"
#include "recipe.h"

namespace driftless::enclosure_test {
namespace {

Interval enclosed(const Graph& graph, Expr e, std::vector<Interval> inputs) {
  Interval result;
  Enclosure(graph, std::span(&e, 1)).run(inputs.data(), &result);
  return result;
}

TEST(Enclosure, ContainsEveryValueOfRandomFormulas) {
  std::mt19937_64 random(11);
  std::size_t compared = 0, bounded = 0, undecided = 0;
  for (int round = 0; round < 1500 / effort_divisor; ++round) {
    const Recipe recipe = random_recipe(random, 3, 12, round % 2 == 0);
    Graph graph;
    const std::vector<Expr> exprs = build(graph, recipe);
    const std::vector<double> centre = random_inputs(random, 3);
    const double radius = std::pow(10.0, -std::uniform_real_distribution<>(0.0, 4.0)(random));
    std::vector<Interval> box;
    for (const double c : centre) box.emplace_back(c - radius, c + radius);
    std::vector<Interval> found(exprs.size());
    try {
      Enclosure(graph, exprs).run(box.data(), found.data());
    } catch (const UndecidedComparison&) {
      ++undecided;
      continue;
    }
    for (int point = 0; point < 10; ++point) {
      std::vector<Bounded> inputs;
      for (const double c : centre)
        inputs.emplace_back(c + radius * std::uniform_real_distribution<>(-1.0, 1.0)(random));
      const auto values = carry_out<Bounded>(recipe, inputs, compute_bounded);
      for (std::size_t k = 0; k < exprs.size(); ++k) {
        if (!(values[k].error < 1e-3 * (1.0 + std::abs(values[k].value)))) continue;
        ++compared;
        if (found[k].is_bounded()) ++bounded;
        ASSERT_LE(found[k].lower(), values[k].value + values[k].error) << "round " << round << " item " << k;
        ASSERT_GE(found[k].upper(), values[k].value - values[k].error) << "round " << round << " item " << k;
      }
    }
  }
  EXPECT_GT(compared, static_cast<std::size_t>(60000 / effort_divisor));
  EXPECT_GT(bounded, compared * 8 / 10);
  EXPECT_GT(undecided, 0u);
}

TEST(Enclosure, KnowsThatSquaresArePositive) {
  Graph g;
  const Expr x = g.input(0);
  const Interval square = enclosed(g, g.power(x, 2.0), {Interval(-1.0, 2.0)});
  EXPECT_EQ(square.lower(), 0.0);
  EXPECT_NEAR(square.upper(), 4.0, 1e-14);
  const Interval slope = enclosed(g, differentiate(g, g.power(x, 3.0), 0), {Interval(-1.0, 2.0)});
  EXPECT_EQ(slope.lower(), 0.0);
  EXPECT_NEAR(slope.upper(), 12.0, 1e-13);
}

struct Row {
  Op op;
  double a, b, lower, upper;  // of the argument and of the result
};

TEST(Enclosure, HasTheRangesOfMonotoneFunctions) {
  for (const Row& row : {Row{Op::log10, 0.1, 100.0, -1.0, 2.0}, Row{Op::exp, 0.0, 1.0, 1.0, std::exp(1.0)},
                         Row{Op::abs, -3.0, 2.0, 0.0, 3.0}, Row{Op::floor, 1.2, 1.9, 1.0, 1.0},
                         Row{Op::ceil, 1.2, 1.9, 2.0, 2.0}, Row{Op::sign, 0.1, 5.0, 1.0, 1.0}}) {
    Graph g;
    const Interval r = enclosed(g, g.apply(row.op, g.input(0)), {Interval(row.a, row.b)});
    EXPECT_NEAR(r.lower(), row.lower, 1e-14) << name(row.op);
    EXPECT_NEAR(r.upper(), row.upper, 1e-14) << name(row.op);
  }
}

TEST(Enclosure, FollowsTheAngleAroundTheOriginUpToItsCut) {
  Graph g;
  const Expr angle = g.apply(Op::atan2, g.input(0), g.input(1));
  const Interval above = enclosed(g, angle, {Interval(1.0, 2.0), Interval(-1.0, 1.0)});
  EXPECT_NEAR(above.lower(), 0.25 * M_PI, 1e-14);
  EXPECT_NEAR(above.upper(), 0.75 * M_PI, 1e-14);
  EXPECT_NEAR(enclosed(g, angle, {Interval(-2.0, -1.0), Interval(-1.0, 1.0)}).upper(), -0.25 * M_PI, 1e-14);
  EXPECT_NEAR(enclosed(g, angle, {Interval(-1.0, 1.0), Interval(1.0, 2.0)}).lower(), -0.25 * M_PI, 1e-14);
  EXPECT_THROW(enclosed(g, angle, {Interval(-1.0, 1.0), Interval(-2.0, -1.0)}), UndecidedComparison);
}

// No guess where a formula branches, jumps or has a kink inside the box: its derivative there is not that of a mean.
TEST(Enclosure, SaysWhereAFormulaBranchesInsideTheBox) {
  Graph g;
  const Expr x = g.input(0), zero = g.constant(0.0);
  const Expr branch = g.select(g.apply(Op::less, x, zero), g.negate(x), g.multiply(x, x));
  EXPECT_THROW(enclosed(g, branch, {Interval(-1.0, 1.0)}), UndecidedComparison);
  EXPECT_EQ(enclosed(g, branch, {Interval(-2.0, -1.0)}).lower(), 1.0);
  EXPECT_EQ(enclosed(g, branch, {Interval(2.0, 3.0)}).lower(), 4.0);
  EXPECT_THROW(enclosed(g, g.apply(Op::floor, x), {Interval(0.5, 1.5)}), UndecidedComparison);
  EXPECT_THROW(enclosed(g, g.apply(Op::sign, x), {Interval(0.0, 1.5)}), UndecidedComparison);
  EXPECT_THROW(enclosed(g, differentiate(g, g.apply(Op::abs, x), 0), {Interval(-1.0, 1.5)}), UndecidedComparison);
}

}  // namespace
}  // namespace driftless::enclosure_test
