#include "driftless/integrate/superconvergence.h"

#include <gtest/gtest.h>

#include <cmath>

#include "driftless/integrate/calibration.h"

namespace driftless::superconvergence_test {
namespace {

// The increments of u(tau) = p(tau) with p(0) = 0 at the nodes.
template <class Polynomial>
Matrix increments_of(int stages, Polynomial p) {
  const Vector& c = radau_constants(stages).c;
  Matrix z(1, c.size());
  for (std::size_t j = 0; j < c.size(); ++j) z(0, j) = p(c[j]);
  return z;
}

constexpr double one[] = {1.0};

// u = a tau^s + b tau^(s-1): the last divided difference is a; the one before is b plus a times the other nodes' sum.
TEST(Superconvergence, FindsTheLastTwoDividedDifferences) {
  for (const int s : {3, 5, 7}) {
    const RadauConstants& radau = radau_constants(s);
    const Matrix z = increments_of(s, [&](double x) { return 2.0 * std::pow(x, s) + 5.0 * std::pow(x, s - 1); });
    double nodes = 0.0;
    for (std::size_t j = 0; j + 1 < radau.c.size(); ++j) nodes += radau.c[j];
    const auto [last, before] = last_differences(radau, z, one);
    EXPECT_NEAR(std::sqrt(last), 2.0, 1e-9) << s;
    EXPECT_NEAR(std::sqrt(before), 5.0 + 2.0 * nodes, 1e-9) << s;
  }
}

// An estimate |Z| r^(s+1) becomes |Z| r^(2s), times the factor.
TEST(Superconvergence, CreditsWhatTheDecayPromises) {
  constexpr double r = 0.1;
  for (const int s : {3, 5, 7}) {
    Matrix z(1, static_cast<std::size_t>(s));
    z(0, 1) = -4.0;
    Vector error = {4.0 * std::pow(r, s + 1)};
    credit_superconvergence(radau_constants(s), z, {3.0, 0.0, false}, error);
    EXPECT_NEAR(error[0], 3.0 * 4.0 * std::pow(r, 2 * s), 1e-12 * std::pow(r, 2 * s)) << s;
  }
}

TEST(Superconvergence, GivesNoCreditToWhatIsNotResolvedAndNeverMoreThanTheLeastShare) {
  Matrix z(1, 3);
  z(0, 2) = 1.0;
  Vector error = {2.0};  // larger than the increment itself
  credit_superconvergence(radau_constants(3), z, {1.0, 0.0, false}, error);
  EXPECT_EQ(error[0], 2.0);
  error = {1e-8};
  credit_superconvergence(radau_constants(3), z, {1.0, 0.5, false}, error);
  EXPECT_EQ(error[0], 0.5e-8);
}

// 1000 tau + sin(z tau) with z = s: the estimate of the oscillation is small beside the motion, but not resolved. What
// decays like exp(z tau) with a small z keeps all of its credit.
TEST(Superconvergence, GivesNoCreditToASmallOscillationOnALargeMotion) {
  for (const int s : {3, 5, 7}) {
    const RadauConstants& radau = radau_constants(s);
    const Matrix moving = increments_of(s, [&](double x) { return 1e4 * x + std::sin(s * x); });
    Vector without = {0.1}, with = {0.1};
    credit_superconvergence(radau, moving, {1.0, 0.0, false}, without);
    credit_superconvergence(radau, moving, {1.0, 0.0, true}, with);
    EXPECT_LT(without[0], 0.2 * with[0]) << s;
    EXPECT_LE(with[0], 0.1) << s;
    constexpr double z = 0.3;
    const Matrix smooth = increments_of(s, [](double x) { return std::expm1(z * x); });
    const double row = calibrated::estimate_of_difference[calibrated::row_of(s)];
    without = with = {row * std::pow(z, s + 1) / (s * std::tgamma(s + 1.0))};
    const double factor = calibrated::on_other_levels.error_factor[calibrated::row_of(s)];
    credit_superconvergence(radau, smooth, {factor, 0.0, false}, without);
    credit_superconvergence(radau, smooth, {factor, 0.0, true}, with);
    EXPECT_EQ(with[0], without[0]) << s;
  }
}

TEST(Superconvergence, AKinkLeavesAShareOfTheEstimateThatASmoothSolutionDoesNot) {
  EXPECT_DOUBLE_EQ(least_share({1.0, 1.0}, 3), 0.01);
  EXPECT_DOUBLE_EQ(least_share({1e-6, 1.0}, 5), std::pow(1e-4, 4.0));
  EXPECT_EQ(least_share({1e9, 1.0}, 7), 1.0);
}

// u = sum (r tau)^k: the polynomial of degree s misses (r tau)^(s+1) first of all.
TEST(Superconvergence, TheErrorBetweenStepsIsThatOfTheNextCoefficient) {
  constexpr double r = 0.05;
  for (const int s : {3, 5, 7}) {
    const RadauConstants& radau = radau_constants(s);
    const auto u = [&](double x) { return 1.0 / (1.0 - r * x) - 1.0; };
    const Matrix z = increments_of(s, u);
    double worst = 0.0;
    Vector weights(radau.c.size());
    for (int k = 0; k <= 200; ++k) {
      collocation_weights(radau.c, k / 200.0, weights);
      double p = 0.0;
      for (std::size_t j = 0; j < weights.size(); ++j) p += weights[j] * z(0, j);
      worst = std::max(worst, std::abs(p - u(k / 200.0)));
    }
    const double estimate = error_between_steps(radau, z, one);
    EXPECT_GT(estimate, 0.5 * worst) << s;
    EXPECT_LT(estimate, 2.0 * worst) << s;
  }
}

}  // namespace
}  // namespace driftless::superconvergence_test
