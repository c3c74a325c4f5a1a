// A^{-1} = T D T^{-1}.
#include "driftless/tableau/eigenbasis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "driftless/core/failure.h"
#include "driftless/tableau/families.h"

namespace driftless::eigenbasis_test {
namespace {

Matrix block_diagonal(const Eigenbasis& basis) {
  const std::size_t s = basis.t.rows();
  Matrix d(s, s);
  std::size_t k = 0;
  for (const double gamma : basis.real) {
    d(k, k) = gamma;
    ++k;
  }
  for (const Eigenbasis::Pair& pair : basis.pairs) {
    d(k, k) = d(k + 1, k + 1) = pair.alpha;
    d(k, k + 1) = pair.beta;
    d(k + 1, k) = -pair.beta;
    k += 2;
  }
  return d;
}

Matrix product(const Matrix& x, const Matrix& y) {
  Matrix result(x.rows(), y.cols());
  for (std::size_t i = 0; i < x.rows(); ++i)
    for (std::size_t j = 0; j < y.cols(); ++j) {
      long double sum = 0;
      for (std::size_t k = 0; k < x.cols(); ++k) sum += static_cast<long double>(x(i, k)) * y(k, j);
      result(i, j) = static_cast<double>(sum);
    }
  return result;
}

double largest_difference(const Matrix& x, const Matrix& y) {
  double largest = 0.0;
  for (std::size_t i = 0; i < x.rows(); ++i)
    for (std::size_t j = 0; j < x.cols(); ++j) largest = std::max(largest, std::abs(x(i, j) - y(i, j)));
  return largest;
}

double largest_entry(const Matrix& x) { return largest_difference(x, Matrix(x.rows(), x.cols())); }

constexpr double eps = std::numeric_limits<double>::epsilon();

TEST(Eigenbasis, ReproducesTheInverse) {
  for (int s = 2; s <= most_stages; ++s) {
    for (const Tableau& t : {gauss(s), radau_ia(s), radau_iia(s), lobatto_iiic(s)}) {
      SCOPED_TRACE(t.name);
      const Eigenbasis basis = eigenbasis_of(t);
      const Matrix inverse = inverse_of(t.a);
      EXPECT_EQ(basis.real.size(), static_cast<std::size_t>(s % 2));
      EXPECT_EQ(basis.pairs.size(), static_cast<std::size_t>(s / 2));
      const Matrix again = product(product(basis.t, block_diagonal(basis)), basis.t_inverse);
      EXPECT_LT(largest_difference(again, inverse), 2 * eps * basis.condition * largest_entry(inverse));
      EXPECT_LT(largest_difference(product(basis.t, basis.t_inverse), Matrix::identity(t.stages())),
                2 * eps * basis.condition);
      EXPECT_LT(basis.condition, 1e6);
    }
  }
}

// Sharp where it is used most: a few units in the last place.
TEST(Eigenbasis, IsSharpForFewStages) {
  for (int s = 1; s <= 5; ++s) {
    const Tableau t = radau_iia(s);
    const Eigenbasis basis = eigenbasis_of(t);
    const Matrix inverse = inverse_of(t.a);
    const Matrix again = product(product(basis.t, block_diagonal(basis)), basis.t_inverse);
    EXPECT_LT(largest_difference(again, inverse), 10 * eps * largest_entry(inverse)) << t.name;
  }
}

// Hairer & Wanner II, IV.8: the eigenvalues of A^{-1} of the 3-stage Radau IIA method, 3.6378... and 2.6810...
// +- 3.0504... i, by the closed form that RADAU5 uses for those of A.
TEST(Eigenbasis, HasTheEigenvaluesOfRadau5) {
  const double p = std::cbrt(81.0);
  const double q = std::cbrt(9.0);
  const double u1 = (6.0 + p - q) / 30.0;
  const double alph = (12.0 - p + q) / 60.0;
  const double beta = (p + q) * std::sqrt(3.0) / 60.0;
  const double norm = alph * alph + beta * beta;
  const Eigenbasis basis = eigenbasis_of(radau_iia(3));
  EXPECT_NEAR(basis.real.at(0), 1.0 / u1, 1e-14);
  EXPECT_NEAR(basis.pairs.at(0).alpha, alph / norm, 1e-14);
  EXPECT_NEAR(basis.pairs.at(0).beta, beta / norm, 1e-14);
  EXPECT_LT(basis.condition, 15.0);
}

TEST(Eigenbasis, ColumnsAreScaledAsPromised) {
  const Eigenbasis basis = eigenbasis_of(gauss(5));
  double previous = 0.0;
  for (const Eigenbasis::Pair& pair : basis.pairs) {
    EXPECT_GT(pair.beta, previous);
    previous = pair.beta;
  }
  double real_length = 0.0;
  for (std::size_t i = 0; i < 5; ++i) real_length += basis.t(i, 0) * basis.t(i, 0);
  EXPECT_NEAR(real_length, 1.0, 1e-15);
  for (std::size_t k = 1; k < 5; k += 2) {
    double length = 0.0;
    double angle = 0.0;
    for (std::size_t i = 0; i < 5; ++i) {
      length += basis.t(i, k) * basis.t(i, k) + basis.t(i, k + 1) * basis.t(i, k + 1);
      angle += basis.t(i, k) * basis.t(i, k + 1);
    }
    EXPECT_NEAR(length, 2.0, 1e-15);
    EXPECT_NEAR(angle, 0.0, 1e-15);
  }
}

std::string complaint_about(const Tableau& tableau) {
  try {
    eigenbasis_of(tableau);
  } catch (const Misuse& misuse) {
    return misuse.what();
  }
  return "no complaint";
}

TEST(Eigenbasis, RefusesDefectiveAndSingularMatrices) {
  for (const Tableau& t : {sdirk2(), sdirk2_half(), sdirk3_crouzeix(), sdirk3(), sdirk4()}) {
    EXPECT_NE(complaint_about(t).find("solve its stages one after the other"), std::string::npos) << complaint_about(t);
  }
  EXPECT_EQ(complaint_about(hem3()), "HEM3: A is singular, so A^-1 does not exist");
  // A Jordan block in another basis: (1 1; 0 1) similar to a full matrix with a double eigenvalue.
  Matrix a(2, 2);
  a(0, 0) = 2.0;
  a(0, 1) = 1.0;
  a(1, 0) = -1.0;
  EXPECT_NE(complaint_about(from_numbers("jordan", a, {0.5, 0.5})).find("no well-conditioned basis"),
            std::string::npos);
  EXPECT_EQ(complaint_about(implicit_euler()), "no complaint");
}

TEST(Inverse, OfSmallMatrices) {
  const Matrix inverse = inverse_of(radau_iia(2).a);
  EXPECT_DOUBLE_EQ(inverse(0, 0), 1.5);
  EXPECT_DOUBLE_EQ(inverse(0, 1), 0.5);
  EXPECT_DOUBLE_EQ(inverse(1, 0), -4.5);
  EXPECT_DOUBLE_EQ(inverse(1, 1), 2.5);
  EXPECT_THROW(inverse_of(Matrix(2, 2)), Misuse);
  EXPECT_THROW(inverse_of(Matrix(2, 3)), Misuse);
}

TEST(Inverse, WeightsOfTheMultiplier) {
  EXPECT_EQ(b_times_inverse(radau_iia(3)), (Vector{0.0, 0.0, 1.0}));
  const Vector gauss_weights = b_times_inverse(gauss(2));
  EXPECT_NEAR(gauss_weights[0], -std::sqrt(3.0), 1e-15);
  EXPECT_NEAR(gauss_weights[1], std::sqrt(3.0), 1e-15);
  EXPECT_THROW(b_times_inverse(hem4()), Misuse);
}

}  // namespace
}  // namespace driftless::eigenbasis_test
