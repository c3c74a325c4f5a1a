// Rolling, skates and tops in the wide form, beside closed forms: a knife edge on a slope, the steady motions of a
// rolling disc, a rolling sphere, and the tops of Euler and Lagrange with quaternions.
#include <gtest/gtest.h>

#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <cmath>
#include <limits>

#include "driftless/driftless.h"

namespace driftless::rolling_test {
namespace {

constexpr double gravity = 9.81;

double largest_difference(ConstSpan a, ConstSpan b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < b.size(); ++i) largest = std::fmax(largest, std::abs(a[i] - b[i]));
  return largest;
}

// A skate that slides down a slope of acceleration a while it turns with constant w draws a cycloid across the slope:
// its speed along the blade is (a/w) sin wt.
struct Skate {
  double slope = gravity * std::sin(0.3);
  void force(auto, auto, auto, auto f) const { f[0] = slope; }
  void mass(auto, auto, auto m) const {
    m(0, 0) = m(1, 1) = 1.0;
    m(2, 2) = 0.5;
  }
  void velocity_constraint(auto q, auto v, auto, auto h) const {
    using std::cos, std::sin;
    h[0] = v[0] * sin(q[2]) - v[1] * cos(q[2]);
  }
  double energy(auto q, auto v, double) const {
    return 0.5 * (v[0] * v[0] + v[1] * v[1] + 0.5 * v[2] * v[2]) - slope * q[0];
  }
};

Vector skate_solution(double w, double t) {
  const double a = Skate().slope, s = std::sin(w * t), c = std::cos(w * t);
  return {a / (2.0 * w * w) * s * s, a / (2.0 * w * w) * (w * t - s * c), w * t, a / w * s * c, a / w * s * s, w,
          // the balance across the blade: nu - a sin phi = (speed along it) w
          2.0 * a * s};
}

TEST(Rolling, KnifeEdgeOnASlope) {
  const double w = 1.5;
  const auto skate = mechanical(Skate{}, {.q_names = {"x", "y", "phi"}, .velocity_constraint_names = {"blade"}});
  for (const auto method : {AdaptiveMethod::dop853, AdaptiveMethod::radau, AdaptiveMethod::hem5}) {
    const Solution run =
        solve(skate, skate_solution(w, 0.0), {.span = {0.0, 1000.0}, .adaptive = method, .tolerance = {1e-9, 1e-9}});
    ASSERT_TRUE(run.ok()) << run.failure().message();
    const Vector exact = skate_solution(w, 1000.0);
    for (std::size_t i = 0; i < 6; ++i)
      EXPECT_NEAR(run.state(run.size() - 1)[i], exact[i], 1e-5) << i << ", " << run.statistics().steps;
    EXPECT_LT(run.certificate().velocity, 1e-14);
    EXPECT_LT(*run.certificate().energy_change, 1e-6);
  }
}

TEST(Rolling, TheForceAcrossTheBladeIsThatOfTheClosedForm) {
  const double w = 1.5, t = 2.3;
  const auto skate = mechanical(Skate{}, {.q_names = {"x", "y", "phi"}});
  Vector state = skate_solution(w, t);
  state.resize(6);
  const auto start = make_consistent(mechanical(Skate{}, {.q = 3, .nu = 1}), t, state);
  ASSERT_TRUE(start.ok());
  EXPECT_NEAR(start.value().state[6], skate_solution(w, t)[6], 1e-12);
}

// A thin disc of unit radius and mass. Velocities: those of its centre, and the angular velocity along a horizontal
// diameter, along the diameter through the contact, and along the axis; theta is the angle of the axis with the
// vertical.
struct Disc {
  static constexpr double across = 0.25, along = 0.5;
  template <class T>
  void rates(In<T> q, In<T> v, const T&, Out<T> dq) const {
    using std::cos, std::sin;
    for (std::size_t i = 0; i < 3; ++i) dq[i] = v[i];
    dq[3] = v[4] / sin(q[4]);
    dq[4] = v[3];
    dq[5] = v[5] - v[4] * cos(q[4]) / sin(q[4]);
  }
  void mass(auto, auto, auto m) const {
    for (std::size_t i = 0; i < 3; ++i) m(i, i) = 1.0;
    m(3, 3) = m(4, 4) = across;
    m(5, 5) = along;
  }
  template <class T>
  void force(In<T> q, In<T> v, const T&, Out<T> f) const {
    using std::cos, std::sin;
    const T turn = v[4] * cos(q[4]) / sin(q[4]);
    f[2] = T(-gravity);
    f[3] = -v[4] * (along * v[5] - across * turn);
    f[4] = -v[3] * (across * turn - along * v[5]);
  }
  template <class T>
  void constraint(In<T> q, const T&, Out<T> g) const {
    using std::sin;
    g[0] = q[2] - sin(q[4]);
  }
  template <class T>
  void velocity_constraint(In<T> q, In<T> v, const T&, Out<T> h) const {
    using std::cos, std::sin;
    const T c = cos(q[3]), s = sin(q[3]), tilt = sin(q[4]);
    h[0] = v[0] - v[3] * tilt * s + v[5] * c;
    h[1] = v[1] + v[3] * tilt * c + v[5] * s;
  }
  double energy(auto q, auto v, double) const {
    return 0.5 *
               (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + across * (v[3] * v[3] + v[4] * v[4]) + along * v[5] * v[5]) +
           gravity * q[2];
  }
};

WideMechanical disc() {
  return mechanical(Disc{}, {.lambda = 1,
                             .nu = 2,
                             .q_names = {"x", "y", "z", "psi", "theta", "phi"},
                             .v_names = {"vx", "vy", "vz", "lean", "yaw", "spin"}});
}

// Steady rolling on a circle, psi = W t: (along + 1) s W sin - across W^2 sin cos + g cos = 0 by the balance of moments
// about the centre, s the angular velocity about the axis.
Vector disc_solution(double t) {
  const double lean = 1.2, yaw = 2.0;
  const double s = (Disc::across * yaw * yaw * std::sin(lean) * std::cos(lean) - gravity * std::cos(lean)) /
                   ((Disc::along + 1.0) * yaw * std::sin(lean));
  const double psi = yaw * t;
  return {-s * std::sin(psi) / yaw,
          s * std::cos(psi) / yaw,
          std::sin(lean),
          psi,
          lean,
          (s - yaw * std::cos(lean)) * t,
          -s * std::cos(psi),
          -s * std::sin(psi),
          0.0,
          0.0,
          yaw * std::sin(lean),
          s};
}

TEST(Rolling, SteadyMotionOfADisc) {
  for (const auto method : {AdaptiveMethod::dop853, AdaptiveMethod::radau}) {
    const Solution run =
        solve(disc(), disc_solution(0.0), {.span = {0.0, 20.0}, .adaptive = method, .tolerance = {1e-10, 1e-10}});
    ASSERT_TRUE(run.ok()) << run.failure().message();
    EXPECT_LT(largest_difference(run.state(run.size() - 1), disc_solution(20.0)), 1e-6);
    EXPECT_LT(run.certificate().position, 1e-14);
    EXPECT_LT(run.certificate().velocity, 1e-13);
  }
}

TEST(Rolling, ADiscThatWobblesKeepsItsEnergy) {
  Vector start = disc_solution(0.0);
  start[4] += 0.1;
  start[10] += 0.3;
  const Solution run = solve(disc(), start, {.span = {0.0, 1000.0}, .tolerance = {1e-8, 1e-8}});
  ASSERT_TRUE(run.ok()) << run.failure().message();
  EXPECT_LT(*run.certificate().energy_change, 1e-4);
  EXPECT_LT(run.certificate().position, 1e-13);
}

// Gimbal lock: where the axis is vertical, no angular velocity is a rate of psi.
TEST(Rolling, GimbalLockIsNamedWithItsCoordinate) {
  Vector start = disc_solution(0.0);
  start[2] = start[4] = 0.0;
  const Solution run = solve(disc(), start, {.span = {0.0, 1.0}});
  ASSERT_FALSE(run.ok());
  EXPECT_NE(run.failure().where.find("psi"), std::string::npos) << run.failure().message();
  EXPECT_NE(run.failure().where.find("rates"), std::string::npos) << run.failure().message();
}

// A homogeneous sphere that rolls on a table turning with W draws circles with angular velocity 2/7 W.
struct Sphere {
  double table;
  void force(auto, auto, auto, auto) const {}
  void mass(auto, auto, auto m) const {
    m(0, 0) = m(1, 1) = 1.0;
    m(2, 2) = m(3, 3) = m(4, 4) = 0.4;
  }
  void rates(auto, auto v, auto, auto dq) const {
    dq[0] = v[0];
    dq[1] = v[1];
  }
  void velocity_constraint(auto q, auto v, auto, auto h) const {
    h[0] = v[0] - v[3] + table * q[1];
    h[1] = v[1] + v[2] - table * q[0];
  }
};

TEST(Rolling, SphereOnATurningTable) {
  const double table = 3.0, w = 2.0 / 7.0 * table;
  const auto sphere = mechanical(Sphere{table}, {.v = 5, .nu = 2, .q_names = {"x", "y"}});
  for (const auto method : {AdaptiveMethod::dop853, AdaptiveMethod::radau}) {
    const Solution run = solve(sphere, {1.0, 0.0, 0.0, w, table - w, 0.0, 0.0},
                               {.span = {0.0, 1000.0}, .adaptive = method, .tolerance = {1e-10, 1e-10}});
    ASSERT_TRUE(run.ok()) << run.failure().message();
    const ConstSpan end = run.state(run.size() - 1);
    EXPECT_NEAR(end[0], std::cos(w * 1000.0), 2e-6);
    EXPECT_NEAR(end[1], std::sin(w * 1000.0), 2e-6);
    EXPECT_LT(run.certificate().velocity, 1e-14);
  }
}

// Moments of inertia 1, 2, 3.
struct FreeTop {
  template <class T>
  void rates(In<T> e, In<T> o, const T&, Out<T> de) const {
    de[0] = 0.5 * (-e[1] * o[0] - e[2] * o[1] - e[3] * o[2]);
    de[1] = 0.5 * (e[0] * o[0] + e[2] * o[2] - e[3] * o[1]);
    de[2] = 0.5 * (e[0] * o[1] + e[3] * o[0] - e[1] * o[2]);
    de[3] = 0.5 * (e[0] * o[2] + e[1] * o[1] - e[2] * o[0]);
  }
  void mass(auto, auto, auto m) const {
    for (std::size_t i = 0; i < 3; ++i) m(i, i) = 1.0 + static_cast<double>(i);
  }
  void force(auto, auto o, auto, auto f) const {
    f[0] = -o[1] * o[2];
    f[1] = 2.0 * o[0] * o[2];
    f[2] = -o[0] * o[1];
  }
  void position_invariants(auto e, auto, auto i) const {
    i[0] = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] - 1.0;
  }
};

// By Jacobi's elliptic functions (Landau and Lifshitz, Mechanics, section 37).
TEST(Rolling, FreeTopOfEuler) {
  const double o1 = 0.7, o3 = 0.9, energy2 = o1 * o1 + 3.0 * o3 * o3, l2 = o1 * o1 + 9.0 * o3 * o3;
  ASSERT_GT(l2, 2.0 * energy2);
  const double rate = std::sqrt((l2 - energy2) / 6.0), end = 50.0;
  const double k = std::sqrt((3.0 * energy2 - l2) / (l2 - energy2));
  double cn = 0.0, dn = 0.0;
  const double sn = boost::math::jacobi_elliptic(k, rate * end, &cn, &dn);
  const auto top = mechanical(FreeTop{}, {.q = 4, .v = 3, .position_invariants = 1});
  for (const auto method : {AdaptiveMethod::dop853, AdaptiveMethod::radau}) {
    const Solution run = solve(top, {1.0, 0.0, 0.0, 0.0, o1, 0.0, o3},
                               {.span = {0.0, end}, .adaptive = method, .tolerance = {1e-10, 1e-10}});
    ASSERT_TRUE(run.ok()) << run.failure().message();
    const ConstSpan x = run.state(run.size() - 1);
    EXPECT_NEAR(x[4], o1 * cn, 1e-7);
    EXPECT_NEAR(x[5], std::sqrt((3.0 * energy2 - l2) / 2.0) * sn, 1e-7);
    EXPECT_NEAR(x[6], o3 * dn, 1e-7);
    EXPECT_NEAR(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3], 1.0, 1e-14);
    // the angular momentum in space stays what it was: R(e) J o = (o1, 0, 3 o3)
    const double j[3] = {x[4], 2.0 * x[5], 3.0 * x[6]};
    const double space = (1.0 - 2.0 * (x[2] * x[2] + x[3] * x[3])) * j[0] + 2.0 * (x[1] * x[2] - x[0] * x[3]) * j[1] +
                         2.0 * (x[1] * x[3] + x[0] * x[2]) * j[2];
    EXPECT_NEAR(space, o1, 1e-7);
  }
}

// A symmetric top with a fixed point, moments of inertia 1, 1 and 0.5 about it, whose weight times distance is `pull`.
struct HeavyTop {
  double pull = 1.3;
  template <class T>
  void rates(In<T> e, In<T> o, const T& t, Out<T> de) const {
    FreeTop().rates(e, o, t, de);
  }
  void mass(auto, auto, auto m) const {
    m(0, 0) = m(1, 1) = 1.0;
    m(2, 2) = 0.5;
  }
  void force(auto e, auto o, auto, auto f) const {
    f[0] = 0.5 * o[1] * o[2] + pull * 2.0 * (e[2] * e[3] + e[0] * e[1]);
    f[1] = -0.5 * o[0] * o[2] - pull * 2.0 * (e[1] * e[3] - e[0] * e[2]);
  }
  void position_invariants(auto e, auto, auto i) const {
    i[0] = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] - 1.0;
  }
  double energy(auto e, auto o, double) const {
    return 0.5 * (o[0] * o[0] + o[1] * o[1] + 0.5 * o[2] * o[2]) + pull * height(e);
  }
  static double height(ConstSpan e) { return e[0] * e[0] - e[1] * e[1] - e[2] * e[2] + e[3] * e[3]; }
};

// The height u of the axis, let go at u0 with the spin s: u'^2 = (u0 - u) (b (1 - u^2) - a^2 (u0 - u)), a = s/2, b = 2
// pull, which the sine of Jacobi solves between the two lower roots (Landau and Lifshitz, Mechanics, section 35).
double height_of_heavy_top(double u0, double spin, double t) {
  const double a2 = 0.25 * spin * spin, b = 2.0 * HeavyTop().pull, root = std::sqrt(a2 * a2 + 4.0 * b * (b - a2 * u0));
  const double lowest = (a2 - root) / (2.0 * b), beyond = (a2 + root) / (2.0 * b);
  const double k = std::sqrt((u0 - lowest) / (beyond - lowest));
  const double phase = boost::math::ellint_1(k) + 0.5 * std::sqrt(b * (beyond - lowest)) * t;
  double cn = 0.0, dn = 0.0;
  const double sn = boost::math::jacobi_elliptic(k, phase, &cn, &dn);
  return lowest + (u0 - lowest) * sn * sn;
}

TEST(Rolling, HeavyTopOfLagrange) {
  const double tilt = 0.7, spin = 6.0;
  const Vector start{std::cos(0.5 * tilt), std::sin(0.5 * tilt), 0.0, 0.0, 0.0, 0.0, spin};
  const auto top = mechanical(HeavyTop{}, {.q = 4, .v = 3, .position_invariants = 1});
  for (const auto method : {AdaptiveMethod::dop853, AdaptiveMethod::radau})
    for (const double end : {0.7, 50.0}) {
      const Solution run = solve(top, start, {.span = {0.0, end}, .adaptive = method, .tolerance = {1e-10, 1e-10}});
      ASSERT_TRUE(run.ok()) << run.failure().message();
      const ConstSpan x = run.state(run.size() - 1);
      EXPECT_NEAR(HeavyTop::height(x), height_of_heavy_top(std::cos(tilt), spin, end), 1e-7);
      EXPECT_NEAR(x[6], spin, 1e-12);
    }
  const Solution run = solve(top, start, {.span = {0.0, 1000.0}, .tolerance = {1e-8, 1e-8}});
  ASSERT_TRUE(run.ok()) << run.failure().message();
  EXPECT_LT(run.certificate().position, 1e-14);  // the norm of the quaternion
}

}  // namespace
}  // namespace driftless::rolling_test
