// Velocities and multipliers are results like positions are.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "driftless/driftless.h"

namespace driftless::multiplier_test {
namespace {

// A point on a circle with two inertias and a known motion, beside a stiff unknown 1 + t/4. In the general form of
// index 3: nothing is known of a mass.
struct Swing {
  static constexpr double radius = 1.108, inertia[] = {1.622, 1.996}, spring[] = {1.222, 0.584},
                          damping[] = {0.444, 0.782};

  static auto lambda(auto t) {
    using std::exp, std::tanh;
    return -1.1 - 0.22 * tanh(t - 0.746) - 0.21 * exp(-0.581 * t);
  }
  // Position, velocity and acceleration on the axes.
  template <class T>
  static void motion(const T& t, T (&q)[2], T (&v)[2], T (&a)[2]) {
    using std::cos, std::sin;
    const T phase = 2.496 * t + 4.527, angle = -1.284 * sin(phase), rate = -1.284 * 2.496 * cos(phase),
            turn = 1.284 * 2.496 * 2.496 * sin(phase);
    const T along[] = {-radius * sin(angle), radius * cos(angle)};
    q[0] = along[1];
    q[1] = -1.0 * along[0];
    for (int k = 0; k < 2; ++k) {
      v[k] = rate * along[k];
      a[k] = turn * along[k] - rate * rate * q[k];
    }
  }

  void f(auto, auto v, auto, auto out) const {
    out[0] = v[0];
    out[1] = v[1];
  }
  template <class T>
  void k(In<T> u, In<T> v, In<T> l, const T& t, Out<T> out) const {
    T q[2], w[2], a[2];
    motion(t, q, w, a);
    for (std::size_t i = 0; i < 2; ++i)
      out[i] = a[i] + (1.0 / inertia[i]) * (spring[i] * (q[i] - u[i]) + damping[i] * (w[i] - v[i]) +
                                            2.0 * (q[i] * lambda(t) - u[i] * l[0]));
    out[2] = -1e5 * (v[2] - 1.0 - 0.25 * t) + 0.25;
  }
  void g(auto u, auto, auto out) const { out[0] = u[0] * u[0] + u[1] * u[1] - radius * radius; }
};

// The largest errors of velocities and of the multiplier, in tolerances.
TEST(Multipliers, VelocitiesOfIndex3CountInFull) {
  const Equations equations = index3(Swing{}, {.u = 2, .v = 3, .lambda = 1});
  for (const double tolerance : {1e-5, 1e-6, 1e-7}) {
    double q[2], v[2], a[2], of_v = 0.0, of_lambda = 0.0;
    Swing::motion(0.0, q, v, a);
    const Solution solution = solve(equations, {q[0], q[1], v[0], v[1], 1.0, 0.0},
                                    {.span = {0.0, 2.0}, .tolerance = {tolerance, 1e-3 * tolerance}});
    ASSERT_TRUE(solution.ok()) << solution.failure().message();
    for (std::size_t i = 0; i < solution.size(); ++i) {
      const double t = solution.time(i);
      const ConstSpan x = solution.state(i);
      Swing::motion(t, q, v, a);
      of_v = std::max({of_v, std::abs(x[2] - v[0]), std::abs(x[3] - v[1])});
      of_lambda = std::max(of_lambda, std::abs(x[5] - Swing::lambda(t)));
    }
    EXPECT_LT(of_v, 100.0 * tolerance) << tolerance;
    EXPECT_LT(of_lambda, 300.0 * tolerance) << tolerance;
  }
}

// q + (x - c)/10 = sin t with a stiff x = c = tanh(t - 3/4): what x is off by comes into the multiplier 1 + t a hundred
// thousand times.
struct Steep {
  template <class T>
  static T c(const T& t) {
    using std::tanh;
    return 1.1 - 0.165 * tanh(t - 0.753);
  }
  template <class T>
  void f(In<T> u, In<T> v, const T& t, Out<T> out) const {
    using std::tanh;
    const T s = tanh(t - 0.753);
    out[0] = v[0];
    out[1] = -1000.0 * (u[1] - c(t)) - 0.165 * (1.0 - s * s);
  }
  template <class T>
  void k(In<T>, In<T>, In<T> l, const T& t, Out<T> out) const {
    using std::sin;
    out[0] = 1.0 + t - l[0] - sin(t);
  }
  template <class T>
  void g(In<T> u, const T& t, Out<T> out) const {
    using std::sin;
    out[0] = u[0] - sin(t) + 0.1 * (u[1] - c(t));
  }
};

TEST(Multipliers, SteepOnesAreControlled) {
  const Equations equations = index3(Steep{}, {.u = 2, .v = 1, .lambda = 1});
  Vector times;
  for (int i = 1; i <= 100; ++i) times.push_back(0.01 * i);
  for (const auto method : {AdaptiveMethod::automatic, AdaptiveMethod::radau}) {
    for (const double tolerance : {1e-5, 1e-6, 1e-8}) {
      const Solution solution = solve(
          equations, {0.0, Steep::c(0.0), 1.0, 1.0},
          {.span = {0.0, 1.0}, .adaptive = method, .tolerance = {tolerance, 1e-3 * tolerance}, .output_times = times});
      ASSERT_TRUE(solution.ok()) << solution.failure().message();
      double worst = 0.0;
      for (std::size_t i = 0; i < solution.size(); ++i)
        worst = std::max(worst, std::abs(solution.state(i)[3] - 1.0 - solution.time(i)));
      EXPECT_LT(worst, 500.0 * tolerance) << tolerance << static_cast<int>(method);
    }
  }
}

// The same with index 2: u + (x - c)/10 = sin t, where x follows c with the rate 10000, has the multiplier 1 + t.
struct SteepIndex2 {
  template <class T>
  void f(In<T> u, In<T> l, const T& t, Out<T> out) const {
    using std::cos, std::tanh;
    const T s = tanh(t - 0.753);
    out[0] = cos(t) + l[0] - 1.0 - t;
    out[1] = -10000.0 * (u[1] - Steep::c(t)) - 0.165 * (1.0 - s * s);
  }
  void g(auto u, auto t, auto out) const { Steep{}.g<std::decay_t<decltype(t)>>(u, t, out); }
};

TEST(Multipliers, SteepOnesOfIndex2AreControlled) {
  const Equations equations = index2(SteepIndex2{}, {.u = 2, .lambda = 1});
  Vector times;
  for (int i = 1; i <= 100; ++i) times.push_back(0.01 * i);
  for (const auto method : {AdaptiveMethod::automatic, AdaptiveMethod::radau})
    for (const double tolerance : {1e-5, 1e-6, 1e-7}) {
      const Solution solution = solve(
          equations, {0.0, Steep::c(0.0), 1.0},
          {.span = {0.0, 1.0}, .adaptive = method, .tolerance = {tolerance, 1e-3 * tolerance}, .output_times = times});
      ASSERT_TRUE(solution.ok()) << solution.failure().message();
      double worst = 0.0;
      for (std::size_t i = 0; i < solution.size(); ++i)
        worst = std::max(worst, std::abs(solution.state(i)[2] - 1.0 - solution.time(i)));
      EXPECT_LT(worst, 200.0 * tolerance) << tolerance << static_cast<int>(method);
    }
}

// The model has no value in a moment between two steps, where a row is asked for.
struct Gap {
  void f(auto u, auto l, auto t, auto out) const {
    const double hole = t > 0.51 - 1e-9 && t < 0.51 + 1e-9 ? std::numeric_limits<double>::quiet_NaN() : 0.0;
    out[0] = u[1] - u[0] * l[0] + hole;
    out[1] = -u[0] - u[1] * l[0];
  }
  void g(auto u, auto, auto out) const { out[0] = u[0] * u[0] + u[1] * u[1] - 1.0; }
};

TEST(Multipliers, ARowWithoutOneEndsTheRun) {
  const Equations equations = index2(Gap{}, {.u = 2, .lambda = 1});
  const Solution solution =
      solve(equations, {1.0, 0.0, 0.0},
            {.span = {0.0, 1.0}, .adaptive = AdaptiveMethod::dop853, .output_times = {0.2, 0.51}});
  ASSERT_FALSE(solution.ok());
  EXPECT_EQ(solution.failure().kind, FailureKind::not_finite) << solution.failure().message();
  EXPECT_EQ(solution.failure().time, 0.51);
}

}  // namespace
}  // namespace driftless::multiplier_test
