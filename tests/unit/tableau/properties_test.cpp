// Computed properties against the known ones, two-sided: order p means that p + 1 fails.
#include "driftless/tableau/properties.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "driftless/tableau/families.h"
#include "driftless/tableau/rooted_trees.h"

namespace driftless::properties_test {
namespace {

TEST(RootedTrees, AreAsManyAsCayleyCounted) {
  const std::vector<RootedTree> trees = rooted_trees(10);
  std::vector<int> count(11, 0);
  for (const RootedTree& tree : trees) ++count[static_cast<std::size_t>(tree.order)];
  EXPECT_EQ(count, (std::vector<int>{0, 1, 1, 2, 4, 9, 20, 48, 115, 286, 719}));
}

struct Expected {
  const char* name;
  int order;
  int stage_order;
  double r_infinity;
  bool stiffly_accurate;
  bool algebraically_stable;
};

void expect_properties(const Expected& e) {
  SCOPED_TRACE(e.name);
  const Properties p = properties_of(tableau_by_name(e.name));
  EXPECT_EQ(p.order, e.order);
  EXPECT_TRUE(p.order_is_exact);
  EXPECT_EQ(p.stage_order, e.stage_order);
  EXPECT_EQ(p.stiffly_accurate, e.stiffly_accurate);
  EXPECT_EQ(p.algebraically_stable, e.algebraically_stable);
  EXPECT_EQ(p.invertible, !std::isnan(e.r_infinity));
  if (p.invertible) {
    EXPECT_NEAR(p.r_infinity, e.r_infinity, 1e-15);
    EXPECT_EQ(p.r_infinity_note, "");
  } else {
    EXPECT_TRUE(std::isnan(p.r_infinity));
    EXPECT_NE(p.r_infinity_note, "");
  }
}

// Hairer & Wanner II, IV.5 (orders, stage orders) and IV.12 (algebraic stability).
TEST(Properties, OfTheFamilies) {
  for (int s = 1; s <= most_stages; ++s) {
    const std::string n = std::to_string(s);
    expect_properties({("gauss-" + n).c_str(), 2 * s, s, s % 2 == 0 ? 1.0 : -1.0, false, true});
    expect_properties({("radau-ia-" + n).c_str(), 2 * s - 1, s - 1, 0.0, false, true});
    expect_properties({("radau-iia-" + n).c_str(), 2 * s - 1, s, 0.0, true, true});
    if (s > 1) expect_properties({("lobatto-iiic-" + n).c_str(), 2 * s - 2, s - 1, 0.0, true, true});
  }
}

TEST(Properties, OfTheSingleMethods) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_properties({"implicit-euler", 1, 1, 0.0, true, true});
  expect_properties({"collocation-2", 3, 2, 7.0 / 33.0, false, true});
  expect_properties({"sdirk-2", 2, 1, 0.0, true, false});
  expect_properties({"sdirk-2-half", 2, 1, 0.5, false, true});
  expect_properties({"sdirk-3-crouzeix", 3, 1, 1.0 - std::sqrt(3.0), false, true});
  expect_properties({"sdirk-3", 3, 1, 0.0, true, false});
  expect_properties({"sdirk-4", 4, 1, 0.0, true, false});
  expect_properties({"hem3", 3, 1, nan, false, false});
  expect_properties({"hem4", 4, 1, nan, false, false});
  expect_properties({"hem5", 5, 1, nan, false, false});
  expect_properties({"dopri5", 5, 1, nan, true, false});
  expect_properties({"dop853", 8, 1, nan, false, false});
}

// Trees and simplifying assumptions are two independent roads to the order.
TEST(Properties, TreesAgreeWithSimplifyingAssumptions) {
  for (int s = 2; s <= 4; ++s) {
    for (const Tableau& t : {gauss(s), radau_ia(s), radau_iia(s), lobatto_iiic(s)}) {
      EXPECT_EQ(order_by_trees(t, 9), largest_b(t)) << t.name;
    }
  }
  EXPECT_EQ(order_by_trees(gauss(5), 11), 10);
}

TEST(Properties, SimplifyingAssumptionsOfTheFamilies) {
  for (int s = 2; s <= most_stages; ++s) {
    EXPECT_EQ(largest_d(gauss(s)), s);
    EXPECT_EQ(largest_d(radau_ia(s)), s);
    EXPECT_EQ(largest_d(radau_iia(s)), s - 1);
    EXPECT_EQ(largest_d(lobatto_iiic(s)), s - 1);
  }
}

int embedded_order(const Tableau& tableau) {
  Tableau second = tableau;
  second.b = *tableau.embedded;
  return order_by_trees(second, 10);
}

TEST(Properties, EmbeddedWeightsHaveTheirOrder) {
  EXPECT_EQ(embedded_order(sdirk4()), 3);
  EXPECT_EQ(embedded_order(dopri5()), 4);
  EXPECT_EQ(embedded_order(dop853()), 5);
  EXPECT_FALSE(hem5().embedded.has_value());
}

TEST(Properties, ShapeOfA) {
  const Properties explicit_one = properties_of(hem4());
  EXPECT_TRUE(explicit_one.explicit_method);
  EXPECT_FALSE(explicit_one.diagonally_implicit);
  EXPECT_FALSE(explicit_one.singly_diagonal);
  const Properties diagonal = properties_of(sdirk3());
  EXPECT_FALSE(diagonal.explicit_method);
  EXPECT_TRUE(diagonal.diagonally_implicit);
  EXPECT_TRUE(diagonal.singly_diagonal);
  const Properties full = properties_of(radau_iia(2));
  EXPECT_FALSE(full.explicit_method);
  EXPECT_FALSE(full.diagonally_implicit);
  Matrix a(2, 2);
  a(0, 0) = 0.5;
  a(1, 1) = 0.25;
  const Properties two_gammas = properties_of(from_numbers("two", a, {0.5, 0.5}));
  EXPECT_TRUE(two_gammas.diagonally_implicit);
  EXPECT_FALSE(two_gammas.singly_diagonal);
}

// M = (gamma - 1/4) (1 -1; -1 1) for the symmetric two-stage family: stable from gamma = 1/4 on, and not below.
TEST(Properties, AlgebraicStabilityIsTwoSided) {
  for (const double gamma : {0.2, 0.24, 0.26, 0.5}) {
    Matrix a(2, 2);
    a(0, 0) = a(1, 1) = gamma;
    a(1, 0) = 1.0 - 2.0 * gamma;
    const Properties p = properties_of(from_numbers("symmetric", a, {0.5, 0.5}));
    EXPECT_EQ(p.algebraically_stable, gamma > 0.25) << gamma;
    EXPECT_NEAR(p.algebraic_stability_margin, std::min(0.0, 2.0 * (gamma - 0.25)), 1e-15);
  }
  EXPECT_NEAR(properties_of(implicit_euler()).algebraic_stability_margin, 1.0, 1e-15);
  EXPECT_NEAR(properties_of(gauss(4)).algebraic_stability_margin, 0.0, 1e-15);
}

// A wrong digit in the twelfth place is not the method any more.
TEST(Properties, OrderNoticesASmallError) {
  Tableau t = dopri5();
  t.a(4, 2) += 1e-11;
  EXPECT_LT(properties_of(t).order, 5);
  Tableau g = gauss(6);
  g.b[2] += 1e-11;
  EXPECT_EQ(properties_of(g).order, 0);
}

TEST(Properties, SingularMatrices) {
  // Trapezoidal rule (Lobatto IIIA): R(infinity) = -1 through the explicit first stage.
  Matrix trapezoidal(2, 2);
  trapezoidal(1, 0) = trapezoidal(1, 1) = 0.5;
  const Properties p = properties_of(from_numbers("trapezoidal", trapezoidal, {0.5, 0.5}));
  EXPECT_FALSE(p.invertible);
  EXPECT_EQ(p.order, 2);
  EXPECT_EQ(p.stage_order, 2);
  EXPECT_TRUE(p.stiffly_accurate);
  EXPECT_NEAR(p.r_infinity, -1.0, 1e-15);
  EXPECT_EQ(p.r_infinity_note, "A is singular: the limit through the explicit first stage");
  // Explicit Euler: C(k) holds for all k since c = 0; the stage order is capped by the number of stages.
  const Properties euler = properties_of(from_numbers("explicit Euler", Matrix(1, 1), {1.0}));
  EXPECT_EQ(euler.order, 1);
  EXPECT_EQ(euler.stage_order, 1);
  EXPECT_TRUE(std::isnan(euler.r_infinity));
  // Two equal rows: singular without being explicit.
  const Properties twice = properties_of(from_numbers("twice", Matrix(2, 2, 0.25), {0.5, 0.5}));
  EXPECT_FALSE(twice.invertible);
  EXPECT_TRUE(std::isnan(twice.r_infinity));
  EXPECT_EQ(twice.r_infinity_note, "A is singular");
}

TEST(Properties, NodesThatAreNotRowSumsAreNoticed) {
  const Properties p = properties_of(radau_ia(1));
  EXPECT_FALSE(p.nodes_are_row_sums);
  EXPECT_EQ(p.stage_order, 0);
  EXPECT_FALSE(p.stiffly_accurate) << "a_11 = b_1, but c_1 = 0 is not the end of the step";
  EXPECT_TRUE(properties_of(radau_ia(2)).nodes_are_row_sums);
}

}  // namespace
}  // namespace driftless::properties_test
