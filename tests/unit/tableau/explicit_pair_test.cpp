#include "driftless/tableau/explicit_pair.h"

#include <gtest/gtest.h>

#include <cmath>

#include "driftless/tableau/properties.h"
#include "driftless/tableau/tableau.h"

namespace driftless {
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

INSTANTIATE_TEST_SUITE_P(All, ExplicitPairs,
                         testing::Values(Row{dopri5_pair, 5, 4, 0, 0, 4}, Row{dop853_pair, 8, 5, 3, 6, 7},
                                         Row{hem3_pair, 3, 2, 0, 0, 3}, Row{hem4_pair, 4, 3, 0, 0, 4},
                                         Row{hem5_pair, 5, 4, 0, 0, 5}),
                         [](const auto& tested) { return std::string(tested.param.pair().name); });

}  // namespace
}  // namespace driftless
