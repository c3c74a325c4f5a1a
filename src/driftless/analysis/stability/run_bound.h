// An error bound beside the solution of an index-1 run, without knowing the exact solution: the states are joined to a
// curve, its residuals are perturbations p(t), and the bounds of perturbations are those of the error. It is guaranteed
// for the model, up to the numerical integration of the residuals: no asymptotics, no estimate of local errors.
#pragma once

#include "driftless/analysis/stability/lipschitz_tube.h"
#include "driftless/analysis/stability/reconstruction.h"
#include "driftless/integrate/solve.h"

namespace driftless {

struct RunBoundOptions {
  Norm norm = Norm::two();
  ConstraintScaling scaling = ConstraintScaling::newton;
  BoundTheorem theorem = BoundTheorem::best;
  double sharpness = 0.05;
  int halvings = 3;
};

struct RunBound {
  std::string norm;
  std::vector<DeviationBound> at;  // one for each state of the solution
  bool valid = false;              // to the end
  double valid_until = 0.0;        // bounds hold up to this time
  bool certain = false;            // the constants are enclosed; else sampled
  ErrorBound::Residual dominant = ErrorBound::Residual::differential;
  double constraint_share = 0.0;                                                  // of the bound at the last valid time
  double largest_differential_residual = 0.0, largest_constraint_residual = 0.0;  // |P p| and |Q f| at the states
  Tube tube;
  std::string verdict;  // in words
};

// Misuse unless the solution is of index 1 and has its states at all steps (keep_every = 1, no output times).
RunBound bound_run(const Solution& solution, const RunBoundOptions& options = {});

// What a Solution carries of it.
ErrorBound summary_of(const RunBound& bound);
// The rule for SolveOptions::error_bound.
ErrorBoundRule logarithmic_norm_bound(const RunBoundOptions& options = {});

// A run beside all that is known about its bound, the tube included.
struct BoundedSolution {
  Solution solution;
  RunBound bound;
};
BoundedSolution solve_bounded(const Index1& form, ConstSpan start, const SolveOptions& options,
                              const RunBoundOptions& bound = {});

}  // namespace driftless
