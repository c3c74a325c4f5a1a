// Multipliers are lambda = psi_0(u, v), and an error of u within the tolerance may be a large one of them. Mechanics
// with a known solution whose multiplier has the square of a rate in it: at every point of a run, inside steps too,
// it has to be right.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/driftless.h"

namespace driftless::steep_multipliers_test {
namespace {

struct Exact {
  template <class T>
  static void at(const T& t, T (&q)[2], T (&v)[2], T (&a)[2]) {
    using std::cos, std::sin;
    q[0] = sin(t);
    q[1] = cos(1.3 * t);
    v[0] = cos(t);
    v[1] = -1.3 * sin(1.3 * t);
    a[0] = -sin(t);
    a[1] = -1.69 * cos(1.3 * t);
  }
  template <class T>
  static T follower(const T& t) {
    using std::sin;
    return 1.0 + 0.5 * sin(2.0 * t);
  }
  template <class T>
  static T multiplier(const T& t) {
    using std::sin;
    return 1.0 + 0.5 * sin(t);
  }
};

// Wide: y' = eta' - R (y - eta) moves the constraint, and y'' with the factor R^2 is in its second derivative.
struct Follower {
  double rate;
  template <class T>
  void rates(In<T> q, In<T> v, const T& t, Out<T> dq) const {
    using std::cos;
    dq[0] = v[0];
    dq[1] = v[1];
    dq[2] = cos(2.0 * t) - rate * (q[2] - Exact::follower(t));
  }
  template <class T>
  void constraint(In<T> q, const T& t, Out<T> g) const {
    T x[2], w[2], a[2];
    Exact::at(t, x, w, a);
    g[0] = q[0] - x[0] + 0.3 * (q[1] * q[1] - x[1] * x[1]) + 0.2 * (q[2] - Exact::follower(t));
  }
  template <class T>
  void force(In<T> q, In<T> v, const T& t, Out<T> f) const {
    T x[2], w[2], a[2];
    Exact::at(t, x, w, a);
    f[0] = a[0] - (v[0] - w[0]) + Exact::multiplier(t);
    f[1] = a[1] - 0.5 * (v[1] - w[1]) - (q[1] - x[1]) + 0.6 * q[1] * Exact::multiplier(t);
  }
};

// Plain: springs of stiffness R^2, along the constraint (damped) and across it.
struct Springs {
  double rate;
  template <class T>
  void constraint(In<T> q, const T& t, Out<T> g) const {
    T x[2], w[2], a[2];
    Exact::at(t, x, w, a);
    g[0] = q[0] - x[0] + 0.3 * (q[1] * q[1] - x[1] * x[1]);
  }
  template <class T>
  void force(In<T> q, In<T> v, const T& t, Out<T> f) const {
    T x[2], w[2], a[2];
    Exact::at(t, x, w, a);
    f[0] = a[0] - rate * rate * (q[0] - x[0]) + Exact::multiplier(t);
    f[1] = a[1] - rate * rate * (q[1] - x[1]) - 2.0 * rate * (v[1] - w[1]) + 0.6 * q[1] * Exact::multiplier(t);
  }
};

Equations wide(double rate) { return mechanical(Follower{rate}, {.q = 3, .v = 2, .lambda = 1}); }
Equations plain(double rate) { return mechanical(Springs{rate}, {.q = 2, .lambda = 1}); }

struct Way {
  const char* name;
  AdaptiveMethod method;
  ConstraintLevel level = ConstraintLevel::acceleration;
};
const Way ways[] = {{"auto", AdaptiveMethod::automatic},
                    {"dop853", AdaptiveMethod::dop853},
                    {"dopri5", AdaptiveMethod::dopri5},
                    {"hem5", AdaptiveMethod::hem5},
                    {"acceleration", AdaptiveMethod::radau},
                    {"velocity", AdaptiveMethod::radau, ConstraintLevel::velocity},
                    {"ggl", AdaptiveMethod::radau, ConstraintLevel::ggl},
                    {"position", AdaptiveMethod::radau, ConstraintLevel::position},
                    {"with accelerations", AdaptiveMethod::radau, ConstraintLevel::position_with_accelerations}};

Solution run_of(const Equations& equations, const Way& way, double tolerance) {
  Vector start(layout_of(equations).size(), 0.0);
  start[1] = 1.0;
  if (std::holds_alternative<WideMechanical>(equations)) start[2] = 1.0;
  start[start.size() - 3] = 1.0;
  start.back() = 1.0;
  SolveOptions options{.span = {0.0, 2.0}, .adaptive = way.method, .tolerance = {tolerance, tolerance}};
  for (int i = 1; i <= 1000; ++i) options.output_times.push_back(0.002 * i);
  if (way.method == AdaptiveMethod::radau) options.radau.level = way.level;
  return solve(equations, start, options);
}

// In tolerances, the largest at a thousand times, nearly all of them inside steps.
double worst_multiplier(const Solution& run, double tolerance) {
  double worst = 0.0;
  for (std::size_t i = 0; i < run.size(); ++i) {
    const double exact = Exact::multiplier(run.time(i));
    worst = std::fmax(worst, std::abs(run.state(i).back() - exact) / (tolerance + tolerance * std::abs(exact)));
  }
  return worst;
}

// Without what the error estimates know of psi_0, dop853 is off by two million tolerances here, and every level of
// Radau by thousands.
TEST(SteepMultipliers, AreRightInsideStepsInTheWideForm) {
  for (const double rate : {1.0, 10.0, 100.0, 1000.0})
    for (const Way& way : ways)
      for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
        if (way.level == ConstraintLevel::position_with_accelerations) continue;
        const Solution run = run_of(wide(rate), way, tolerance);
        ASSERT_TRUE(run.ok()) << way.name << ": " << run.failure().message();
        EXPECT_LT(worst_multiplier(run, tolerance), 400.0) << way.name << ", rate " << rate << ", " << tolerance;
      }
}

// Stages of index 3, and with a second multiplier, know the velocities less well; they were off by ten thousand and
// more.
TEST(SteepMultipliers, AreRightInsideStepsInThePlainForm) {
  for (const double rate : {1.0, 10.0, 100.0})
    for (const Way& way : ways)
      for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
        const Solution run = run_of(plain(rate), way, tolerance);
        ASSERT_TRUE(run.ok()) << way.name << ": " << run.failure().message();
        EXPECT_LT(worst_multiplier(run, tolerance), 2500.0) << way.name << ", rate " << rate << ", " << tolerance;
      }
}

// What is not steep costs nothing: as many steps with a rate of one as without it would be taken, and no fewer.
TEST(SteepMultipliers, CostNothingWhereTheyAreNotSteep) {
  const Solution slow = run_of(wide(1.0), {"dop853", AdaptiveMethod::dop853}, 1e-8),
                 fast = run_of(wide(100.0), {"dop853", AdaptiveMethod::dop853}, 1e-8);
  EXPECT_NEAR(static_cast<double>(slow.statistics().steps), 6.0, 2.0);
  EXPECT_NEAR(static_cast<double>(fast.statistics().steps), 315.0, 100.0);
}

}  // namespace
}  // namespace driftless::steep_multipliers_test
