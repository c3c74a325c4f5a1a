// Observed orders of u and lambda for index 2, beside what the index-2 order conditions promise.
#include "driftless/tableau/index2_order.h"

#include <gtest/gtest.h>

#include "tests/order/observed_order.h"

namespace driftless::order::index2_order_test {
namespace {

struct Row {
  const char* tableau;
  MultiplierRule rule;
  Vector recorded;        // u, lambda
  std::size_t first = 0;  // steps on the coarsest grid, where not the default
};

constexpr auto stages = MultiplierRule::stages;
constexpr auto hidden = MultiplierRule::hidden_constraint;

void check(const ExactProblem& problem, const Row& row, std::size_t first, int doublings) {
  const Method method{.tableau = tableau_by_name(row.tableau), .multiplier = row.rule};
  const Vector orders = observed_orders(problem, method, row.first > 0 ? row.first : first, doublings);
  const bool half_explicit = properties_of(method.tableau).explicit_method;
  double u = 0.0, lambda = 0.0;
  if (half_explicit) {
    const auto theory = half_explicit_orders(method.tableau);
    u = theory.u;
    lambda = theory.lambda;
  } else {
    const auto theory = index2_orders(method.tableau);
    u = theory.u_projected;
    lambda = theory.lambda;
  }
  if (row.rule == hidden) lambda = u;
  ASSERT_EQ(orders.size(), 2u);
  EXPECT_NEAR(orders[0], row.recorded[0], 0.3) << problem.name << ", " << row.tableau << ", u";
  EXPECT_NEAR(orders[1], row.recorded[1], 0.3) << problem.name << ", " << row.tableau << ", lambda";
  EXPECT_GE(row.recorded[0], u) << problem.name << ", " << row.tableau << ", u";
  EXPECT_GE(row.recorded[1], lambda) << problem.name << ", " << row.tableau << ", lambda";
}

// lambda enters nonlinearly: Radau IA keeps 2 s - 2 in u only.
TEST(Index2Order, AutonomousNonlinearMultiplier) {
  const ExactProblem problem = exact_problem("hlr_index2");
  for (const Row& row :
       {Row{"implicit-euler", stages, {1, 1}}, Row{"radau-iia-2", stages, {3, 2}}, Row{"radau-iia-3", stages, {5, 3}},
        Row{"radau-iia-3", hidden, {5, 5}}, Row{"radau-ia-3", stages, {4, 2}}, Row{"lobatto-iiic-3", stages, {4, 2}},
        Row{"gauss-1", hidden, {2, 2}}, Row{"gauss-2", hidden, {4, 4}}, Row{"sdirk-2", stages, {2, 1}},
        Row{"sdirk-2-half", stages, {2, 1}}, Row{"sdirk-3", stages, {2, 1}}, Row{"collocation-2", stages, {3, 2}}})
    check(problem, row, 32, 4);
  for (const Row& row : {Row{"hem3", stages, {3, 2}}}) check(problem, row, 128, 3);
}

TEST(Index2Order, AutonomousSphere) {
  const ExactProblem problem = exact_problem("limit_cycle_sphere");
  for (const Row& row :
       {Row{"implicit-euler", stages, {1, 1}}, Row{"radau-iia-2", stages, {3, 2}}, Row{"radau-iia-3", stages, {5, 3}},
        Row{"radau-iia-4", stages, {7, 4}, 32}, Row{"radau-ia-2", stages, {3, 1}}, Row{"radau-ia-3", stages, {5, 2}},
        Row{"lobatto-iiic-2", stages, {2, 1}}, Row{"lobatto-iiic-3", stages, {4, 2}}, Row{"gauss-2", hidden, {4, 4}},
        Row{"sdirk-3-crouzeix", stages, {3, 1}}, Row{"sdirk-4", stages, {2, 1}}, Row{"hem3", stages, {3, 2}},
        Row{"hem4", stages, {4, 2}}, Row{"hem5", stages, {5, 3}}, Row{"hem5", hidden, {5, 5}},
        Row{"collocation-2", stages, {3, 2}}})
    check(problem, row, 64, 4);
}

TEST(Index2Order, LinearTimeDependent) {
  const ExactProblem problem = exact_problem("ascher_petzold_index2");
  // Linear with a smooth multiplier: lambda is often better than promised.
  for (const Row& row :
       {Row{"implicit-euler", stages, {1, 1}}, Row{"radau-iia-2", stages, {3, 3}}, Row{"radau-ia-2", stages, {3.1, 2}},
        Row{"radau-ia-3", stages, {5, 3}}, Row{"lobatto-iiic-2", stages, {2, 2}}, Row{"gauss-1", hidden, {2, 2}},
        Row{"sdirk-2", stages, {2, 2}}, Row{"sdirk-2-half", stages, {2, 2}}, Row{"sdirk-3-crouzeix", stages, {3, 2}},
        Row{"sdirk-4", stages, {2, 2}}, Row{"hem3", stages, {3, 3}}})
    check(problem, row, 64, 4);
}

TEST(Index2Order, TimeDependentWithGamma) {
  const ExactProblem problem = exact_problem("mms_index2_gamma");
  for (const Row& row : {Row{"implicit-euler", stages, {1, 1}},
                         Row{"radau-iia-2", stages, {3, 2}},
                         Row{"radau-iia-3", stages, {5, 3}},
                         Row{"radau-iia-3", hidden, {5, 5}},
                         Row{"radau-iia-4", stages, {7, 4}, 4},
                         Row{"radau-ia-2", stages, {3, 1}},
                         Row{"radau-ia-3", stages, {5, 2.2}},
                         Row{"lobatto-iiic-2", stages, {2, 1}},
                         Row{"lobatto-iiic-3", stages, {4, 2}},
                         Row{"lobatto-iiic-4", stages, {6, 3}, 4},
                         Row{"gauss-1", hidden, {2, 2}},
                         Row{"gauss-2", hidden, {4, 4}},
                         Row{"gauss-3", hidden, {6, 6}, 6},
                         Row{"collocation-2", stages, {3, 2}},
                         Row{"sdirk-2", stages, {2, 1}},
                         Row{"sdirk-2-half", stages, {2, 1}},
                         Row{"sdirk-3-crouzeix", stages, {3, 1}},
                         Row{"sdirk-3", stages, {2, 1}},
                         Row{"sdirk-4", stages, {2, 1}},
                         Row{"hem3", stages, {3, 2}},
                         Row{"hem5", stages, {5, 3}},
                         Row{"hem5", hidden, {5, 5}}})
    check(problem, row, 8, 4);
}

}  // namespace
}  // namespace driftless::order::index2_order_test
