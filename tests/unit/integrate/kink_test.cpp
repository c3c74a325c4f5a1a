// Algebraic equations with a kink that is no event: Newton's Jacobian belongs to one side of it.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/driftless.h"
#include "driftless/integrate/beyond_kink.h"
#include "driftless/integrate/kink_leap.h"

namespace driftless::kink_test {
namespace {

// y = sin t, and z + steepness max(z, 0) = sign (y - 1/2): z has two slopes, which meet at t = pi/6.
struct Limiter {
  double steepness, sign;
  void F(auto, auto, auto t, auto out) const {
    using std::cos;
    out[0] = cos(t);
  }
  void G(auto y, auto z, auto, auto out) const {
    out[0] = z[0] - sign * (y[0] - 0.5);
    if (z[0] > 0.0) out[0] = out[0] + steepness * z[0];
  }
  double z(double t) const {
    const double right = sign * (std::sin(t) - 0.5);
    return right > 0.0 ? right / (1.0 + steepness) : right;
  }
};

// A kink at t = 1, and steps of size 1 from t = 0.3: those that fail are halved, those that end before it are taken.
TEST(KinkLeap, LeapsOnceTheKinkIsNear) {
  constexpr double kink = 1.0, first_node = 0.2;
  KinkLeap leap(true);
  double t = 0.3, h = 1.0;
  int leaps = 0;
  while (t < kink && h > 1e-12) {
    if (t + h < kink) {
      t += h;
      EXPECT_FALSE(leap.accepted(t));
      continue;
    }
    const bool leapt = leap.leaping();
    const auto other = leap.failed(t, h, first_node, 100.0);
    EXPECT_EQ(other.has_value(), leapt || leap.leaping());
    if (leap.leaping()) {
      EXPECT_GT(t + first_node * *other, kink);
      EXPECT_LE(h, 0.01);
      ++leaps;
    }
    h = leapt ? *other : 0.5 * h;
    if (leap.leaping()) leap.failed(t, *other, first_node, 100.0);  // to see it come again, nearer
  }
  EXPECT_GE(leaps, 8);  // one for each tenth
  EXPECT_LE(leaps, 12);
}

// Not across the end of the run, and not where it is not possible.
TEST(KinkLeap, StaysWithinTheRun) {
  KinkLeap leap(true), none(false);
  for (double h = 1.0; h > 1e-6; h *= 0.5) {
    EXPECT_FALSE(leap.failed(0.0, h, 0.1, 2.0 * h).has_value());
    EXPECT_FALSE(none.failed(0.0, h, 0.1, 100.0).has_value());
  }
}

class Kink : public testing::TestWithParam<AdaptiveMethod> {};

// A tolerance more or less moves the steps against the kink.
TEST_P(Kink, IsCrossedAtEveryTolerance) {
  constexpr double end = 5.0;  // four times across
  for (const double steepness : {30.0, 1e3, 1e5})
    for (const double sign : {1.0, -1.0})
      for (int k = 0; k <= 60; ++k) {
        const double tolerance = std::pow(10.0, -4.0 - 0.1 * k);
        SCOPED_TRACE(testing::Message() << steepness * sign << ", tolerance " << tolerance);
        const Limiter limiter{steepness, sign};
        const Vector start = {0.0, limiter.z(0.0)};
        const Solution solution = solve(
            partitioned(limiter, {1, 1}), start,
            {.span = {0.0, end}, .adaptive = GetParam(), .tolerance = {tolerance, 1e-3 * tolerance}, .dense = false});
        ASSERT_TRUE(solution.ok()) << solution.failure().message();
        const ConstSpan found = solution.state(solution.size() - 1);
        EXPECT_NEAR(found[0], std::sin(end), 100.0 * tolerance);
        EXPECT_NEAR(found[1], limiter.z(end), 100.0 * tolerance);
      }
}

INSTANTIATE_TEST_SUITE_P(Methods, Kink, testing::Values(AdaptiveMethod::automatic, AdaptiveMethod::radau));

// z^3 - 3 z = t - 2 from z = -2 ends in z = -1 at t = 4: behind it there is only the root near 2, which is no way on.
struct Fold {
  void F(auto, auto, auto, auto out) const { out[0] = 1.0; }
  void G(auto y, auto z, auto, auto out) const { out[0] = z[0] * z[0] * z[0] - 3.0 * z[0] - y[0] + 2.0; }
};

TEST(Kink, AFoldIsNone) {
  for (int k = 0; k <= 30; ++k) {
    const double tolerance = std::pow(10.0, -4.0 - 0.2 * k);
    SCOPED_TRACE(tolerance);
    const Solution solution =
        solve(partitioned(Fold{}, {1, 1}), {0.0, -2.0},
              {.span = {0.0, 5.0}, .adaptive = AdaptiveMethod::radau, .tolerance = {tolerance, tolerance}});
    ASSERT_FALSE(solution.ok());
    EXPECT_NEAR(solution.failure().time, 4.0, 1e-3);
  }
}

// For how many of some step sizes there is a point beyond, from this y on the solution near z.
template <class Model>
int points_beyond(const Model& model, double t, double y, double z) {
  AdaptiveOptions options{.tolerance = {1e-6, 1e-6}};
  RadauForm form(partitioned(model, {1, 1}), options);
  AcceptedStep last(form);
  last.state = {y, z};
  EXPECT_EQ(form.manifold->set_multipliers(t, last.state), ManifoldStatus::ok);
  ErrorScale scale(form);
  int count = 0;
  for (const double h : {0.02, 0.05, 0.1, 0.2, 0.5}) {
    Clock clock(t, 10.0, Stepping{});
    clock.propose(h);
    scale.set(last.state, h, accuracy_of(1e-6, options.radau, calibrated::on_other_levels, 3));
    count += BeyondKink(form, clock, last).point(scale).has_value();
  }
  return count;
}

// A step across may go where the way is continuous, and nowhere else. Newton's iteration finds the other root as well.
TEST(BeyondKink, LeadsToNoOtherRoot) {
  EXPECT_EQ(points_beyond(Limiter{1000.0, 1.0}, 0.52, std::sin(0.52), -0.003), 5);
  EXPECT_EQ(points_beyond(Fold{}, 3.99, 3.99, -1.057), 0);
}

}  // namespace
}  // namespace driftless::kink_test
