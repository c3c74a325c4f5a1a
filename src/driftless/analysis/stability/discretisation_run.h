// A run with fixed steps of an implicit Runge-Kutta method that keeps the residuals of its Newton iterations, and the
// global error bounds of sections 4 and 5 of Higueras and Soderlind 2003 that follow from them.
#pragma once

#include "driftless/analysis/stability/discretisation_bound.h"
#include "driftless/analysis/stability/perturbation_bound.h"
#include "driftless/core/result.h"
#include "driftless/step/stepper.h"

namespace driftless {

struct DiscretisationOptions {
  Tableau tableau = implicit_euler();
  double begin = 0.0, end = 1.0;
  std::size_t steps = 100;
  NewtonOptions newton = {};
  Norm norm = Norm::two();
};

// One step, as measured; all norms are those of the options.
struct DiscretisationStep {
  double time = 0.0;  // at its end
  double h = 0.0;
  Vector state;
  Vector lowest, highest;                         // of each component, over the stages and the state
  double p_residual_d = 0.0, q_residual_d = 0.0;  // of the stage equations, |(I x P) R|_D and |(I x Q) R|_D
  double q_residual = 0.0;                        // |Q f| at the new point
  int newton_iterations = 0;
};

struct DiscretisationRun {
  Vector start;
  std::vector<DiscretisationStep> steps;
};

// Misuse if the tableau is explicit or the start does not fit; a Failure if a step fails. The start is made consistent.
Result<DiscretisationRun> run_discretisation(const Index1& form, ConstSpan start, const DiscretisationOptions& options);

// The bounds for this run. The local errors come from a solution of the equations, exact or far more accurate than the
// run. The constraint must not be scaled in the majorant.
std::vector<GlobalErrorBound> bound_discretisation(const Index1& form, const DiscretisationRun& run,
                                                   const DiscretisationOptions& options, const Majorant& majorant,
                                                   const std::function<Vector(double t)>& exact);

}  // namespace driftless
