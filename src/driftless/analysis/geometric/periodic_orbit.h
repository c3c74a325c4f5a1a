// Periodic orbits on the constraint, of a DAE or of a method with fixed steps.
#pragma once

#include <complex>

#include "driftless/analysis/geometric/flow.h"
#include "driftless/core/execution.h"

namespace driftless {

struct PeriodicOrbitOptions {
  // Unset: the orbit of the DAE. Set: of a method with as many equal steps per period as its step size suggests.
  FlowOptions flow = {};
  int most_iterations = 20;
  double longest_period = 1e4;  // a period beyond this, or one that shrinks to nothing, is no period
  Execution execution = {};
};

struct PeriodicOrbit {
  Vector state = {};  // (u, lambda) on the orbit
  double period = 0.0;
  double residual = 0.0;  // |u(period) - u(0)|
  int iterations = 0;
  // Eigenvalues of the derivative of the return map, restricted to the tangent space of the constraint, by descending
  // modulus, without that of the direction of the flow.
  std::vector<std::complex<double>> multipliers = {};
  double trivial_multiplier = 1.0;  // along the flow; 1 up to errors
  bool stable() const { return multipliers.empty() || std::abs(multipliers.front()) < 1.0; }
};

// Newton's method for the point where the orbit returns to a section through the guess, orthogonal to the flow there,
// and for the time that it takes. A Failure if it does not converge.
Result<PeriodicOrbit> find_periodic_orbit(const Index2& equations, ConstSpan guess, double period,
                                          const PeriodicOrbitOptions& options = {});

}  // namespace driftless
