#include "driftless/tableau/explicit_pair.h"

#include <gtest/gtest.h>

#include <cmath>

#include "driftless/tableau/index2_trees.h"
#include "driftless/tableau/properties.h"
#include "driftless/tableau/tableau.h"

namespace driftless::explicit_pair_test {
namespace {

// The method of the first `stages` stages of a pair with other weights, scaled so that it makes a step of size theta h.
Tableau with_weights(const ExplicitPair& pair, std::size_t stages, const Vector& weights, double theta = 1.0) {
  Matrix a(stages, stages);
  Vector b(stages), c(stages);
  for (std::size_t i = 0; i < stages; ++i) {
    for (std::size_t j = 0; j < i; ++j) a(i, j) = pair.a(i, j) / theta;
    b[i] = weights[i] / theta;
    c[i] = pair.c[i] / theta;
  }
  return from_numbers("tested", a, b, c);
}

Vector step_weights(const ExplicitPair& pair) {
  Vector b(pair.all_stages(), 0.0);
  for (std::size_t j = 0; j < pair.stages; ++j) b[j] = pair.a(pair.stages, j);
  return b;
}

struct Row {
  const ExplicitPair& (*pair)();
  int order, embedded, coarse, fine, interpolant;
};
class ExplicitPairs : public testing::TestWithParam<Row> {};

// Order conditions of all trees, so that a wrong digit shows; exactly this order, not one more.
TEST_P(ExplicitPairs, HaveTheirOrders) {
  const Row& row = GetParam();
  const ExplicitPair& pair = row.pair();
  const Vector b = step_weights(pair);
  EXPECT_EQ(order_by_trees(with_weights(pair, pair.stages, b), 9), row.order) << pair.name;
  EXPECT_EQ(pair.order, row.order);
  auto minus = [&](const Vector& error) {
    Vector weights = b;
    for (std::size_t j = 0; j < error.size(); ++j) weights[j] -= error[j];
    return weights;
  };
  EXPECT_EQ(order_by_trees(with_weights(pair, pair.stages + 1, minus(pair.error)), 9), row.embedded) << pair.name;
  EXPECT_EQ(pair.error_order, row.embedded);
  const auto order_without = [&](const Vector& error) {
    return error.empty() ? 0 : order_by_trees(with_weights(pair, pair.stages + 1, minus(error)), 9);
  };
  EXPECT_EQ(order_without(pair.coarse_error), row.coarse) << pair.name;
  EXPECT_EQ(order_without(pair.fine_error), row.fine) << pair.name;
}

// Continuous order conditions: at any theta the interpolant is a method of step theta h.
TEST_P(ExplicitPairs, InterpolateWithTheirOrder) {
  const Row& row = GetParam();
  const ExplicitPair& pair = row.pair();
  for (const double theta : {0.2, 0.4, 0.55, 0.9})
    EXPECT_EQ(order_by_trees(with_weights(pair, pair.all_stages(), pair.interpolant_weights(theta), theta), 9),
              row.interpolant)
        << pair.name << " at " << theta;
}

TEST_P(ExplicitPairs, MeetBothEnds) {
  const ExplicitPair& pair = GetParam().pair();
  const Vector b = step_weights(pair), begin = pair.interpolant_weights(0.0), end = pair.interpolant_weights(1.0);
  for (std::size_t j = 0; j < b.size(); ++j) {
    EXPECT_EQ(begin[j], 0.0);
    EXPECT_NEAR(end[j], b[j], 1e-15);
  }
}

// sum_i w_i c_i^k
double moment(const ExplicitPair& pair, const Vector& weights, int k) {
  double sum = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * std::pow(pair.c[i], k);
  return sum;
}

// An unknown that nothing depends on has the error of a quadrature, which some estimate must see in its first term.
TEST_P(ExplicitPairs, SeeQuadratures) {
  const ExplicitPair& pair = GetParam().pair();
  if (pair.differences.empty()) {
    EXPECT_GT(std::abs(moment(pair, pair.error, pair.error_order)) * (pair.error_order + 1), 1e-3) << pair.name;
    return;
  }
  ASSERT_EQ(pair.differences.size(), 4u);
  for (int k = 1; k <= 4; ++k) {
    const Vector& weights = pair.differences[static_cast<std::size_t>(k - 1)];
    for (int lower = 0; lower < k; ++lower) EXPECT_NEAR(moment(pair, weights, lower), 0.0, 1e-15) << k;
    EXPECT_NEAR(moment(pair, weights, k) * (k + 1), 0.04, 1e-14) << k;
  }
}

// The trees of index 2, lambda at the stages among them: sum_i w_i Phi_i = 0 up to the order, and not beyond. At the
// beginning Phi is 1 for the first tree and 0 for all others.
TEST(Hem5, DifferencesHaveTheirOrderForIndex2) {
  const ExplicitPair& pair = hem5_pair();
  const std::size_t s = pair.stages;
  Index2Step<long double> step{SmallMatrix<long double>(s), SmallMatrix<long double>(s), {}};
  for (std::size_t j = 0; j < s; ++j) {
    for (std::size_t i = 0; i < s; ++i) {
      step.stage(i, j) = i > j ? pair.a(i, j) : 0.0;
      step.constraint(i, j) = i + 1 > j ? pair.a(i + 1, j) : 0.0;
    }
    step.b.push_back(pair.a(s, j));
  }
  const auto trees = index2_trees(5);
  const auto values = index2_stage_values(step, trees);
  const int orders[] = {1, 2, 3, 3};
  for (std::size_t k = 0; k < 4; ++k) {
    const Vector& weights = pair.differences[k];
    EXPECT_EQ(weights[s], 0.0);
    double beyond = 0.0;
    for (std::size_t t = 0; t < trees.size(); ++t) {
      if (trees[t].is_lambda || trees[t].order > orders[k] + 1) continue;
      long double sum = trees[t].order == 1 ? weights[pair.begin_stage()] : 0.0;
      for (std::size_t i = 0; i < s; ++i) sum += weights[i] * values[t][i];
      if (trees[t].order <= orders[k])
        EXPECT_NEAR(static_cast<double>(sum), 0.0, 1e-15) << "difference " << k + 1 << ", tree " << t;
      else
        beyond = std::fmax(beyond, static_cast<double>(std::abs(sum)));
    }
    EXPECT_GT(beyond, 1e-3) << k + 1;
  }
}

INSTANTIATE_TEST_SUITE_P(All, ExplicitPairs,
                         testing::Values(Row{dopri5_pair, 5, 4, 0, 0, 4}, Row{dop853_pair, 8, 5, 3, 6, 7},
                                         Row{hem3_pair, 3, 2, 0, 0, 3}, Row{hem4_pair, 4, 3, 0, 0, 4},
                                         Row{hem5_pair, 5, 4, 0, 0, 5}),
                         [](const auto& tested) { return std::string(tested.param.pair().name); });

}  // namespace
}  // namespace driftless::explicit_pair_test
