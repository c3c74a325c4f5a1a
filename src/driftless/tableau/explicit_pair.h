// Explicit Runge-Kutta pairs with everything that an adaptive integrator needs: error weights and an interpolant.
#pragma once

#include "driftless/core/matrix.h"

namespace driftless {

// Stages 0 .. s-1 make the step; stage s is the slope at its end; further ones serve the interpolant alone.
struct ExplicitPair {
  const char* name;
  int order;
  Matrix a;                 // rows for all stages; row s is the weights b
  Vector c;                 // nodes of all stages
  std::size_t stages;       // s
  Matrix errors;            // rows: weights of error estimates over the stages 0 .. s, the best one first
  int error_order;          // of the first estimate
  double stability_radius;  // h |eigenvalue| beyond which the stability function exceeds 1, about
  // x(theta) = x_n + h theta (n_0 + (1 - theta)(n_1 + theta (n_2 + (1 - theta)(...)))) with n_k = row k applied to the
  // slopes of all stages, as in the codes of Hairer and Wanner.
  Matrix nested;
  int interpolant_degree;

  std::size_t all_stages() const { return c.size(); }
  bool error_needs_end() const;
  // Weights of the slopes in (x(theta) - x_n)/h.
  Vector interpolant_weights(double theta) const;
};

const ExplicitPair& dopri5_pair();  // Dormand & Prince, order 5(4), interpolant of order 4
const ExplicitPair& dop853_pair();  // Dormand & Prince, Hairer, order 8(5, 3), interpolant of order 7

}  // namespace driftless
