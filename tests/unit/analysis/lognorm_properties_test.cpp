// Propositions 2.1 and 2.2 of Higueras and Soderlind 2003, as properties of random vectors and matrices in every norm.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/analysis/stability/logarithmic_norm.h"
#include "driftless/analysis/stability/semi_inner_product.h"
#include "driftless/core/failure.h"
#include "driftless/linalg/dense.h"
#include "tests/unit/analysis/lognorm_cases.h"

namespace driftless::lognorm_properties_test {
namespace {

constexpr std::size_t n = 4;
constexpr double rounding = 1e-12;

// Vectors with zeros and with several components of the same size, where left and right differ.
Vector special_vector(RandomMatrices& random, int trial) {
  Vector u = random.vector(n);
  if (trial % 3 == 0) u[1] = 0.0;
  if (trial % 3 == 1) u[2] = -u[0];
  return u;
}

TEST(LognormSemiInnerProduct, HasThePropertiesOfProposition21) {
  for (const auto& [name, norm] : norms_of(n)) {
    SCOPED_TRACE(name);
    RandomMatrices random(11);
    for (int trial = 0; trial < 60; ++trial) {
      const Vector u = special_vector(random, trial), v = special_vector(random, trial + 1), w = random.vector(n);
      const double alpha = 1.3 + random.number(), size = norm(u) * (norm(v) + norm(w));
      const auto left = [&norm = norm](const Vector& a, const Vector& b) {
        return semi_inner_product(norm, a, b, Side::left);
      };
      const auto right = [&norm = norm](const Vector& a, const Vector& b) {
        return semi_inner_product(norm, a, b, Side::right);
      };
      const double eps = rounding * (1.0 + size);
      EXPECT_NEAR(left(u, u), norm(u) * norm(u), eps);
      EXPECT_NEAR(right(u, u), norm(u) * norm(u), eps);
      EXPECT_LE(left(u, v), right(u, v) + eps);
      // (2.2)
      EXPECT_LE(std::abs(left(u, v)), norm(u) * norm(v) + eps);
      EXPECT_LE(std::abs(right(u, v)), norm(u) * norm(v) + eps);
      // Proposition 2.1
      EXPECT_NEAR(right(u, scaled(v, -1.0)), -left(u, v), eps);
      EXPECT_NEAR(left(u, scaled(v, -1.0)), -right(u, v), eps);
      EXPECT_NEAR(right(u, scaled(v, alpha)), alpha * right(u, v), eps);
      EXPECT_NEAR(left(u, scaled(v, alpha)), alpha * left(u, v), eps);
      for (const auto& side : {std::function<double(const Vector&, const Vector&)>(left),
                               std::function<double(const Vector&, const Vector&)>(right)}) {
        EXPECT_LE(left(u, v) + side(u, w), side(u, sum_of(v, w)) + eps);
        EXPECT_LE(side(u, sum_of(v, w)), side(u, w) + right(u, v) + eps);
      }
    }
  }
}

TEST(LognormSemiInnerProduct, IsTheOneSidedDerivativeOfTheNorm) {
  for (const auto& [name, norm] : norms_of(n)) {
    SCOPED_TRACE(name);
    if (norm.is_transformed() && !norm.is_euclidean() && name.starts_with("transformed"))
      continue;  // ties need exactness
    RandomMatrices random(12);
    const double h = 1e-7;
    for (int trial = 0; trial < 30; ++trial) {
      const Vector u = special_vector(random, trial), v = random.vector(n);
      EXPECT_NEAR(dini_derivative(norm, u, v, Side::right), (norm(sum_of(u, v, h)) - norm(u)) / h, 1e-5);
      EXPECT_NEAR(dini_derivative(norm, u, v, Side::left), (norm(u) - norm(sum_of(u, v, -h))) / h, 1e-5);
      EXPECT_NEAR(semi_inner_product(norm, u, v), norm(u) * dini_derivative(norm, u, v), rounding);
    }
    const Vector zero(n, 0.0), v = random.vector(n);
    EXPECT_NEAR(dini_derivative(norm, zero, v, Side::right), norm(v), rounding);
    EXPECT_NEAR(dini_derivative(norm, zero, v, Side::left), -norm(v), rounding);
    EXPECT_EQ(semi_inner_product(norm, zero, v), 0.0);
  }
}

TEST(LognormSemiInnerProduct, DiffersFromLeftToRightWhereTheUnitSphereHasAnEdge) {
  const Vector u = {1.0, -1.0, 0.0}, v = {2.0, 3.0, -5.0};
  EXPECT_EQ(semi_inner_product(Norm::maximum(), u, v, Side::right), 2.0);
  EXPECT_EQ(semi_inner_product(Norm::maximum(), u, v, Side::left), -3.0);
  EXPECT_EQ(semi_inner_product(Norm::one(), u, v, Side::right), 2.0 * (2.0 - 3.0 + 5.0));
  EXPECT_EQ(semi_inner_product(Norm::one(), u, v, Side::left), 2.0 * (2.0 - 3.0 - 5.0));
}

// Lemma 4.1
TEST(LognormSemiInnerProduct, DiniDifferenceLiesBetweenTheDifferenceOfNormsAndTheNormOfTheDifference) {
  for (const auto& [name, norm] : norms_of(n)) {
    SCOPED_TRACE(name);
    RandomMatrices random(13);
    for (int trial = 0; trial < 60; ++trial) {
      const Vector u = special_vector(random, trial), before = random.vector(n);
      const double quotient = dini_difference(norm, u, before);
      EXPECT_LE(norm(u) - norm(before), quotient + rounding);
      EXPECT_LE(quotient, norm(sum_of(u, before, -1.0)) + rounding);
    }
  }
}

TEST(LognormMatrix, HasThePropertiesOfProposition22) {
  for (const auto& [name, norm] : norms_of(n)) {
    SCOPED_TRACE(name);
    RandomMatrices random(14);
    for (int trial = 0; trial < 25; ++trial) {
      const Matrix a = random.matrix(n, n), b = random.matrix(n, n);
      const double z = random.number(), alpha = 1.2 + random.number();
      const double mu = logarithmic_norm(a, norm), size = operator_norm(a, norm);
      EXPECT_LE(-least_gain(a, norm), mu + rounding * size);
      EXPECT_LE(mu, size + rounding * size);
      EXPECT_NEAR(logarithmic_norm(sum_of(a, Matrix::identity(n), z), norm), mu + z, 1e-12 * size);
      EXPECT_NEAR(logarithmic_norm(scaled(a, alpha), norm), alpha * mu, 1e-12 * size);
      EXPECT_LE(logarithmic_norm(sum_of(a, b), norm), mu + logarithmic_norm(b, norm) + 1e-12 * size);
      EXPECT_NEAR(lower_logarithmic_norm(a, norm), -logarithmic_norm(scaled(a, -1.0), norm), 1e-12 * size);
      EXPECT_LE(lower_logarithmic_norm(a, norm), mu + rounding);
    }
  }
}

TEST(LognormMatrix, IsTheLimitOfItsDefinitionAndTheLargestQuotient) {
  for (const auto& [name, norm] : norms_of(n)) {
    SCOPED_TRACE(name);
    RandomMatrices random(15);
    const Matrix a = random.matrix(n, n);
    const double mu = logarithmic_norm(a, norm), h = 1e-6;
    const double quotient = (operator_norm(sum_of(Matrix::identity(n), a, h), norm) - 1.0) / h;
    EXPECT_NEAR(quotient, mu, 2e-5);
    double largest = -1e300;
    for (int trial = 0; trial < 4000; ++trial) {
      Vector u = random.vector(n);
      if (trial % 2 == 0)
        for (double& x : u) x = x > 0.0 ? 1.0 : -1.0;
      if (norm.matrix()) u = product(*inverse(*norm.matrix()), u);
      if (trial % 4 == 1 && !norm.matrix()) u = {0.0, 0.0, 1.0, 0.0}, u[2] = 0.0, u[trial % n] = 1.0;
      const double here = semi_inner_product(norm, u, product(a, u)) / (norm(u) * norm(u));
      EXPECT_LE(here, mu + 1e-10);
      largest = std::max(largest, here);
    }
    EXPECT_GT(largest, mu - 0.5 * std::abs(mu) - 0.2);
  }
}

// |exp(t A)| <= exp(t mu[A]): with the exponential by squaring of a short Taylor series.
TEST(LognormMatrix, BoundsTheExponential) {
  for (const auto& [name, norm] : norms_of(n)) {
    SCOPED_TRACE(name);
    RandomMatrices random(16);
    const Matrix a = sum_of(random.matrix(n, n), Matrix::identity(n), -1.0);
    Matrix power = Matrix::identity(n), factor = Matrix::identity(n), term = Matrix::identity(n);
    const double h = 1.0 / 64.0;
    for (int k = 1; k < 12; ++k) {
      term = scaled(product(term, a), h / k);
      factor = sum_of(factor, term);
    }
    const double mu = logarithmic_norm(a, norm), lower = lower_logarithmic_norm(a, norm);
    for (int step = 1; step <= 64; ++step) {
      power = product(factor, power);
      const double t = h * step;
      EXPECT_LE(operator_norm(power, norm), std::exp(mu * t) * (1.0 + 1e-12));
      EXPECT_GE(least_gain(power, norm), std::exp(lower * t) * (1.0 - 1e-12));
    }
  }
}

TEST(LognormMatrix, EqualsTheKnownFormulas) {
  Matrix a(2, 2);
  a(0, 0) = -3.0, a(0, 1) = 1.0, a(1, 0) = -1.0, a(1, 1) = -3.0;
  EXPECT_NEAR(logarithmic_norm(a, Norm::two()), -3.0, 1e-14);
  EXPECT_EQ(logarithmic_norm(a, Norm::maximum()), -2.0);
  EXPECT_EQ(logarithmic_norm(a, Norm::one()), -2.0);
  EXPECT_EQ(logarithmic_norm(a, Norm::weighted(Norm::Kind::maximum, {1.0, 2.0})), -1.0);  // row 2: -3 + 2
  EXPECT_EQ(logarithmic_norm(a, Norm::weighted(Norm::Kind::one, {1.0, 2.0})), -1.0);
  EXPECT_NEAR(lower_logarithmic_norm(a, Norm::maximum()), -4.0, 1e-14);
}

TEST(LognormMatrix, RefusesWhatIsNoNorm) {
  EXPECT_THROW(Norm::weighted(Norm::Kind::two, {1.0, 0.0}), Misuse);
  EXPECT_THROW(Norm::inner_product(scaled(Matrix::identity(2), -1.0)), Misuse);
  Matrix skew = Matrix::identity(2);
  skew(0, 1) = 0.5;
  EXPECT_THROW(Norm::inner_product(skew), Misuse);
  EXPECT_THROW(Norm::transformed(Norm::Kind::one, Matrix(2, 2)), Misuse);
  EXPECT_THROW(Norm::by_name("3"), Misuse);
  EXPECT_THROW(logarithmic_norm(Matrix(2, 3), Norm::two()), Misuse);
  EXPECT_THROW(logarithmic_norm(Matrix::identity(3), Norm::weighted(Norm::Kind::two, {1.0, 1.0})), Misuse);
  EXPECT_EQ(Norm::by_name("inf").name(), "maximum norm");
  EXPECT_EQ(Norm::weighted(Norm::Kind::two, {1.0}).name(), "weighted 2-norm");
}

}  // namespace
}  // namespace driftless::lognorm_properties_test
