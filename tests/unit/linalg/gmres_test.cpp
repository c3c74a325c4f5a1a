// GMRES on small dense matrices, where everything about it is known.
#include "driftless/linalg/gmres.h"

#include <gtest/gtest.h>

#include <cmath>

#include "driftless/linalg/dense.h"
#include "tests/unit/linalg/random_matrix.h"

namespace driftless::gmres_test {
namespace {

LinearMap times(const Matrix& a) {
  return [&a](ConstSpan x, Span out) {
    const Vector y = product(a, Vector(x.begin(), x.end()));
    std::copy(y.begin(), y.end(), out.begin());
  };
}

double residual(const Matrix& a, const Vector& x, const Vector& b, const Vector& weights) {
  const Vector y = product(a, x);
  double sum = 0.0;
  for (std::size_t i = 0; i < b.size(); ++i) sum += (weights.empty() ? 1.0 : weights[i]) * std::pow(b[i] - y[i], 2);
  return std::sqrt(sum);
}

struct Sample {
  Matrix a;
  Vector b, weights;
};

Sample sample(std::size_t n) {
  RandomMatrices random(5);
  Sample s{.a = random.positive_definite(n), .b = random.vector(n), .weights = Vector(n)};
  for (std::size_t i = 0; i + 1 < n; ++i) s.a(i, i + 1) += 0.8;  // not symmetric
  for (std::size_t i = 0; i < n; ++i) s.weights[i] = 1.0 + static_cast<double>(i);
  return s;
}

TEST(Gmres, SolvesInAtMostAsManyIterationsAsUnknowns) {
  const std::size_t n = 12;
  const Sample s = sample(n);
  const Matrix identity = Matrix::identity(n);
  for (const Vector& weights : {Vector{}, s.weights}) {
    Vector x(n);
    const GmresResult r = gmres(times(s.a), times(identity), s.b, weights, x, {.reduction = 1e-12, .limit = 20});
    EXPECT_LE(r.iterations, 12);
    EXPECT_LE(r.reduction, 1e-12);
    EXPECT_LT(residual(s.a, x, s.b, weights), 1e-10);
  }
}

TEST(Gmres, TellsHowFarItCame) {
  const std::size_t n = 12;
  const Sample s = sample(n);
  const Matrix identity = Matrix::identity(n);
  const Vector zero(n, 0.0);
  double last = 1.0;
  for (const int limit : {1, 2, 4, 8}) {
    Vector x(n);
    const GmresResult r = gmres(times(s.a), times(identity), s.b, s.weights, x, {.reduction = 0.0, .limit = limit});
    EXPECT_EQ(r.iterations, limit);
    EXPECT_NEAR(r.reduction, residual(s.a, x, s.b, s.weights) / residual(s.a, zero, s.b, s.weights), 1e-10);
    EXPECT_LT(r.reduction, last);
    last = r.reduction;
  }
}

TEST(Gmres, NeedsOneIterationWithTheInverseAsPreconditioner) {
  const std::size_t n = 12;
  const Sample s = sample(n);
  const Matrix inverted = *inverse(s.a);
  Vector x(n);
  const GmresResult r = gmres(times(s.a), times(inverted), s.b, {}, x, {.reduction = 1e-10});
  EXPECT_EQ(r.iterations, 1);
  EXPECT_LT(residual(s.a, x, s.b, {}), 1e-10);
}

// No preconditioner is the identity, to the last bit; on vectors longer than what is treated at a time.
TEST(Gmres, NeedsNoPreconditioner) {
  const std::size_t n = 3000;
  const LinearMap a = [](ConstSpan x, Span out) {
    for (std::size_t i = 0; i < x.size(); ++i)
      out[i] = (2.0 + std::sin(static_cast<double>(i))) * x[i] - 0.9 * x[(i + 1) % x.size()];
  };
  const LinearMap identity = [](ConstSpan x, Span out) { std::copy(x.begin(), x.end(), out.begin()); };
  Vector b(n), with(n), without(n), product(n);
  for (std::size_t i = 0; i < n; ++i) b[i] = std::cos(3.0 * static_cast<double>(i));
  const GmresResult r = gmres(a, identity, b, {}, with, {.reduction = 1e-8, .limit = 200});
  const GmresResult s = gmres(a, {}, b, {}, without, {.reduction = 1e-8, .limit = 200});
  EXPECT_EQ(r.iterations, s.iterations);
  EXPECT_EQ(with, without);
  a(with, product);
  double left = 0.0, all = 0.0;
  for (std::size_t i = 0; i < n; ++i) left += std::pow(b[i] - product[i], 2), all += b[i] * b[i];
  EXPECT_NEAR(std::sqrt(left / all), r.reduction, 1e-10);
  EXPECT_LE(r.reduction, 1e-8);
}

TEST(Gmres, OfNothingIsNothing) {
  const Matrix a = Matrix::identity(3);
  Vector x(3, 7.0);
  EXPECT_EQ(gmres(times(a), times(a), Vector(3, 0.0), {}, x).iterations, 0);
  EXPECT_EQ(x, Vector(3, 0.0));
}

}  // namespace
}  // namespace driftless::gmres_test
