// The three verbs on dense and sparse kernels: same answers, singular matrices, determinants, refactorisation.
#include "driftless/linalg/linear_system.h"

#include <gtest/gtest.h>

#include "driftless/linalg/block_pattern.h"
#include "driftless/linalg/decisive_system.h"
#include "driftless/linalg/dense.h"
#include "driftless/linalg/pattern_product.h"
#include "tests/unit/linalg/random_matrix.h"

namespace driftless::linear_system_test {
namespace {

using Complex = std::complex<double>;

// Three values on one pattern: a band of a given width with some entries far away.
struct Sample {
  Pattern pattern;
  Vector a0, a1, a2;

  Sample(std::size_t n, std::size_t width, unsigned seed) {
    RandomMatrices random(seed);
    std::vector<std::vector<std::uint32_t>> columns(n);
    for (std::uint32_t j = 0; j < n; ++j)
      for (std::uint32_t i = 0; i < n; ++i)
        if ((i >= j ? i - j : j - i) <= width || (i * 7 + j * 13) % (3 * n) == 0) columns[j].push_back(i);
    pattern = pattern_from_columns(n, columns);
    for (std::size_t j = 0, k = 0; j < n; ++j)
      for (; k < pattern.begin[j + 1]; ++k) {
        a0.push_back(random.number() + (pattern.row[k] == j ? 5.0 : 0.0));
        a1.push_back(random.number());
        a2.push_back(random.number());
      }
  }
  ShiftedValues values() const { return {a0, a1, a2}; }
  Matrix dense(double p) const {
    Matrix a(pattern.rows, pattern.cols);
    for (std::size_t j = 0, k = 0; j < pattern.cols; ++j)
      for (; k < pattern.begin[j + 1]; ++k) a(pattern.row[k], j) = a0[k] + p * a1[k] + p * p * a2[k];
    return a;
  }
};

// In a full matrix, blocks are where block_pattern() has them beside a block that is full itself.
TEST(Blocks, InAFullMatrix) {
  const Sample sample(4, 1, 3);
  const PlacedBlock parts[] = {{sample.pattern, 1, 0}, {full_pattern(2, 3), 0, 2}, {diagonal_pattern(5)}};
  std::vector<PlacedBlock> with_all(std::begin(parts), std::end(parts));
  with_all.push_back({full_pattern(5, 5)});
  const BlockPattern expected = block_pattern(5, 5, with_all), found = blocks_in_full(5, 5, parts);
  EXPECT_EQ(found.pattern, expected.pattern);
  ASSERT_EQ(found.places.size(), 3u);
  for (std::size_t b = 0; b < 3; ++b) EXPECT_EQ(found.places[b], expected.places[b]) << b;
}

class Kernels : public testing::TestWithParam<LinearKernel> {};

TEST_P(Kernels, SolveShiftedSystems) {
  const ForcedKernel forced(GetParam());
  for (const std::size_t n : {1, 5, 23, 90}) {
    const Sample sample(n, 2, 7);
    LinearSystem real(sample.pattern);
    ComplexLinearSystem complex(sample.pattern);
    EXPECT_EQ(real.is_sparse(), GetParam() == LinearKernel::sparse);
    for (const double p : {0.3, -0.2, 0.05}) {
      ASSERT_TRUE(real.factorise(sample.values(), p));
      const Vector x = RandomMatrices(3).vector(n);
      Vector b = product(sample.dense(p), x);
      real.solve(b);
      for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(b[i], x[i], 1e-13);

      // (A_0 + q A_1 + q^2 A_2) z, by its real and imaginary parts.
      const Complex q(p, 0.4);
      ASSERT_TRUE(complex.factorise(sample.values(), q));
      std::vector<Complex> z(n), c(n);
      for (std::size_t i = 0; i < n; ++i) z[i] = {x[i], 1.0 - x[i]};
      for (std::size_t j = 0, k = 0; j < n; ++j)
        for (; k < sample.pattern.begin[j + 1]; ++k)
          c[sample.pattern.row[k]] += (sample.a0[k] + q * sample.a1[k] + q * q * sample.a2[k]) * z[j];
      Vector re(n), im(n);
      for (std::size_t i = 0; i < n; ++i) {
        re[i] = c[i].real();
        im[i] = c[i].imag();
      }
      complex.solve(c);
      for (std::size_t i = 0; i < n; ++i) EXPECT_LT(std::abs(c[i] - z[i]), 1e-13);
      complex.solve(re, im);
      for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(Complex(re[i], im[i]), c[i]);
    }
    EXPECT_GT(real.bytes(), 0u);
  }
}

// Pivots on the diagonal, and elsewhere where it is zero: the order of the rows then is another one than that of the
// columns.
TEST_P(Kernels, KnowTheDeterminant) {
  const ForcedKernel forced(GetParam());
  int negative = 0;
  for (const unsigned seed : {1, 2, 3, 4, 5, 6}) {
    Sample sample(17, 3, seed);
    for (std::size_t j = 0, k = 0; j < 17; ++j)
      for (; k < sample.pattern.begin[j + 1]; ++k)
        if (sample.pattern.row[k] == j && seed > 3) sample.a0[k] = sample.a1[k] = sample.a2[k] = 0.0;
    LinearSystem system(sample.pattern);
    RealLu reference(17);
    for (const double p : {0.0, 0.7, -2.0, -6.0, 9.0}) {
      reference.matrix() = sample.dense(p);
      ASSERT_TRUE(reference.factorise());
      ASSERT_TRUE(system.factorise(sample.values(), p));
      EXPECT_EQ(system.determinant().sign, reference.determinant().sign) << seed << " " << p;
      EXPECT_NEAR(system.determinant().log, reference.determinant().log, 1e-11) << seed << " " << p;
      negative += reference.determinant().sign < 0;
    }
  }
  EXPECT_GT(negative, 5);
  EXPECT_LT(negative, 25);
}

// Column 5 is zero.
TEST_P(Kernels, NameAnUnknownThatIsLeftOpen) {
  const ForcedKernel forced(GetParam());
  Sample sample(12, 1, 2);
  for (std::size_t j = 0, k = 0; j < 12; ++j)
    for (; k < sample.pattern.begin[j + 1]; ++k)
      if (j == 5) sample.a0[k] = 0.0;
  LinearSystem system(sample.pattern);
  EXPECT_FALSE(system.factorise({sample.a0}));
  EXPECT_EQ(system.undetermined(), 5u);
  for (std::size_t k = sample.pattern.begin[5]; k < sample.pattern.begin[6]; ++k) sample.a0[k] = 1.0 + 0.1 * double(k);
  EXPECT_TRUE(system.factorise({sample.a0}));
  sample.a0[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(system.factorise({sample.a0}));
}

// Pivots that served one matrix do not serve another one: with the old ones, nothing of the solution would be left.
TEST_P(Kernels, TakeNewPivotsWhereTheOldOnesDoNotServe) {
  const ForcedKernel forced(GetParam());
  const std::size_t n = 30;
  Sample sample(n, 3, 4);
  LinearSystem system(sample.pattern);
  for (const double diagonal : {5.0, 1e-10, 3.0, 0.0}) {
    for (std::size_t j = 0, k = 0; j < n; ++j)
      for (; k < sample.pattern.begin[j + 1]; ++k)
        if (sample.pattern.row[k] == j) sample.a0[k] = diagonal;
    ASSERT_TRUE(system.factorise({sample.a0})) << diagonal;
    const Vector x = RandomMatrices(9).vector(n);
    Vector b = product(sample.dense(0.0), x);
    system.solve(b);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(b[i], x[i], 1e-10) << diagonal;
  }
}

INSTANTIATE_TEST_SUITE_P(LinearSystem, Kernels, testing::Values(LinearKernel::dense, LinearKernel::sparse));

TEST(LinearSystem, ChoosesByThePattern) {
  EXPECT_FALSE(LinearSystem(Sample(40, 1, 1).pattern).is_sparse());
  EXPECT_TRUE(LinearSystem(Sample(200, 1, 1).pattern).is_sparse());
  EXPECT_FALSE(LinearSystem(Sample(200, 150, 1).pattern).is_sparse());
  EXPECT_FALSE(LinearSystem(full_pattern(60, 60)).is_sparse());
}

TEST(Pattern, KnowsUnionsAndPlaces) {
  const Pattern a = pattern_from_columns(4, {{0, 2}, {}, {3}}), b = pattern_from_columns(4, {{2, 3}, {1}, {}});
  EXPECT_EQ(union_of(a, b), pattern_from_columns(4, {{0, 2, 3}, {1}, {3}}));
  EXPECT_EQ(places_in(union_of(a, b), b), (std::vector<std::uint32_t>{1, 2, 3}));
  EXPECT_TRUE(full_pattern(2, 3).is_full());
  EXPECT_FALSE(a.is_full());
}

TEST(PatternProduct, MultipliesFromBothSides) {
  const Sample sample(9, 1, 3);
  Matrix left = RandomMatrices(1).matrix(9, 4), right = RandomMatrices(2).matrix(9, 5);
  for (std::size_t i = 0; i < 9; ++i) left(i, i % 4) = right(i, (i + 1) % 5) = 0.0;
  const PatternProduct multiply(sample.pattern, left, right);
  Vector values(multiply.pattern().count());
  multiply(sample.a0, values);
  const Matrix expected = product(transpose_of(left), product(sample.dense(0.0), right));
  std::size_t k = 0;
  for (std::size_t j = 0; j < 5; ++j)
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(values[k++], expected(i, j), 1e-13);
  EXPECT_EQ(k, values.size());
}

// So many terms that they are not listed one by one.
TEST(PatternProduct, MultipliesFullMatrices) {
  const std::size_t n = 40;
  const Matrix a = RandomMatrices(3).matrix(n, n), left = RandomMatrices(1).matrix(n, n);
  const PatternProduct multiply(full_pattern(n, n), left, Matrix::identity(n));
  Matrix result(n, n);
  multiply({a.data(), n * n}, {result.data(), n * n});
  const Matrix expected = product(transpose_of(left), a);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(result(i, j), expected(i, j), 1e-12);
}

// Chains cost a few solutions, squares of n x n points more and more: by theory O(n / log n) solutions.
TEST(LinearSystem, KnowsWhatAFactorisationCosts) {
  const auto cost = [](std::size_t rows, std::size_t n, auto scalar) {
    using T = decltype(scalar);
    std::vector<std::vector<std::uint32_t>> columns(rows * n);
    Vector values;
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t k = 0; k < rows; ++k)
          for (std::size_t l = 0; l < n; ++l)
            if (const auto apart = std::abs(int(i) - int(k)) + std::abs(int(j) - int(l)); apart <= 1) {
              columns[i * n + j].push_back(static_cast<std::uint32_t>(k * n + l));
              values.push_back(apart == 0 ? 5.0 : -1.0);
            }
    const ForcedKernel forced(LinearKernel::sparse);
    BasicLinearSystem<T> system(pattern_from_columns(rows * n, columns));
    EXPECT_EQ(system.factor_cost(), 0.0);
    EXPECT_TRUE(system.factorise({values}));
    return system.factor_cost();
  };
  const double chain = cost(1, 400, 1.0), small = cost(10, 10, 1.0), large = cost(40, 40, 1.0);
  EXPECT_LT(chain, 1.5);
  EXPECT_GT(small, chain);
  EXPECT_GT(large, 2.0 * small);
  EXPECT_LT(large, 40.0);
  EXPECT_NEAR(cost(40, 40, std::complex<double>()), large, 0.3 * large);
}
TEST(LinearSystem, DenseFactorisationsCountAsCheap) {
  LinearSystem system(full_pattern(2, 2));
  EXPECT_TRUE(system.factorise({Vector{2.0, 0.0, 1.0, 2.0}}));
  EXPECT_EQ(system.factor_cost(), 0.0);
}

TEST(PatternProduct, KeepsWhatIsZeroOut) {
  const Pattern diagonal = pattern_from_columns(4, {{0}, {1}, {2}, {3}});
  const PatternProduct multiply(diagonal, ConstantMatrix::leading_identity(4, 2), ConstantMatrix::identity(4));
  EXPECT_EQ(multiply.pattern(), pattern_from_columns(4, {{0}, {1}, {}, {}}));
}

// The same verdicts and solutions whatever the kernel, in any units, singular ones included.
TEST(DecisiveSystem, AgreesWithTheDenseOne) {
  for (const bool singular : {false, true}) {
    Sample sample(20, 1, 5);
    for (std::size_t j = 0, k = 0; j < 20; ++j)
      for (; k < sample.pattern.begin[j + 1]; ++k)
        sample.a0[k] *= (singular && j == 4 ? 0.0 : 1.0) * std::pow(10.0, -double(sample.pattern.row[k]));
    const Vector b = RandomMatrices(8).vector(20);
    DecisiveMatrix reference(20);
    reference.matrix() = sample.dense(0.0);
    EXPECT_EQ(reference.factorise(), !singular);
    Vector expected = b;
    reference.solve(expected);
    for (const LinearKernel kernel : {LinearKernel::dense, LinearKernel::sparse}) {
      const ForcedKernel forced(kernel);
      DecisiveSystem system(sample.pattern);
      std::ranges::copy(sample.a0, system.values().begin());
      EXPECT_EQ(system.factorise(), !singular);
      EXPECT_EQ(system.determinant().sign, reference.determinant().sign);
      if (!singular) {
        EXPECT_NEAR(system.determinant().log, reference.determinant().log, 1e-10);
      }
      Vector x = b;
      system.solve(x);
      for (std::size_t i = 0; i < 20; ++i) EXPECT_NEAR(x[i], expected[i], 1e-9 * (1.0 + std::abs(expected[i])));
      if (singular && kernel == LinearKernel::sparse) {
        EXPECT_EQ(system.undetermined(), 4u);
      }
    }
  }
}

}  // namespace
}  // namespace driftless::linear_system_test
