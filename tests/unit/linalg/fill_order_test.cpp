// Orders of elimination: what they are permutations of, what they keep small, and L D L^T of many rows in such an
// order.
#include "driftless/linalg/fill_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "driftless/linalg/cut_offs.h"
#include "driftless/linalg/sparse_kkt.h"
#include "driftless/linalg/sparse_lu.h"

namespace driftless::fill_order_test {
namespace {

// Five points on n x n places; two unknowns at a distance of 1 are neighbours.
Pattern grid(std::size_t n) {
  std::vector<std::vector<std::uint32_t>> columns(n * n);
  for (std::uint32_t k = 0; k < n * n; ++k) {
    if (k >= n) columns[k].push_back(static_cast<std::uint32_t>(k - n));
    if (k % n > 0) columns[k].push_back(k - 1);
    columns[k].push_back(k);
    if (k % n + 1 < n) columns[k].push_back(k + 1);
    if (k + n < n * n) columns[k].push_back(static_cast<std::uint32_t>(k + n));
  }
  return pattern_from_columns(n * n, columns);
}

bool is_permutation(std::vector<std::uint32_t> order) {
  std::ranges::sort(order);
  for (std::uint32_t k = 0; k < order.size(); ++k)
    if (order[k] != k) return false;
  return true;
}

TEST(FillOrder, OfAGridHasLessFillThanRowByRow) {
  const Pattern pattern = grid(40);
  const std::vector<std::uint32_t> order = approximate_minimum_degree_order(pattern);
  ASSERT_EQ(order.size(), 1600u);
  EXPECT_TRUE(is_permutation(order));
  Vector values;
  for (std::size_t j = 0, k = 0; j < pattern.cols; ++j)
    for (; k < pattern.begin[j + 1]; ++k) values.push_back(pattern.row[k] == j ? 4.5 : -1.0);
  std::vector<std::uint32_t> row_by_row(1600);
  for (std::uint32_t k = 0; k < 1600; ++k) row_by_row[k] = k;
  SparseLu with(pattern, order), without(pattern, row_by_row);
  ASSERT_TRUE(with.factorise(values) && without.factorise(values));
  EXPECT_LT(2 * with.entries(), without.entries());
}

// Masses in a row, each two of them tied by a rod whose first coordinate says nothing: a multiplier comes after the
// coordinate that its rod determines.
TEST(FillOrder, MultipliersFollowWhatTheyDetermine) {
  const std::size_t n = 50, m = n - 1;
  std::vector<std::vector<std::uint32_t>> columns(n + m);
  for (std::uint32_t j = 0; j < n; ++j) {
    columns[j].push_back(j);
    for (const std::uint32_t k : {j - 1, j})
      if (k < m) columns[j].push_back(static_cast<std::uint32_t>(n + k));
  }
  for (std::uint32_t k = 0; k < m; ++k) columns[n + k] = {k, k + 1};
  const Pattern pattern = pattern_from_columns(n + m, columns);
  Vector values;
  for (std::size_t j = 0, e = 0; j < pattern.cols; ++j)
    for (; e < pattern.begin[j + 1]; ++e) {
      const std::size_t i = pattern.row[e], rod = std::max(i, j) - n, mass = std::min(i, j);
      values.push_back(i == j ? 1.0 : mass == rod ? 0.0 : 2.0);  // of the farther mass alone
    }
  const std::vector<std::uint32_t> order = saddle_order(pattern, n, values);
  ASSERT_TRUE(is_permutation(order));
  std::vector<std::size_t> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = k;
  for (std::size_t k = 0; k < m; ++k) EXPECT_EQ(place[n + k], place[k + 1] + 1) << k;
  SparseLu lu(pattern, order);
  ASSERT_TRUE(lu.factorise(values));
  EXPECT_GT(lu.pivot_ratio(), 0.1);
}

// Flow through n x n cells around a square: one velocity on each side between cells, div = 0 in each but the first.
struct Flow {
  explicit Flow(std::uint32_t n) : velocities(2 * n * n) {
    std::vector<std::vector<std::uint32_t>> columns(velocities + n * n - 1);
    const auto tie = [&](std::uint32_t velocity, std::uint32_t cell) {
      if (cell == 0) return;
      columns[velocity].push_back(static_cast<std::uint32_t>(velocities + cell - 1));
      columns[velocities + cell - 1].push_back(velocity);
    };
    for (std::uint32_t j = 0; j < velocities; ++j) columns[j].push_back(j);
    for (std::uint32_t i = 0; i < n; ++i)
      for (std::uint32_t j = 0; j < n; ++j) {
        tie(i * n + j, i * n + j);
        tie(i * n + j, (i + 1) % n * n + j);
        tie(n * n + i * n + j, i * n + j);
        tie(n * n + i * n + j, i * n + (j + 1) % n);
      }
    for (auto& column : columns) std::ranges::sort(column);
    pattern = pattern_from_columns(columns.size(), columns);
    for (std::uint32_t j = 0, e = 0; j < pattern.cols; ++j)
      for (; e < pattern.begin[j + 1]; ++e) values.push_back(sign(pattern.row[e], j, n));
  }

  // Out of the cell of its own number, into the next one.
  double sign(std::uint32_t i, std::uint32_t j, std::uint32_t n) const {
    if (i == j) return 1.0;
    const auto velocity = std::min(i, j), cell = static_cast<std::uint32_t>(std::max(i, j) - velocities + 1);
    return velocity % (n * n) == cell ? 1.0 : -1.0;
  }

  std::size_t velocities;
  Pattern pattern;
  Vector values;
};

TEST(FillOrder, WhereAIsDiagonalItsUnknownsComeFirst) {
  const Flow flow(24);
  const std::vector<std::uint32_t> order = diagonal_saddle_order(flow.pattern, flow.velocities);
  ASSERT_EQ(order.size(), flow.pattern.cols);
  EXPECT_TRUE(is_permutation(order));
  for (std::uint32_t j = 0; j < flow.velocities; ++j) EXPECT_LT(order[j], flow.velocities);
  SparseLu first(flow.pattern, order), pairs(flow.pattern, saddle_order(flow.pattern, flow.velocities, flow.values));
  ASSERT_TRUE(first.factorise(flow.values) && pairs.factorise(flow.values));
  EXPECT_LT(1.5 * static_cast<double>(first.entries()), static_cast<double>(pairs.entries()));
}

// Two unknowns of A in one row; one unknown in all constraints, which makes S full.
TEST(FillOrder, UnknownsDoNotComeFirstWhereThatWouldFillTheRest) {
  EXPECT_TRUE(diagonal_saddle_order(pattern_from_columns(3, {{0, 1}, {1, 2}, {1}}), 2).empty());
  const std::uint32_t m = 200;
  std::vector<std::vector<std::uint32_t>> columns(1 + m);
  columns[0].push_back(0);
  for (std::uint32_t i = 1; i <= m; ++i) {
    columns[0].push_back(i);
    columns[i].push_back(0);
  }
  EXPECT_TRUE(diagonal_saddle_order(pattern_from_columns(1 + m, columns), 1).empty());
}

// Above and below the number of rows from which on products are not listed.
TEST(FillOrder, LdlOfManyRowsIsThatOfFew) {
  for (const std::size_t n : {20, 40}) {
    const Pattern pattern = grid(n);
    ASSERT_EQ(pattern.cols > cut_off::listed_elimination, n == 40);
    const SparseLdl ldl(pattern);
    const auto weight = [](std::size_t i, std::size_t j) {
      return i == j ? 4.5 + std::sin(static_cast<double>(i)) : -1.0 - 0.1 * std::cos(static_cast<double>(i + j));
    };
    Vector entries(ldl.entry_count()), inverse(n * n), x(n * n), b(n * n);
    for (std::uint32_t j = 0; j < pattern.cols; ++j)
      for (std::size_t k = pattern.begin[j]; k < pattern.begin[j + 1]; ++k) {
        const std::uint32_t i = pattern.row[k], at = ldl.place_of(i), to = ldl.place_of(j);
        if (at >= to) entries[ldl.position_of(at, to)] = weight(i, j);
        b[at] += weight(i, j) * std::sin(0.3 * j);
      }
    for (std::uint32_t p = 0; p < n * n; ++p) inverse[p] = entries[ldl.begin()[p]];
    Vector broken_entries = entries, broken = inverse;
    ASSERT_FALSE(ldl.factorise(entries.data(), inverse.data(), 1e-12));
    x = b;
    ldl.forward(entries.data(), x.data());
    for (std::size_t p = 0; p < n * n; ++p) x[p] *= inverse[p];
    ldl.backward(entries.data(), x.data());
    for (std::uint32_t j = 0; j < n * n; ++j) EXPECT_NEAR(x[ldl.place_of(j)], std::sin(0.3 * j), 1e-12);
    // A pivot that is too small is named.
    const std::size_t last = n * n - 1;
    broken_entries[ldl.begin()[last]] = broken[last] = -1.0;
    EXPECT_EQ(ldl.factorise(broken_entries.data(), broken.data(), 1e-12), last);
  }
}

}  // namespace
}  // namespace driftless::fill_order_test
