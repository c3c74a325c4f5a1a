#include "driftless/step/explicit_step.h"

#include <gtest/gtest.h>

#include <cmath>

#include "driftless/driftless.h"
#include "driftless/equations/manifold.h"

namespace driftless::explicit_step_test {
namespace {

struct DrivenByMultiplier {  // x = sin t moves y and z through lambda = cos t/(1 + y^2 + t)
  void f(auto u, auto lambda, auto t, auto du) const {
    using std::cos;
    du[0] = (1.0 + u[1] * u[1] + t) * lambda[0];
    du[1] = lambda[0];
    du[2] = u[1] * lambda[0] + cos(2.0 * t);
  }
  void g(auto u, auto t, auto out) const {
    using std::sin;
    out[0] = u[0] - sin(t);
  }
};

// The estimates of hem5 for one step from t = 0.3, normal parts taken out.
std::vector<Vector> estimates_of(double h) {
  const Equations equations = index2(DrivenByMultiplier{}, {.u = 3, .lambda = 1});
  const auto manifold = make_manifold(equations);
  const auto step = make_explicit_step(equations, *manifold, hem5_pair(), 4, 1);
  const double t = 0.3, y = 0.7;
  Vector x{std::sin(t), y, -0.4, std::cos(t) / (1.0 + y * y + t)};
  Vector next(4), mu(1), rate(1);
  EXPECT_EQ(manifold->flow(t, x, step->first_slope()), ManifoldStatus::ok);
  EXPECT_EQ(step->take(t, x, h, next), ManifoldStatus::ok);
  EXPECT_EQ(manifold->project(t + h, next, true, mu, rate), ManifoldStatus::ok);
  EXPECT_EQ(manifold->flow(t + h, next, step->end_slope()), ManifoldStatus::ok);
  using enum ExplicitStep::Estimate;
  std::vector<Vector> estimates;
  for (const auto which : {embedded, difference_1, difference_2, difference_3, difference_4}) {
    Vector& estimate = estimates.emplace_back(4);
    step->estimate(which, h, estimate);
    EXPECT_EQ(manifold->remove_normal(t + h, next, estimate), ManifoldStatus::ok);
  }
  return estimates;
}

// Methods of order 4, 1, 2, 3 and 3 whose errors are seen through lambda too; exactly these powers of h.
TEST(ExplicitStep, EstimatesOfHem5HaveTheirOrdersWhereTheMultiplierDrives) {
  const double h = 1.0 / 64;
  const auto coarse = estimates_of(h), fine = estimates_of(h / 2);
  const double powers[] = {5, 2, 3, 4, 4};
  for (std::size_t k = 0; k < 5; ++k)
    for (const std::size_t component : {1, 2}) {
      const double power = std::log2(std::abs(coarse[k][component] / fine[k][component]));
      if (k == 4)  // of order 4 for quadratures, of order 3 where U_i count
        EXPECT_GT(power, powers[k] - 0.3) << "component " << component;
      else
        EXPECT_NEAR(power, powers[k], 0.3) << "estimate " << k << ", component " << component;
    }
}

}  // namespace
}  // namespace driftless::explicit_step_test
