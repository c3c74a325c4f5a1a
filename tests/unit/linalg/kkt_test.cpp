#include "driftless/linalg/kkt.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/linalg/lu.h"
#include "driftless/linalg/rank.h"
#include "tests/unit/linalg/random_matrix.h"

namespace driftless::kkt_test {
namespace {

struct Solution {
  Vector x, lambda;
};

// The whole matrix [M G^T; G 0], by LU.
Solution dense_solution(const Matrix& mass, const Matrix& g, const Vector& top, const Vector& bottom) {
  const std::size_t n = g.cols(), m = g.rows();
  RealLu lu(n + m);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) lu.matrix()(i, j) = mass(i, j);
    for (std::size_t k = 0; k < m; ++k) lu.matrix()(i, n + k) = lu.matrix()(n + k, i) = g(k, i);
  }
  EXPECT_TRUE(lu.factorise());
  Vector all(n + m);
  std::copy(top.begin(), top.end(), all.begin());
  std::copy(bottom.begin(), bottom.end(), all.begin() + static_cast<std::ptrdiff_t>(n));
  lu.solve(all);
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(n);
  return {Vector(all.begin(), middle), Vector(middle, all.end())};
}

void expect_near(const Vector& a, const Vector& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance);
}

TEST(KktTest, AgreesWithTheDenseSolution) {
  RandomMatrices random(1);
  for (std::size_t n : {1, 2, 5, 12, 30})
    for (std::size_t m = 0; m <= n; m += n < 4 ? 1 : 3)
      for (bool with_mass : {true, false}) {
        SCOPED_TRACE(fmt::format("n = {}, m = {}, mass {}", n, m, with_mass));
        const Matrix mass = with_mass ? random.positive_definite(n) : Matrix::identity(n);
        const Matrix g = random.matrix(m, n);
        const Vector top = random.vector(n), bottom = random.vector(m);
        const Solution expected = dense_solution(mass, g, top, bottom);
        Kkt kkt(n, m);
        ASSERT_EQ(kkt.factorise(with_mass ? mass : Matrix(), g), Kkt::Status::regular);
        EXPECT_EQ(kkt.rank(), m);
        Vector x = top, lambda = bottom;
        kkt.solve(x, lambda);
        double size = 1.0;
        for (double value : expected.lambda) size = std::max(size, std::abs(value));
        for (double value : expected.x) size = std::max(size, std::abs(value));
        expect_near(x, expected.x, 1e-11 * size);
        expect_near(lambda, expected.lambda, 1e-11 * size);
        Vector unloaded = top;
        kkt.solve_mass(unloaded);
        expect_near(times(mass, unloaded), top, 1e-12);
      }
}

// G = [g; g]: two equal rows share the load equally, which is what least norm means.
TEST(KktTest, RedundantRowsShareTheMultiplier) {
  RandomMatrices random(2);
  const Matrix mass = random.positive_definite(4), one = random.matrix(1, 4);
  Matrix g(2, 4);
  for (std::size_t j = 0; j < 4; ++j) g(0, j) = g(1, j) = one(0, j);
  const Vector top = random.vector(4);
  const Solution expected = dense_solution(mass, one, top, {0.7});
  Kkt kkt(4, 2);
  EXPECT_EQ(kkt.factorise(mass, g), Kkt::Status::redundant_constraints);
  EXPECT_EQ(kkt.rank(), 1u);
  Vector x = top, lambda{0.7, 0.7};
  kkt.solve(x, lambda);
  expect_near(x, expected.x, 1e-13);
  EXPECT_NEAR(lambda[0], 0.5 * expected.lambda[0], 1e-13);
  EXPECT_NEAR(lambda[1], 0.5 * expected.lambda[0], 1e-13);
}

// g_2 = g_0 + g_1 and more rows than needed: x is that of the independent rows, and lambda is orthogonal to ker G^T.
TEST(KktTest, CombinationsOfRowsLeaveTheMotionUnchanged) {
  RandomMatrices random(3);
  for (std::size_t n : {2, 3, 6}) {
    const Matrix mass = random.positive_definite(n), two = random.matrix(2, n);
    Matrix g(3, n);
    for (std::size_t j = 0; j < n; ++j) {
      g(0, j) = two(0, j);
      g(1, j) = two(1, j);
      g(2, j) = two(0, j) + two(1, j);
    }
    const Vector top = random.vector(n);
    const Solution expected = dense_solution(mass, two, top, {0.3, -0.4});
    Kkt kkt(n, 3);
    EXPECT_EQ(kkt.factorise(mass, g), Kkt::Status::redundant_constraints);
    EXPECT_EQ(kkt.rank(), 2u);
    Vector x = top, lambda{0.3, -0.4, -0.1};
    kkt.solve(x, lambda);
    expect_near(x, expected.x, 1e-12);
    EXPECT_NEAR(lambda[0] + lambda[1] - lambda[2], 0.0, 1e-12);
    expect_near(transposed_times(g, lambda), transposed_times(two, expected.lambda), 1e-12);
  }
}

TEST(KktTest, ContradictoryRowsAreMetInTheMiddle) {
  Matrix g(2, 2);
  g(0, 0) = g(1, 0) = 1.0;
  Kkt kkt(2, 2);
  EXPECT_EQ(kkt.factorise(Matrix(), g), Kkt::Status::redundant_constraints);
  Vector x{5.0, 7.0}, lambda{1.0, 3.0};  // x_0 = 1 and x_0 = 3
  kkt.solve(x, lambda);
  EXPECT_NEAR(x[0], 2.0, 1e-14);
  EXPECT_NEAR(x[1], 7.0, 1e-14);
  EXPECT_NEAR(lambda[0], 1.5, 1e-14);
  EXPECT_NEAR(lambda[1], 1.5, 1e-14);
}

// A constraint in other units has the multiplier in other units and the same motion.
TEST(KktTest, RankDoesNotDependOnUnits) {
  RandomMatrices random(4);
  const Matrix mass = random.positive_definite(5);
  const Vector top = random.vector(5);
  for (double unit : {1e-13, 1e-6, 1e9}) {
    Matrix g = random.matrix(2, 5);
    const Solution expected = dense_solution(mass, g, top, {0.2, 0.1});
    for (std::size_t j = 0; j < 5; ++j) g(1, j) *= unit;
    Kkt kkt(5, 2);
    EXPECT_EQ(kkt.factorise(mass, g), Kkt::Status::regular);
    Vector x = top, lambda{0.2, 0.1 * unit};
    kkt.solve(x, lambda);
    expect_near(x, expected.x, 1e-12);
    EXPECT_NEAR(lambda[1] * unit, expected.lambda[1], 1e-12);
  }
}

// An independent row must not be lost beside redundant ones because its unit is small.
TEST(KktTest, RedundantRowsInOtherUnits) {
  for (double unit : {1e-12, 1e-5, 1.0, 1e9}) {
    Matrix g(3, 3);
    g(0, 0) = g(1, 0) = 1.0;
    g(2, 1) = unit;
    Kkt kkt(3, 3);
    EXPECT_EQ(kkt.factorise(Matrix(), g), Kkt::Status::redundant_constraints);
    EXPECT_EQ(kkt.rank(), 2u);
    Vector x{1.0, 2.0, 3.0}, lambda{0.5, 0.5, 4.0 * unit};
    kkt.solve(x, lambda);
    EXPECT_NEAR(x[0], 0.5, 1e-14);
    EXPECT_NEAR(x[1], 4.0, 1e-12) << unit;
    EXPECT_NEAR(x[2], 3.0, 1e-14);
    EXPECT_NEAR(lambda[2] * unit, -2.0, 1e-12) << unit;
  }
}

// Ranks from 0 to n, more rows than columns included: x solves the whole system, lambda is orthogonal to ker G^T.
TEST(KktTest, AnyRank) {
  RandomMatrices random(8);
  for (std::size_t n : {1, 3, 6})
    for (std::size_t m : {2, 4, 9})
      for (std::size_t rank = 0; rank <= std::min(n, m); ++rank) {
        SCOPED_TRACE(fmt::format("n = {}, m = {}, rank {}", n, m, rank));
        const Matrix mass = random.positive_definite(n), base = random.matrix(rank, n), mix = random.matrix(m, rank);
        Matrix g(m, n);
        for (std::size_t i = 0; i < m; ++i)
          for (std::size_t j = 0; j < n; ++j)
            for (std::size_t k = 0; k < rank; ++k) g(i, j) += mix(i, k) * base(k, j);
        const Vector top = random.vector(n), target = times(g, random.vector(n));
        Kkt kkt(n, m);
        kkt.factorise(mass, g);
        ASSERT_EQ(kkt.rank(), rank);
        Vector x = top, lambda = target;
        kkt.solve(x, lambda);
        expect_near(times(g, x), target, 1e-10);
        Vector balance = times(mass, x);
        const Vector reaction = transposed_times(g, lambda);
        for (std::size_t i = 0; i < n; ++i) balance[i] += reaction[i];
        expect_near(balance, top, 1e-10);
        expect_near(lambda, least_norm_solution(transposed(g), reaction), 1e-7);
      }
}

TEST(KktTest, ZeroRowsAreRedundant) {
  Matrix g(2, 3);
  g(1, 1) = 2.0;
  Kkt kkt(3, 2);
  EXPECT_EQ(kkt.factorise(Matrix(), g), Kkt::Status::redundant_constraints);
  EXPECT_EQ(kkt.rank(), 1u);
  EXPECT_EQ(kkt.row_order()[0], 1u);
}

TEST(KktTest, NamesTheRowWhereTheMassMatrixFails) {
  Matrix mass = RandomMatrices(5).positive_definite(4);
  for (double diagonal : {0.0, -1.0, std::nan("")}) {
    mass(2, 2) = diagonal;
    Kkt kkt(4, 1);
    EXPECT_EQ(kkt.factorise(mass, RandomMatrices(6).matrix(1, 4)), Kkt::Status::mass_not_positive_definite);
    EXPECT_EQ(kkt.failed_row(), 2u);
  }
}

// Of rank one up to rounding: the pivots that are left are rounding errors of either sign, and no inertia.
TEST(KktTest, SingularMassMatricesAreFoundInSpiteOfRounding) {
  RandomMatrices random(7);
  for (int sample = 0; sample < 50; ++sample) {
    const Vector w = random.vector(3);
    Matrix mass(3, 3);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) mass(i, j) = w[i] * w[j];
    Kkt kkt(3, 0);
    EXPECT_EQ(kkt.factorise(mass, Matrix(0, 3)), Kkt::Status::mass_not_positive_definite) << sample;
    EXPECT_EQ(kkt.failed_row(), 1u);
  }
}

TEST(KktTest, SmallMassesAreNoSingularOnes) {
  Matrix mass = Matrix::identity(3);
  mass(1, 1) = 1e-20;
  Kkt kkt(3, 0);
  EXPECT_EQ(kkt.factorise(mass, Matrix(0, 3)), Kkt::Status::regular);
}

}  // namespace
}  // namespace driftless::kkt_test
