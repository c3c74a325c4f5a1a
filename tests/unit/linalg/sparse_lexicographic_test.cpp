// The sparse solution against the dense one, in one large group and in many small ones.
#include "driftless/linalg/sparse_lexicographic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "driftless/linalg/lexicographic.h"

namespace driftless::sparse_lexicographic_test {
namespace {

Lexicographic dense_solution(std::size_t unknowns, const std::vector<SparseRows>& levels) {
  Lexicographic all(unknowns);
  for (const SparseRows& level : levels) {
    if (level.right.empty()) continue;
    Matrix a(level.right.size(), unknowns);
    for (const auto& [row, column, value] : level.entries) a(row, column) += value;
    all.add(a, level.right);
  }
  return all;
}

void add_row(SparseRows& level, std::initializer_list<std::pair<std::uint32_t, double>> entries, double right) {
  for (const auto& [column, value] : entries)
    level.entries.push_back({static_cast<std::uint32_t>(level.right.size()), column, value});
  level.right.push_back(right);
}

// A chain of unknowns: each two neighbours but every seventh pair in a condition, every third unknown trusted most.
std::vector<SparseRows> chain(std::uint32_t n, bool connected) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-2.0, 2.0);
  std::vector<SparseRows> levels(4);
  for (std::uint32_t k = 0; k + 1 < n; ++k)
    if (k % 7 != 3) add_row(levels[0], {{k, 1.0 + std::abs(number(random))}, {k + 1, number(random)}}, number(random));
  for (std::uint32_t k = 0; k < n; ++k) add_row(levels[k % 3 == 0 ? 1 : 2], {{k, 1.0 + 0.1 * (k % 5)}}, number(random));
  for (std::uint32_t k = 3; connected && k + 1 < n; k += 7)
    add_row(levels[3], {{k, 1.0}, {k + 1, 1.0}}, number(random));
  return levels;
}

void expect_same(std::size_t n, const std::vector<SparseRows>& levels, double within) {
  const Vector expected = dense_solution(n, levels).solution(), found = lexicographic_solution(n, levels);
  for (std::size_t k = 0; k < n; ++k) EXPECT_NEAR(found[k], expected[k], within * (1.0 + std::abs(expected[k]))) << k;
}

TEST(SparseLexicographic, AgreesWithTheDenseSolutionInOneLargeGroup) { expect_same(150, chain(150, true), 1e-7); }
TEST(SparseLexicographic, AgreesWithTheDenseSolutionInManySmallGroups) { expect_same(150, chain(150, false), 1e-9); }

// A condition that is said twice, and one that is the sum of two.
TEST(SparseLexicographic, DependentConditionsDoNoHarm) {
  std::vector<SparseRows> levels = chain(150, true);
  SparseRows& conditions = levels[0];
  std::vector<SparseRows::Entry> again;
  for (const auto& entry : conditions.entries)
    if (entry.row < 2) again.push_back(entry);
  const auto twice = static_cast<std::uint32_t>(conditions.right.size());
  for (const auto& [row, column, value] : again) {
    if (row == 0) conditions.entries.push_back({twice, column, value});
    conditions.entries.push_back({twice + 1, column, value});
  }
  conditions.right.push_back(conditions.right[0]);
  conditions.right.push_back(conditions.right[0] + conditions.right[1]);
  expect_same(150, levels, 1e-7);
}

TEST(SparseLexicographic, FindsWhatIsOpen) {
  for (const bool connected : {true, false}) {
    std::vector<SparseRows> levels = chain(150, connected);
    levels.resize(2);  // without the level that names every unknown
    if (connected) add_row(levels[1], {{0, 1.0}, {149, 1.0}}, 0.0);
    for (std::uint32_t k = 3; connected && k + 1 < 150; k += 7) add_row(levels[0], {{k, 1.0}, {k + 1, 1.0}}, 0.0);
    if (connected) std::erase_if(levels[1].entries, [](const auto& e) { return e.column % 2 == 0; });
    const Lexicographic known = dense_solution(150, levels);
    std::vector<std::size_t> expected;
    for (std::size_t k = 0; k < 150; ++k) {
      double size = 0.0;
      for (std::size_t c = 0; c < known.open().cols(); ++c) size = std::max(size, std::abs(known.open()(k, c)));
      if (size > 1e-6) expected.push_back(k);
    }
    EXPECT_EQ(open_unknowns(150, levels), expected) << connected;
  }
}

}  // namespace
}  // namespace driftless::sparse_lexicographic_test
