// Orders for index 2 against Hairer & Wanner II, table VII.4.1, and Brasey & Hairer.
#include "driftless/tableau/index2_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "driftless/core/failure.h"
#include "driftless/tableau/families.h"
#include "driftless/tableau/index2_trees.h"

namespace driftless::index2_order_test {
namespace {

constexpr int searched = 6;

int capped(int order) { return std::min(order, searched); }

struct Expected {
  int u;
  int u_projected;
  int u_projected_linear;
  int lambda;
};

void expect_orders(const Tableau& tableau, const Expected& e) {
  SCOPED_TRACE(tableau.name);
  const Index2Orders orders = index2_orders(tableau, searched);
  EXPECT_EQ(orders.u, capped(e.u));
  EXPECT_EQ(orders.u_projected, capped(e.u_projected));
  EXPECT_EQ(orders.u_projected_linear, capped(e.u_projected_linear));
  EXPECT_EQ(orders.lambda, capped(e.lambda));
  EXPECT_EQ(orders.searched, searched);
}

TEST(Index2Trees, OfLowOrderAreThoseOfTheBook) {
  // u'' has f_u f, and twice f_lambda lambda' with lambda' = (-g_u f_lambda)^{-1} (g_uu(f, f) + g_u f_u f).
  const std::vector<Index2Tree> trees = index2_trees(3);
  const auto count = [&](bool lambda, int order) {
    return std::count_if(trees.begin(), trees.end(),
                         [&](const Index2Tree& t) { return t.is_lambda == lambda && t.order == order; });
  };
  EXPECT_EQ(count(false, 1), 1);
  EXPECT_EQ(count(false, 2), 3);
  EXPECT_EQ(count(false, 3), 22);
  EXPECT_EQ(count(true, 1), 2);
  EXPECT_EQ(count(true, 2), 13);
  EXPECT_EQ(count(true, 0), 0) << "[tau]_l vanishes on the manifold";
}

// The list starts tau, [tau]_u, [tau, tau]_l, [[tau]_u]_l, and the two u-trees on top of those.
TEST(Index2Trees, GammaOfTheFirstConditions) {
  const std::vector<Index2Tree> trees = index2_trees(2);
  ASSERT_EQ(trees.size(), 6u);
  for (const Index2Tree& tree : trees) {
    const bool two_leaves = tree.u_children.size() == 2;
    if (tree.is_lambda) {
      EXPECT_EQ(tree.gamma, two_leaves ? 0.5 : 1.0) << "sum b_i w_ij w_jk c_k^2 = 2 and sum b_i w_ij c_j = 1";
    }
    if (!tree.is_projected_direction()) continue;
    const bool on_two_leaves = trees[tree.lambda_children.front()].u_children.size() == 2;
    EXPECT_EQ(tree.gamma, on_two_leaves ? 1.0 : 2.0) << "sum b_i w_ij c_j^2 = 1 and sum b_i c_i = 1/2";
  }
}

// Local errors of table VII.4.1: Gauss u h^{s+1}, lambda h^s; Radau IA u h^s,
// lambda h^{s-1}; Radau IIA u h^{2s}, lambda h^s; Lobatto IIIC u h^{2s-1}, lambda
// h^{s-1}. Projected Gauss methods regain the order 2s (Ascher & Petzold 1991).
TEST(Index2Order, OfTheFamilies) {
  for (int s = 1; s <= 5; ++s) expect_orders(gauss(s), {s, 2 * s, 2 * s, s});
  for (int s = 2; s <= 5; ++s) expect_orders(radau_ia(s), {s - 1, 2 * s - 2, 2 * s - 1, s - 1});
  for (int s = 1; s <= 5; ++s) expect_orders(radau_iia(s), {2 * s - 1, 2 * s - 1, 2 * s - 1, s});
  for (int s = 2; s <= 5; ++s) expect_orders(lobatto_iiic(s), {2 * s - 2, 2 * s - 2, 2 * s - 2, s - 1});
}

TEST(Index2Order, OfDiagonallyImplicitMethods) {
  expect_orders(sdirk2(), {2, 2, 2, 1});
  expect_orders(sdirk2_half(), {1, 2, 2, 1});
  expect_orders(sdirk3_crouzeix(), {1, 2, 3, 1});
  expect_orders(sdirk3(), {2, 2, 2, 1});
  expect_orders(sdirk4(), {2, 2, 2, 1});
}

// A stiffly accurate step lies on the manifold already: the projection cannot change its order.
TEST(Index2Order, ProjectionIsIdleForStiffAccuracy) {
  for (const Tableau& t : {radau_iia(2), lobatto_iiic(3), sdirk2(), sdirk3()}) {
    const Index2Orders orders = index2_orders(t, 5);
    EXPECT_EQ(orders.u, orders.u_projected) << t.name;
  }
}

TEST(Index2Order, OfHalfExplicitMethods) {
  const struct {
    Tableau tableau;
    int u;
    int lambda;
  } table[] = {{hem3(), 3, 2}, {hem4(), 4, 2}, {hem5(), 5, 3}};
  for (const auto& row : table) {
    SCOPED_TRACE(row.tableau.name);
    const HalfExplicitOrders orders = half_explicit_orders(row.tableau);
    EXPECT_EQ(orders.u, row.u);
    EXPECT_EQ(orders.lambda, row.lambda);
  }
}

// Half-explicit Euler: u_1 = u_0 + h f(u_0, Lambda_1), g(u_1) =
// 0; Lambda_1 belongs to the beginning of the step, so r = 1.
TEST(Index2Order, OfHalfExplicitEuler) {
  const HalfExplicitOrders orders = half_explicit_orders(from_numbers("euler", Matrix(1, 1), {1.0}));
  EXPECT_EQ(orders.u, 1);
  EXPECT_EQ(orders.lambda, 1);
}

// A classical method of order 4 is not of order 4 for index 2:
// that is why half-explicit methods have their own conditions.
TEST(Index2Order, OfTheClassicalMethodIsLower) {
  Matrix a(4, 4);
  a(1, 0) = a(2, 1) = 0.5;
  a(3, 2) = 1.0;
  const HalfExplicitOrders orders = half_explicit_orders(from_numbers("rk4", a, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}));
  EXPECT_GE(orders.u, 1);
  EXPECT_LT(orders.u, 4);
}

TEST(Index2Order, HasAMeaningOnlyForSomeTableaux) {
  EXPECT_THROW(index2_orders(hem3()), Misuse);
  EXPECT_THROW(half_explicit_orders(gauss(2)), Misuse);
  EXPECT_THROW(half_explicit_orders(dopri5()), Misuse);
  EXPECT_THROW(index2_orders(gauss(2), 0), Misuse);
  EXPECT_THROW(half_explicit_orders(hem3(), 8), Misuse);
}

}  // namespace
}  // namespace driftless::index2_order_test
