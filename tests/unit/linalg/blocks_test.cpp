#include "driftless/linalg/blocks.h"

#include <gtest/gtest.h>

namespace driftless {
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
  const auto blocks = diagonal_blocks(a);
  ASSERT_EQ(blocks.size(), 3U);
  EXPECT_EQ(blocks[0].columns, std::vector<std::size_t>{1});
  EXPECT_EQ(blocks[1].rows, (std::vector<std::size_t>{1, 3}));
  EXPECT_EQ(blocks[1].columns, (std::vector<std::size_t>{0, 3}));
  const Matrix two = copy_of(a, blocks[1]);
  EXPECT_EQ(two(0, 1), 4.0);
  EXPECT_EQ(two(1, 0), 6.0);
}

TEST(Blocks, AreSquare) {
  const Matrix redundant = matrix({{0, 0, -3}, {0, 0, 1.5}, {-2, 0, 0}});
  const auto blocks = diagonal_blocks(redundant);
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_EQ(blocks[0].rows, std::vector<std::size_t>{2});
  EXPECT_EQ(blocks[0].columns, std::vector<std::size_t>{0});
}

TEST(Blocks, StandAloneUntilSomethingReachesIn) {
  Matrix a = matrix({{1, 0}, {0, 1}});
  const MatrixBlock first = diagonal_blocks(a)[0];
  EXPECT_TRUE(stands_alone(a, first));
  a(1, 0) = 1e-300;
  EXPECT_FALSE(stands_alone(a, first));
  a(1, 0) = 0.0;
  a(0, 1) = -1.0;
  EXPECT_FALSE(stands_alone(a, first));
}

}  // namespace
}  // namespace driftless
