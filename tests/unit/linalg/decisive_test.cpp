#include "driftless/linalg/decisive.h"

#include <gtest/gtest.h>

#include <cmath>

namespace driftless::decisive_test {
namespace {

DecisiveMatrix decisive(std::initializer_list<std::initializer_list<double>> rows) {
  DecisiveMatrix s(rows.size());
  std::size_t i = 0;
  for (const auto& row : rows) {
    std::size_t j = 0;
    for (const double x : row) s.matrix()(i, j++) = x;
    ++i;
  }
  return s;
}

// Two multipliers that act as one, stated by their sum: what is left of the second is rounding, and so is b beside the
// terms that it is a sum of.
TEST(DecisiveMatrix, RoundingIsNotScaledUp) {
  DecisiveMatrix s =
      decisive({{-2.1654813308619438, -4.8090912611618515e-16}, {-4.3309626617238877, -9.618182522323703e-16}});
  ASSERT_FALSE(s.factorise());
  Vector b{2.02e-15, 4.05e-15};
  s.solve(b, Vector{2.88, 0.0});
  EXPECT_NEAR(b[0], -9.35e-16, 2e-17);
  EXPECT_EQ(b[1], 0.0);
}

TEST(DecisiveMatrix, RoundingIsSeenInAnyUnits) {
  DecisiveMatrix s = decisive({{4.17, 3.7e16}, {-8.34, -7.4e16}});
  ASSERT_FALSE(s.factorise());
  s.set_sizes(Vector{1e-17, 1e-17});
  Vector b{9.39e-17, -1.88e-16};
  s.solve(b, Vector{1.1e-17, 3.3e-17});
  EXPECT_EQ(b[0], 0.0);
  EXPECT_LT(std::abs(b[1]), 1e-32);
}

// A multiplier in large units has a small column. It is used where nothing else solves the equations.
TEST(DecisiveMatrix, ASmallColumnThatIsNeededCounts) {
  DecisiveMatrix s = decisive({{1, 1e-15, 1}, {1, 2e-15, 1}, {2, 3e-15, 2}});
  ASSERT_FALSE(s.factorise());
  Vector b{1.0, 2.0, 3.0};
  s.solve(b);
  EXPECT_NEAR(b[1], 1e15, 1e7);
  EXPECT_NEAR(b[0] + 1e-15 * b[1] + b[2], 1.0, 1e-12);
}

// [3 0.5 0.6; 0.8 3 0.6; 0 -0.8 3.7] with the last unknown in units of 1e-12.
TEST(DecisiveMatrix, AnUnknownInSmallUnitsIsNoLossOfRank) {
  DecisiveMatrix s = decisive({{3, 0.5, 0}, {0.8, 3, 0.6e12}, {0, -0.8, 3.7e12}});
  EXPECT_FALSE(s.factorise());  // its column hides what the second and the third row have besides it
  s.set_sizes(Vector{1.0, 1.0, 1e-12});
  ASSERT_TRUE(s.factorise());
  Vector b{3.5, 0.8 + 3 + 0.6, 2.9};
  s.solve(b);
  EXPECT_NEAR(b[0], 1.0, 1e-15);
  EXPECT_NEAR(b[1], 1.0, 1e-15);
  EXPECT_NEAR(b[2], 1e-12, 1e-27);
}

// 1 x + 1 y = 2: from (5, -3.5) to (1, 1), not to the nearest solution.
TEST(DecisiveMatrix, CorrectsToTheLeastNorm) {
  DecisiveMatrix s(2);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j) s.matrix()(i, j) = 1.0;
  ASSERT_FALSE(s.factorise());
  const Vector at{5.0, -3.5};
  Vector d{at[0] + at[1] - 2.0, at[0] + at[1] - 2.0};
  s.correct(d, at);
  EXPECT_NEAR(at[0] - d[0], 1.0, 1e-14);
  EXPECT_NEAR(at[1] - d[1], 1.0, 1e-14);
}

}  // namespace
}  // namespace driftless::decisive_test
