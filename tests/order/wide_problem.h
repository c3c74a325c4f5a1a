// Problems in the wide form of mechanics with a solution in closed form: three coordinates, of which two turn the
// velocities that follow them, q' = T(q) v + k(t), a constraint on positions and one on velocities, each of which may
// be left out, a mass matrix that may be singular, and a constraint that says again what others say.
#pragma once

#include <cmath>

#include "driftless/driftless.h"

namespace driftless::order {

struct WideCase {
  const char* name;
  bool turning = true;       // T(q) other than the identity
  bool holonomic = true;     // g(q, t)
  bool nonholonomic = true;  // A(q) v + b(t)
  bool singular = false;     // no inertia belongs to v[2]
  bool redundant = false;    // the derivative of g, or h, once more
};

// q' = T v:  q0' = v0,  q1' = v1 + a q0 v0,  q2' = v2 + b q0 v1  with  q0 = sin t, v1 = cos(2t)/2, v2 = -0.7 sin t.
struct WideMotion {
  double a, b;
  explicit WideMotion(const WideCase& given) : a(given.turning ? 0.8 : 0.0), b(given.turning ? 0.6 : 0.0) {}

  template <class T>
  void at(const T& t, T (&q)[3], T (&v)[3], T (&dv)[3]) const {
    using std::cos, std::sin;
    const T s = sin(t), c = cos(t), s2 = sin(2.0 * t), c2 = cos(2.0 * t);
    v[0] = c;
    v[1] = 0.5 * c2;
    v[2] = -0.7 * s;
    dv[0] = -s;
    dv[1] = -s2;
    dv[2] = -0.7 * c;
    q[0] = s;
    q[1] = 0.25 * s2 - 0.25 * a * c2;
    q[2] = 0.7 * c + b * (0.25 * c - cos(3.0 * t) / 12.0);
  }
  template <class T>
  T force_of_g(const T& t) const {
    using std::sin;
    return 1.0 + 0.5 * sin(t);
  }
  template <class T>
  T force_of_h(const T& t) const {
    using std::cos;
    return 0.4 - cos(t);
  }
};

struct WideModel {
  WideCase given;
  WideMotion motion{given};

  template <class T>
  static T height(In<T> q) {
    return q[0] * q[0] + q[1] * q[2] + q[2];
  }
  template <class T>
  void height_row(In<T> q, T (&row)[3]) const {  // its gradient times T
    row[0] = 2.0 * q[0] + motion.a * q[0] * q[2];
    row[1] = q[2] + motion.b * q[0] * (q[1] + 1.0);
    row[2] = q[1] + 1.0;
  }
  template <class T>
  void skate_row(In<T> q, T (&row)[3]) const {
    row[0] = T(1.0);
    row[1] = 0.5 * q[0];
    row[2] = 1.0 + q[2] * q[2];
  }
  template <class T>
  void rates(In<T> q, In<T> v, const T&, Out<T> dq) const {
    dq[0] = v[0];
    dq[1] = v[1] + motion.a * q[0] * v[0];
    dq[2] = v[2] + motion.b * q[0] * v[1];
  }
  template <class T>
  void mass(In<T> q, const T&, OutMatrix<T> m) const {
    m(0, 0) = 2.0 + q[0] * q[0];
    m(1, 1) = T(1.5);
    m(0, 1) = m(1, 0) = 0.3 * q[1];
    if (given.singular) return;
    m(2, 2) = 1.0 + 0.2 * q[1] * q[1];
    m(1, 2) = m(2, 1) = T(0.2);
  }
  template <class T>
  void constraint(In<T> q, const T& t, Out<T> g) const {
    if (!given.holonomic) return;
    T x[3], v[3], dv[3];
    motion.at(t, x, v, dv);
    g[0] = height(q) - (x[0] * x[0] + x[1] * x[2] + x[2]);
  }
  template <class T>
  T residual_of(const T (&row)[3], In<T> v, const T (&there)[3], const T (&rate)[3]) const {
    T sum(0.0);
    for (std::size_t i = 0; i < 3; ++i) sum += row[i] * v[i] - there[i] * rate[i];
    return sum;
  }
  template <class T>
  void velocity_constraint(In<T> q, In<T> v, const T& t, Out<T> h) const {
    T x[3], rate[3], dv[3], row[3], there[3];
    motion.at(t, x, rate, dv);
    const In<T> exact(std::span<const T>(x, 3));
    std::size_t next = 0;
    if (given.nonholonomic) {
      skate_row<T>(q, row);
      skate_row<T>(exact, there);
      h[next++] = residual_of<T>(row, v, there, rate);
    }
    if (!given.redundant) return;
    if (given.holonomic) {
      height_row<T>(q, row);
      height_row<T>(exact, there);
    }
    h[next] = 2.0 * residual_of<T>(row, v, there, rate);
  }
  // M v' + C^T (lambda, nu) of the exact solution, and what vanishes on it.
  template <class T>
  void force(In<T> q, In<T> v, const T& t, Out<T> f) const {
    T x[3], rate[3], dv[3], row[3];
    motion.at(t, x, rate, dv);
    std::vector<T> values(9, T(0.0));
    const OutMatrix<T> m(values, 3, 3);
    mass<T>(q, t, m);
    for (std::size_t i = 0; i < 3; ++i) {
      f[i] = -2.0 * (q[i] - x[i]) - 0.5 * (v[i] - rate[i]) - (v[0] * v[i] - rate[0] * rate[i]);
      for (std::size_t j = 0; j < 3; ++j) f[i] += m(i, j) * dv[j];
    }
    if (given.holonomic) {
      height_row<T>(q, row);
      for (std::size_t i = 0; i < 3; ++i) f[i] += row[i] * motion.force_of_g(t);
    }
    if (given.nonholonomic) {
      skate_row<T>(q, row);
      for (std::size_t i = 0; i < 3; ++i) f[i] += row[i] * motion.force_of_h(t);
    }
  }
};

inline WideMechanical wide_problem(const WideCase& given) {
  return mechanical(WideModel{given}, {.q = 3,
                                       .lambda = given.holonomic ? 1u : 0u,
                                       .nu = (given.nonholonomic ? 1u : 0u) + (given.redundant ? 1u : 0u)});
}

// With multipliers of least norm: of two rows c and 2 c with the force l they are l (1, 2)/5.
inline Vector wide_solution(const WideCase& given, double t) {
  const WideMotion motion(given);
  double q[3], v[3], dv[3];
  motion.at(t, q, v, dv);
  Vector state(q, q + 3);
  state.insert(state.end(), v, v + 3);
  double by_g = motion.force_of_g(t), by_h = motion.force_of_h(t), again = 0.0;
  if (given.redundant) {
    double& doubled = given.holonomic ? by_g : by_h;
    again = 0.4 * doubled;
    doubled *= 0.2;
  }
  if (given.holonomic) state.push_back(by_g);
  if (given.nonholonomic) state.push_back(by_h);
  if (given.redundant) state.push_back(again);
  return state;
}

inline const WideCase wide_cases[] = {
    {.name = "generalised speeds", .nonholonomic = false},
    {.name = "constraint on velocities alone", .turning = false, .holonomic = false},
    {.name = "generalised speeds and constraint on velocities", .holonomic = false},
    {.name = "mixed", .turning = false},
    {.name = "all of them"},
    {.name = "singular mass", .singular = true},
    {.name = "singular mass, constraint on velocities alone", .holonomic = false, .singular = true},
    {.name = "redundant", .redundant = true},
    {.name = "redundant constraint on velocities", .holonomic = false, .redundant = true},
};

}  // namespace driftless::order
