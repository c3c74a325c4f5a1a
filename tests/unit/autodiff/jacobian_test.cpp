#include <gtest/gtest.h>

#include <cmath>

#include "driftless/autodiff/second_derivatives.h"
#include "driftless/autodiff/view.h"
#include "driftless/core/failure.h"

namespace driftless::jacobian_test {
namespace {

// y_i = sum_k (i + 1) x_k x_{k+1} + sin(x_i): Hessians that couple neighbours; 19 arguments take three sweeps.
constexpr std::size_t size = 19, rows = 3;

struct Chain {
  template <class T>
  void operator()(std::span<const T> x, std::span<T> y) const {
    for (std::size_t i = 0; i < y.size(); ++i) {
      for (std::size_t k = 0; k + 1 < x.size(); ++k) y[i] += (i + 1.0) * x[k] * x[k + 1];
      y[i] += sin(x[i]);
    }
  }
};

Vector point() {
  Vector x(size);
  for (std::size_t i = 0; i < size; ++i) x[i] = 0.3 + 0.17 * static_cast<double>(i);
  return x;
}
Vector direction() {
  Vector d(size);
  for (std::size_t i = 0; i < size; ++i) d[i] = 1.0 - 0.2 * static_cast<double>(i);
  return d;
}
double first(const Vector& x, std::size_t i, std::size_t j) {
  const double left = j > 0 ? x[j - 1] : 0.0, right = j + 1 < size ? x[j + 1] : 0.0;
  return (i + 1.0) * (left + right) + (i == j ? std::cos(x[i]) : 0.0);
}
double along_direction(const Vector& x, const Vector& d, std::size_t i, std::size_t j) {
  const double left = j > 0 ? d[j - 1] : 0.0, right = j + 1 < size ? d[j + 1] : 0.0;
  return (i + 1.0) * (left + right) - (i == j ? std::sin(x[i]) * d[i] : 0.0);
}

TEST(JacobianTest, AllColumns) {
  const Vector x = point();
  Matrix j(rows, size, 99.0);
  jacobian(Chain{}, x, 0, j);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < size; ++k) EXPECT_NEAR(j(i, k), first(x, i, k), 1e-14);
}

TEST(JacobianTest, SomeColumnsIntoABlock) {
  const Vector x = point();
  Matrix j(rows + 2, 14, 99.0);
  jacobian(Chain{}, x, 5, j.view().block(1, 2, rows, 11));
  for (std::size_t i = 0; i < j.rows(); ++i)
    for (std::size_t k = 0; k < j.cols(); ++k) {
      const bool inside = i >= 1 && i < 1 + rows && k >= 2 && k < 13;
      EXPECT_NEAR(j(i, k), inside ? first(x, i - 1, k + 3) : 99.0, 1e-14);
    }
}

// Few columns are swept with fewer lanes, to the same bits.
TEST(JacobianTest, AsManyColumnsAsOneLikes) {
  const Vector x = point();
  for (std::size_t count = 0; count < 10; ++count) {
    Matrix j(rows, count);
    jacobian(Chain{}, x, 2, j);
    for (std::size_t k = 0; k < count; ++k) {
      Matrix wide(rows, 9);
      jacobian(Chain{}, x, 2 + k, wide);
      for (std::size_t i = 0; i < rows; ++i) {
        EXPECT_NEAR(j(i, k), first(x, i, k + 2), 1e-14);
        EXPECT_EQ(j(i, k), wide(i, 0));
      }
    }
  }
}

TEST(JacobianTest, OfTheTangent) {
  const Vector x = point(), d = direction();
  Matrix j(rows, size, 99.0);
  jacobian_of_tangent(Chain{}, x, d, j);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < size; ++k) EXPECT_NEAR(j(i, k), along_direction(x, d, i, k), 1e-14);
}

TEST(JacobianTest, SecondDerivativeAlongALine) {
  const Vector x = point(), d = direction();
  Vector y(rows, 99.0);
  second_derivative(Chain{}, x, d, y);
  for (std::size_t i = 0; i < rows; ++i) {
    double expected = 0.0;
    for (std::size_t k = 0; k < size; ++k) expected += along_direction(x, d, i, k) * d[k];
    EXPECT_NEAR(y[i], expected, 1e-12);
  }
}

TEST(JacobianTest, OfTheSecondDerivative) {
  const Vector x = point(), d = direction();
  Matrix j(rows, size, 99.0);
  jacobian_of_second_derivative(Chain{}, x, d, j);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < size; ++k) EXPECT_NEAR(j(i, k), i == k ? -std::cos(x[i]) * d[i] * d[i] : 0.0, 1e-14);
}

TEST(JacobianTest, WithTheSecondDerivative) {
  const Vector x = point(), d = direction();
  Matrix j(rows, size, 99.0);
  Vector y(rows, 99.0), alone(rows);
  jacobian_and_second_derivative(Chain{}, x, d, j, y);
  second_derivative(Chain{}, x, d, alone);
  for (std::size_t i = 0; i < rows; ++i) {
    EXPECT_NEAR(y[i], alone[i], 1e-12);
    for (std::size_t k = 0; k < size; ++k) EXPECT_NEAR(j(i, k), first(x, i, k), 1e-14);
  }
}

TEST(JacobianTest, AlongACurve) {
  const Vector x = point(), d = direction();
  Vector a(size);
  for (std::size_t i = 0; i < size; ++i) a[i] = 0.4 - 0.1 * static_cast<double>(i * i % 7);
  Matrix value(rows, size, 99.0), tangent(rows, size, 99.0), second(rows, size, 99.0);
  jacobians_along_curve(Chain{}, x, d, a, value, tangent, second);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < size; ++k) {
      EXPECT_NEAR(value(i, k), first(x, i, k), 1e-14);
      EXPECT_NEAR(tangent(i, k), along_direction(x, d, i, k), 1e-14);
      EXPECT_NEAR(second(i, k), along_direction(x, a, i, k) - (i == k ? std::cos(x[i]) * d[i] * d[i] : 0.0), 1e-14);
    }
}

TEST(JacobianTest, HessianOfACombination) {
  const Vector x = point(), lambda = {0.7, -1.1, 0.4};
  Matrix h(size - 1, size, 99.0);
  hessian(Chain{}, x, lambda, h);
  for (std::size_t i = 0; i + 1 < size; ++i)
    for (std::size_t k = 0; k < size; ++k) {
      const bool neighbours = k + 1 == i || k == i + 1;
      const double expected = neighbours ? lambda[0] + 2.0 * lambda[1] + 3.0 * lambda[2] : 0.0;
      EXPECT_NEAR(h(i, k), expected - (i == k && i < rows ? lambda[i] * std::sin(x[i]) : 0.0), 1e-14);
    }
}

TEST(ProbeTest, IndicesAreCheckedForTheProbeTypeOnly) {
  std::vector<Probe> three(3), none;
  const In<Probe> in(three);
  const Out<Probe> out(three);
  EXPECT_NO_THROW(static_cast<void>(in[2]));
  EXPECT_THROW(static_cast<void>(in[3]), Misuse);
  EXPECT_THROW(static_cast<void>(out[17]), Misuse);
  const OutMatrix<Probe> matrix(three, 3, 1);
  EXPECT_NO_THROW(static_cast<void>(matrix(2, 0)));
  EXPECT_THROW(static_cast<void>(matrix(0, 1)), Misuse);
  EXPECT_THROW(static_cast<void>(matrix(3, 0)), Misuse);
  try {
    static_cast<void>(In<Probe>(three)[5]);
  } catch (const Misuse& error) {
    EXPECT_STREQ(error.what(), "index 5 used where there are 3 components (0 to 2)");
  }
  try {
    static_cast<void>(In<Probe>(none)[0]);
  } catch (const Misuse& error) {
    EXPECT_STREQ(error.what(), "index 0 used where there are no components");
  }
}

}  // namespace
}  // namespace driftless::jacobian_test
