// Andrews' squeezing mechanism, seven bodies in the plane driven by a motor with constant torque.
// Source: CWI/Bari test set for initial value problems. Its published reference is right to about 10 digits in q, 7 in
// v and 6 in lambda only (its energy is off by 2e-10); the digits here are trusted to 24 places.
#include <cmath>

#include "driftless/equations/mechanical_model.h"
#include "testset/catalogue.h"
#include "testset/values.h"

namespace driftless::testset {

namespace {

struct Andrews {
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
  enum : std::size_t { beta, Theta, gamma, Phi, delta, Omega, epsilon };

  void mass(auto q, auto, auto M) const {
    using std::cos, std::sin;
    const auto cos_theta = cos(q[Theta]);
    const auto sin_phi = sin(q[Phi]);
    const auto sin_omega = sin(q[Omega]);
    M(0, 0) = m1 * ra * ra + m2 * (rr * rr - 2.0 * da * rr * cos_theta + da * da) + I1 + I2;
    M(0, 1) = M(1, 0) = m2 * (da * da - da * rr * cos_theta) + I2;
    M(1, 1) = m2 * da * da + I2;
    M(2, 2) = m3 * (sa * sa + sb * sb) + I3;
    M(3, 3) = m4 * e1 * e1 + I4;
    M(3, 4) = M(4, 3) = m4 * (e1 * e1 + zt * e1 * sin_phi) + I4;
    M(4, 4) = m4 * (zt * zt + 2.0 * zt * e1 * sin_phi + e1 * e1) + m5 * (ta * ta + tb * tb) + I4 + I5;
    M(5, 5) = m6 * z1 * z1 + I6;
    M(5, 6) = M(6, 5) = m6 * (z1 * z1 - u * z1 * sin_omega) + I6;
    M(6, 6) = m6 * (z1 * z1 - 2.0 * u * z1 * sin_omega + u * u) + m7 * (ua * ua + ub * ub) + I6 + I7;
  }

  void force(auto q, auto v, auto, auto f) const {
    using std::cos, std::sin, std::sqrt;
    const auto [sin_gamma, cos_gamma] = sin_cos(q[gamma]);
    const auto dx = sd * cos_gamma + sc * sin_gamma + xb - xc;
    const auto dy = sd * sin_gamma - sc * cos_gamma + yb - yc;
    const auto length = sqrt(dx * dx + dy * dy);
    const auto pull = -c0 * (length - l0) / length;
    const auto sin_theta = sin(q[Theta]), cos_phi = cos(q[Phi]), cos_omega = cos(q[Omega]);
    f[0] = mom - m2 * da * rr * v[Theta] * (v[Theta] + 2.0 * v[beta]) * sin_theta;
    f[1] = m2 * da * rr * v[beta] * v[beta] * sin_theta;
    f[2] = pull * (dx * (sc * cos_gamma - sd * sin_gamma) + dy * (sd * cos_gamma + sc * sin_gamma));
    f[3] = m4 * zt * e1 * v[delta] * v[delta] * cos_phi;
    f[4] = -m4 * zt * e1 * v[Phi] * (v[Phi] + 2.0 * v[delta]) * cos_phi;
    f[5] = -m6 * u * z1 * v[epsilon] * v[epsilon] * cos_omega;
    f[6] = m6 * u * z1 * v[Omega] * (v[Omega] + 2.0 * v[epsilon]) * cos_omega;
  }

  void constraint(auto q, auto, auto g) const {
    const auto [sin_beta, cos_beta] = sin_cos(q[beta]);
    const auto [sin_arm, cos_arm] = sin_cos(q[beta] + q[Theta]);
    const auto [sin_gamma, cos_gamma] = sin_cos(q[gamma]);
    const auto [sin_left, cos_left] = sin_cos(q[Phi] + q[delta]);
    const auto [sin_delta, cos_delta] = sin_cos(q[delta]);
    const auto [sin_right, cos_right] = sin_cos(q[Omega] + q[epsilon]);
    const auto [sin_epsilon, cos_epsilon] = sin_cos(q[epsilon]);
    const auto x = rr * cos_beta - d * cos_arm;
    const auto y = rr * sin_beta - d * sin_arm;
    g[0] = x - ss * sin_gamma - xb;
    g[1] = y + ss * cos_gamma - yb;
    g[2] = x - e * sin_left - zt * cos_delta - xa;
    g[3] = y + e * cos_left - zt * sin_delta - ya;
    g[4] = x - zf * cos_right - u * sin_epsilon - xa;
    g[5] = y - zf * sin_right + u * cos_epsilon - ya;
  }

  // All of the above with each sine once, and the derivatives of the constraint by hand.
  void dynamics(auto q, auto v, auto, auto M, auto f, auto G, auto curvature) const {
    const auto [sin_beta, cos_beta] = sin_cos(q[beta]);
    const auto [sin_theta, cos_theta] = sin_cos(q[Theta]);
    const auto [sin_gamma, cos_gamma] = sin_cos(q[gamma]);
    const auto [sin_phi, cos_phi] = sin_cos(q[Phi]);
    const auto [sin_delta, cos_delta] = sin_cos(q[delta]);
    const auto [sin_omega, cos_omega] = sin_cos(q[Omega]);
    const auto [sin_epsilon, cos_epsilon] = sin_cos(q[epsilon]);
    const double sin_arm = sin_beta * cos_theta + cos_beta * sin_theta,
                 cos_arm = cos_beta * cos_theta - sin_beta * sin_theta;
    const double sin_left = sin_phi * cos_delta + cos_phi * sin_delta,
                 cos_left = cos_phi * cos_delta - sin_phi * sin_delta;
    const double sin_right = sin_omega * cos_epsilon + cos_omega * sin_epsilon,
                 cos_right = cos_omega * cos_epsilon - sin_omega * sin_epsilon;

    M(0, 0) = m1 * ra * ra + m2 * (rr * rr - 2.0 * da * rr * cos_theta + da * da) + I1 + I2;
    M(0, 1) = M(1, 0) = m2 * (da * da - da * rr * cos_theta) + I2;
    M(1, 1) = m2 * da * da + I2;
    M(2, 2) = m3 * (sa * sa + sb * sb) + I3;
    M(3, 3) = m4 * e1 * e1 + I4;
    M(3, 4) = M(4, 3) = m4 * (e1 * e1 + zt * e1 * sin_phi) + I4;
    M(4, 4) = m4 * (zt * zt + 2.0 * zt * e1 * sin_phi + e1 * e1) + m5 * (ta * ta + tb * tb) + I4 + I5;
    M(5, 5) = m6 * z1 * z1 + I6;
    M(5, 6) = M(6, 5) = m6 * (z1 * z1 - u * z1 * sin_omega) + I6;
    M(6, 6) = m6 * (z1 * z1 - 2.0 * u * z1 * sin_omega + u * u) + m7 * (ua * ua + ub * ub) + I6 + I7;

    const double dx = sd * cos_gamma + sc * sin_gamma + xb - xc, dy = sd * sin_gamma - sc * cos_gamma + yb - yc;
    const double pull = -c0 * (1.0 - l0 / std::sqrt(dx * dx + dy * dy));
    f[0] = mom - m2 * da * rr * v[Theta] * (v[Theta] + 2.0 * v[beta]) * sin_theta;
    f[1] = m2 * da * rr * v[beta] * v[beta] * sin_theta;
    f[2] = pull * (dx * (sc * cos_gamma - sd * sin_gamma) + dy * (sd * cos_gamma + sc * sin_gamma));
    f[3] = m4 * zt * e1 * v[delta] * v[delta] * cos_phi;
    f[4] = -m4 * zt * e1 * v[Phi] * (v[Phi] + 2.0 * v[delta]) * cos_phi;
    f[5] = -m6 * u * z1 * v[epsilon] * v[epsilon] * cos_omega;
    f[6] = m6 * u * z1 * v[Omega] * (v[Omega] + 2.0 * v[epsilon]) * cos_omega;

    // x = rr cos(beta) - d cos(beta + Theta), y likewise, are part of each loop.
    const double x_theta = d * sin_arm, y_theta = -d * cos_arm;
    const double x_beta = x_theta - rr * sin_beta, y_beta = y_theta + rr * cos_beta;
    for (std::size_t k = 0; k < 6; k += 2) {
      G(k, beta) = x_beta;
      G(k, Theta) = x_theta;
      G(k + 1, beta) = y_beta;
      G(k + 1, Theta) = y_theta;
    }
    G(0, gamma) = -ss * cos_gamma;
    G(1, gamma) = -ss * sin_gamma;
    G(2, Phi) = -e * cos_left;
    G(3, Phi) = -e * sin_left;
    G(2, delta) = zt * sin_delta - e * cos_left;
    G(3, delta) = -zt * cos_delta - e * sin_left;
    G(4, Omega) = zf * sin_right;
    G(5, Omega) = -zf * cos_right;
    G(4, epsilon) = zf * sin_right - u * cos_epsilon;
    G(5, epsilon) = -zf * cos_right - u * sin_epsilon;

    const double arm = v[beta] + v[Theta], left = v[Phi] + v[delta], right = v[Omega] + v[epsilon];
    const double arm2 = arm * arm, left2 = left * left, right2 = right * right, beta2 = v[beta] * v[beta],
                 gamma2 = v[gamma] * v[gamma], delta2 = v[delta] * v[delta], epsilon2 = v[epsilon] * v[epsilon];
    const double x_bends = d * cos_arm * arm2 - rr * cos_beta * beta2,
                 y_bends = d * sin_arm * arm2 - rr * sin_beta * beta2;
    curvature[0] = x_bends + ss * sin_gamma * gamma2;
    curvature[1] = y_bends - ss * cos_gamma * gamma2;
    curvature[2] = x_bends + e * sin_left * left2 + zt * cos_delta * delta2;
    curvature[3] = y_bends - e * cos_left * left2 + zt * sin_delta * delta2;
    curvature[4] = x_bends + zf * cos_right * right2 + u * sin_epsilon * epsilon2;
    curvature[5] = y_bends + zf * sin_right * right2 - u * cos_epsilon * epsilon2;
  }

  // Kinetic, spring, and the potential of the constant torque.
  double energy(auto q, auto v, double t) const {
    double M[49] = {};
    mass(q, t, OutMatrix<double>(std::span<double>(M), 7, 7));
    double kinetic = 0.0;
    for (std::size_t i = 0; i < 7; ++i)
      for (std::size_t j = 0; j < 7; ++j) kinetic += 0.5 * v[i] * M[i + 7 * j] * v[j];
    const double dx = sd * std::cos(q[gamma]) + sc * std::sin(q[gamma]) + xb - xc;
    const double dy = sd * std::sin(q[gamma]) - sc * std::cos(q[gamma]) + yb - yc;
    const double stretch = std::sqrt(dx * dx + dy * dy) - l0;
    return kinetic + 0.5 * c0 * stretch * stretch - mom * q[beta];
  }
};

}  // namespace

Problem andrews_squeezer_problem() {
  Mechanical equations = mechanical(
      Andrews{}, {.q_names = {"beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"},
                  .constraint_names = {"loop 1 x", "loop 1 y", "loop 2 x", "loop 2 y", "loop 3 x", "loop 3 y"}});
  return {
      .title = "Andrews' squeezing mechanism (seven bodies)",
      .source = "CWI/Bari test set for initial value problems",
      .notes = "Phi = -Omega along the solution. Accelerations reach 6e5, so that multipliers are sensitive.",
      .equations = std::move(equations),
      .start = joined({{-6.17138900142764496358948458001e-2, 0.0, 4.55279819163070380255912382449e-1,
                        2.22668390165885884674473185609e-1, 4.87364979543842550225598953530e-1,
                        -2.22668390165885884674473185609e-1, 1.23054744454982119249735015568e+0},
                       Vector(7, 0.0),
                       {9.85668703962410896057654982170e+1, -6.12268834425566265503114393122e+0, 0.0, 0.0, 0.0, 0.0}}),
      .references =
          {{0.03, {1.5810771195153707097119387e+1,  -1.5756371058411839469727753e+1, 4.0822240119645804858282320e-2,
                   -5.3473011634207959377018503e-1, 5.2440996587995406937165580e-1,  5.3473011634207959377018503e-1,
                   1.0480807410419378730685155e+0,  1.1399203022591060641980968e+3,  -1.4243792951775400731960264e+3,
                   1.1032911910618593745327316e+1,  1.9293374105032040831627564e+1,  5.7356991482950245381768809e-1,
                   -1.9293374105032040831627564e+1, 3.2317914924913087499074852e-1,  1.9917534810453862818623955e+2,
                   -2.9755309974971763324415729e+1, 2.3066543611622151128617365e+1,  3.1452725275771137075384535e+1,
                   2.2642494786394378577712918e+1,  1.1617392352611255906801477e+1}},
           {0.05, {3.3825867766954517332272151e+1,  -3.3583431517463868498379469e+1, 1.1339507381259901502527787e-1,
                   -4.0785286560188444249305525e-1, 5.2606044491699582713274055e-1,  4.0785286560188444249305525e-1,
                   1.0569024294349628309868248e+0,  1.1445355026538474684033352e+3,  -1.3360337226511924540333020e+3,
                   -1.9093706860429462468211548e+2, -3.3431706087086465358025059e+2, 8.7586508294301516139494324e-1,
                   3.3431706087086465358025059e+2,  -3.9617288978352995017556639e+1, 1.0890548842952924679988808e+2,
                   -2.7216221148444808500084178e+1, 1.2602041740749929585863619e+1,  -4.1547752816204762070572151e+1,
                   1.8158341114689581235004355e+1,  1.0537455182624509981233854e+2}}},
      .trusted_digits = 24};
}

}  // namespace driftless::testset
