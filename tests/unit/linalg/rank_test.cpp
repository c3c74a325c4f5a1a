#include "driftless/linalg/rank.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/linalg/random_matrix.h"

namespace driftless::rank_test {
namespace {

using Rows = std::vector<std::size_t>;

TEST(AnalyseRowsTest, FullRank) {
  const Matrix a = RandomMatrices(1).matrix(4, 7);
  const RankReport report = analyse_rows(a);
  EXPECT_EQ(report.rank, 4u);
  EXPECT_TRUE(report.dependent_rows.empty());
  EXPECT_GT(report.condition, 1.0);
  EXPECT_LT(report.condition, 100.0);
  ASSERT_EQ(report.singular_values.size(), 4u);
  EXPECT_GE(report.singular_values[0], report.singular_values[3]);
}

TEST(AnalyseRowsTest, OrthogonalRowsHaveConditionOneInAnyUnits) {
  Matrix a(2, 3);
  a(0, 0) = 1e-9;
  a(1, 2) = 5e7;
  const RankReport report = analyse_rows(a);
  EXPECT_EQ(report.rank, 2u);
  EXPECT_NEAR(report.condition, 1.0, 1e-14);
}

// Row 1 = 2 row 3 in a set where the others are independent: one of the two is named, and none of the others.
TEST(AnalyseRowsTest, NamesADependentRow) {
  Matrix a = RandomMatrices(2).matrix(4, 6);
  for (std::size_t j = 0; j < 6; ++j) a(1, j) = 2.0 * a(3, j);
  const RankReport report = analyse_rows(a);
  EXPECT_EQ(report.rank, 3u);
  EXPECT_TRUE(std::isinf(report.condition));
  ASSERT_EQ(report.dependent_rows.size(), 1u);
  EXPECT_TRUE(report.dependent_rows[0] == 1 || report.dependent_rows[0] == 3) << report.dependent_rows[0];
}

TEST(AnalyseRowsTest, NamesZeroRows) {
  Matrix a = RandomMatrices(3).matrix(4, 6);
  for (std::size_t j = 0; j < 6; ++j) a(0, j) = a(2, j) = 0.0;
  EXPECT_EQ(analyse_rows(a).dependent_rows, (Rows{0, 2}));
}

TEST(AnalyseRowsTest, MoreRowsThanColumns) {
  const RankReport report = analyse_rows(RandomMatrices(4).matrix(5, 3));
  EXPECT_EQ(report.rank, 3u);
  EXPECT_EQ(report.dependent_rows.size(), 2u);
}

TEST(AnalyseRowsTest, ZeroAndEmptyMatrices) {
  EXPECT_EQ(analyse_rows(Matrix(2, 2)).rank, 0u);
  EXPECT_EQ(analyse_rows(Matrix(2, 2)).dependent_rows, (Rows{0, 1}));
  EXPECT_EQ(analyse_rows(Matrix(0, 3)).rank, 0u);
  EXPECT_EQ(analyse_rows(Matrix(0, 3)).condition, 1.0);
}

TEST(AnalyseRowsTest, ToleranceIsTwoSided) {
  Matrix a = Matrix::identity(2);
  a(1, 0) = 1.0;
  a(1, 1) = 1e-7;
  EXPECT_EQ(analyse_rows(a).rank, 2u);
  EXPECT_EQ(analyse_rows(a, 1e-5).rank, 1u);
  a(1, 1) = 1e-12;
  EXPECT_EQ(analyse_rows(a).rank, 1u);
}

TEST(LeastNormSolutionTest, IsTheShortestOfTheBestOnes) {
  Matrix a(2, 3);  // x + y = 2, z undetermined; the second row contradicts: x + y = 4
  a(0, 0) = a(0, 1) = a(1, 0) = a(1, 1) = 1.0;
  const Vector x = least_norm_solution(a, Vector{2.0, 4.0});
  EXPECT_NEAR(x[0], 1.5, 1e-15);
  EXPECT_NEAR(x[1], 1.5, 1e-15);
  EXPECT_NEAR(x[2], 0.0, 1e-15);
}

// Rows (1, 2) and (10, 20) in any units: with n^T x = 0 instead of one of them, x is determined.
TEST(RedundancyTest, IsFoundInAnyUnits) {
  for (const double unit : {1e-8, 1.0, 1e6}) {
    Matrix a(2, 2);
    a(0, 0) = 1.0, a(0, 1) = 2.0 * unit;
    a(1, 0) = 10.0, a(1, 1) = 20.0 * unit;
    const Redundancy found = redundancy_of(a);
    ASSERT_EQ(found.rows.size(), 1u);
    ASSERT_EQ(found.directions.rows(), 1u);
    // 1 x + 2 unit y = 1 in units in which both columns are 1: each does half of it.
    const double n0 = found.directions(0, 0), n1 = found.directions(0, 1);
    const double x = n1 / (n1 - 2.0 * unit * n0), y = (1.0 - x) / (2.0 * unit);
    EXPECT_NEAR(n0 * x + n1 * y, 0.0, 1e-12 * (std::abs(n0 * x) + std::abs(n1 * y)));
    EXPECT_NEAR(x, 0.5, 1e-12);
    const Vector least = least_norm_solution_in_any_units(a, Vector{1.0, 10.0});
    EXPECT_NEAR(least[0], x, 1e-12);
    EXPECT_NEAR(least[1], y, 1e-12 / unit);
  }
  EXPECT_TRUE(redundancy_of(Matrix::identity(3)).rows.empty());
}

TEST(SingularValuesTest, Reproduce) {
  const Matrix a = RandomMatrices(5).matrix(3, 5);
  const SingularValues svd = singular_values(a);
  ASSERT_EQ(svd.u.cols(), 3u);
  ASSERT_EQ(svd.v.cols(), 5u);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 5; ++j) {
      double sum = 0.0;
      for (std::size_t k = 0; k < 3; ++k) sum += svd.u(i, k) * svd.s[k] * svd.v(j, k);
      EXPECT_NEAR(sum, a(i, j), 1e-14);
    }
}

}  // namespace
}  // namespace driftless::rank_test
