// The linear systems of implicit steps for heat conduction, (c C + L) x = b with the capacities C, the symmetric
// positive semidefinite L = sum over faces of k area/distance (e_l - e_r)(e_l - e_r)^T, and shifts c = eigenvalue / h.
#pragma once

#include <complex>
#include <memory>

#include "driftless/heat/heat_problem.h"

namespace driftless {

enum class HeatSolver {
  // Iterations with one cycle over coarser meshes each, the coarsest of which is factorised: cost in proportion to the
  // unknowns. Small meshes are left to `cholesky`.
  multilevel,
  cholesky,  // one real factorisation for all shifts, with a few Chebyshev iterations for those that are not its own
  lu,        // one factorisation for each shift, complex ones included
};

// What it took; triangular solves are counted per real right-hand side.
struct HeatLinearStatistics {
  std::size_t factorisations = 0, refactorisations = 0, solves = 0;
  std::size_t factor_entries = 0;
  std::size_t bytes = 0;
};

class ShiftedHeatSystems {
 public:
  virtual ~ShiftedHeatSystems() = default;
  // For conductivities k of the faces and a step size. False if a matrix cannot be factorised.
  virtual bool factorise(ConstSpan conductivity, double h) = 0;
  // In place, with the real resp. complex eigenvalue number `k` of those given.
  virtual void solve_real(std::size_t k, Span b) = 0;
  virtual void solve_complex(std::size_t k, Span re, Span im) = 0;
  // Or whether solutions are only approximate inverses, to iterate with.
  virtual bool solves_exactly() const { return true; }
  // What a factorisation costs, in solutions of all systems; from counts, not from times.
  virtual double factorisation_cost() const = 0;
  virtual HeatLinearStatistics statistics() const = 0;
};

// `accuracy` is that of the iterations of HeatSolver::cholesky.
std::unique_ptr<ShiftedHeatSystems> make_heat_systems(const HeatProblem& problem, Vector real_eigenvalues,
                                                      std::vector<std::complex<double>> complex_eigenvalues,
                                                      HeatSolver solver, double accuracy);

}  // namespace driftless
