// Index 1: with the algebraic part solved at the end of each step, every method keeps its classical order.
#include <gtest/gtest.h>

#include "tests/order/exact_index1.h"

namespace driftless::order::index1_order_test {
namespace {

void every_method_keeps_its_order(const ExactProblem& problem) {
  for (const char* name : {"implicit-euler", "gauss-1", "gauss-2", "gauss-3", "radau-ia-2", "radau-ia-3", "radau-iia-2",
                           "radau-iia-3", "radau-iia-4", "lobatto-iiic-2", "lobatto-iiic-3", "lobatto-iiic-4",
                           "sdirk-2", "sdirk-2-half", "sdirk-3-crouzeix", "sdirk-3", "sdirk-4"}) {
    const Method method{.tableau = tableau_by_name(name)};
    const Vector orders = observed_orders(problem, method, 3, 4);
    EXPECT_NEAR(orders[0], properties_of(method.tableau).order, 0.2) << problem.name << ", " << name;
  }
}

TEST(Index1Order, Autonomous) { every_method_keeps_its_order(autonomous_index1()); }
TEST(Index1Order, TimeDependent) { every_method_keeps_its_order(time_dependent_index1()); }
TEST(Index1Order, SingularMatrixBeforeTheDerivative) { every_method_keeps_its_order(implicit_index1_problem()); }

}  // namespace
}  // namespace driftless::order::index1_order_test
