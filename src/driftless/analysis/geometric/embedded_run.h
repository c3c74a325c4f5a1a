// Runs of the embedding (3.1) with projected and half-explicit methods, (3.3)-(3.6): how a start off the constraint
// comes back to it.
#pragma once

#include "driftless/analysis/geometric/embedding.h"
#include "driftless/core/execution.h"
#include "driftless/step/stepper.h"

namespace driftless {

struct EmbeddedRunOptions {
  Method method = {};
  double step_size = 0.01;
  std::size_t steps = 1000;
  double least_decay = 0.0;  // eta: mu_2(-B(u)) must be below -eta wherever the run goes
  double bound = 1e8;        // |u| beyond this is a run that ran away
  Execution execution = {};
};

struct EmbeddedRun {
  Vector times = {}, residuals = {};    // |g(u_n, t_n)|_2 at the start and after every step
  Vector final_state = {};              // (u, v, lambda)
  double worst_logarithmic_norm = 0.0;  // the largest mu_2(-B) met
  double measured_decay = 0.0;          // rate of the residual per unit of time, as far as it is above rounding
};

// From any u near the constraint. A Failure if B is not stable where the run leads, if it runs away, or if a step
// fails.
Result<EmbeddedRun> run_embedded(const Embedding& embedding, double t, ConstSpan u, const EmbeddedRunOptions& options);

}  // namespace driftless
