// Derivatives that make use of the zeros of a model, beside those that do not.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/equations/mechanical_model.h"

namespace driftless::mechanical_structure_test {
namespace {

constexpr std::size_t coordinates = 23;

// Each row couples `width` neighbours and the time.
struct Coupled {
  std::size_t rows, width;
  void force(auto, auto, auto, auto) const {}
  void constraint(auto q, auto t, auto g) const {
    using std::sin;
    for (std::size_t i = 0; i < rows; ++i) {
      auto product = 1.0 + 0.1 * t;
      for (std::size_t k = 0; k < width; ++k) product = product * sin(q[i + k] + 0.3 * static_cast<double>(k + 1));
      g[i] = product + q[i] * t * t;
    }
  }
};

void expect_same_hessian(const Coupled& model) {
  const Mechanical form = mechanical(model, {.q = coordinates, .lambda = model.rows});
  ASSERT_NE(form.functions().structure(), nullptr);
  Vector q(coordinates), lambda(model.rows), x(coordinates + 1);
  for (std::size_t i = 0; i < coordinates; ++i) x[i] = q[i] = 0.2 + 0.05 * static_cast<double>(i);
  for (std::size_t i = 0; i < model.rows; ++i) lambda[i] = 1.0 - 0.3 * static_cast<double>(i);
  x[coordinates] = 0.7;
  Matrix found(coordinates, coordinates + 1, 99.0), expected(coordinates, coordinates + 1, 99.0);
  form.functions().reaction_jacobian(q, 0.7, lambda, found);
  hessian([&](auto all, auto g) { model.constraint(all.first(coordinates), all[coordinates], g); }, x, lambda,
          expected);
  double largest = 0.0;
  for (std::size_t i = 0; i < coordinates; ++i)
    for (std::size_t j = 0; j <= coordinates; ++j) {
      EXPECT_NEAR(found(i, j), expected(i, j), 1e-14) << i << ", " << j;
      largest = std::fmax(largest, std::abs(expected(i, j)));
    }
  EXPECT_GT(largest, 0.01);
}

TEST(CompressedHessian, OfFewColours) { expect_same_hessian({.rows = 20, .width = 3}); }
// More colours than a sweep has lanes, and one more than a multiple of them with time.
TEST(CompressedHessian, OfManyColours) { expect_same_hessian({.rows = 5, .width = 16}); }
TEST(CompressedHessian, OfAllCoordinatesAtOnce) { expect_same_hessian({.rows = 1, .width = coordinates}); }

// The Jacobians of g, g' and g'' along a curve.
void expect_same_jacobians(const Coupled& model) {
  const Mechanical form = mechanical(model, {.q = coordinates, .lambda = model.rows});
  ASSERT_NE(form.functions().structure(), nullptr);
  Vector x(coordinates + 1), v(coordinates + 1), a(coordinates + 1);
  for (std::size_t i = 0; i < coordinates; ++i) {
    x[i] = 0.2 + 0.05 * static_cast<double>(i);
    v[i] = 1.0 - 0.1 * static_cast<double>(i);
    a[i] = 0.5 + 0.2 * static_cast<double>(i % 5);
  }
  x[coordinates] = 0.7;
  v[coordinates] = 1.0;
  const auto leading = [](const Vector& all) { return ConstSpan(all).first(coordinates); };
  std::vector<Matrix> found(3, Matrix(model.rows, coordinates + 1, 99.0)), expected = found;
  form.functions().constraint_jacobians(leading(x), 0.7, leading(v), leading(a), found[0], found[1], found[2]);
  jacobians_along_curve([&](auto all, auto g) { model.constraint(all.first(coordinates), all[coordinates], g); }, x, v,
                        a, expected[0], expected[1], expected[2]);
  for (std::size_t level = 0; level < 3; ++level) {
    double largest = 0.0;
    for (std::size_t i = 0; i < model.rows; ++i)
      for (std::size_t j = 0; j <= coordinates; ++j) {
        EXPECT_NEAR(found[level](i, j), expected[level](i, j), 1e-13) << level << ": " << i << ", " << j;
        largest = std::fmax(largest, std::abs(expected[level](i, j)));
      }
    EXPECT_GT(largest, 0.01);
  }
}

TEST(CompressedJacobians, OfFewColours) { expect_same_jacobians({.rows = 20, .width = 3}); }
TEST(CompressedJacobians, OfManyColours) { expect_same_jacobians({.rows = 5, .width = 16}); }
TEST(CompressedJacobians, OfAllCoordinatesAtOnce) { expect_same_jacobians({.rows = 1, .width = coordinates}); }

}  // namespace
}  // namespace driftless::mechanical_structure_test
