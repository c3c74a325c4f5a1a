// [A, -B; G, 0] without its Schur complement: solutions, determinants, and what is redundant in it.
#include "driftless/linalg/saddle_system.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "driftless/linalg/dense.h"
#include "tests/unit/linalg/random_matrix.h"

namespace driftless::saddle_system_test {
namespace {

Pattern pattern_of(const Matrix& a) {
  std::vector<std::vector<std::uint32_t>> columns(a.cols());
  for (std::size_t j = 0; j < a.cols(); ++j)
    for (std::uint32_t i = 0; i < a.rows(); ++i)
      if (a(i, j) != 0.0) columns[j].push_back(i);
  return pattern_from_columns(a.rows(), columns);
}

Vector values_of(const Matrix& a) {
  Vector values;
  for (std::size_t k = 0; k < a.rows() * a.cols(); ++k)
    if (a.data()[k] != 0.0) values.push_back(a.data()[k]);
  return values;
}

// n unknowns in a row with masses, differences of neighbours as constraints, closed to a ring if m = n: the sum of all
// rows then vanishes.
struct Ring {
  Matrix a, b, g;

  Ring(std::size_t n, std::size_t m, bool symmetric) : a(n, n), b(n, m), g(m, n) {
    for (std::size_t i = 0; i < n; ++i) a(i, i) = 1.0 + 0.1 * static_cast<double>(i % 5);
    for (std::size_t i = 0; i < m; ++i) {
      g(i, i) = -1.0;
      g(i, (i + 1) % n) = 1.0;
    }
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < n; ++j)
        b(j, i) = g(i, j) * (symmetric ? 1.0 : 1.0 + 0.2 * static_cast<double>((i + 2 * j) % 3));
  }
  SaddleSystem system() const {
    SaddleSystem result(pattern_of(a), pattern_of(b), pattern_of(g));
    result.set_a(values_of(a));
    result.set_b(values_of(b));
    result.set_g(values_of(g));
    return result;
  }
  // G A^-1 B
  Matrix schur() const {
    Matrix s(g.rows(), b.cols());
    for (std::size_t i = 0; i < g.rows(); ++i)
      for (std::size_t l = 0; l < b.cols(); ++l)
        for (std::size_t j = 0; j < a.rows(); ++j) s(i, l) += g(i, j) * b(j, l) / a(j, j);
    return s;
  }
};

TEST(SaddleSystem, SolvesAndKnowsTheDeterminant) {
  const ForcedKernel forced(LinearKernel::sparse);
  const Ring ring(30, 29, false);
  SaddleSystem system = ring.system();
  ASSERT_TRUE(system.is_sparse());
  ASSERT_TRUE(system.factorise());
  EXPECT_EQ(system.rank(), 29u);
  const Vector mu = RandomMatrices(5).vector(29);
  const Vector r = product(ring.schur(), mu);
  Vector x(30, 0.0);
  x.insert(x.end(), r.begin(), r.end());
  system.solve(x);
  for (std::size_t i = 0; i < 29; ++i) EXPECT_NEAR(x[30 + i], mu[i], 1e-11);
  const Vector push = product(ring.b, mu);
  for (std::size_t j = 0; j < 30; ++j) EXPECT_NEAR(x[j], push[j] / ring.a(j, j), 1e-11);

  RealLu schur(29);
  schur.matrix() = ring.schur();
  ASSERT_TRUE(schur.factorise());
  double log_a = 0.0;
  for (std::size_t j = 0; j < 30; ++j) log_a += std::log(ring.a(j, j));
  EXPECT_EQ(system.determinant().sign, schur.determinant().sign);
  EXPECT_NEAR(system.determinant().log, schur.determinant().log + log_a, 1e-10);
}

// The kernel of S is one vector; all ones if B = G^T. Solutions are orthogonal to it, consistent right-hand sides are
// met, and the redundancy is noticed when it goes and when it comes back.
TEST(SaddleSystem, FindsWhatIsRedundant) {
  const ForcedKernel forced(LinearKernel::sparse);
  for (const std::size_t n : {12u, 300u}) {
    const Ring ring(n, n, true);
    SaddleSystem system = ring.system();
    EXPECT_FALSE(system.factorise());
    EXPECT_EQ(system.rank(), n - 1);
    const Redundancy redundancy = system.redundancy();
    ASSERT_EQ(redundancy.rows.size(), 1u);
    for (std::size_t j = 1; j < n; ++j)
      EXPECT_NEAR(redundancy.directions(0, j) / redundancy.directions(0, 0), 1.0, 1e-9);

    Vector mu = RandomMatrices(5).vector(n);
    const Vector r = product(ring.schur(), mu);
    double mean = 0.0;
    for (const double x : mu) mean += x / static_cast<double>(n);
    Vector x(n, 0.0);
    x.insert(x.end(), r.begin(), r.end());
    system.solve(x);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(x[n + i], mu[i] - mean, 1e-10 * static_cast<double>(n));

    Ring opened = ring;
    opened.g(0, 0) = opened.b(0, 0) = -1.5;
    system.set_b(values_of(opened.b));
    system.set_g(values_of(opened.g));
    EXPECT_TRUE(system.factorise());
    EXPECT_EQ(system.rank(), n);
    system.set_b(values_of(ring.b));
    system.set_g(values_of(ring.g));
    EXPECT_FALSE(system.factorise());
    EXPECT_EQ(system.rank(), n - 1);
  }
}

// With other weights rows still depend on each other, but the direction, in units of the largest entries of B, has
// turned since it was found: solutions are orthogonal to the new one.
TEST(SaddleSystem, LeastNormFollowsADirectionThatTurns) {
  const ForcedKernel forced(LinearKernel::sparse);
  const std::size_t n = 30;
  const Ring ring(n, n, true);
  SaddleSystem system = ring.system();
  EXPECT_FALSE(system.factorise());
  Ring turned = ring;
  const auto weight = [&](std::size_t j) { return 1.0 + 0.5 * static_cast<double>((j * j) % 7); };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) turned.b(j, i) = turned.g(i, j) *= weight(j);
  system.set_b(values_of(turned.b));
  system.set_g(values_of(turned.g));
  EXPECT_FALSE(system.factorise());
  EXPECT_EQ(system.rank(), n - 1);
  const Vector r = product(turned.schur(), RandomMatrices(5).vector(n));
  Vector x(n, 0.0);
  x.insert(x.end(), r.begin(), r.end());
  system.solve(x);
  const Vector back = product(turned.schur(), Vector(x.begin() + n, x.end()));
  double along = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_NEAR(back[i], r[i], 1e-10);
    const double unit = std::max(weight(i), weight((i + 1) % n));
    along += unit * unit * x[n + i];
  }
  EXPECT_NEAR(along, 0.0, 1e-9);
}

// Two rows of G are parallel, and two other columns of B: the row to leave out belongs to the kernel of the transposed
// S.
TEST(SaddleSystem, RowsAndDirectionsMayBeElsewhere) {
  const ForcedKernel forced(LinearKernel::sparse);
  constexpr std::size_t m = 8;
  Ring parts(m, m, true);
  parts.g = parts.b = Matrix(m, m);
  for (std::size_t i = 2; i < m; ++i) parts.g(i, i) = 1.0;
  for (std::size_t j : {0, 1}) {
    parts.g(0, j) = 1.0;
    parts.g(1, j) = 2.0;
  }
  parts.b(0, 0) = 1.0;
  for (std::size_t j = 1; j + 2 < m; ++j) parts.b(j + 1, j) = 1.0;
  for (std::size_t j : {std::size_t{1}, m - 1}) {
    parts.b(j, m - 2) = 1.0;
    parts.b(j, m - 1) = 3.0;
  }
  SaddleSystem system = parts.system();
  EXPECT_FALSE(system.factorise());
  EXPECT_EQ(system.rank(), m - 1);
  ASSERT_EQ(system.redundancy().rows.size(), 1u);
  EXPECT_LT(system.redundancy().rows[0], 2u);
  const Matrix s = parts.schur();
  Vector x(2 * m, 0.0), r(m, 0.0);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t l = 0; l < m; ++l) r[i] += s(i, l) * (1.0 + 0.1 * static_cast<double>(l));
  std::ranges::copy(r, x.begin() + m);
  system.solve(x);
  for (std::size_t i = 0; i < m; ++i) {
    double left = -r[i];
    for (std::size_t l = 0; l < m; ++l) left += s(i, l) * x[m + l];
    EXPECT_NEAR(left, 0.0, 1e-12) << i;
  }
}

// Rows of G that do not depend on each other, while B is singular: nothing is redundant, something does not act.
TEST(SaddleSystem, WhatDoesNotActIsNotRedundant) {
  const ForcedKernel forced(LinearKernel::sparse);
  const std::size_t n = 40;
  Ring ring(n, n, true);
  ring.g(0, 0) = -1.5;
  SaddleSystem system = ring.system();
  EXPECT_FALSE(system.factorise());
  EXPECT_EQ(system.rank(), n - 1);
  EXPECT_TRUE(system.redundancy().rows.empty());
}

// Two rings that share nothing, and multipliers that act through another matrix: two directions, and least norm.
TEST(SaddleSystem, LeastNormOfSeveralDirections) {
  const ForcedKernel forced(LinearKernel::sparse);
  const std::size_t n = 40, half = 20;
  Ring one(half, half, true);
  Ring both(n, n, true);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      both.g(i, j) = i / half == j / half ? one.g(i % half, j % half) : 0.0;
      both.b(j, i) = both.g(i, j);
    }
  SaddleSystem system = both.system();
  EXPECT_FALSE(system.factorise());
  EXPECT_EQ(system.rank(), n - 2);
  Vector mu = RandomMatrices(9).vector(n);
  const Vector r = product(both.schur(), mu);
  Vector x(n, 0.0);
  x.insert(x.end(), r.begin(), r.end());
  system.solve(x);
  for (const std::size_t first : {std::size_t{0}, half}) {
    double sum = 0.0;
    for (std::size_t i = first; i < first + half; ++i) sum += x[n + i];
    EXPECT_NEAR(sum, 0.0, 1e-10);
  }
  const Vector back = product(both.schur(), Vector(x.begin() + n, x.end()));
  for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(back[i], r[i], 1e-10);
}

}  // namespace
}  // namespace driftless::saddle_system_test
