#include "driftless/linalg/lu.h"

#include <gtest/gtest.h>

#include <complex>
#include <limits>

#include "driftless/linalg/decisive.h"
#include "driftless/linalg/rank.h"
#include "tests/unit/linalg/random_matrix.h"

namespace driftless::lu_test {
namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();

// Backward stable: |A x - b| is a few roundings of |A| |x|, whatever the condition.
TEST(RealLuTest, ResidualsOfRandomSystemsAreAtRoundingLevel) {
  RandomMatrices random(1);
  for (std::size_t n = 1; n <= 60; ++n) {
    const Matrix a = random.matrix(n, n);
    const Vector b = random.vector(n);
    RealLu lu(n);
    lu.matrix() = a;
    ASSERT_TRUE(lu.factorise()) << n;
    Vector x = b;
    lu.solve(x);
    double size = 0.0;
    for (double value : x) size = std::max(size, std::abs(value));
    const Vector ax = times(a, x);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(ax[i], b[i], 4e-16 * static_cast<double>(n) * (1.0 + size)) << n;
  }
}

TEST(RealLuTest, PivotsWhereTheDiagonalIsZero) {
  RealLu lu(3);
  Matrix& a = lu.matrix();
  a(0, 1) = 2.0;
  a(1, 2) = 4.0;
  a(2, 0) = 8.0;
  ASSERT_TRUE(lu.factorise());
  Vector x{2.0, 4.0, 8.0};
  lu.solve(x);
  EXPECT_EQ(x, (Vector{1.0, 1.0, 1.0}));
}

TEST(RealLuTest, NamesTheColumnOfASingularMatrix) {
  for (std::size_t n : {1, 2, 5, 9, 17})
    for (std::size_t column = 0; column < n; ++column) {
      RandomMatrices random(static_cast<unsigned>(n));
      RealLu lu(n);
      lu.matrix() = random.matrix(n, n);
      for (std::size_t i = 0; i < n; ++i) lu.matrix()(i, column) = 0.0;
      EXPECT_FALSE(lu.factorise());
      EXPECT_EQ(lu.failed_column(), column) << n;
    }
}

TEST(RealLuTest, RejectsNanAndInfinityWhereverTheyAre) {
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j)
      for (double bad : {nan, std::numeric_limits<double>::infinity()}) {
        RealLu lu(6);
        lu.matrix() = RandomMatrices(3).matrix(6, 6);
        lu.matrix()(i, j) = bad;
        EXPECT_FALSE(lu.factorise()) << i << ' ' << j;
      }
}

TEST(RealLuTest, CanBeUsedAgainAfterAFailure) {
  RealLu lu(2);
  EXPECT_FALSE(lu.factorise());
  lu.matrix() = Matrix::identity(2);
  EXPECT_TRUE(lu.factorise());
  Vector x{3.0, 4.0};
  lu.solve(x);
  EXPECT_EQ(x, (Vector{3.0, 4.0}));
}

TEST(RealLuTest, EmptySystem) {
  RealLu lu(0);
  EXPECT_TRUE(lu.factorise());
  Vector x;
  lu.solve(x);
}

TEST(ComplexLuTest, ResidualsOfRandomSystemsAreAtRoundingLevel) {
  using Complex = std::complex<double>;
  RandomMatrices random(2);
  for (std::size_t n = 1; n <= 60; ++n) {
    const Matrix re = random.matrix(n, n), im = random.matrix(n, n);
    const Vector br = random.vector(n), bi = random.vector(n);
    ComplexLu lu(n);
    lu.real() = re;
    lu.imag() = im;
    ASSERT_TRUE(lu.factorise()) << n;
    Vector xr = br, xi = bi;
    lu.solve(xr, xi);
    double size = 0.0;
    for (std::size_t i = 0; i < n; ++i) size = std::max(size, std::abs(Complex(xr[i], xi[i])));
    for (std::size_t i = 0; i < n; ++i) {
      Complex sum;
      for (std::size_t j = 0; j < n; ++j) sum += Complex(re(i, j), im(i, j)) * Complex(xr[j], xi[j]);
      EXPECT_NEAR(std::abs(sum - Complex(br[i], bi[i])), 0.0, 8e-16 * static_cast<double>(n) * (1.0 + size)) << n;
    }
  }
}

TEST(ComplexLuTest, NamesTheColumnOfASingularMatrix) {
  for (std::size_t column = 0; column < 7; ++column) {
    RandomMatrices random(4);
    ComplexLu lu(7);
    lu.real() = random.matrix(7, 7);
    lu.imag() = random.matrix(7, 7);
    for (std::size_t i = 0; i < 7; ++i) lu.real()(i, column) = lu.imag()(i, column) = 0.0;
    EXPECT_FALSE(lu.factorise());
    EXPECT_EQ(lu.failed_column(), column);
  }
}

TEST(ComplexLuTest, RejectsNan) {
  ComplexLu lu(3);
  lu.real() = RandomMatrices(5).matrix(3, 3);
  lu.imag()(2, 1) = nan;
  EXPECT_FALSE(lu.factorise());
}

// Real systems with i on the right-hand side: real and imaginary part must not mix.
TEST(ComplexLuTest, AgreesWithTheRealOne) {
  RandomMatrices random(6);
  const Matrix a = random.matrix(8, 8);
  const Vector b = random.vector(8), c = random.vector(8);
  RealLu real(8);
  real.matrix() = a;
  ComplexLu complex(8);
  complex.real() = a;
  ASSERT_TRUE(real.factorise() && complex.factorise());
  Vector xb = b, xc = c, yr = b, yi = c;
  real.solve(xb);
  real.solve(xc);
  complex.solve(yr, yi);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_NEAR(yr[i], xb[i], 1e-13);
    EXPECT_NEAR(yi[i], xc[i], 1e-13);
  }
}

TEST(DecisiveMatrixTest, SolvesRegularSystems) {
  RandomMatrices random(7);
  for (std::size_t n = 1; n <= 12; ++n) {
    DecisiveMatrix s(n);
    const Matrix a = random.matrix(n, n);
    s.matrix() = a;
    ASSERT_TRUE(s.factorise());
    const Vector b = random.vector(n);
    Vector x = b;
    s.solve(x);
    const Vector ax = times(a, x);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(ax[i], b[i], 1e-12);
    EXPECT_EQ(s.matrix(), a);  // still at hand afterwards
  }
}

TEST(DecisiveMatrixTest, FindsTheLeastNormSolutionOfSingularSystems) {
  DecisiveMatrix s(2);
  s.matrix()(0, 0) = s.matrix()(0, 1) = s.matrix()(1, 0) = s.matrix()(1, 1) = 2.0;
  EXPECT_FALSE(s.factorise());
  Vector x{4.0, 4.0};
  s.solve(x);
  EXPECT_NEAR(x[0], 1.0, 1e-15);
  EXPECT_NEAR(x[1], 1.0, 1e-15);
  DecisiveMatrix zero(3);
  EXPECT_FALSE(zero.factorise());
  Vector y{1.0, 2.0, 3.0};
  zero.solve(y);
  EXPECT_EQ(y, (Vector{0.0, 0.0, 0.0}));
}

TEST(DecisiveMatrixTest, NearlySingularCountsAsSingular) {
  for (double distance : {1e-13, 1e-6}) {
    DecisiveMatrix s(2);
    s.matrix()(0, 0) = s.matrix()(0, 1) = s.matrix()(1, 0) = 1.0;
    s.matrix()(1, 1) = 1.0 + distance;
    EXPECT_EQ(s.factorise(), distance > 1e-10);
  }
}

// S = D (Y^T Y) D for constraints in units D, the last of which says what the first does: the second is not lost beside
// them, however small its units.
TEST(DecisiveMatrixTest, ARedundantConstraintHidesNoOtherOneInSmallUnits) {
  for (double unit : {1e-11, 1e-6, 1.0, 1e8}) {
    const double y[3][2] = {{1.0, 0.0}, {0.6 * unit, 0.8 * unit}, {2.0, 0.0}};
    DecisiveMatrix s(3);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) s.matrix()(i, j) = y[i][0] * y[j][0] + y[i][1] * y[j][1];
    EXPECT_FALSE(s.factorise()) << unit;
    // S (a, b, c) = Y^T (1, 1): a + 2 c + 0.6 unit b = 1 and 0.8 unit b = 1; a and 2 c, in units of one, are equal.
    Vector x{1.0, 1.4 * unit, 2.0};
    s.solve(x);
    EXPECT_NEAR(x[0], 0.125, 1e-13) << unit;
    EXPECT_NEAR(x[1] * unit, 1.25, 1e-13) << unit;
    EXPECT_NEAR(x[2], 0.0625, 1e-13) << unit;
  }
}

// S = D (Y^T Y) D for constraints in units D: regular whatever the units are.
TEST(DecisiveMatrixTest, TheVerdictDoesNotDependOnUnits) {
  for (double unit : {1e-12, 1e-6, 1.0, 1e8}) {
    DecisiveMatrix s(2);
    s.matrix()(0, 0) = 1.0;
    s.matrix()(0, 1) = s.matrix()(1, 0) = 0.5 * unit;
    s.matrix()(1, 1) = unit * unit;
    EXPECT_TRUE(s.factorise()) << unit;
    Vector x{1.0, unit};
    s.solve(x);
    EXPECT_NEAR(x[0], 2.0 / 3.0, 1e-14) << unit;
    EXPECT_NEAR(x[1] * unit, 2.0 / 3.0, 1e-14) << unit;
  }
}

}  // namespace
}  // namespace driftless::lu_test
