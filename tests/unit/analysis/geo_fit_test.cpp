#include <gtest/gtest.h>

#include <cmath>

#include "driftless/analysis/geometric/fit.h"

namespace driftless::geo_fit_test {
namespace {

TEST(Fit, OrderOfAPowerIsItsExponent) {
  Vector h, values;
  for (double x : {0.1, 0.05, 0.025}) {
    h.push_back(x);
    values.push_back(3.0 * std::pow(x, 2.5));
  }
  const OrderFit fit = fit_order(h, values);
  EXPECT_NEAR(fit.order, 2.5, 1e-12);
  EXPECT_NEAR(fit.factor, 3.0, 1e-10);
  EXPECT_NEAR(fit.scatter, 0.0, 1e-12);
  EXPECT_EQ(fit.used, 3u);
}

TEST(Fit, ValuesBelowTheirFloorAreLeftOut) {
  const Vector h{0.4, 0.2, 0.1, 0.05}, values{16.0, 4.0, 1.0, 0.9}, floors{0.0, 0.0, 0.0, 1.0};
  const OrderFit fit = fit_order(h, values, floors);
  EXPECT_EQ(fit.used, 3u);
  EXPECT_NEAR(fit.order, 2.0, 1e-12);
  EXPECT_LT(fit_order(h, values).order, 1.6);
}

TEST(Fit, OneValueHasNoOrder) {
  EXPECT_TRUE(std::isnan(fit_order(Vector{0.1}, Vector{1.0}).order));
  EXPECT_TRUE(std::isnan(fit_order(Vector{0.1, 0.2}, Vector{0.0, 1.0}).order));
}

TEST(Fit, RateEndsAtTheFloor) {
  EXPECT_NEAR(fit_rate(Vector{1.0, 0.5, 0.25, 0.125, 1e-9, 1e-9}, 1e-6), 0.5, 1e-12);
  EXPECT_TRUE(std::isnan(fit_rate(Vector{1.0, 0.0}, 1e-6)));
}

}  // namespace
}  // namespace driftless::geo_fit_test
