// Jacobians on a box contain the Jacobians at all of its points.
#include "driftless/autodiff/enclosing.h"

#include <gtest/gtest.h>

#include <random>

#include "driftless/autodiff/jacobian.h"
#include "driftless/core/failure.h"

namespace driftless::enclosing_test {
namespace {

// Everything that a formula can use, with plain numbers on either side.
template <class T>
void formulas(std::span<const T> x, std::span<T> y) {
  using std::sin, std::cos, std::tan, std::exp, std::log, std::sqrt, std::atan, std::tanh, std::pow, std::abs,
      std::asin, std::acos, std::sinh, std::cosh, std::hypot, std::atan2, std::log10, std::min, std::max;
  y[0] = sin(x[0]) * cos(x[1]) + tan(0.3 * x[2]) / 3.0;
  y[1] = exp(x[0] * x[1]) - log(2.0 + x[2]) / (3.0 + x[0]);
  y[2] = sqrt(2.0 + x[0] * x[0]) * atan(x[1]) + tanh(x[2]);
  y[3] = pow(x[0] + 3.0, 1.5) + pow(x[1], 3) - pow(2.0, x[2]) + pow(x[0] + 3.0, x[1]);
  y[4] = asin(0.4 * x[0]) + acos(0.4 * x[1]) + sinh(x[2]) - cosh(x[0]);
  y[5] = abs(x[0]) + max(x[1], 0.25) - min(0.5, x[2]) + hypot(x[0], 2.0);
  y[6] = atan2(x[0], x[1] + 3.0) + log10(x[2] + 4.0) + square(x[0]) * x[1];
  const auto [s, c] = sin_cos(x[0]);
  y[7] = s * c - 1.0 / (2.5 - x[2]);
  if (x[0] > -10.0 && 10.0 > x[1] && x[2] <= 10) y[7] -= x[1] / 7.0;
}
constexpr std::size_t outputs = 8, inputs = 3;

TEST(Enclosing, ContainsValuesAndDerivativesOfAllPoints) {
  std::mt19937 engine(3);
  std::uniform_real_distribution<double> number(-1.2, 1.2), part(0.0, 1.0);
  for (int trial = 0; trial < 60; ++trial) {
    std::vector<Interval> box(inputs), f(outputs);
    for (auto& side : box) {
      const double a = number(engine), width = part(engine) * (trial % 3 == 0 ? 0.0 : 0.4);
      side = Interval(a, a + width);
    }
    std::vector<Interval> entries(outputs * inputs);
    const auto function = [](auto x, auto y) { formulas(x, y); };
    enclose_jacobian(function, box, f, {entries.data(), outputs, inputs, outputs});
    for (int sample = 0; sample < 10; ++sample) {
      Vector x(inputs), y(outputs);
      for (std::size_t i = 0; i < inputs; ++i)
        x[i] = std::clamp(box[i].lower() + part(engine) * box[i].width(), box[i].lower(), box[i].upper());
      formulas<double>(x, y);
      Matrix j(outputs, inputs);
      jacobian(function, x, 0, j);
      for (std::size_t i = 0; i < outputs; ++i) {
        const double rounding = 1e-14 * (1.0 + std::abs(y[i]));
        EXPECT_LE(f[i].lower() - rounding, y[i]) << i;
        EXPECT_GE(f[i].upper() + rounding, y[i]) << i;
        for (std::size_t k = 0; k < inputs; ++k) {
          const Interval& e = entries[i + k * outputs];
          EXPECT_TRUE(e.is_bounded());
          EXPECT_LE(e.lower() - 1e-13, j(i, k)) << i << ' ' << k;
          EXPECT_GE(e.upper() + 1e-13, j(i, k)) << i << ' ' << k;
          if (trial % 3 == 0) {
            EXPECT_LT(e.width(), 1e-12) << i << ' ' << k;
          }
        }
      }
    }
  }
}

TEST(Enclosing, TakesBothSidesOfAKink) {
  const auto function = [](auto x, auto y) { y[0] = std::abs(x[0]) + max(x[0], 0.0); };
  const std::vector<Interval> box = {Interval(-1.0, 2.0)};
  Interval f[1], j[1];
  enclose_jacobian(function, box, f, {j, 1, 1, 1});
  EXPECT_EQ(j[0].lower(), -1.0);  // -1 + 0
  EXPECT_EQ(j[0].upper(), 2.0);   // 1 + 1
  EXPECT_EQ(f[0].upper(), 4.0);
}

TEST(Enclosing, RefusesBranchesThatAreNotDecided) {
  const auto function = [](auto x, auto y) { y[0] = x[0] < 0.0 ? x[0] : 2.0 * x[0]; };
  Interval f[1], j[1];
  const std::vector<Interval> across = {Interval(-1.0, 1.0)}, right = {Interval(0.5, 1.0)};
  EXPECT_THROW(enclose_jacobian(function, across, f, {j, 1, 1, 1}), UndecidedComparison);
  enclose_jacobian(function, right, f, {j, 1, 1, 1});
  EXPECT_EQ(j[0].lower(), 2.0);
  EXPECT_EQ(j[0].upper(), 2.0);
}

// x / 3 must not become x * (1/3 rounded).
TEST(Enclosing, DividesByPlainNumbersWithCertainty) {
  const auto function = [](auto x, auto y) { y[0] = x[0] / 3.0; };
  Interval f[1], j[1];
  const std::vector<Interval> box = {Interval(1.0)};
  enclose_jacobian(function, box, f, {j, 1, 1, 1});
  EXPECT_LT(j[0].lower(), j[0].upper());
  EXPECT_TRUE((3.0 * j[0]).contains(1.0));
}

}  // namespace
}  // namespace driftless::enclosing_test
