// Andrews' squeezing mechanism as a flat model, as one would write it down: q' = v, rows of M v' + G^T lambda = F.
#pragma once

#include <array>

#include "driftless/expression/differentiate.h"
#include "flat_builder.h"

namespace driftless::testing_models {

inline FlatModel andrews_model(const std::array<double, 14>& start) {
  constexpr double m1 = 0.04325, m2 = 0.00365, m3 = 0.02373, m4 = 0.00706, m5 = 0.07050, m6 = 0.00706, m7 = 0.05498;
  constexpr double I1 = 2.194e-6, I2 = 4.410e-7, I3 = 5.255e-6, I4 = 5.667e-7, I5 = 1.169e-5, I6 = 5.667e-7,
                   I7 = 1.912e-5;
  constexpr double xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014, yc = 0.072;
  constexpr double c0 = 4530.0, l0 = 7785e-5, mom = 33e-3;
  constexpr double d = 28e-3, da = 115e-4, e = 2e-2, ea = 1421e-5, rr = 7e-3, ra = 92e-5, ss = 35e-3, sa = 1874e-5,
                   sb = 1043e-5, sc = 18e-3, sd = 2e-2, ta = 2308e-5, tb = 916e-5, u = 4e-2, ua = 1228e-5, ub = 449e-5,
                   zf = 2e-2, zt = 4e-2, fa = 1421e-5;
  constexpr double e1 = e - ea, z1 = zf - fa;
  FlatBuilder b("Andrews");
  const std::array<const char*, 7> names{"beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"};
  std::array<Formula, 7> q, v, w;
  std::array<Formula, 6> lambda;
  for (std::size_t i = 0; i < 7; ++i) {
    q[i] = b.variable(names[i], {.start = start[i]});
    v[i] = b.variable(std::string("v_") + names[i], {.start = start[7 + i]});
  }
  for (std::size_t k = 0; k < 6; ++k) lambda[k] = b.variable("lambda" + std::to_string(k + 1));
  for (std::size_t i = 0; i < 7; ++i) {
    b.equation(b.der(names[i]), v[i], fmt::format("der({0}) = v_{0}", names[i]));
    w[i] = b.der(std::string("v_") + names[i]);
  }
  const auto &beta = q[0], &theta = q[1], &gamma = q[2], &phi = q[3], &delta = q[4], &omega = q[5], &epsilon = q[6];
  std::array<std::array<Formula, 7>, 7> M;
  for (auto& row : M) row.fill(b.number(0.0));
  M[0][0] = b.number(m1 * ra * ra) + m2 * (rr * rr - 2.0 * da * rr * cos(theta) + da * da) + I1 + I2;
  M[0][1] = M[1][0] = m2 * (da * da - da * rr * cos(theta)) + I2;
  M[1][1] = b.number(m2 * da * da + I2);
  M[2][2] = b.number(m3 * (sa * sa + sb * sb) + I3);
  M[3][3] = b.number(m4 * e1 * e1 + I4);
  M[3][4] = M[4][3] = m4 * (e1 * e1 + zt * e1 * sin(phi)) + I4;
  M[4][4] = m4 * (zt * zt + 2.0 * zt * e1 * sin(phi) + e1 * e1) + (m5 * (ta * ta + tb * tb) + I4 + I5);
  M[5][5] = b.number(m6 * z1 * z1 + I6);
  M[5][6] = M[6][5] = m6 * (z1 * z1 - u * z1 * sin(omega)) + I6;
  M[6][6] = m6 * (z1 * z1 - 2.0 * u * z1 * sin(omega) + u * u) + (m7 * (ua * ua + ub * ub) + I6 + I7);
  const Formula dx = sd * cos(gamma) + sc * sin(gamma) + (xb - xc), dy = sd * sin(gamma) - sc * cos(gamma) + (yb - yc);
  const Formula stretch = sqrt(square(dx) + square(dy)), pull = -c0 * (stretch - l0) / stretch;
  std::array<Formula, 7> F;
  F[0] = mom - m2 * da * rr * v[1] * (v[1] + 2.0 * v[0]) * sin(theta);
  F[1] = m2 * da * rr * square(v[0]) * sin(theta);
  F[2] = pull * (dx * (sc * cos(gamma) - sd * sin(gamma)) + dy * (sd * cos(gamma) + sc * sin(gamma)));
  F[3] = m4 * zt * e1 * square(v[4]) * cos(phi);
  F[4] = -m4 * zt * e1 * v[3] * (v[3] + 2.0 * v[4]) * cos(phi);
  F[5] = -m6 * u * z1 * square(v[6]) * cos(omega);
  F[6] = m6 * u * z1 * v[5] * (v[5] + 2.0 * v[6]) * cos(omega);
  const Formula x = rr * cos(beta) - d * cos(beta + theta), y = rr * sin(beta) - d * sin(beta + theta);
  const std::array<Formula, 6> g{x - ss * sin(gamma) - xb,
                                 y + ss * cos(gamma) - yb,
                                 x - e * sin(phi + delta) - zt * cos(delta) - xa,
                                 y + e * cos(phi + delta) - zt * sin(delta) - ya,
                                 x - zf * cos(omega + epsilon) - u * sin(epsilon) - xa,
                                 y - zf * sin(omega + epsilon) + u * cos(epsilon) - ya};
  for (std::size_t i = 0; i < 7; ++i) {
    Formula left = b.number(0.0);
    for (std::size_t j = 0; j < 7; ++j) left = left + M[i][j] * w[j];
    Formula reaction = b.number(0.0);
    for (std::size_t k = 0; k < 6; ++k)
      reaction = reaction + Formula{&b, differentiate(b.graph(), g[k].e, b.graph().slot(q[i].e))} * lambda[k];
    b.equation(left, F[i] - reaction, fmt::format("balance {}", i + 1));
  }
  for (std::size_t k = 0; k < 6; ++k) b.equation(g[k], 0.0, fmt::format("loop {}", k + 1));
  return b.finish();
}

}  // namespace driftless::testing_models
