// Andrews' mechanism for RADAU5, written for speed: seven sine-cosine pairs per call, no branch, no allocation.
//     q' = v,   v' = w,   0 = M(q) w - f(q, v) + G(q)^T lambda,   0 = g(q)   or   0 = G(q) w + g_qq(q)(v, v).
// Every constraint is a sum of terms A sin(a + const) over the angles a = (beta, beta + Theta, gamma, Phi + delta,
// delta, Omega + epsilon, epsilon), so that second derivatives in an angle are the terms themselves with the other
// sign.
#include <cmath>

#include "bench/radau5_peer.h"

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

constexpr int q0 = 0, v0 = 7, w0 = 14, l_0 = 21;

inline void sine_cosine(double a, double& s, double& c) {
#if defined(__GNUC__) && defined(__linux__)
  ::sincos(a, &s, &c);
#else
  s = std::sin(a);
  c = std::cos(a);
#endif
}

struct Trigonometry {
  double s[7], c[7];
  double sin_theta, cos_theta, sin_phi, cos_phi, sin_omega, cos_omega;

  explicit Trigonometry(const double* q) {
    const double a[7] = {q[0], q[0] + q[1], q[2], q[3] + q[4], q[4], q[5] + q[6], q[6]};
    for (int i = 0; i < 7; ++i) sine_cosine(a[i], s[i], c[i]);
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

template <bool position>
void function(const int*, const double*, const double* y, double* f, double*, int*) {
  const double *q = y + q0, *v = y + v0, *w = y + w0, *l = y + l_0;
  const Trigonometry t(q);
  const MassMatrix m(t);
  const double *s = t.s, *c = t.c;
  for (int i = 0; i < 14; ++i) f[i] = y[7 + i];
  // G^T lambda, angle by angle; lx and ly act on the common arm of the three loops.
  const double lx = l[0] + l[2] + l[4], ly = l[1] + l[3] + l[5];
  const double r1 = rr * (ly * c[0] - lx * s[0]), r2 = d * (lx * s[1] - ly * c[1]);
  const double r3 = -ss * (l[0] * c[2] + l[1] * s[2]);
  const double r4 = -e * (l[2] * c[3] + l[3] * s[3]), r5 = zt * (l[2] * s[4] - l[3] * c[4]);
  const double r6 = zf * (l[4] * s[5] - l[5] * c[5]), r7 = -u * (l[4] * c[6] + l[5] * s[6]);
  const double px = sd * c[2] + sc * s[2], py = sd * s[2] - sc * c[2];
  const double dx = px + xb - xc, dy = py + yb - yc;
  const double pull = -c0 * (1.0 - l0 / std::sqrt(dx * dx + dy * dy));
  f[14] = m.m00 * w[0] + m.m01 * w[1] - mom + k1 * v[1] * (v[1] + 2.0 * v[0]) * t.sin_theta + r1 + r2;
  f[15] = m.m01 * w[0] + MassMatrix::m11 * w[1] - k1 * v[0] * v[0] * t.sin_theta + r2;
  f[16] = MassMatrix::m22 * w[2] - pull * (dy * px - dx * py) + r3;
  f[17] = m.m33 * w[3] + m.m34 * w[4] - k2 * v[4] * v[4] * t.cos_phi + r4;
  f[18] = m.m34 * w[3] + m.m44 * w[4] + k2 * v[3] * (v[3] + 2.0 * v[4]) * t.cos_phi + r4 + r5;
  f[19] = m.m55 * w[5] + m.m56 * w[6] + k3 * v[6] * v[6] * t.cos_omega + r6;
  f[20] = m.m56 * w[5] + m.m66 * w[6] - k3 * v[5] * (v[5] + 2.0 * v[6]) * t.cos_omega + r6 + r7;
  if constexpr (position) {
    const double x = rr * c[0] - d * c[1], z = rr * s[0] - d * s[1];
    f[21] = x - ss * s[2] - xb;
    f[22] = z + ss * c[2] - yb;
    f[23] = x - e * s[3] - zt * c[4] - xa;
    f[24] = z + e * c[3] - zt * s[4] - ya;
    f[25] = x - zf * c[5] - u * s[6] - xa;
    f[26] = z - zf * s[5] + u * c[6] - ya;
  } else {
    // T' a'' - T a'^2 for each term T of each angle a.
    const double o2 = v[0] + v[1], o4 = v[3] + v[4], o6 = v[5] + v[6];
    const double b1 = w[0], b2 = w[0] + w[1], b3 = w[2], b4 = w[3] + w[4], b5 = w[4], b6 = w[5] + w[6], b7 = w[6];
    const double n1 = v[0] * v[0], n2 = o2 * o2, n3 = v[2] * v[2], n4 = o4 * o4, n5 = v[4] * v[4], n6 = o6 * o6,
                 n7 = v[6] * v[6];
    const double x = -rr * (s[0] * b1 + c[0] * n1) + d * (s[1] * b2 + c[1] * n2);
    const double z = rr * (c[0] * b1 - s[0] * n1) - d * (c[1] * b2 - s[1] * n2);
    f[21] = x - ss * (c[2] * b3 - s[2] * n3);
    f[22] = z - ss * (s[2] * b3 + c[2] * n3);
    f[23] = x - e * (c[3] * b4 - s[3] * n4) + zt * (s[4] * b5 + c[4] * n5);
    f[24] = z - e * (s[3] * b4 + c[3] * n4) - zt * (c[4] * b5 - s[4] * n5);
    f[25] = x + zf * (s[5] * b6 + c[5] * n6) - u * (c[6] * b7 - s[6] * n7);
    f[26] = z - zf * (c[5] * b6 - s[5] * n6) - u * (s[6] * b7 + c[6] * n7);
  }
}

// Index 3: the approximation of Hairer and Wanner II, p. 540, M and G only. Index 1: exact. The rows after `skip`.
template <bool position, int skip>
void jacobian(const int*, const double*, const double* y, const int*, const int*, double* df, const int* ld, double*,
              int*) {
  const double *q = y + q0, *v = y + v0, *w = y + w0, *l = y + l_0;
  const Trigonometry t(q);
  const MassMatrix m(t);
  const double *s = t.s, *c = t.c;
  auto at = [df, rows = *ld](int i, int j) -> double& { return df[i - skip + j * rows]; };
  for (int j = 0; j < 27; ++j)
    for (int i = skip; i < 27; ++i) at(i, j) = 0.0;
  if constexpr (skip == 0)
    for (int i = 0; i < 14; ++i) at(i, i + 7) = 1.0;
  constexpr int row = 14, con = 21;
  at(row, w0) = m.m00;
  at(row, w0 + 1) = at(row + 1, w0) = m.m01;
  at(row + 1, w0 + 1) = MassMatrix::m11;
  at(row + 2, w0 + 2) = MassMatrix::m22;
  at(row + 3, w0 + 3) = m.m33;
  at(row + 3, w0 + 4) = at(row + 4, w0 + 3) = m.m34;
  at(row + 4, w0 + 4) = m.m44;
  at(row + 5, w0 + 5) = m.m55;
  at(row + 5, w0 + 6) = at(row + 6, w0 + 5) = m.m56;
  at(row + 6, w0 + 6) = m.m66;
  constexpr int g = position ? q0 : w0;  // the columns that the constraint determines
  auto put = [&](int k, int j, double value) { at(con + k, g + j) = at(row + j, l_0 + k) = value; };
  const double gx = d * s[1], gz = -d * c[1];
  for (int k = 0; k < 6; k += 2) {
    put(k, 0, gx - rr * s[0]);
    put(k, 1, gx);
    put(k + 1, 0, gz + rr * c[0]);
    put(k + 1, 1, gz);
  }
  put(0, 2, -ss * c[2]);
  put(1, 2, -ss * s[2]);
  put(2, 3, -e * c[3]);
  put(3, 3, -e * s[3]);
  put(2, 4, -e * c[3] + zt * s[4]);
  put(3, 4, -e * s[3] - zt * c[4]);
  put(4, 5, zf * s[5]);
  put(5, 5, -zf * c[5]);
  put(4, 6, zf * s[5] - u * c[6]);
  put(5, 6, -zf * c[5] - u * s[6]);
  if constexpr (!position) {
    // d(G^T lambda)/dq and d(M w - f)/d(q, v)
    const double lx = l[0] + l[2] + l[4], ly = l[1] + l[3] + l[5];
    const double r1 = -rr * (ly * s[0] + lx * c[0]), r2 = d * (lx * c[1] + ly * s[1]);
    const double r3 = ss * (l[0] * s[2] - l[1] * c[2]);
    const double r4 = e * (l[2] * s[3] - l[3] * c[3]), r5 = zt * (l[2] * c[4] + l[3] * s[4]);
    const double r6 = zf * (l[4] * c[5] + l[5] * s[5]), r7 = u * (l[4] * s[6] - l[5] * c[6]);
    const double px = sd * c[2] + sc * s[2], py = sd * s[2] - sc * c[2];
    const double dx = px + xb - xc, dy = py + yb - yc;
    const double square = dx * dx + dy * dy, ratio = l0 / std::sqrt(square), turn = dy * px - dx * py;
    at(row, q0) = r1 + r2;
    at(row, q0 + 1) = r2 + k1 * t.sin_theta * (2.0 * w[0] + w[1]) + k1 * v[1] * (v[1] + 2.0 * v[0]) * t.cos_theta;
    at(row + 1, q0) = r2;
    at(row + 1, q0 + 1) = r2 + k1 * t.sin_theta * w[0] - k1 * v[0] * v[0] * t.cos_theta;
    at(row + 2, q0 + 2) =
        r3 + c0 * (ratio / square * turn * turn + (1.0 - ratio) * (px * px + py * py - dx * px - dy * py));
    at(row + 3, q0 + 3) = r4 + k2 * t.cos_phi * w[4] + k2 * v[4] * v[4] * t.sin_phi;
    at(row + 3, q0 + 4) = r4;
    at(row + 4, q0 + 3) = r4 + k2 * t.cos_phi * (w[3] + 2.0 * w[4]) - k2 * v[3] * (v[3] + 2.0 * v[4]) * t.sin_phi;
    at(row + 4, q0 + 4) = r4 + r5;
    at(row + 5, q0 + 5) = r6 - k3 * t.cos_omega * w[6] - k3 * v[6] * v[6] * t.sin_omega;
    at(row + 5, q0 + 6) = r6;
    at(row + 6, q0 + 5) = r6 - k3 * t.cos_omega * (w[5] + 2.0 * w[6]) + k3 * v[5] * (v[5] + 2.0 * v[6]) * t.sin_omega;
    at(row + 6, q0 + 6) = r6 + r7;
    at(row, v0) = 2.0 * k1 * v[1] * t.sin_theta;
    at(row, v0 + 1) = 2.0 * k1 * (v[0] + v[1]) * t.sin_theta;
    at(row + 1, v0) = -2.0 * k1 * v[0] * t.sin_theta;
    at(row + 3, v0 + 4) = -2.0 * k2 * v[4] * t.cos_phi;
    at(row + 4, v0 + 3) = 2.0 * k2 * (v[3] + v[4]) * t.cos_phi;
    at(row + 4, v0 + 4) = 2.0 * k2 * v[3] * t.cos_phi;
    at(row + 5, v0 + 6) = 2.0 * k3 * v[6] * t.cos_omega;
    at(row + 6, v0 + 5) = -2.0 * k3 * (v[5] + v[6]) * t.cos_omega;
    at(row + 6, v0 + 6) = -2.0 * k3 * v[5] * t.cos_omega;
    // d(T' a'' - T a'^2)/da = -T a'' - T' a'^2 and /da' = -2 T a'; (x, z) are the values T, (dx, dz) the slopes T'.
    auto term = [&](int k, std::initializer_list<int> columns, double x, double z, double slope_x, double slope_z,
                    double rate, double rate2) {
      for (const int j : columns) {
        at(con + k, q0 + j) -= x * rate2 + slope_x * rate * rate;
        at(con + k + 1, q0 + j) -= z * rate2 + slope_z * rate * rate;
        at(con + k, v0 + j) -= 2.0 * x * rate;
        at(con + k + 1, v0 + j) -= 2.0 * z * rate;
      }
    };
    for (int k = 0; k < 6; k += 2) {
      term(k, {0}, rr * c[0], rr * s[0], -rr * s[0], rr * c[0], v[0], w[0]);
      term(k, {0, 1}, -d * c[1], -d * s[1], d * s[1], -d * c[1], v[0] + v[1], w[0] + w[1]);
    }
    term(0, {2}, -ss * s[2], ss * c[2], -ss * c[2], -ss * s[2], v[2], w[2]);
    term(2, {3, 4}, -e * s[3], e * c[3], -e * c[3], -e * s[3], v[3] + v[4], w[3] + w[4]);
    term(2, {4}, -zt * c[4], -zt * s[4], zt * s[4], -zt * c[4], v[4], w[4]);
    term(4, {5, 6}, -zf * c[5], -zf * s[5], zf * s[5], -zf * c[5], v[5] + v[6], w[5] + w[6]);
    term(4, {6}, -u * s[6], u * c[6], -u * c[6], -u * s[6], v[6], w[6]);
  }
}

}  // namespace

std::vector<PeerProblem> andrews_for_peer(std::span<const double> start) {
  PeerProblem third{.form = "index 3",
                    .function = function<true>,
                    .jacobian = jacobian<true, 0>,
                    .size = 27,
                    .differential = 14,
                    .index1 = 7,
                    .index2 = 7,
                    .index3 = 13,
                    .first_step = 1e-6,
                    .start = {start.begin(), start.end()}};
  PeerProblem first = third;
  first.form = "index 1";
  first.function = function<false>;
  first.jacobian = jacobian<false, 0>;
  first.index1 = 27;
  first.index2 = first.index3 = 0;
  PeerProblem third_short = third, first_short = first;
  third_short.form = "index 3, M1 = 14";
  first_short.form = "index 1, M1 = 14";
  third_short.m1 = first_short.m1 = 14;
  third_short.m2 = first_short.m2 = 7;
  third_short.jacobian = jacobian<true, 14>;
  first_short.jacobian = jacobian<false, 14>;
  return {third, first, third_short, first_short};
}

}  // namespace bench
