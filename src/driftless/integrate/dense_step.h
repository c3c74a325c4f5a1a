// The solution inside one accepted step.
#pragma once

#include "driftless/core/matrix.h"

namespace driftless {

class Manifold;

// The collocation polynomial of an accepted step: x(t_0 + tau h) = base + sum_j L_j(tau) Z_j, continuous at both ends.
struct DenseStep {
  double begin = 0.0, h = 0.0;
  double valid_until = 0.0;  // the end of the step, or the event that cut it short
  int stages = 0;
  std::size_t multipliers = 0;             // the last components, interpolated through the stages alone
  bool multipliers_by_constraint = false;  // they are to be computed from u and v; those here are a rough guess
  Vector base;                             // the state at the beginning
  Vector increments;                       // stage after stage
  // Not 0: only both ends are known so far (stages = 1), and a polynomial of this order, 3 to 5, can be found.
  int order_by_slopes = 0;

  void evaluate(double t, Span out) const;

  // Finds the polynomial of order_by_slopes, if there is one to be found; it stays a line where a slope has no value.
  // Returns how many evaluations of the equations it took.
  std::size_t finish(Manifold& manifold);
};

}  // namespace driftless
