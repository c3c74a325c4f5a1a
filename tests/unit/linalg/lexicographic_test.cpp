#include "driftless/linalg/lexicographic.h"

#include <gtest/gtest.h>

#include <cmath>

namespace driftless::lexicographic_test {
namespace {

Matrix rows(std::initializer_list<std::initializer_list<double>> values) {
  Matrix m(values.size(), values.begin()->size());
  std::size_t i = 0;
  for (const auto& row : values) {
    std::size_t j = 0;
    for (const double x : row) m(i, j++) = x;
    ++i;
  }
  return m;
}

TEST(Lexicographic, LaterLevelsMoveOnlyWhatIsOpen) {
  Lexicographic levels(3);
  levels.add(rows({{1, 1, 0}}), Vector{2});
  EXPECT_NEAR(levels.solution()[0], 1.0, 1e-15);  // least norm so far
  EXPECT_NEAR(levels.solution()[1], 1.0, 1e-15);
  EXPECT_EQ(levels.open().cols(), 2u);
  levels.add(rows({{1, 0, 0}}), Vector{5});
  EXPECT_NEAR(levels.solution()[0], 5.0, 1e-14);
  EXPECT_NEAR(levels.solution()[1], -3.0, 1e-14);
  // y is settled; what is asked of it now is not heard, and z is as open as before.
  levels.add(rows({{0, 1, 0}}), Vector{100});
  EXPECT_NEAR(levels.solution()[1], -3.0, 1e-14);
  ASSERT_EQ(levels.open().cols(), 1u);
  EXPECT_NEAR(std::abs(levels.open()(2, 0)), 1.0, 1e-15);
  EXPECT_EQ(levels.solution()[2], 0.0);
}

// Equals share: x = 0 and x = 2 with weights 1 and 3 give (0 + 9 * 2) / 10.
TEST(Lexicographic, EqualsAreMetInTheSenseOfLeastSquares) {
  Lexicographic levels(2);
  levels.add(rows({{1, 0}, {3, 0}, {0, 0}}), Vector{0, 6, 9});
  EXPECT_NEAR(levels.solution()[0], 1.8, 1e-14);
  EXPECT_EQ(levels.open().cols(), 1u);
  levels.add(rows({{1, 2}}), Vector{0});
  EXPECT_NEAR(levels.solution()[0], 1.8, 1e-14);
  EXPECT_NEAR(levels.solution()[1], -0.9, 1e-14);
  EXPECT_EQ(levels.open().cols(), 0u);
}

// Rounding that earlier levels leave in later rows is not taken for a direction.
TEST(Lexicographic, RoundingIsNoDirection) {
  Lexicographic levels(3);
  levels.add(rows({{1.0 / 3, 1.0 / 7, 1.0 / 11}, {1.0 / 13, 1.0 / 17, 1.0 / 19}}), Vector{1, 1});
  const Vector before = levels.solution();
  levels.add(rows({{1.0 / 3 + 1.0 / 13, 1.0 / 7 + 1.0 / 17, 1.0 / 11 + 1.0 / 19}}), Vector{1e6});
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(levels.solution()[i], before[i], 1e-12);
  EXPECT_EQ(levels.open().cols(), 1u);
}

}  // namespace
}  // namespace driftless::lexicographic_test
