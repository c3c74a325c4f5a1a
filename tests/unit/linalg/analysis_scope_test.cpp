// What systems on one pattern share within a scope: nothing that changes a solution.
#include "driftless/linalg/analysis_scope.h"

#include <gtest/gtest.h>

#include <cmath>

#include "driftless/linalg/saddle_system.h"
#include "driftless/linalg/sparse_lu.h"

namespace driftless::analysis_scope_test {
namespace {

constexpr std::size_t side = 12, nodes = side * side;

// Neighbours in a square, and a diagonal that dominates.
struct Grid {
  Pattern pattern;
  Vector values;

  explicit Grid(double diagonal) {
    std::vector<std::vector<std::uint32_t>> columns(nodes);
    for (std::uint32_t j = 0; j < nodes; ++j)
      for (std::uint32_t i = 0; i < nodes; ++i) {
        const auto apart = [](std::uint32_t a, std::uint32_t b) { return a > b ? a - b : b - a; };
        if (apart(i % side, j % side) + apart(i / side, j / side) > 1) continue;
        columns[j].push_back(i);
        values.push_back(i == j ? diagonal : -1.0 + 0.01 * static_cast<double>((i + j) % 7));
      }
    pattern = pattern_from_columns(nodes, columns);
  }
};

Vector solution_of(const Grid& grid) {
  SparseLu lu(grid.pattern);
  EXPECT_TRUE(lu.factorise(grid.values));
  Vector x(nodes);
  for (std::size_t i = 0; i < nodes; ++i) x[i] = std::sin(static_cast<double>(i));
  lu.solve(x);
  return x;
}

TEST(AnalysisScope, APatternIsAnalysedOnceAndSolutionsAreTheSameToTheLastBit) {
  const Grid one(4.5), other(6.0);
  const Vector alone = solution_of(one), other_alone = solution_of(other);
  EXPECT_EQ(AnalysisScope::served(), 0u);  // no scope
  const AnalysisScope scope;
  EXPECT_EQ(solution_of(one), alone);
  EXPECT_EQ(AnalysisScope::served(), 0u);
  EXPECT_EQ(solution_of(other), other_alone);
  EXPECT_EQ(AnalysisScope::served(), 1u);
  {
    const AnalysisScope inner;  // adds nothing
    EXPECT_EQ(solution_of(one), alone);
    EXPECT_EQ(AnalysisScope::served(), 2u);
  }
  EXPECT_EQ(AnalysisScope::served(), 2u);
}

TEST(AnalysisScope, ComplexMatricesShareWithRealOnes) {
  const Grid grid(4.5);
  const AnalysisScope scope;
  const SparseLu real(grid.pattern);
  const ComplexSparseLu complex(grid.pattern);
  EXPECT_EQ(AnalysisScope::served(), 1u);
}

TEST(AnalysisScope, AnotherPatternOrAnotherOrderIsAnotherAnalysis) {
  Grid grid(4.5);
  const AnalysisScope scope;
  const SparseLu first(grid.pattern);
  std::vector<std::uint32_t> backwards(nodes);
  for (std::uint32_t i = 0; i < nodes; ++i) backwards[i] = static_cast<std::uint32_t>(nodes) - 1 - i;
  const SparseLu ordered(grid.pattern, backwards);
  std::vector<std::vector<std::uint32_t>> diagonal(nodes);
  for (std::uint32_t i = 0; i < nodes; ++i) diagonal[i] = {i};
  const SparseLu small(pattern_from_columns(nodes, diagonal));
  EXPECT_EQ(AnalysisScope::served(), 0u);
}

// Differences around a ring: their sum vanishes, one of them follows from the others. With `broken`, none does.
struct Ring {
  static constexpr std::size_t n = 300;
  Pattern a, b, g;
  Vector a_values, b_values, g_values;

  explicit Ring(bool broken) {
    std::vector<std::vector<std::uint32_t>> one(n), two(n), three(n);
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t next = (i + 1) % n, before = (i + n - 1) % n;
      one[i] = {i};
      two[i] = {std::min(i, next), std::max(i, next)};
      three[i] = {std::min(i, before), std::max(i, before)};
      a_values.push_back(1.0 + 0.1 * (i % 5));
      for (const std::uint32_t row : two[i]) b_values.push_back(row == i ? (broken && i == 7 ? -2.0 : -1.0) : 1.0);
      for (const std::uint32_t row : three[i]) g_values.push_back(row == i ? (broken && i == 7 ? -2.0 : -1.0) : 1.0);
    }
    a = pattern_from_columns(n, one);
    b = pattern_from_columns(n, two);
    g = pattern_from_columns(n, three);
  }

  std::size_t rank() const {
    SaddleSystem system(a, b, g);
    system.set_a(a_values);
    system.set_b(b_values);
    system.set_g(g_values);
    EXPECT_TRUE(system.is_sparse());
    system.factorise();
    return system.rank();
  }
};

// What is known of redundant constraints is a guess, which the numbers may refute.
TEST(AnalysisScope, RedundantConstraintsAreLookedForOnceAndNeverTakenForGranted) {
  const Ring ring(false), broken(true);
  EXPECT_EQ(ring.rank(), Ring::n - 1);
  EXPECT_EQ(broken.rank(), Ring::n);
  const AnalysisScope scope;
  EXPECT_EQ(ring.rank(), Ring::n - 1);
  const std::size_t before = AnalysisScope::served();
  EXPECT_EQ(ring.rank(), Ring::n - 1);
  EXPECT_GT(AnalysisScope::served(), before);
  EXPECT_EQ(broken.rank(), Ring::n);
  EXPECT_EQ(ring.rank(), Ring::n - 1);
}

}  // namespace
}  // namespace driftless::analysis_scope_test
