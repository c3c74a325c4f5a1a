// Small problems with every dependence that a form allows, so that no derivative is zero by accident.
#pragma once

#include "driftless/autodiff/functions.h"
#include "driftless/equations/equations.h"
#include "driftless/equations/index1_model.h"
#include "driftless/equations/index2_model.h"
#include "driftless/equations/index3_model.h"
#include "driftless/equations/mechanical_model.h"

namespace driftless::models {

using std::sin, std::cos, std::exp;  // for T = double; those of derivative types are found by their argument

inline constexpr double gravity = 9.81;

// Unit mass on a rod of length 1, g = (x^2 + y^2 - 1) / 2.
struct Pendulum {
  template <class T>
  void force(In<T>, In<T>, const T&, Out<T> f) const {
    f[1] = T(-gravity);
  }
  template <class T>
  void constraint(In<T> q, const T&, Out<T> g) const {
    g[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0);
  }
};
inline Mechanical pendulum() { return mechanical(Pendulum{}, {.q_names = {"x", "y"}, .constraint_names = {"rod"}}); }

// Three coordinates with M(q, t), two first-order states, two constraints that move with time.
struct Machine {
  template <class T>
  void mass(In<T> q, const T& t, OutMatrix<T> m) const {
    m(0, 0) = 2.0 + sin(q[0]);
    m(1, 1) = 3.0 + q[2] * q[2];
    m(2, 2) = 1.5 + 0.1 * cos(t);
    m(0, 1) = m(1, 0) = 0.3 * q[1];
    m(1, 2) = m(2, 1) = 0.2 * t;
  }
  template <class T>
  void force(In<T> q, In<T> v, In<T> s, const T& t, Out<T> f) const {
    f[0] = v[1] * v[2] - q[0] + s[0];
    f[1] = sin(t) * q[1] - v[0] * v[0] + s[1] * q[2];
    f[2] = cos(q[0] * v[2]) - gravity;
  }
  template <class T>
  void states(In<T> q, In<T> v, In<T> s, const T& t, Out<T> ds) const {
    ds[0] = v[0] * q[1] - s[0] + t;
    ds[1] = s[0] * s[1] - q[2];
  }
  template <class T>
  void constraint(In<T> q, const T& t, Out<T> g) const {
    g[0] = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - 1.0 - 0.1 * sin(t);
    g[1] = q[2] - q[0] * q[1] * cos(q[0]) - 0.2 * t * t;
  }
};
inline Mechanical machine() {
  return mechanical(
      Machine{}, {.q_names = {"a", "b", "c"}, .s_names = {"heat", "charge"}, .constraint_names = {"sphere", "track"}});
}
inline Vector machine_state() { return {0.62, 0.55, 0.5, 0.3, -0.2, 0.4, 0.7, -0.6, 1.1, -0.8}; }

// The same without a mass matrix and without states.
struct LightMachine {
  template <class T>
  void force(In<T> q, In<T> v, const T& t, Out<T> f) const {
    f[0] = v[1] * v[2] - q[0];
    f[1] = sin(t) * q[1] - v[0] * v[0];
    f[2] = cos(q[0] * v[2]) - gravity;
  }
  template <class T>
  void constraint(In<T> q, const T& t, Out<T> g) const {
    Machine{}.constraint(q, t, g);
  }
};
inline Mechanical light_machine() { return mechanical(LightMachine{}, {.q = 3, .lambda = 2}); }
inline Vector light_machine_state() { return {0.62, 0.55, 0.5, 0.3, -0.2, 0.4, 1.1, -0.8}; }

// Index 3 with f nonlinear in v and k nonlinear in lambda.
struct General3 {
  template <class T>
  void f(In<T> u, In<T> v, const T& t, Out<T> out) const {
    out[0] = v[0] + 0.1 * v[1] * v[1] + 0.05 * t;
    out[1] = v[1] + 0.2 * u[0] * v[0];
  }
  template <class T>
  void k(In<T> u, In<T> v, In<T> lambda, const T& t, Out<T> out) const {
    out[0] = -u[0] * lambda[0] - 0.1 * lambda[0] * v[0] + t;
    out[1] = -1.0 - u[1] * lambda[0] + 0.05 * sin(lambda[0]);
  }
  template <class T>
  void g(In<T> u, const T& t, Out<T> out) const {
    out[0] = u[0] * u[0] + u[1] * u[1] - 1.0 - 0.1 * sin(t);
  }
};
inline Index3 general3() {
  return index3(General3{}, {.u_names = {"x", "y"}, .v_names = {"p", "r"}, .constraint_names = {"ring"}});
}
inline Vector general3_state() { return {0.85, 0.65, 0.3, -0.4, 0.9}; }

// Index 2 with a Gamma(u, t) that is not symmetric, and f nonlinear in lambda.
struct General2 {
  template <class T>
  void gamma(In<T> u, const T& t, OutMatrix<T> out) const {
    out(0, 0) = 1.5 + 0.2 * u[1];
    out(1, 1) = 2.0 + 0.1 * sin(t);
    out(2, 2) = T(1.0);
    out(0, 2) = 0.3 * u[2];
    out(1, 0) = 0.1 * t;
  }
  template <class T>
  void f(In<T> u, In<T> lambda, const T& t, Out<T> out) const {
    out[0] = u[1] + lambda[0] * u[0];
    out[1] = -u[0] + lambda[0] * u[1] + 0.1 * lambda[0] * lambda[0] * lambda[0];
    out[2] = sin(t) - u[2] + 0.2 * lambda[0];
  }
  template <class T>
  void g(In<T> u, const T& t, Out<T> out) const {
    out[0] = u[0] * u[0] + u[1] * u[1] + 0.5 * u[2] * u[2] - 1.0 - 0.1 * sin(t);
  }
};
inline Index2 general2() { return index2(General2{}, {.u_names = {"a", "b", "c"}, .constraint_names = {"shell"}}); }
inline Vector general2_state() { return {0.8, 0.6, 0.3, 0.2}; }

// y' = F, 0 = G, nonlinear and coupled.
struct Circuit {
  template <class T>
  void F(In<T> y, In<T> z, const T& t, Out<T> out) const {
    out[0] = z[0] - y[1] * t;
    out[1] = y[0] * z[1];
  }
  template <class T>
  void G(In<T> y, In<T> z, const T& t, Out<T> out) const {
    out[0] = z[0] + 0.1 * z[0] * z[0] * z[0] - sin(y[0]) - 0.3 * z[1];
    out[1] = exp(z[1]) + 0.2 * z[0] - y[1] - 1.5 - t;
  }
};
inline Index1 circuit() {
  return partitioned(
      Circuit{},
      {.y_names = {"flux", "charge"}, .z_names = {"current", "voltage"}, .constraint_names = {"mesh", "node"}});
}
inline Vector circuit_state() { return {0.4, 0.7, 0.1, 0.2}; }

}  // namespace driftless::models
