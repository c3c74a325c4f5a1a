// The slider crank with a flexible connecting rod, written once for its statements by position and by velocity
// constraints. Source: Simeon 1998, in the CWI/Bari test set for initial value problems. The beam matrices of the
// source use pi = 3.1415927, which is kept: with all digits the elastic coordinates change by 3e-6 relative.
#pragma once

#include <array>
#include <cmath>

#include "driftless/equations/mechanical_model.h"

namespace driftless::testset {

// q = (phi1, phi2, x3, q1, q2, q3, q4): crank angle, rod angle, slider, and two bending and two stretching modes of the
// rod.
struct SliderCrank {
  static constexpr double M1 = 0.36, M2 = 0.151104, M3 = 0.075552, L1 = 0.15, L2 = 0.30, J1 = 0.002727,
                          J2 = 0.0045339259, E = 0.20e12, b = 0.0080, h = 0.0080, rho = 7870.0, gravity = 0.0,
                          Omega = 150.0, pi = 3.1415927;
  static constexpr double area = b * h, FM = rho * area * L2, FK = E * area / L2, FB = area * L2;
  static constexpr double slender = (h / L2) * (h / L2), pi4 = pi * pi * pi * pi, pi3 = pi * pi * pi;

  using Modes = std::array<double, 4>;
  static constexpr std::array<Modes, 4> MQ = {
      {{0.5 * FM, 0, 0, 0}, {0, 0.5 * FM, 0, 0}, {0, 0, 8 * FM, FM}, {0, 0, FM, 2 * FM}}};
  static constexpr std::array<Modes, 4> KQ = {{{FK * pi4 / 24 * slender, 0, 0, 0},
                                               {0, FK * 2 * pi4 / 3 * slender, 0, 0},
                                               {0, 0, FK * 16 / 3, -FK * 8 / 3},
                                               {0, 0, -FK * 8 / 3, FK * 7 / 3}}};
  static constexpr double B13 = -16 * FB / pi3, B14 = FB * (8 / pi3 - 1 / pi), B24 = FB / (2 * pi);
  static constexpr std::array<Modes, 4> BQ = {{{0, 0, B13, B14}, {0, 0, 0, B24}, {-B13, 0, 0, 0}, {-B14, -B24, 0, 0}}};
  static constexpr Modes c1 = {0, 0, FB * 2 / 3, FB / 6}, c2 = {FB * 2 / pi, 0, 0, 0},
                         c12 = {0, 0, L2*FB / 3, L2*FB / 6}, c21 = {L2 * FB / pi, -L2*FB / (2 * pi), 0, 0};

  // Products with the elastic part of q or v, components 3 to 6.
  template <class X>
  static auto dot(const Modes& c, const X& q) {
    return c[0] * q[3] + c[1] * q[4] + c[2] * q[5] + c[3] * q[6];
  }
  template <class X, class Y>
  static auto form(const X& p, const std::array<Modes, 4>& a, const Y& q) {
    return p[3] * dot(a[0], q) + p[4] * dot(a[1], q) + p[5] * dot(a[2], q) + p[6] * dot(a[3], q);
  }

  void mass(auto q, auto, auto M) const {
    using std::cos, std::sin;
    mass_at(q, sin(q[0] - q[1]), cos(q[0] - q[1]), M);
  }
  static void mass_at(auto q, auto s, auto c, auto M) {
    M(0, 0) = J1 + M2 * L1 * L1;
    M(1, 1) = J2 + form(q, MQ, q) + 2.0 * rho * dot(c12, q);
    M(2, 2) = M3;
    M(0, 1) = M(1, 0) = 0.5 * L1 * L2 * M2 * c + rho * L1 * (s * dot(c2, q) + c * dot(c1, q));
    for (std::size_t i = 0; i < 4; ++i) {
      M(0, 3 + i) = M(3 + i, 0) = rho * L1 * (-s * c1[i] + c * c2[i]);
      M(1, 3 + i) = M(3 + i, 1) = rho * c21[i] - rho * dot(BQ[i], q);  // q^T BQ = -BQ q
      for (std::size_t j = 0; j < 4; ++j) M(3 + i, 3 + j) = MQ[i][j];
    }
  }

  static_assert(gravity == 0.0);  // its terms are left out
  void force(auto q, auto v, auto, auto f) const {
    using std::cos, std::sin;
    force_at(q, v, sin(q[0] - q[1]), cos(q[0] - q[1]), f);
  }
  static void force_at(auto q, auto v, auto s, auto c, auto f) {
    const auto crank2 = v[0] * v[0], rod2 = v[1] * v[1];
    f[0] = -0.5 * L1 * L2 * M2 * rod2 * s + rho * L1 * rod2 * (-s * dot(c1, q) + c * dot(c2, q)) -
           2.0 * rho * L1 * v[1] * (c * dot(c1, v) + s * dot(c2, v));
    f[1] = 0.5 * L1 * L2 * M2 * crank2 * s + rho * L1 * crank2 * (s * dot(c1, q) - c * dot(c2, q)) -
           2.0 * rho * v[1] * dot(c12, v) - 2.0 * v[1] * form(v, MQ, q) - rho * form(v, BQ, v);
    for (std::size_t i = 0; i < 4; ++i)
      f[3 + i] = rod2 * dot(MQ[i], q) +
                 rho * (rod2 * c12[i] + L1 * crank2 * (c * c1[i] + s * c2[i]) + 2.0 * v[1] * dot(BQ[i], v)) -
                 dot(KQ[i], q);
  }

  void constraint(auto q, auto t, auto g) const {
    using std::cos, std::sin;
    g[0] = L1 * sin(q[0]) + (L2 + q[6]) * sin(q[1]);
    g[1] = q[2] - L1 * cos(q[0]) - (L2 + q[6]) * cos(q[1]);
    g[2] = q[0] - Omega * t;
  }

  // All of it with the sine and cosine of two angles.
  static constexpr bool dynamics_of_any_scalar = true;
  void dynamics(auto q, auto v, auto, auto M, auto f, auto G, auto curvature) const {
    using std::cos, std::sin;
    const auto sin1 = sin(q[0]), cos1 = cos(q[0]), sin2 = sin(q[1]), cos2 = cos(q[1]);
    const auto s = sin1 * cos2 - cos1 * sin2, c = cos1 * cos2 + sin1 * sin2, length = L2 + q[6];
    mass_at(q, s, c, M);
    force_at(q, v, s, c, f);
    G(0, 0) = L1 * cos1;
    G(0, 1) = length * cos2;
    G(0, 6) = sin2;
    G(1, 0) = L1 * sin1;
    G(1, 1) = length * sin2;
    G(1, 2) = 1.0;
    G(1, 6) = -cos2;
    G(2, 0) = 1.0;
    const auto crank2 = L1 * v[0] * v[0], rod2 = length * v[1] * v[1], stretching = 2.0 * v[6] * v[1];
    curvature[0] = stretching * cos2 - crank2 * sin1 - rod2 * sin2;
    curvature[1] = stretching * sin2 + crank2 * cos1 + rod2 * cos2;
  }
};

inline Names slider_crank_coordinates() { return {"phi1", "phi2", "x3", "q1", "q2", "q3", "q4"}; }
inline Names slider_crank_constraints() { return {"rod height", "slider", "crank angle"}; }

}  // namespace driftless::testset
