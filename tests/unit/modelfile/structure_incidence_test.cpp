// Matchings, parts that are over- and underdetermined, strong components, and numbers of differentiations.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "driftless/modelfile/structure/structural_index.h"

namespace driftless::structure_incidence_test {
namespace {

Incidence random_incidence(std::mt19937& random, std::size_t rows, std::size_t columns, double density) {
  Incidence incidence{.columns = columns, .rows = std::vector<std::vector<std::uint32_t>>(rows)};
  for (auto& row : incidence.rows)
    for (std::uint32_t c = 0; c < columns; ++c)
      if (std::uniform_real_distribution(0.0, 1.0)(random) < density) row.push_back(c);
  return incidence;
}

// The largest matching by trying every choice.
std::size_t best_size(const Incidence& incidence, std::size_t row, std::vector<char>& used) {
  if (row == incidence.rows.size()) return 0;
  std::size_t best = best_size(incidence, row + 1, used);
  for (const std::uint32_t c : incidence.rows[row])
    if (!used[c]) {
      used[c] = 1;
      best = std::max(best, 1 + best_size(incidence, row + 1, used));
      used[c] = 0;
    }
  return best;
}

TEST(Matching, IsAsLargeAsPossible) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 300; ++trial) {
    const Incidence incidence = random_incidence(random, 1 + random() % 6, 1 + random() % 6, 0.35);
    const Matching matching = maximum_matching(incidence);
    std::vector<char> used(incidence.columns, 0);
    EXPECT_EQ(matching.size, best_size(incidence, 0, used));
    std::size_t pairs = 0;
    for (std::uint32_t r = 0; r < incidence.rows.size(); ++r) {
      const std::uint32_t c = matching.column_of_row[r];
      if (c == unmatched) continue;
      ++pairs;
      EXPECT_EQ(matching.row_of_column[c], r);
      EXPECT_NE(std::ranges::find(incidence.rows[r], c), incidence.rows[r].end());
    }
    EXPECT_EQ(pairs, matching.size);
  }
}

TEST(Matching, KeepsWhatIsMatchedAlready) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 100; ++trial) {
    Incidence incidence = random_incidence(random, 8, 8, 0.3), part = incidence;
    for (std::size_t r = 4; r < 8; ++r) part.rows[r].clear();
    const Matching first = maximum_matching(part), whole = maximum_matching(incidence, &first);
    EXPECT_EQ(whole.size, maximum_matching(incidence).size);
    for (std::size_t r = 0; r < 8; ++r)
      if (first.column_of_row[r] != unmatched) {
        EXPECT_NE(whole.column_of_row[r], unmatched);
      }
  }
}

TEST(CoarseParts, TellTooManyRowsFromTooFew) {
  // Rows 0 to 2 share the columns 0 and 1; rows 3 and 4 have the columns 2 to 4; row 5 and column 5 are regular.
  const Incidence incidence{.columns = 6, .rows = {{0, 1}, {0}, {1, 0}, {2, 3, 0}, {4, 3}, {5, 1, 2}}};
  const CoarseParts parts = coarse_parts(incidence, maximum_matching(incidence));
  EXPECT_EQ(parts.over_rows, (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(parts.over_columns, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(parts.under_columns, (std::vector<std::size_t>{2, 3, 4, 5}));
  EXPECT_EQ(parts.under_rows, (std::vector<std::size_t>{3, 4, 5}));
}

TEST(CoarseParts, DoNotDependOnTheMatching) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 100; ++trial) {
    const Incidence incidence = random_incidence(random, 9, 8, 0.2);
    Incidence turned = incidence;
    for (auto& row : turned.rows) std::ranges::reverse(row);
    const CoarseParts a = coarse_parts(incidence, maximum_matching(incidence));
    const CoarseParts b = coarse_parts(turned, maximum_matching(turned));
    EXPECT_EQ(a.over_rows, b.over_rows);
    EXPECT_EQ(a.over_columns, b.over_columns);
    EXPECT_EQ(a.under_rows, b.under_rows);
    EXPECT_EQ(a.under_columns, b.under_columns);
  }
}

// A pair is possible if the rest, without its row and its column, still has a matching with one pair less.
TEST(PossiblePairs, AreThoseOfSomeMaximumMatching) {
  std::mt19937 random(5);
  int impossible = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Incidence incidence = random_incidence(random, 3 + random() % 5, 3 + random() % 5, 0.3);
    const Incidence possible = possible_pairs(incidence);
    const std::size_t size = maximum_matching(incidence).size;
    for (std::size_t r = 0; r < incidence.rows.size(); ++r)
      for (const std::uint32_t c : incidence.rows[r]) {
        Incidence rest = incidence;
        rest.rows[r].clear();
        for (auto& row : rest.rows) std::erase(row, c);
        const bool expected = maximum_matching(rest).size + 1 == size;
        EXPECT_EQ(std::ranges::count(possible.rows[r], c) == 1, expected) << trial;
        impossible += !expected;
      }
  }
  EXPECT_GT(impossible, 100);
}

TEST(StrongComponents, ComeAfterThoseThatTheyLeadTo) {
  std::mt19937 random(4);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t n = 1 + random() % 9;
    const auto edges = random_incidence(random, n, n, 0.2).rows;
    std::vector<std::vector<char>> reaches(n, std::vector<char>(n, 0));
    for (std::size_t i = 0; i < n; ++i) {
      reaches[i][i] = 1;
      for (const std::uint32_t j : edges[i]) reaches[i][j] = 1;
    }
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
          if (reaches[i][k] && reaches[k][j]) reaches[i][j] = 1;
    std::vector<std::size_t> of(n, n);
    std::size_t count = 0, members = 0;
    for (const auto& component : strong_components(edges)) {
      for (const std::uint32_t i : component) of[i] = count;
      members += component.size();
      ++count;
    }
    EXPECT_EQ(members, n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        EXPECT_EQ(of[i] == of[j], reaches[i][j] && reaches[j][i]);
        if (reaches[i][j]) {
          EXPECT_LE(of[j], of[i]);
        }
      }
  }
}

// Unknowns x, y, u, v, lambda; rows in any order.
std::vector<std::vector<Occurrence>> pendulum_rows(int level) {
  std::vector<std::vector<Occurrence>> rows{
      {{0, 1}, {2, 0}}, {{1, 1}, {3, 0}}, {{2, 1}, {0, 0}, {4, 0}}, {{3, 1}, {1, 0}, {4, 0}}};
  if (level == 0) rows.push_back({{0, 0}, {1, 0}});
  if (level == 1) rows.push_back({{0, 0}, {1, 0}, {2, 0}, {3, 0}});
  if (level == 2) rows.push_back({{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}});
  return rows;
}

TEST(StructuralIndex, OfThePendulumOnEveryLevelInAnyOrder) {
  std::mt19937 random(5);
  const std::vector<std::vector<int>> orders{{2, 2, 1, 1, 0}, {1, 1, 1, 1, 0}, {1, 1, 1, 1, 0}};
  for (const int level : {0, 1, 2})
    for (int trial = 0; trial < 30; ++trial) {
      auto rows = pendulum_rows(level);
      std::vector<std::size_t> order(rows.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::ranges::shuffle(order, random);
      std::vector<std::vector<Occurrence>> shuffled;
      for (const std::size_t k : order) shuffled.push_back(rows[k]);
      for (auto& row : shuffled) std::ranges::shuffle(row, random);
      const StructuralIndex found = structural_index(5, shuffled, 2);
      EXPECT_FALSE(found.too_high);
      EXPECT_EQ(found.index, 3 - level);
      EXPECT_EQ(found.orders, orders[static_cast<std::size_t>(level)]);
      for (std::size_t k = 0; k < order.size(); ++k) {
        const int expected = order[k] == 4 ? 2 - level : order[k] < 2 ? std::max(0, 1 - level) : 0;
        EXPECT_EQ(found.differentiations[k], expected) << k;
      }
    }
}

TEST(StructuralIndex, TooHighNamesTheConstraint) {
  // x' = v, v' = a, a' = lambda x, and x is prescribed.
  const std::vector<std::vector<Occurrence>> rows{
      {{0, 1}, {1, 0}}, {{1, 1}, {2, 0}}, {{2, 1}, {3, 0}, {0, 0}}, {{0, 0}}};
  const StructuralIndex three = structural_index(4, rows, 3);
  EXPECT_FALSE(three.too_high);
  EXPECT_EQ(three.index, 4);
  EXPECT_EQ(three.differentiations, (std::vector<int>{2, 1, 0, 3}));
  const StructuralIndex two = structural_index(4, rows, 2);
  EXPECT_TRUE(two.too_high);
  EXPECT_NE(std::ranges::find(two.blamed_rows, 3u), two.blamed_rows.end());
  EXPECT_EQ(std::ranges::find(two.blamed_rows, 2u), two.blamed_rows.end());
}

TEST(StructuralIndex, OrdinaryEquationsAndNone) {
  EXPECT_EQ(structural_index(2, {{{0, 1}, {1, 0}}, {{1, 1}, {0, 0}}}, 2).index, 0);
  EXPECT_EQ(structural_index(0, {}, 2).index, 0);
  EXPECT_EQ(structural_index(2, {{{0, 1}, {1, 0}}, {{1, 0}, {0, 0}}}, 2).index, 1);
}

}  // namespace
}  // namespace driftless::structure_incidence_test
