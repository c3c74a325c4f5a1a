// Constrained minimisation by following the gradient flow on the constraint to its equilibrium.
#pragma once

#include "driftless/analysis/geometric/attractor_sample.h"
#include "driftless/core/execution.h"
#include "driftless/equations/minimisation.h"

namespace driftless {

struct MinimiseOptions {
  // Unset: adaptive steps to the tolerance. Set: the flow is followed with fixed steps of a method.
  std::optional<Discretisation> discretisation = {};
  Tolerance tolerance = {.relative = 1e-6, .absolute = 1e-8};
  double small_gradient = 1e-6;  // |grad phi + Dg^T lambda|, relative to 1 + |grad phi|: from here on, Newton's method
  std::size_t step_limit = 100'000;  // of the flow
  double bound = 1e8;                // |u| beyond this: there is no minimum where the flow goes
  int most_saddles = 5;              // that are left along a direction of descent; 0: a saddle is reported as it is
  bool keep_path = false;            // in the result, for pictures
  Execution execution = {};
};

// One state on the way to a minimum.
struct DescentPoint {
  enum class Reached { start, flow, newton, left_saddle };  // by what
  Reached by = Reached::flow;
  double time = 0.0;  // of the flow
  double objective = 0.0;
  double gradient = 0.0;    // |grad phi + Dg^T lambda|, lambda = psi_0
  double constraint = 0.0;  // |g|
  Vector u = {};
};

struct Minimum {
  Vector u = {}, multipliers = {};  // grad phi + Dg^T lambda = 0, g = 0
  double objective = 0.0;
  double gradient_residual = 0.0, constraint_residual = 0.0;
  // Eigenvalues of the Hessian of phi + lambda . g in the tangent space of the constraint, ascending. All positive: a
  // strict local minimum; one negative: a saddle or a maximum.
  Vector curvatures = {};
  bool strict() const { return curvatures.empty() || curvatures.front() > 0.0; }
  double start_objective = 0.0;  // at the consistent start, which may be far from the values given
  double flow_time = 0.0;
  std::size_t flow_steps = 0, newton_iterations = 0;
  int saddles_left = 0;
  std::vector<DescentPoint> path = {};  // if it was to be kept: every step
};

// From any start; it is moved to the nearest point of the constraint first, and where that fails led there by the
// embedding (3.1) of the gradient flow. A Failure if the objective falls without bound, if the flow does not come to
// rest within its limit, or if there is no feasible point near the start.
Result<Minimum> minimise(const Minimisation& problem, ConstSpan start, const MinimiseOptions& options = {});

}  // namespace driftless
