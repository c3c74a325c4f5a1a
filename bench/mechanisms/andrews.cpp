// Andrews' mechanism, written for speed: seven sine-cosine pairs per call and no allocation.
// Each of its three loops closes with the sum of bars (x_k, z_k) that turn with the angles a = (beta, beta + Theta,
// gamma, Phi + delta, delta, Omega + epsilon, epsilon): d(x, z)/da = (-z, x), which gives all derivatives.
#include <algorithm>
#include <cmath>

#include "bench/mechanism.h"

namespace bench {

namespace {

constexpr double m1 = 0.04325, m2 = 0.00365, m3 = 0.02373, m4 = 0.00706, m5 = 0.07050, m6 = 0.00706, m7 = 0.05498;
constexpr double I1 = 2.194e-6, I2 = 4.410e-7, I3 = 5.255e-6, I4 = 5.667e-7, I5 = 1.169e-5, I6 = 5.667e-7,
                 I7 = 1.912e-5;
constexpr double xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014, yc = 0.072;
constexpr double c0 = 4530.0, l0 = 7785e-5, mom = 33e-3;
constexpr double d = 28e-3, da = 115e-4, e = 2e-2, ea = 1421e-5, rr = 7e-3, ra = 92e-5, ss = 35e-3, sa = 1874e-5,
                 sb = 1043e-5, sc = 18e-3, sd = 2e-2, ta = 2308e-5, tb = 916e-5, u = 4e-2, ua = 1228e-5, ub = 449e-5,
                 zf = 2e-2, zt = 4e-2, fa = 1421e-5;
constexpr double e1 = e - ea, z1 = zf - fa;
constexpr double k1 = m2 * da * rr, k2 = m4 * zt * e1, k3 = m6 * u * z1;  // of the terms that couple two bodies

inline void sine_cosine(double a, double& s, double& c) {
#if defined(__GNUC__) && defined(__linux__)
  ::sincos(a, &s, &c);
#else
  s = std::sin(a);
  c = std::cos(a);
#endif
}

// One number per angle from one per coordinate.
struct Angles {
  double k[7];
  explicit Angles(const double* q) : k{q[0], q[0] + q[1], q[2], q[3] + q[4], q[4], q[5] + q[6], q[6]} {}
};

struct Trigonometry {
  double s[7], c[7];
  double sin_theta, cos_theta, sin_phi, cos_phi, sin_omega, cos_omega;

  explicit Trigonometry(const double* q) {
    const Angles a(q);
    for (int i = 0; i < 7; ++i) sine_cosine(a.k[i], s[i], c[i]);
    sin_theta = s[1] * c[0] - c[1] * s[0];
    cos_theta = c[1] * c[0] + s[1] * s[0];
    sin_phi = s[3] * c[4] - c[3] * s[4];
    cos_phi = c[3] * c[4] + s[3] * s[4];
    sin_omega = s[5] * c[6] - c[5] * s[6];
    cos_omega = c[5] * c[6] + s[5] * s[6];
  }
};

struct MassMatrix {
  double m00, m01, m33, m34, m44, m55, m56, m66;
  static constexpr double m11 = m2 * da * da + I2, m22 = m3 * (sa * sa + sb * sb) + I3;
  explicit MassMatrix(const Trigonometry& t) {
    m00 = m1 * ra * ra + m2 * (rr * rr + da * da) + I1 + I2 - 2.0 * k1 * t.cos_theta;
    m01 = m2 * da * da + I2 - k1 * t.cos_theta;
    m33 = m4 * e1 * e1 + I4;
    m34 = m4 * e1 * e1 + I4 + k2 * t.sin_phi;
    m44 = m4 * (zt * zt + e1 * e1) + m5 * (ta * ta + tb * tb) + I4 + I5 + 2.0 * k2 * t.sin_phi;
    m55 = m6 * z1 * z1 + I6;
    m56 = m6 * z1 * z1 + I6 - k3 * t.sin_omega;
    m66 = m6 * (z1 * z1 + u * u) + m7 * (ua * ua + ub * ub) + I6 + I7 - 2.0 * k3 * t.sin_omega;
  }
};

struct Bars {
  double x[7], z[7];
  explicit Bars(const Trigonometry& t)
      : x{rr * t.c[0], -d * t.c[1], -ss * t.s[2], -e * t.s[3], -zt * t.c[4], -zf * t.c[5], -u * t.s[6]},
        z{rr * t.s[0], -d * t.s[1], ss * t.c[2], e * t.c[3], -zt * t.s[4], -zf * t.s[5], u * t.c[6]} {}
};

// The six loop equations from one contribution per bar.
void close_loops(const double* x, const double* z, double* g) {
  const double arm_x = x[0] + x[1], arm_z = z[0] + z[1];
  g[0] = arm_x + x[2];
  g[1] = arm_z + z[2];
  g[2] = arm_x + x[3] + x[4];
  g[3] = arm_z + z[3] + z[4];
  g[4] = arm_x + x[5] + x[6];
  g[5] = arm_z + z[5] + z[6];
}

// The forces of the loops on the two ends of each bar: the common arm belongs to all three loops.
struct LoopForces {
  double x[7], z[7];
  explicit LoopForces(const double* l)
      : x{l[0] + l[2] + l[4], l[0] + l[2] + l[4], l[0], l[2], l[2], l[4], l[4]},
        z{l[1] + l[3] + l[5], l[1] + l[3] + l[5], l[1], l[3], l[3], l[5], l[5]} {}
};

// Adds the torques on the angles to those on the coordinates.
void add_torques(const double* r, double* out) {
  out[0] += r[0] + r[1];
  out[1] += r[1];
  out[2] += r[2];
  out[3] += r[3];
  out[4] += r[3] + r[4];
  out[5] += r[5];
  out[6] += r[5] + r[6];
}

void add_reaction(const Bars& bars, const double* lambda, double* out) {
  const LoopForces l(lambda);
  double r[7];
  for (int k = 0; k < 7; ++k) r[k] = l.z[k] * bars.x[k] - l.x[k] * bars.z[k];
  add_torques(r, out);
}

// The spring that pulls at the rocker; its torque on gamma and the derivative of it.
struct Spring {
  double torque, slope;
  explicit Spring(const Trigonometry& t) {
    const double px = sd * t.c[2] + sc * t.s[2], py = sd * t.s[2] - sc * t.c[2];
    const double dx = px + xb - xc, dy = py + yb - yc;
    const double square = dx * dx + dy * dy, ratio = l0 / std::sqrt(square), turn = dy * px - dx * py;
    torque = -c0 * (1.0 - ratio) * turn;
    slope = -c0 * (ratio / square * turn * turn + (1.0 - ratio) * (px * px + py * py - dx * px - dy * py));
  }
};

// Where 2x2 blocks of bodies sit: coordinates (0, 1), 2, (3, 4), (5, 6).
constexpr int pair_row[] = {0, 0, 1, 1, 2, 3, 3, 4, 4, 5, 5, 6, 6};
constexpr int pair_col[] = {0, 1, 0, 1, 2, 3, 4, 3, 4, 5, 6, 5, 6};
constexpr int loop_col[3][4] = {{0, 1, 2, -1}, {0, 1, 3, 4}, {0, 1, 5, 6}};

// Derivatives of the loop equations by the coordinates, from those by the angles, in the order of the entries.
void spread(const double* x, const double* z, double* out) {
  const auto row = [&out](const double* y, int loop) {
    *out++ = y[0] + y[1];
    *out++ = y[1];
    if (loop == 0) *out++ = y[2];
    if (loop > 0) *out++ = y[2 * loop + 1];
    if (loop > 0) *out++ = y[2 * loop + 1] + y[2 * loop + 2];
  };
  for (int loop = 0; loop < 3; ++loop) {
    row(x, loop);
    row(z, loop);
  }
}

class Andrews final : public Mechanism {
 public:
  Andrews() {
    n_ = 7;
    m_ = 6;
    for (int k = 0; k < 13; ++k)
      for (const Block block : {Block::stiffness, Block::mass, Block::damping})
        entries_[index_of(block)].add(pair_row[k], pair_col[k]);
    for (int i = 0; i < 6; ++i)
      for (const int j : loop_col[i / 2])
        for (const Block block : {Block::constraint, Block::rate, Block::acceleration})
          if (j >= 0) entries_[index_of(block)].add(i, j);
  }

  void evaluate(const Point& p, const Values& out) override {
    const Trigonometry t(p.q);
    const Bars bars(t);
    if (out.balance) balance(p, t, bars, out.balance);
    if (out.reaction) {
      std::fill(out.reaction, out.reaction + 7, 0.0);
      add_reaction(bars, p.mu, out.reaction);
    }
    if (out.g) {
      close_loops(bars.x, bars.z, out.g);
      const double at[6] = {xb, yb, xa, ya, xa, ya};
      for (int i = 0; i < 6; ++i) out.g[i] -= at[i];
    }
    const Angles rate(p.v);
    double x[7], z[7];
    if (out.g1) {
      for (int k = 0; k < 7; ++k) x[k] = -bars.z[k] * rate.k[k], z[k] = bars.x[k] * rate.k[k];
      close_loops(x, z, out.g1);
    }
    if (out.g2) {
      second_derivative(bars, rate, Angles(p.a), x, z);
      close_loops(x, z, out.g2);
    }
  }

  void differentiate(const Point& p, const std::array<bool, block_count>& wanted, BlockValues& out) override {
    const Trigonometry t(p.q);
    const Bars bars(t);
    if (wanted[index_of(Block::mass)]) mass(t, out[index_of(Block::mass)].data());
    if (wanted[index_of(Block::stiffness)]) stiffness(p, t, bars, out[index_of(Block::stiffness)].data());
    if (wanted[index_of(Block::damping)]) damping(p, t, out[index_of(Block::damping)].data());
    const Angles rate(p.v), second(p.a);
    double x[7], z[7];
    if (wanted[index_of(Block::constraint)]) {
      for (int k = 0; k < 7; ++k) x[k] = -bars.z[k], z[k] = bars.x[k];
      spread(x, z, out[index_of(Block::constraint)].data());
    }
    if (wanted[index_of(Block::rate)]) {
      for (int k = 0; k < 7; ++k) x[k] = -bars.x[k] * rate.k[k], z[k] = -bars.z[k] * rate.k[k];
      spread(x, z, out[index_of(Block::rate)].data());
    }
    if (wanted[index_of(Block::acceleration)]) {
      Bars turned = bars;  // d(x, z)/da takes the place of (x, z)
      for (int k = 0; k < 7; ++k) turned.x[k] = -bars.z[k], turned.z[k] = bars.x[k];
      second_derivative(turned, rate, second, x, z);
      spread(x, z, out[index_of(Block::acceleration)].data());
    }
  }

 private:
  // d/dt^2 of each bar.
  static void second_derivative(const Bars& bars, const Angles& rate, const Angles& second, double* x, double* z) {
    for (int k = 0; k < 7; ++k) {
      const double square = rate.k[k] * rate.k[k];
      x[k] = -bars.z[k] * second.k[k] - bars.x[k] * square;
      z[k] = bars.x[k] * second.k[k] - bars.z[k] * square;
    }
  }

  static void balance(const Point& p, const Trigonometry& t, const Bars& bars, double* f) {
    const double *v = p.v, *a = p.a;
    const MassMatrix m(t);
    f[0] = m.m00 * a[0] + m.m01 * a[1] - mom + k1 * v[1] * (v[1] + 2.0 * v[0]) * t.sin_theta;
    f[1] = m.m01 * a[0] + MassMatrix::m11 * a[1] - k1 * v[0] * v[0] * t.sin_theta;
    f[2] = MassMatrix::m22 * a[2] - Spring(t).torque;
    f[3] = m.m33 * a[3] + m.m34 * a[4] - k2 * v[4] * v[4] * t.cos_phi;
    f[4] = m.m34 * a[3] + m.m44 * a[4] + k2 * v[3] * (v[3] + 2.0 * v[4]) * t.cos_phi;
    f[5] = m.m55 * a[5] + m.m56 * a[6] + k3 * v[6] * v[6] * t.cos_omega;
    f[6] = m.m56 * a[5] + m.m66 * a[6] - k3 * v[5] * (v[5] + 2.0 * v[6]) * t.cos_omega;
    add_reaction(bars, p.lambda, f);
  }

  static void mass(const Trigonometry& t, double* out) {
    const MassMatrix m(t);
    const double values[13] = {m.m00, m.m01, m.m01, MassMatrix::m11, MassMatrix::m22, m.m33, m.m34,
                               m.m34, m.m44, m.m55, m.m56,           m.m56,           m.m66};
    std::copy(values, values + 13, out);
  }

  static void stiffness(const Point& p, const Trigonometry& t, const Bars& bars, double* out) {
    const double *v = p.v, *a = p.a;
    const LoopForces l(p.lambda);
    double r[7];  // of the reactions, by the angle of each bar
    for (int k = 0; k < 7; ++k) r[k] = -l.x[k] * bars.x[k] - l.z[k] * bars.z[k];
    const double values[13] = {
        r[0] + r[1],
        r[1] + k1 * (t.sin_theta * (2.0 * a[0] + a[1]) + v[1] * (v[1] + 2.0 * v[0]) * t.cos_theta),
        r[1],
        r[1] + k1 * (t.sin_theta * a[0] - v[0] * v[0] * t.cos_theta),
        r[2] - Spring(t).slope,
        r[3] + k2 * (t.cos_phi * a[4] + v[4] * v[4] * t.sin_phi),
        r[3],
        r[3] + k2 * (t.cos_phi * (a[3] + 2.0 * a[4]) - v[3] * (v[3] + 2.0 * v[4]) * t.sin_phi),
        r[3] + r[4],
        r[5] - k3 * (t.cos_omega * a[6] + v[6] * v[6] * t.sin_omega),
        r[5],
        r[5] - k3 * (t.cos_omega * (a[5] + 2.0 * a[6]) - v[5] * (v[5] + 2.0 * v[6]) * t.sin_omega),
        r[5] + r[6]};
    std::copy(values, values + 13, out);
  }

  static void damping(const Point& p, const Trigonometry& t, double* out) {
    const double* v = p.v;
    const double turn = 2.0 * k1 * t.sin_theta, phi = 2.0 * k2 * t.cos_phi, omega = 2.0 * k3 * t.cos_omega;
    const double values[13] = {
        turn * v[1],  turn * (v[0] + v[1]), -turn * v[0], 0.0, 0.0,          0.0,
        -phi * v[4],  phi * (v[3] + v[4]),  phi * v[3],   0.0, omega * v[6], -omega * (v[5] + v[6]),
        -omega * v[5]};
    std::copy(values, values + 13, out);
  }
};

}  // namespace

std::unique_ptr<Mechanism> andrews_mechanism() { return std::make_unique<Andrews>(); }

}  // namespace bench
