// Pencils with known structure: A = S diag(I, N) T, B = S diag(J, I) T with regular S, T, nilpotent N, any J.
#include "driftless/analysis/stability/pencil_structure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "driftless/analysis/stability/pencil.h"
#include "driftless/core/failure.h"
#include "driftless/linalg/dense.h"

namespace driftless::pencil_structure_test {
namespace {

using Sizes = std::vector<std::size_t>;

struct Known {
  Vector eigenvalues;  // real; and the pair 1 +- 2i if `pair`
  bool pair = false;
  Sizes blocks;  // at infinity, descending
};

const Known table[] = {{{-1.0, -2.0}, false, {}},        {{-1.0, 3.0}, false, {1}}, {{-0.5}, true, {1, 1}},
                       {{-1.0, -7.0}, false, {2}},       {{2.0}, true, {3, 1}},     {{}, false, {4}},
                       {{-1.0, -1e3}, false, {2, 2, 1}}, {{}, true, {3, 2, 1, 1}},  {{0.0, -1.0}, false, {2, 1}},
                       {{-4.0, 5.0}, true, {1, 1, 1}}};

Matrix random_matrix(std::size_t n, std::mt19937& generator) {
  std::normal_distribution<double> normal;
  Matrix m(n, n);
  for (std::size_t k = 0; k < n * n; ++k) m.data()[k] = normal(generator);
  for (std::size_t i = 0; i < n; ++i) m(i, i) += 3.0;
  return m;
}

struct Pencil {
  Matrix a, b;
};

Pencil canonical(const Known& known) {
  std::size_t n = known.eigenvalues.size() + (known.pair ? 2 : 0);
  const std::size_t finite = n;
  for (const std::size_t size : known.blocks) n += size;
  Pencil p{Matrix(n, n), Matrix(n, n)};
  for (std::size_t i = 0; i < finite; ++i) p.a(i, i) = 1.0;
  for (std::size_t i = 0; i < known.eigenvalues.size(); ++i) p.b(i, i) = known.eigenvalues[i];
  if (known.pair) {
    p.b(finite - 2, finite - 2) = p.b(finite - 1, finite - 1) = 1.0;
    p.b(finite - 2, finite - 1) = 2.0;
    p.b(finite - 1, finite - 2) = -2.0;
  }
  std::size_t at = finite;
  for (const std::size_t size : known.blocks) {
    for (std::size_t i = 0; i < size; ++i) p.b(at + i, at + i) = 1.0;
    for (std::size_t i = 0; i + 1 < size; ++i) p.a(at + i, at + i + 1) = 1.0;
    at += size;
  }
  return p;
}

void expect_structure(const PencilStructure& found, const Known& known) {
  ASSERT_TRUE(found.regular);
  EXPECT_EQ(found.infinite_blocks, known.blocks);
  EXPECT_EQ(found.index, known.blocks.empty() ? 0u : known.blocks.front());
  EXPECT_TRUE(found.is_clear()) << found.smallest_kept << " " << found.largest_dropped;
  std::vector<std::complex<double>> expected(known.eigenvalues.begin(), known.eigenvalues.end());
  if (known.pair) expected.insert(expected.end(), {{1.0, 2.0}, {1.0, -2.0}});
  ASSERT_EQ(found.eigenvalues.size(), expected.size());
  EXPECT_EQ(found.subspace.cols(), expected.size());
  for (const auto& s : expected) {
    double nearest = INFINITY;
    for (const auto& t : found.eigenvalues) nearest = std::min(nearest, std::abs(s - t));
    EXPECT_LT(nearest, 1e-8 * std::max(1.0, std::abs(s))) << s;
  }
}

TEST(PencilStructure, FindsIndexEigenvaluesAndBlocksAtInfinity) {
  std::mt19937 generator(7);
  for (const Known& known : table)
    for (int repeat = 0; repeat < 5; ++repeat) {
      const Pencil p = canonical(known);
      const Matrix s = random_matrix(p.a.rows(), generator), t = random_matrix(p.a.rows(), generator);
      expect_structure(analyse_pencil(product(s, product(p.a, t)), product(s, product(p.b, t))), known);
    }
}

// Units of equations and unknowns from 1e-9 to 1e9 decide nothing.
TEST(PencilStructure, DoesNotDependOnUnits) {
  std::mt19937 generator(11);
  std::uniform_int_distribution<int> exponent(-9, 9);
  for (const Known& known : table) {
    Pencil p = canonical(known);
    for (std::size_t i = 0; i < p.a.rows(); ++i) {
      const double row = std::pow(10.0, exponent(generator)), column = std::pow(10.0, exponent(generator));
      for (std::size_t j = 0; j < p.a.rows(); ++j) {
        p.a(i, j) *= row;
        p.b(i, j) *= row;
      }
      for (std::size_t j = 0; j < p.a.rows(); ++j) {
        p.a(j, i) *= column;
        p.b(j, i) *= column;
      }
    }
    expect_structure(analyse_pencil(p.a, p.b), known);
  }
}

TEST(PencilStructure, SolutionSpaceIsThatOfIndexOne) {
  std::mt19937 generator(3);
  const Pencil p = canonical({{-1.0, -2.0}, false, {1, 1}});
  const Matrix s = random_matrix(4, generator), t = random_matrix(4, generator);
  const Matrix a = product(s, product(p.a, t)), b = product(s, product(p.b, t));
  const Matrix v = analyse_pencil(a, b).subspace, w = consistent_subspace(a, b);
  ASSERT_EQ(v.cols(), w.cols());
  // The same space: both projectors agree.
  const Matrix one = product(v, transpose_of(v)), two = product(w, transpose_of(w));
  for (std::size_t k = 0; k < 16; ++k) EXPECT_NEAR(one.data()[k], two.data()[k], 1e-9);
}

// (x1, x2): x1' = x2 and nothing else, beside an equation too much: the blocks L_1 and L_1^T, hidden by S and T.
TEST(PencilStructure, SingularPencilsHaveNoIndex) {
  std::mt19937 generator(5);
  Matrix a(3, 3), b(3, 3);
  a(0, 0) = 1.0;
  b(0, 1) = 1.0;
  a(1, 2) = 1.0;
  b(2, 2) = 1.0;
  for (int repeat = 0; repeat < 10; ++repeat) {
    const Matrix s = random_matrix(3, generator), t = random_matrix(3, generator);
    EXPECT_FALSE(analyse_pencil(product(s, product(a, t)), product(s, product(b, t))).regular);
  }
  EXPECT_FALSE(analyse_pencil(Matrix(2, 2), Matrix(2, 2)).regular);
  EXPECT_FALSE(analyse_pencil(Matrix(2, 3), Matrix(2, 3)).regular);
  EXPECT_FALSE(analyse_pencil(Matrix(3, 2), Matrix(3, 2)).regular);
  EXPECT_TRUE(analyse_pencil(Matrix(2, 2), Matrix::identity(2)).regular);  // x = 0: index 1, no eigenvalues
  EXPECT_THROW(analyse_pencil(Matrix(2, 2), Matrix(3, 3)), Misuse);
}

// A singular value near the tolerance is decided, and said.
TEST(PencilStructure, SaysWhereADecisionIsNotClear) {
  Matrix a(2, 2);
  const Matrix b = Matrix::identity(2);
  a(0, 0) = a(0, 1) = a(1, 0) = 1.0;
  a(1, 1) = 1.0 + 1e-9;  // singular values 2 and 5e-10
  const PencilStructure found = analyse_pencil(a, b);
  EXPECT_EQ(found.index, 0u);
  EXPECT_FALSE(found.is_clear());
  a(1, 1) = 1.0 + 1e-11;
  EXPECT_EQ(analyse_pencil(a, b).index, 1u);
  EXPECT_FALSE(analyse_pencil(a, b).is_clear());
}

}  // namespace
}  // namespace driftless::pencil_structure_test
