// Equilibria on the constraint, and what happens near them.
#pragma once

#include <complex>

#include "driftless/analysis/geometric/attractor_sample.h"

namespace driftless {

struct EquilibriumOptions {
  double time = 0.0;  // equations that depend on time are frozen here
  int most_iterations = 60;
};

struct Equilibrium {
  Vector state = {};  // (u, lambda) with f(u, lambda) = 0, g(u) = 0
  double residual = 0.0;
  int iterations = 0;
  // Eigenvalues of the underlying equation u' = Gamma^-1 f(u, psi_0(u)) linearised in the tangent space, by descending
  // real part: those of the ODE in any local coordinates.
  std::vector<std::complex<double>> exponents = {};
  bool stable() const { return exponents.empty() || exponents.front().real() < 0.0; }
};

// Newton's method in (u, lambda), with steps halved while they do not improve. A Failure if it does not converge.
Result<Equilibrium> find_equilibrium(const Index2& equations, ConstSpan guess, const EquilibriumOptions& options = {});

// Eigenvalues of one step of a method at the equilibrium, restricted to the tangent space, by descending modulus: to be
// compared with exp(h exponent).
Result<std::vector<std::complex<double>>> step_multipliers(const Index2& equations, const Equilibrium& equilibrium,
                                                           const Discretisation& discretisation, double time = 0.0);

}  // namespace driftless
