// Logarithmic norms of pencils and of maps on subspaces.
#include <gtest/gtest.h>

#include <cmath>
#include <stop_token>

#include "driftless/analysis/stability/interval_matrix.h"
#include "driftless/analysis/stability/logarithmic_norm.h"
#include "driftless/analysis/stability/pencil.h"
#include "driftless/analysis/stability/restricted_norm.h"
#include "driftless/analysis/stability/semi_inner_product.h"
#include "driftless/core/failure.h"
#include "driftless/core/stop.h"
#include "driftless/linalg/dense.h"
#include "tests/unit/analysis/lognorm_cases.h"

namespace driftless::lognorm_pencil_test {
namespace {

TEST(LognormPencil, WithARegularMatrixIsTheLogarithmicNormOfItsOde) {
  const std::size_t n = 4;
  for (const auto& [name, norm] : norms_of(n)) {
    SCOPED_TRACE(name);
    RandomMatrices random(21);
    const Matrix a = sum_of(random.matrix(n, n), Matrix::identity(n), 2.0), b = random.matrix(n, n);
    const Matrix ode = product(b, *inverse(a));  // (A x)' = B A^-1 (A x)
    EXPECT_NEAR(pencil_logarithmic_norm(a, b, Matrix::identity(n), norm), logarithmic_norm(ode, norm), 1e-10);
    EXPECT_NEAR(pencil_norm(a, b, Matrix::identity(n), norm), operator_norm(ode, norm), 1e-10);
    EXPECT_NEAR(lower_pencil_logarithmic_norm(a, b, Matrix::identity(n), norm), lower_logarithmic_norm(ode, norm),
                1e-10);
  }
}

// On any subspace: no quotient is larger, and the limit of the definition is reached.
TEST(LognormPencil, IsTheLeastUpperBoundOnASubspace) {
  const std::size_t n = 5, k = 2;
  for (const auto& [name, norm] : norms_of(n)) {
    SCOPED_TRACE(name);
    RandomMatrices random(22);
    const Matrix a = random.matrix(n, n), b = random.matrix(n, n), v = random.matrix(n, k);
    const double mu = pencil_logarithmic_norm(a, b, v, norm), size = pencil_norm(a, b, v, norm);
    double largest = -1e300, largest_norm = 0.0;
    const int directions = 20000;
    for (int d = 0; d < directions; ++d) {
      const double angle = M_PI * d / directions;
      const Vector x = product(v, Vector{std::cos(angle), std::sin(angle)});
      const Vector ax = product(a, x), bx = product(b, x);
      const double here = semi_inner_product(norm, ax, bx) / (norm(ax) * norm(ax));
      EXPECT_LE(here, mu + 1e-9);
      EXPECT_LE(norm(bx) / norm(ax), size + 1e-9);
      largest = std::max(largest, here);
      largest_norm = std::max(largest_norm, norm(bx) / norm(ax));
    }
    // Where the sphere has edges the supremum of the logarithmic norm lies at isolated directions: use its definition.
    const double h = 1e-6;
    const double quotient = (pencil_norm(a, sum_of(a, b, h), v, norm) - 1.0) / h;
    EXPECT_NEAR(quotient, mu, 1e-4);
    EXPECT_NEAR(largest_norm, size, 2e-3 * size);
    if (norm.is_euclidean()) {
      EXPECT_NEAR(largest, mu, 1e-5);
    }
  }
}

TEST(LognormPencil, KnowsWhichSubspaceIsAdmissible) {
  Matrix a(3, 3), b = Matrix::identity(3), v(3, 2);
  a(0, 0) = a(1, 1) = 1.0;  // Ker A = span e3
  v(0, 0) = 1.0, v(2, 1) = 1.0;
  EXPECT_FALSE(is_admissible(a, v));
  EXPECT_THROW(pencil_logarithmic_norm(a, b, v, Norm::two()), Misuse);
  v(1, 1) = 0.5;
  EXPECT_TRUE(is_admissible(a, v));
  EXPECT_NO_THROW(pencil_logarithmic_norm(a, b, v, Norm::two()));
  v(0, 1) = 1.0, v(1, 1) = 0.0, v(2, 1) = 0.0;  // the same direction twice
  EXPECT_FALSE(is_admissible(a, v));
}

// A x' = B x of index 1 decays as its pencil says; index 2 has no admissible space of solutions.
TEST(LognormPencil, BoundsTheSolutionsOfALinearDae) {
  RandomMatrices random(23);
  Matrix a(4, 4), b(4, 4);
  a(0, 0) = a(1, 1) = 1.0;
  const double a11[2][2] = {{-3.0, 1.0}, {-1.0, -3.0}}, a12[2][2] = {{0.6, 0.8}, {-0.8, 0.6}};
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j) {
      b(i, j) = a11[i][j];
      b(i, 2 + j) = a12[i][j];
      b(2 + i, j) = i == j ? 0.5 : 0.0;
      b(2 + i, 2 + j) = i == j ? -4.0 : 1.0;
    }
  const Matrix v = consistent_subspace(a, b);
  EXPECT_EQ(v.cols(), 2u);
  // The logarithmic norm of the reduced matrix: closed form of lognorm_linear.
  EXPECT_NEAR(pencil_logarithmic_norm(a, b, v, Norm::two()), -2.886666666666667, 1e-12);
  EXPECT_NEAR(pencil_logarithmic_norm(a, b, v, Norm::maximum()), -53.0 / 30.0, 1e-12);
  // The same problem in any coordinates of the equations keeps Im A, so only |A x| changes.
  const Matrix t = sum_of(random.matrix(4, 4), Matrix::identity(4), 2.0);
  const Matrix ta = product(t, a), tb = product(t, b);
  const Norm back = Norm::transformed(Norm::Kind::two, *inverse(t));
  EXPECT_NEAR(pencil_logarithmic_norm(ta, tb, consistent_subspace(ta, tb), back), -2.886666666666667, 1e-10);

  Matrix nilpotent(2, 2);
  nilpotent(0, 1) = 1.0;
  EXPECT_FALSE(is_admissible(nilpotent, consistent_subspace(nilpotent, Matrix::identity(2))));
}

// Intervals contain what every matrix inside them has, and are thin for thin ones.
TEST(LognormRestricted, IntervalsContainTheValuesOfTheirMatrices) {
  const std::size_t n = 4;
  for (const std::size_t k : {4u, 2u, 1u}) {
    for (const auto& [name, norm] : norms_of(n)) {
      SCOPED_TRACE(name);
      RandomMatrices random(24);
      Matrix y = k == n ? Matrix::identity(n) : random.matrix(n, k);
      if (k == 1) y = Matrix(n, 1), y(2, 0) = 1.0;
      const RestrictedNorm restricted(norm, y);
      EXPECT_TRUE(restricted.is_exact());
      for (const double radius : {0.0, 1e-3, 0.3}) {
        const Matrix middle = random.matrix(n, k);
        IntervalMatrix z(n, k);
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < k; ++j) z(i, j) = Interval(middle(i, j)) + Interval(-radius, radius);
        const Interval mu = restricted.log_norm(z), size = restricted.norm(z);
        for (int sample = 0; sample < 50; ++sample) {
          const Matrix inside = sum_of(middle, random.matrix(n, k), radius);
          EXPECT_LE(mu.lower(), restricted.log_norm(inside) + 1e-13);
          EXPECT_GE(mu.upper(), restricted.log_norm(inside) - 1e-13);
          EXPECT_LE(size.lower(), restricted.norm(inside) + 1e-13);
          EXPECT_GE(size.upper(), restricted.norm(inside) - 1e-13);
        }
        if (radius == 0.0) {
          EXPECT_LT(mu.width(), 1e-10);
          EXPECT_LT(size.width(), 1e-10);
        } else {
          EXPECT_LT(mu.width(), 100.0 * radius);
        }
      }
    }
  }
}

TEST(LognormRestricted, OfNoDirectionsIsTheLeastUpperBoundOfNothing) {
  const RestrictedNorm empty(Norm::two(), Matrix(3, 0));
  EXPECT_EQ(empty.norm(Matrix(3, 0)), 0.0);
  EXPECT_EQ(empty.log_norm(Matrix(3, 0)), -std::numeric_limits<double>::infinity());
  EXPECT_THROW(RestrictedNorm(Norm::one(), Matrix(3, 2, 1.0)), Misuse);
}

TEST(LognormIntervalMatrix, EnclosesInverses) {
  RandomMatrices random(25);
  for (int trial = 0; trial < 20; ++trial) {
    const Matrix middle = sum_of(random.matrix(3, 3), Matrix::identity(3), 2.5);
    const double radius = 0.02;
    IntervalMatrix a(3, 3), result;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) a(i, j) = Interval(middle(i, j)) + Interval(-radius, radius);
    ASSERT_TRUE(enclose_inverse(a, result));
    for (int sample = 0; sample < 30; ++sample) {
      const Matrix inside = *inverse(sum_of(middle, random.matrix(3, 3), radius));
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) EXPECT_TRUE(result(i, j).contains(inside(i, j)));
    }
  }
  IntervalMatrix singular(1, 1), result;
  singular(0, 0) = Interval(-1.0, 1.0);
  EXPECT_FALSE(enclose_inverse(singular, result));
}

// A thousand columns of intervals take a minute: a stop does not wait for their product.
TEST(IntervalMatrix, ProductsEndWhenSomebodyStopsThem) {
  const IntervalMatrix a(Matrix::identity(3));
  std::stop_source stop;
  const StopScope scope(stop.get_token());
  EXPECT_NO_THROW(product(a, a));
  stop.request_stop();
  EXPECT_THROW(product(a, a), Stopped);
}

}  // namespace
}  // namespace driftless::lognorm_pencil_test
