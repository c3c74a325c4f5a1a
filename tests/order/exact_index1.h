// Index-1 problems with closed-form solutions.
#pragma once

#include "tests/order/observed_order.h"

namespace driftless::order {

// Autonomous, nonlinear: y = e^-t, z = y^2 by 0 = z + z^3 - y^2 - y^6; y' = -y + z - y^2.
struct AutonomousModel {
  void F(auto y, auto z, auto, auto out) const { out[0] = -y[0] + z[0] - y[0] * y[0]; }
  void G(auto y, auto z, auto, auto out) const {
    const auto s = y[0] * y[0];
    out[0] = z[0] + z[0] * z[0] * z[0] - s - s * s * s;
  }
};

// Time-dependent: y = sin t, z = cos t.
struct TimeDependentModel {
  void F(auto y, auto z, auto, auto out) const { out[0] = z[0] + (z[0] * z[0] + y[0] * y[0] - 1.0); }
  void G(auto y, auto z, auto t, auto out) const {
    using std::cos, std::sin;
    const auto c = cos(t);
    out[0] = z[0] - c + (y[0] - sin(t)) + z[0] * z[0] * z[0] - c * c * c;
  }
};

// A x' = g(x, t) with A = [1 1 0; 0 1 1; 1 2 1], of rank 2: x = (e^-t, sin t, t^2/2 + 1). The third row is the sum of
// the first two, so that the constraint is hidden in a combination of the equations.
struct ImplicitModel {
  void g(auto x, auto t, auto out) const {
    using std::cos, std::exp, std::sin;
    const auto e = exp(-t);
    const auto r1 = cos(t) - x[0], r2 = cos(t) + t - (x[1] - sin(t)) * x[2];
    out[0] = r1;
    out[1] = r2;
    out[2] = r1 + r2 + (x[0] * x[1] - e * sin(t)) + 3.0 * (x[2] - 0.5 * t * t - 1.0);
  }
};

inline ExactProblem autonomous_index1() {
  return {"autonomous_index1", partitioned(AutonomousModel{}, {1, 1}), 0.0, [](double t) {
            return Vector{std::exp(-t), std::exp(-2.0 * t)};
          }};
}
inline ExactProblem time_dependent_index1() {
  return {"time_dependent_index1", partitioned(TimeDependentModel{}, {1, 1}), 0.2, [](double t) {
            return Vector{std::sin(t), std::cos(t)};
          }};
}
inline ExactProblem implicit_index1_problem() {
  Matrix a(3, 3);
  a(0, 0) = a(0, 1) = a(1, 1) = a(1, 2) = a(2, 0) = a(2, 2) = 1.0;
  a(2, 1) = 2.0;
  return {"implicit_index1", implicit_index1(ImplicitModel{}, a), 0.2, [](double t) {
            return Vector{std::exp(-t), std::sin(t), 0.5 * t * t + 1.0};
          }};
}

}  // namespace driftless::order
