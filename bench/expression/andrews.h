// Andrews' squeezing mechanism as one residual of 27 unknowns, y = (q, v, w, lambda), written once for any scalar type:
// F = (v, w, M(q) w - f(q, v) + G(q)^T lambda, g(q)).
#pragma once

#include <cmath>
#include <cstddef>

#include "driftless/autodiff/functions.h"

namespace bench {

struct Andrews {
  static constexpr std::size_t unknowns = 27;
  static constexpr double m1 = 0.04325, m2 = 0.00365, m3 = 0.02373, m4 = 0.00706, m5 = 0.07050, m6 = 0.00706,
                          m7 = 0.05498;
  static constexpr double I1 = 2.194e-6, I2 = 4.410e-7, I3 = 5.255e-6, I4 = 5.667e-7, I5 = 1.169e-5, I6 = 5.667e-7,
                          I7 = 1.912e-5;
  static constexpr double xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014, yc = 0.072;
  static constexpr double c0 = 4530.0, l0 = 7785e-5, mom = 33e-3;
  static constexpr double d = 28e-3, da = 115e-4, e = 2e-2, ea = 1421e-5, rr = 7e-3, ra = 92e-5, ss = 35e-3,
                          sa = 1874e-5, sb = 1043e-5, sc = 18e-3, sd = 2e-2, ta = 2308e-5, tb = 916e-5, u = 4e-2,
                          ua = 1228e-5, ub = 449e-5, zf = 2e-2, zt = 4e-2, fa = 1421e-5;
  static constexpr double e1 = e - ea, z1 = zf - fa;

  template <class T>
  static void residual(const T* y, T* F) {
    using driftless::sin_cos;
    using std::sqrt;
    const T *q = y, *v = y + 7, *w = y + 14, *lambda = y + 21;
    const T &be = q[0], &th = q[1], &ga = q[2], &ph = q[3], &de = q[4], &om = q[5], &ep = q[6];
    const T &bep = v[0], &thp = v[1], &php = v[3], &dep = v[4], &omp = v[5], &epp = v[6];
    const auto [sibe, cobe] = sin_cos(be);
    const auto [sith, coth] = sin_cos(th);
    const auto [siga, coga] = sin_cos(ga);
    const auto [siph, coph] = sin_cos(ph);
    const auto [side, code] = sin_cos(de);
    const auto [siom, coom] = sin_cos(om);
    const auto [siep, coep] = sin_cos(ep);
    const auto [sibeth, cobeth] = sin_cos(be + th);
    const auto [siphde, cophde] = sin_cos(ph + de);
    const auto [siomep, coomep] = sin_cos(om + ep);
    for (std::size_t i = 0; i < 7; ++i) F[i] = v[i];
    for (std::size_t i = 0; i < 7; ++i) F[7 + i] = w[i];

    // M w
    T* R = F + 14;
    const T m01 = m2 * (da * da - da * rr * coth) + I2;
    const T m34 = m4 * (e1 * e1 + zt * e1 * siph) + I4;
    const T m56 = m6 * (z1 * z1 - u * z1 * siom) + I6;
    R[0] = (m1 * ra * ra + m2 * (rr * rr - 2.0 * da * rr * coth + da * da) + I1 + I2) * w[0] + m01 * w[1];
    R[1] = m01 * w[0] + (m2 * da * da + I2) * w[1];
    R[2] = (m3 * (sa * sa + sb * sb) + I3) * w[2];
    R[3] = (m4 * e1 * e1 + I4) * w[3] + m34 * w[4];
    R[4] = m34 * w[3] + (m4 * (zt * zt + 2.0 * zt * e1 * siph + e1 * e1) + m5 * (ta * ta + tb * tb) + I4 + I5) * w[4];
    R[5] = (m6 * z1 * z1 + I6) * w[5] + m56 * w[6];
    R[6] = m56 * w[5] + (m6 * (z1 * z1 - 2.0 * u * z1 * siom + u * u) + m7 * (ua * ua + ub * ub) + I6 + I7) * w[6];

    // - f
    const T dx = sd * coga + sc * siga + xb - xc;
    const T dy = sd * siga - sc * coga + yb - yc;
    const T length = sqrt(dx * dx + dy * dy);
    const T pull = -c0 * (length - l0) / length;
    R[0] -= mom - m2 * da * rr * thp * (thp + 2.0 * bep) * sith;
    R[1] -= m2 * da * rr * bep * bep * sith;
    R[2] -= pull * (dx * (sc * coga - sd * siga) + dy * (sd * coga + sc * siga));
    R[3] -= m4 * zt * e1 * dep * dep * coph;
    R[4] -= -m4 * zt * e1 * php * (php + 2.0 * dep) * coph;
    R[5] -= -m6 * u * z1 * epp * epp * coom;
    R[6] -= m6 * u * z1 * omp * (omp + 2.0 * epp) * coom;

    // + G^T lambda
    const T &l1 = lambda[0], &l2 = lambda[1], &l3 = lambda[2], &l4 = lambda[3], &l5 = lambda[4], &l6 = lambda[5];
    const T along = -rr * sibe + d * sibeth, across = rr * cobe - d * cobeth;
    R[0] += along * (l1 + l3 + l5) + across * (l2 + l4 + l6);
    R[1] += d * sibeth * (l1 + l3 + l5) - d * cobeth * (l2 + l4 + l6);
    R[2] += -ss * coga * l1 - ss * siga * l2;
    R[3] += -e * cophde * l3 - e * siphde * l4;
    R[4] += (-e * cophde + zt * side) * l3 + (-e * siphde - zt * code) * l4;
    R[5] += zf * siomep * l5 - zf * coomep * l6;
    R[6] += (zf * siomep - u * coep) * l5 + (-zf * coomep - u * siep) * l6;

    // g
    T* g = F + 21;
    const T x = rr * cobe - d * cobeth, z = rr * sibe - d * sibeth;
    g[0] = x - ss * siga - xb;
    g[1] = z + ss * coga - yb;
    g[2] = x - e * siphde - zt * code - xa;
    g[3] = z + e * cophde - zt * side - ya;
    g[4] = x - zf * coomep - u * siep - xa;
    g[5] = z - zf * siomep + u * coep - ya;
  }
};

// The same function, as the compiler makes it from hand-written C++; in a file of its own.
void hand_written(const double* y, double* F);
void hand_written_native(const double* y, double* F);  // for this very processor

}  // namespace bench
