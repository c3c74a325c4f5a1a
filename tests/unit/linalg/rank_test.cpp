#include "driftless/linalg/rank.h"

#include <gtest/gtest.h>

#include "tests/unit/linalg/random_matrix.h"

namespace driftless {
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
}  // namespace driftless
