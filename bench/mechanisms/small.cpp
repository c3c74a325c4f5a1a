#include "bench/mechanisms/small.h"

#include <cmath>

#include "testset/slider_crank.h"

namespace bench {

namespace {

struct CarAxis {
  static constexpr int n = 4, m = 2;
  static constexpr bool constant_mass = true;
  static constexpr double k = 10.0 * 1e-4 / 2.0, rest = 0.5, bump = 0.1, omega = 10.0, width = 1.0;

  void evaluate(double t, const double* q, const double* v, Level level, Parts<n, m>& out) const {
    const double s = std::sin(omega * t), y = bump * s, x = std::sqrt(width * width - y * y);
    const double left = std::sqrt(q[0] * q[0] + q[1] * q[1]), pull = (rest - left) / left;
    const double rx = q[2] - x, ry = q[3] - y, right = std::sqrt(rx * rx + ry * ry), push = (rest - right) / right;
    out.force[0] = pull * q[0];
    out.force[1] = pull * q[1] - k;
    out.force[2] = push * rx;
    out.force[3] = push * ry - k;
    const double dx = q[0] - q[2], dy = q[1] - q[3];
    out.G[0][0] = x;
    out.G[0][1] = y;
    out.G[1][0] = 2.0 * dx;
    out.G[1][1] = 2.0 * dy;
    out.G[1][2] = -2.0 * dx;
    out.G[1][3] = -2.0 * dy;
    if (level.g) {
      out.g[0] = x * q[0] + y * q[1];
      out.g[1] = dx * dx + dy * dy - width * width;
    }
    if (!level.g1 && !level.g2) return;
    const double y1 = bump * omega * std::cos(omega * t), x1 = -y * y1 / x;
    out.g_t[0] = x1 * q[0] + y1 * q[1];
    if (!level.g2) return;
    const double y2 = -omega * omega * y, x2 = -(y1 * y1 + y * y2 + x1 * x1) / x;
    const double vx = v[0] - v[2], vy = v[1] - v[3];
    out.curvature[0] = 2.0 * (x1 * v[0] + y1 * v[1]) + x2 * q[0] + y2 * q[1];
    out.curvature[1] = 2.0 * (vx * vx + vy * vy);
  }
};

struct FlexibleSliderCrank {
  static constexpr int n = 7, m = 3;
  static constexpr bool constant_mass = false;
  using S = driftless::testset::SliderCrank;
  static_assert(S::gravity == 0.0);

  // Products with the sparse matrices of the beam.
  static void evaluate(double t, const double* q, const double* v, Level level, Parts<n, m>& out) {
    const double s1 = std::sin(q[0]), c1 = std::cos(q[0]), s2 = std::sin(q[1]), c2 = std::cos(q[1]);
    const double s = s1 * c2 - c1 * s2, c = c1 * c2 + s1 * s2;
    const double *e = q + 3, *ev = v + 3;
    const double MQe[4] = {0.5 * S::FM * e[0], 0.5 * S::FM * e[1], S::FM * (8.0 * e[2] + e[3]),
                           S::FM * (e[2] + 2.0 * e[3])};
    const double BQv[4] = {S::B13 * ev[2] + S::B14 * ev[3], S::B24 * ev[3], -S::B13 * ev[0],
                           -S::B14 * ev[0] - S::B24 * ev[1]};
    const double c1q = S::c1[2] * e[2] + S::c1[3] * e[3], c1v = S::c1[2] * ev[2] + S::c1[3] * ev[3];
    const double c2q = S::c2[0] * e[0], c2v = S::c2[0] * ev[0];
    const double c12q = S::c12[2] * e[2] + S::c12[3] * e[3], c12v = S::c12[2] * ev[2] + S::c12[3] * ev[3];
    mass(q, s, c, MQe, c1q, c2q, c12q, out);
    const double crank2 = v[0] * v[0], rod2 = v[1] * v[1];
    double vMQe = 0.0, vBQv = 0.0;
    for (int i = 0; i < 4; ++i) {
      vMQe += ev[i] * MQe[i];
      vBQv += ev[i] * BQv[i];
    }
    const double bend = s * c1q - c * c2q;
    out.force[0] = -0.5 * S::L1 * S::L2 * S::M2 * rod2 * s - S::rho * S::L1 * rod2 * bend -
                   2.0 * S::rho * S::L1 * v[1] * (c * c1v + s * c2v);
    out.force[1] = 0.5 * S::L1 * S::L2 * S::M2 * crank2 * s + S::rho * S::L1 * crank2 * bend -
                   2.0 * v[1] * (S::rho * c12v + vMQe) - S::rho * vBQv;
    out.force[2] = 0.0;
    const double stretch = S::FK * 8.0 / 3.0;
    const double KQe[4] = {S::KQ[0][0] * e[0], S::KQ[1][1] * e[1], S::KQ[2][2] * e[2] - stretch * e[3],
                           S::KQ[3][3] * e[3] - stretch * e[2]};
    for (int i = 0; i < 4; ++i)
      out.force[3 + i] =
          rod2 * MQe[i] +
          S::rho * (rod2 * S::c12[static_cast<std::size_t>(i)] +
                    S::L1 * crank2 * (c * S::c1[static_cast<std::size_t>(i)] + s * S::c2[static_cast<std::size_t>(i)]) +
                    2.0 * v[1] * BQv[i]) -
          KQe[i];
    constraint(t, q, v, s1, c1, s2, c2, level, out);
  }

 private:
  static void mass(const double* q, double s, double c, const double* MQe, double c1q, double c2q, double c12q,
                   Parts<n, m>& out) {
    const double* e = q + 3;
    double eMQe = 0.0;
    for (int i = 0; i < 4; ++i) eMQe += e[i] * MQe[i];
    out.mass[0][0] = S::J1 + S::M2 * S::L1 * S::L1;
    out.mass[1][1] = S::J2 + eMQe + 2.0 * S::rho * c12q;
    out.mass[2][2] = S::M3;
    out.mass[0][1] = out.mass[1][0] = 0.5 * S::L1 * S::L2 * S::M2 * c + S::rho * S::L1 * (s * c2q + c * c1q);
    const double BQe[4] = {S::B13 * e[2] + S::B14 * e[3], S::B24 * e[3], -S::B13 * e[0],
                           -S::B14 * e[0] - S::B24 * e[1]};
    for (std::size_t i = 0; i < 4; ++i) {
      out.mass[0][3 + i] = out.mass[3 + i][0] = S::rho * S::L1 * (-s * S::c1[i] + c * S::c2[i]);
      out.mass[1][3 + i] = out.mass[3 + i][1] = S::rho * (S::c21[i] - BQe[i]);
    }
    out.mass[3][3] = out.mass[4][4] = 0.5 * S::FM;
    out.mass[5][5] = 8.0 * S::FM;
    out.mass[5][6] = out.mass[6][5] = S::FM;
    out.mass[6][6] = 2.0 * S::FM;
  }

  static void constraint(double t, const double* q, const double* v, double s1, double c1, double s2, double c2,
                         Level level, Parts<n, m>& out) {
    const double rod = S::L2 + q[6];
    out.G[0][0] = S::L1 * c1;
    out.G[0][1] = rod * c2;
    out.G[0][6] = s2;
    out.G[1][0] = S::L1 * s1;
    out.G[1][1] = rod * s2;
    out.G[1][2] = 1.0;
    out.G[1][6] = -c2;
    out.G[2][0] = 1.0;
    if (level.g) {
      out.g[0] = S::L1 * s1 + rod * s2;
      out.g[1] = q[2] - S::L1 * c1 - rod * c2;
      out.g[2] = q[0] - S::Omega * t;
    }
    out.g_t[2] = -S::Omega;
    if (!level.g2) return;
    const double a = S::L1 * v[0] * v[0], b = rod * v[1] * v[1], mixed = 2.0 * v[1] * v[6];
    out.curvature[0] = -a * s1 - b * s2 + mixed * c2;
    out.curvature[1] = a * c1 + b * c2 + mixed * s2;
    out.curvature[2] = 0.0;
  }
};

struct StiffDoublePendulum {
  static constexpr int n = 4, m = 1;
  static constexpr bool constant_mass = true;
  double stiffness, damping;

  void evaluate(double, const double* q, const double* v, Level level, Parts<n, m>& out) const {
    const double dx = q[2] - q[0], dy = q[3] - q[1], length = std::sqrt(dx * dx + dy * dy), inverse = 1.0 / length;
    const double rate = (dx * (v[2] - v[0]) + dy * (v[3] - v[1])) * inverse;
    const double pull = (stiffness * (length - 1.0) + damping * rate) * inverse;
    out.force[0] = pull * dx;
    out.force[1] = pull * dy - 1.0;
    out.force[2] = -pull * dx;
    out.force[3] = -pull * dy - 1.0;
    out.G[0][0] = q[0];
    out.G[0][1] = q[1];
    if (level.g) out.g[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0);
    if (level.g2) out.curvature[0] = v[0] * v[0] + v[1] * v[1];
  }
};

// A pendulum in space with moving pivot and varying length, and a force that makes the motion below its solution.
struct MmsIndex3 {
  static constexpr int n = 3, m = 1;
  static constexpr bool constant_mass = false;

  static void drag(const double* v, double* out) {
    const double factor = -0.1 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    out[0] = factor * v[0] + 0.5 * v[1];
    out[1] = factor * v[1] - 0.5 * v[0];
    out[2] = factor * v[2] - 1.0;
  }

  static void evaluate(double t, const double* q, const double* v, Level level, Parts<n, m>& out) {
    constexpr double a = 0.5, b = 0.7;
    const double S = std::sin(a * t), C = std::cos(a * t), s = std::sin(b * t), c = std::cos(b * t);
    const double sin_t = std::sin(t), cos_t = std::cos(t), sin_2t = 2.0 * sin_t * cos_t;
    const double cos_2t = 1.0 - 2.0 * sin_t * sin_t;
    const double l = 1.0 + 0.1 * sin_2t, l1 = 0.2 * cos_2t, l2 = -0.4 * sin_2t;
    const double u[3] = {S * c, S * s, -C};
    const double du[3] = {a * C * c - b * S * s, a * C * s + b * S * c, a * S};
    const double ddu[3] = {-(a * a + b * b) * S * c - 2.0 * a * b * C * s,
                           -(a * a + b * b) * S * s + 2.0 * a * b * C * c, a * a * C};
    double mq[3], mv[3], mw[3];
    for (int i = 0; i < 3; ++i) {
      mq[i] = l * u[i];
      mv[i] = l1 * u[i] + l * du[i];
      mw[i] = l2 * u[i] + 2.0 * l1 * du[i] + l * ddu[i];
    }
    const double lambda = 2.0 + cos_t * (4.0 * cos_t * cos_t - 3.0);  // cos 3t
    const double arm[3] = {mq[0], mq[1], mq[2]};
    mq[0] += 0.3 * sin_t;
    mv[0] += 0.3 * cos_t;
    mw[0] -= 0.3 * sin_t;
    const double along = 0.2 * (mq[0] * mw[0] + mq[1] * mw[1] + mq[2] * mw[2]);
    double at_motion[3];
    drag(mv, at_motion);
    drag(v, out.force);
    for (int i = 0; i < 3; ++i) {
      out.force[i] += mw[i] + along * mq[i] + arm[i] * lambda - at_motion[i];
      for (int j = 0; j < 3; ++j) out.mass[i][j] = (i == j ? 1.0 : 0.0) + 0.2 * q[i] * q[j];
    }
    const double x = q[0] - 0.3 * sin_t, p1 = 0.3 * cos_t, p2 = -0.3 * sin_t;
    out.G[0][0] = x;
    out.G[0][1] = q[1];
    out.G[0][2] = q[2];
    if (level.g) out.g[0] = 0.5 * (x * x + q[1] * q[1] + q[2] * q[2] - l * l);
    out.g_t[0] = -x * p1 - l * l1;
    const double vx = v[0] - p1;
    if (level.g2) out.curvature[0] = vx * vx + v[1] * v[1] + v[2] * v[2] - x * p2 - l1 * l1 - l * l2;
  }
};

}  // namespace

std::unique_ptr<Mechanism> car_axis_mechanism(std::unique_ptr<Mechanism> generic) {
  return std::make_unique<SmallMechanism<CarAxis>>(CarAxis{}, std::move(generic));
}
std::unique_ptr<Mechanism> slider_crank_mechanism(std::unique_ptr<Mechanism> generic) {
  return std::make_unique<SmallMechanism<FlexibleSliderCrank>>(FlexibleSliderCrank{}, std::move(generic));
}
std::unique_ptr<Mechanism> stiff_double_pendulum_mechanism(double stiffness, double damping,
                                                           std::unique_ptr<Mechanism> generic) {
  return std::make_unique<SmallMechanism<StiffDoublePendulum>>(StiffDoublePendulum{stiffness, damping},
                                                               std::move(generic));
}
std::unique_ptr<Mechanism> mms_index3_mechanism(std::unique_ptr<Mechanism> generic) {
  return std::make_unique<SmallMechanism<MmsIndex3>>(MmsIndex3{}, std::move(generic));
}

}  // namespace bench
