// Manufactured mechanical problem of index 3: a pendulum in space with a moving pivot p(t), a length l(t) that varies,
// a mass matrix M(q), and a force that makes q* = p + l n the solution, with n(t) on the unit sphere. Source:
// constructed for this test set. Exact.
#include <cmath>

#include "driftless/equations/mechanical_model.h"
#include "testset/catalogue.h"
#include "testset/values.h"

namespace driftless::testset {

namespace {

template <class T>
T pivot(const T& t) {
  using std::sin;
  return 0.3 * sin(t);  // along the first axis
}
template <class T>
T length(const T& t) {
  using std::sin;
  return 1.0 + 0.1 * sin(2.0 * t);
}

// The solution, and pivot and length with two derivatives.
template <class T>
struct Motion {
  T q[3], v[3], w[3], lambda;
  T p, dp, ddp, l, dl, ddl;
};

template <class T>
Motion<T> wanted_motion(const T& t) {
  using std::cos, std::sin;
  constexpr double a = 0.5, b = 0.7;
  const T S = sin(a * t), C = cos(a * t), s = sin(b * t), c = cos(b * t);
  const T s1 = sin(t), c1 = cos(t), s2 = 2.0 * s1 * c1, c2 = 1.0 - 2.0 * s1 * s1;
  const T n[] = {S * c, S * s, -C};
  const T dn[] = {a * C * c - b * S * s, a * C * s + b * S * c, a * S};
  const T ddn[] = {-(a * a + b * b) * S * c - 2.0 * a * b * C * s, -(a * a + b * b) * S * s + 2.0 * a * b * C * c,
                   a * a * C};
  Motion<T> m;
  m.p = 0.3 * s1;
  m.dp = 0.3 * c1;
  m.ddp = -m.p;
  m.l = 1.0 + 0.1 * s2;
  m.dl = 0.2 * c2;
  m.ddl = -0.4 * s2;
  for (std::size_t i = 0; i < 3; ++i) {
    m.q[i] = m.l * n[i];
    m.v[i] = m.dl * n[i] + m.l * dn[i];
    m.w[i] = m.ddl * n[i] + 2.0 * m.dl * dn[i] + m.l * ddn[i];
  }
  m.q[0] += m.p;
  m.v[0] += m.dp;
  m.w[0] += m.ddp;
  m.lambda = 2.0 + c2 * c1 - s2 * s1;  // 2 + cos 3t
  return m;
}

// Drag, a gyroscopic force and gravity, component i.
template <class T>
T natural_force(const T& v1, const T& v2, const T& v3, std::size_t i) {
  const T drag = -0.1 * (v1 * v1 + v2 * v2 + v3 * v3);
  if (i == 0) return drag * v1 + 0.5 * v2;
  if (i == 1) return drag * v2 - 0.5 * v1;
  return drag * v3 - 1.0;
}

struct MmsIndex3 {
  void mass(auto q, auto, auto M) const {
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) M(i, j) = (i == j ? 1.0 : 0.0) + 0.2 * q[i] * q[j];
  }
  void force(auto, auto v, auto t, auto f) const {
    using T = typename decltype(f)::value_type;
    force_along(wanted_motion<T>(t), v, f);
  }
  template <class T>
  static void force_along(const Motion<T>& m, auto v, auto f) {
    const T along = 0.2 * (m.q[0] * m.w[0] + m.q[1] * m.w[1] + m.q[2] * m.w[2]);
    for (std::size_t i = 0; i < 3; ++i) {
      const T arm = i == 0 ? m.q[0] - m.p : m.q[i];
      const T added = m.w[i] + along * m.q[i] + arm * m.lambda - natural_force<T>(m.v[0], m.v[1], m.v[2], i);
      f[i] = natural_force<T>(v[0], v[1], v[2], i) + added;
    }
  }
  void constraint(auto q, auto t, auto g) const {
    const auto x = q[0] - pivot(t), l = length(t);
    g[0] = 0.5 * (x * x + q[1] * q[1] + q[2] * q[2] - l * l);
  }
  void dynamics(auto q, auto v, auto t, auto M, auto f, auto G, auto c) const {
    const Motion<double> m = wanted_motion<double>(t);
    mass(q, t, M);
    force_along(m, v, f);
    const double x = q[0] - m.p, dx = v[0] - m.dp;
    G(0, 0) = x;
    G(0, 1) = q[1];
    G(0, 2) = q[2];
    c[0] = dx * dx + v[1] * v[1] + v[2] * v[2] - x * m.ddp - m.dl * m.dl - m.l * m.ddl;
  }
};

Vector exact_mms_index3_nonautonomous(double t) {
  const Motion<double> m = wanted_motion(t);
  return {m.q[0], m.q[1], m.q[2], m.v[0], m.v[1], m.v[2], m.lambda};
}

}  // namespace

Problem mms_index3_nonautonomous_problem() {
  return {
      .title = "Manufactured nonautonomous mechanical problem of index 3",
      .source = "constructed for this test set",
      .notes = "Mass matrix I + 0.2 q q^T, constraint and force depend on time.",
      .equations = mechanical(
          MmsIndex3{},
          {.q_names = {"x", "y", "z"}, .lambda_names = {"lambda"}, .constraint_names = {"distance from pivot"}}),
      .start = {0.0, 0.0, -1.0, 0.8, 0.0, -0.2, 3.0},
      .references = {{3.0,
                      {-4.4717460952026429124800031e-1, 8.3698802753764314831949325e-1, -6.8760694623185000216156291e-2,
                       -9.9695094331370631866464101e-1, -1.4762963856692223653593773e-1, 4.7122776352995746704794541e-1,
                       1.0888697381153230116317053e+0}}},
      .trusted_digits = 25,
      .exact = exact_mms_index3_nonautonomous};
}

}  // namespace driftless::testset
