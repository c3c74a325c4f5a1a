// Sparse factorisations against dense ones, and what happens when values change.
#include <gtest/gtest.h>

#include <complex>

#include "driftless/core/failure.h"
#include "driftless/linalg/dense.h"
#include "driftless/linalg/sparse_cholesky.h"
#include "driftless/linalg/sparse_lu.h"
#include "tests/unit/linalg/random_matrix.h"

namespace driftless {
namespace {

// A sparse matrix with a full diagonal, as pattern and dense entries.
struct Sample {
  Pattern pattern;
  Matrix dense;
};

Sample sample(std::size_t n, unsigned seed, bool lower_only) {
  RandomMatrices random(seed);
  Sample s{.pattern = {}, .dense = Matrix(n, n)};
  std::vector<std::vector<std::uint32_t>> columns(n);
  for (std::uint32_t j = 0; j < n; ++j)
    for (std::uint32_t i = 0; i < n; ++i) {
      const bool there = i == j || random.number() > 0.6;
      if (!there || (lower_only && i < j)) continue;
      columns[j].push_back(i);
      s.dense(i, j) = i == j ? 6.0 + random.number() : random.number();
    }
  s.pattern = pattern_from_columns(n, columns);
  if (lower_only)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < j; ++i) s.dense(i, j) = s.dense(j, i);
  return s;
}

template <class T>
std::vector<T> values_of(const Sample& s, T factor) {
  std::vector<T> values;
  for (std::size_t j = 0; j < s.pattern.cols; ++j)
    for (std::size_t k = s.pattern.begin[j]; k < s.pattern.begin[j + 1]; ++k)
      values.push_back(factor * s.dense(s.pattern.row[k], j));
  return values;
}

std::vector<std::uint32_t> backwards(std::size_t n) {
  std::vector<std::uint32_t> order;
  for (std::size_t i = n; i-- > 0;) order.push_back(static_cast<std::uint32_t>(i));
  return order;
}

TEST(SparseCholesky, SolvesAndFactorisesAgain) {
  const std::size_t n = 20;
  const Sample s = sample(n, 1, true);
  RandomMatrices random(2);
  for (const auto& order : {std::vector<std::uint32_t>{}, backwards(n)}) {
    SparseCholesky cholesky(s.pattern, order);
    for (const double factor : {1.0, 2.5}) {
      ASSERT_TRUE(cholesky.factorise(values_of(s, factor)));
      const Vector x = random.vector(n), y = random.vector(n);
      Vector b = product(s.dense, x), more = product(s.dense, y);
      b.insert(b.end(), more.begin(), more.end());
      cholesky.solve(b, 2);
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_NEAR(b[i], x[i] / factor, 1e-13);
        EXPECT_NEAR(b[n + i], y[i] / factor, 1e-13);
      }
    }
    EXPECT_EQ(cholesky.factorisations(), 2u);
    EXPECT_GT(cholesky.bytes(), cholesky.entries() * sizeof(double));
  }
}

TEST(SparseCholesky, RefusesWhatIsNotPositiveDefinite) {
  const Sample s = sample(6, 3, true);
  SparseCholesky cholesky(s.pattern);
  EXPECT_FALSE(cholesky.factorise(values_of(s, -1.0)));
  EXPECT_TRUE(cholesky.factorise(values_of(s, 1.0)));
  EXPECT_THROW(SparseCholesky(Pattern{.rows = 2, .cols = 1, .begin = {0, 1}, .row = {0}}), Misuse);
}

TEST(SparseLu, SolvesAndRefactorises) {
  const std::size_t n = 25;
  const Sample s = sample(n, 4, false);
  RandomMatrices random(5);
  for (const auto& order : {std::vector<std::uint32_t>{}, backwards(n)}) {
    SparseLu lu(s.pattern, order);
    for (const double factor : {1.0, -0.5, 3.0}) {
      ASSERT_TRUE(lu.factorise(values_of(s, factor)));
      const Vector x = random.vector(n);
      Vector b = product(s.dense, x);
      lu.solve(b);
      for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(b[i], x[i] / factor, 1e-13);
    }
    EXPECT_EQ(lu.factorisations(), 1u);
    EXPECT_EQ(lu.refactorisations(), 2u);
    EXPECT_GT(lu.entries(), 0u);
    EXPECT_GT(lu.bytes(), 0u);
  }
}

// The pivots of the first matrix are zero in the second: they have to be chosen anew.
TEST(SparseLu, PivotsAnewWhenTheOldOnesVanish) {
  const Pattern full = pattern_from_columns(2, {{0, 1}, {0, 1}});
  SparseLu lu(full);
  ASSERT_TRUE(lu.factorise(Vector{2.0, 1.0, 1.0, 3.0}));
  ASSERT_TRUE(lu.factorise(Vector{0.0, 1.0, 1.0, 0.0}));
  Vector b = {3.0, 5.0};
  lu.solve(b);
  EXPECT_DOUBLE_EQ(b[0], 5.0);
  EXPECT_DOUBLE_EQ(b[1], 3.0);
  EXPECT_EQ(lu.factorisations(), 2u);
  EXPECT_FALSE(lu.factorise(Vector{1.0, 1.0, 1.0, 1.0}));
}

TEST(SparseLu, SolvesComplexSystems) {
  using Complex = std::complex<double>;
  const std::size_t n = 15;
  const Sample s = sample(n, 6, false);
  RandomMatrices random(7);
  ComplexSparseLu lu(s.pattern);
  for (const Complex factor : {Complex(1.0, 2.0), Complex(-0.5, 0.1)}) {
    ASSERT_TRUE(lu.factorise(values_of(s, factor)));
    const Vector re = random.vector(n), im = random.vector(n);
    const Vector b_re = product(s.dense, re), b_im = product(s.dense, im);
    std::vector<Complex> b;
    for (std::size_t i = 0; i < n; ++i) b.push_back(factor * Complex(b_re[i], b_im[i]));
    lu.solve(b);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(b[i].real(), re[i], 1e-13);
      EXPECT_NEAR(b[i].imag(), im[i], 1e-13);
    }
  }
}

}  // namespace
}  // namespace driftless
