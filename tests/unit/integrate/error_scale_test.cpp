// What a tolerance asks of the components of a pendulum, level by level.
#include "driftless/integrate/error_scale.h"

#include <gtest/gtest.h>

#include "driftless/driftless.h"

namespace driftless::error_scale_test {
namespace {

struct Pendulum {
  void force(auto, auto, auto, auto f) const { f[1] = -1.0; }
  void constraint(auto q, auto, auto g) const { g[0] = q[0] * q[0] + q[1] * q[1] - 1.0; }
};

RadauForm pendulum(ConstraintLevel level, ErrorNorm norm = ErrorNorm::tangential) {
  AdaptiveOptions options{.tolerance = {1e-6, 1e-8}};
  options.radau.level = level;
  options.radau.norm = norm;
  return {mechanical(Pendulum{}, {.q = 2, .lambda = 1}), options};
}

constexpr double h = 0.01;
const Vector x = {0.6, -0.8, 3.0, 4.0, 5.0};
double wanted(std::size_t i, double scale = 1.0, double relative = 1e-6) {
  return 1.0 / (1e-8 * scale + relative * std::abs(x[i]));
}

Accuracy accuracy(const RadauForm& form, int stages) {
  return accuracy_of(1e-6, form.options, calibrated::on_other_levels, stages);
}

TEST(ErrorScale, OnAccelerationLevelEveryComponentCountsAndMultipliersALittle) {
  const RadauForm form = pendulum(ConstraintLevel::acceleration);
  ErrorScale scale(form);
  scale.set(x, -h, accuracy(form, 3));
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_DOUBLE_EQ(scale.weights()[i], (i == 4 ? 0.03 : 1.0) * wanted(i)) << i;
    EXPECT_EQ(scale.newton_weights()[i], scale.weights()[i]) << i;
  }
}

TEST(ErrorScale, OnPositionLevelHigherIndicesCountWithPowersOfTheStep) {
  const RadauForm form = pendulum(ConstraintLevel::position);
  ErrorScale scale(form);
  scale.set(x, h, accuracy(form, 3));
  const double factors[] = {1.0, 1.0, h, h, 0.03 * h * h};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_DOUBLE_EQ(scale.weights()[i], factors[i] * wanted(i)) << i;
  EXPECT_DOUBLE_EQ(scale.newton_weights()[4], h * h * wanted(4));
}

TEST(ErrorScale, TheClassicNormTransformsTheToleranceAsRadauDoes) {
  const RadauForm form = pendulum(ConstraintLevel::position, ErrorNorm::classic);
  const Accuracy classic = accuracy(form, 3);
  EXPECT_DOUBLE_EQ(classic.relative, 0.1 * std::pow(1e-6, 4.0 / 6.0));
  EXPECT_DOUBLE_EQ(classic.newton_tolerance, std::sqrt(classic.relative));
  EXPECT_DOUBLE_EQ(classic.exponent, 1.0 / 4.0);
  ErrorScale scale(form);
  scale.set(x, h, classic);
  const double factors[] = {1.0, 1.0, h, h, h * h};
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_DOUBLE_EQ(scale.weights()[i], factors[i] * wanted(i, classic.relative / 1e-6, classic.relative)) << i;
}

TEST(ErrorScale, NewtonGetsItsShareButNothingBelowRounding) {
  const RadauForm form = pendulum(ConstraintLevel::acceleration);
  EXPECT_EQ(accuracy(form, 3).newton_tolerance, 0.15);
  EXPECT_EQ(accuracy(form, 7).newton_tolerance, 0.01);
  EXPECT_EQ(accuracy(form, 7).exponent, 1.0 / 13.0);
  const double tight = accuracy_of(1e-14, form.options, calibrated::on_other_levels, 7).newton_tolerance;
  EXPECT_DOUBLE_EQ(tight, 10.0 * std::numeric_limits<double>::epsilon() / 1e-14);
  EXPECT_EQ(accuracy_of(1e-6, {.newton_share = 0.2}, calibrated::on_other_levels, 5).newton_tolerance, 0.2);
}

TEST(ErrorScale, TheNormIsTheMeanOverWhatCounts) {
  const RadauForm form = pendulum(ConstraintLevel::position_with_accelerations);
  ErrorScale scale(form);
  Vector state = x;
  state.resize(form.extended, 7.0);
  scale.set(state, h, accuracy(form, 3));
  Vector error(form.extended, 0.0);
  error[0] = 2.0 / scale.weights()[0];
  error.back() = 1e9;  // accelerations do not count
  EXPECT_DOUBLE_EQ(scale.norm(error), std::sqrt(4.0 / 5.0));
  EXPECT_EQ(scale.norm(Vector(form.extended, 0.0)), 1e-10);
  EXPECT_NEAR(weighted_square(1e160, 1e-158), 1e4, 1e-9);  // though the square of the error overflows
}

}  // namespace
}  // namespace driftless::error_scale_test
