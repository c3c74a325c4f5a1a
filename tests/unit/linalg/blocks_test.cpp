#include "driftless/linalg/blocks.h"

#include <gtest/gtest.h>

namespace driftless::blocks_test {
namespace {

Matrix matrix(std::initializer_list<std::initializer_list<double>> rows) {
  Matrix a(rows.size(), rows.begin()->size());
  std::size_t i = 0;
  for (const auto& row : rows) {
    std::size_t j = 0;
    for (const double x : row) a(i, j++) = x;
    ++i;
  }
  return a;
}

TEST(Blocks, AreFoundWhateverTheOrderOfRowsAndColumns) {
  const Matrix a = matrix({{0, 2, 0, 0}, {3, 0, 0, 4}, {0, 0, 5, 0}, {6, 0, 0, 7}});
  const auto blocks = triangular_blocks(a);
  ASSERT_EQ(blocks.size(), 3U);
  EXPECT_EQ(blocks[0].columns, std::vector<std::size_t>{1});
  EXPECT_EQ(blocks[1].rows, (std::vector<std::size_t>{1, 3}));
  EXPECT_EQ(blocks[1].columns, (std::vector<std::size_t>{0, 3}));
  const Matrix two = copy_of(a, blocks[1]);
  EXPECT_EQ(two(0, 1), 4.0);
  EXPECT_EQ(two(1, 0), 6.0);
}

// Row 2 determines column 0 alone, rows 0 and 3 then columns 1 and 3 together, row 1 the rest.
TEST(Blocks, OfATriangularMatrixStandOneBelowTheOther) {
  const Matrix a = matrix({{1, 2, 0, 3}, {4, 5, 6, 7}, {8, 0, 0, 0}, {0, 9, 0, 1}});
  const auto blocks = triangular_blocks(a);
  ASSERT_EQ(blocks.size(), 3U);
  EXPECT_EQ(blocks[0].rows, (std::vector<std::size_t>{0, 3}));
  EXPECT_EQ(blocks[0].columns, (std::vector<std::size_t>{1, 3}));
  EXPECT_EQ(blocks[1].rows, std::vector<std::size_t>{1});
  EXPECT_EQ(blocks[1].columns, std::vector<std::size_t>{2});
  EXPECT_EQ(blocks[2].rows, std::vector<std::size_t>{2});
  EXPECT_EQ(blocks[2].columns, std::vector<std::size_t>{0});
}

// The first row finds column 0, which the second one needs.
TEST(Blocks, ADiagonalIsFoundByMovingRows) {
  const auto blocks = triangular_blocks(matrix({{1, 1, 0}, {1, 0, 0}, {0, 1, 1}}));
  ASSERT_EQ(blocks.size(), 3U);
  EXPECT_EQ(blocks[0].columns, std::vector<std::size_t>{1});
  EXPECT_EQ(blocks[1].columns, std::vector<std::size_t>{0});
  EXPECT_EQ(blocks[2].columns, std::vector<std::size_t>{2});
}

TEST(Blocks, OfAFullMatrixAreOne) {
  EXPECT_EQ(triangular_blocks(matrix({{1, 1, 0}, {0, 1, 1}, {1, 0, 1}})).size(), 1U);
}

TEST(Blocks, AreSquare) {
  const Matrix redundant = matrix({{0, 0, -3}, {0, 0, 1.5}, {-2, 0, 0}});
  const auto blocks = triangular_blocks(redundant);
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_EQ(blocks[0].rows, std::vector<std::size_t>{2});
  EXPECT_EQ(blocks[0].columns, std::vector<std::size_t>{0});
}

// Two rows for one column, and two columns for the last row: square, but without a diagonal.
TEST(Blocks, NeedADiagonal) { EXPECT_TRUE(triangular_blocks(matrix({{1, 0, 0}, {2, 0, 0}, {3, 4, 5}})).empty()); }

TEST(Blocks, EntriesAreMarkedForGood) {
  Matrix marks(2, 2);
  const Matrix a = matrix({{1, 0}, {0, 1}}), b = matrix({{0, 1e-300}, {0, 0}});
  EXPECT_TRUE(mark_entries(a, marks));
  EXPECT_FALSE(mark_entries(a, marks));
  EXPECT_TRUE(has_unmarked(b, marks));
  EXPECT_TRUE(mark_entries(b, marks));
  EXPECT_FALSE(has_unmarked(b, marks));
  EXPECT_FALSE(has_unmarked(a, marks));
}

}  // namespace
}  // namespace driftless::blocks_test
