// What the theory of Higueras and Soderlind 2003 says about the solution of one run of index 1: how deviations from it
// grow, where its index is lost, how large its error can be, and what perturbations can do to it.
#pragma once

#include "driftless/analysis/stability/index_loss.h"
#include "driftless/analysis/stability/run_bound.h"

namespace driftless {

// Sizes of perturbations: |P dx| at the start, |P p(t)| and |Q p(t)| at all times.
struct PerturbationSizes {
  double start = 0.0, differential = 0.0, constraint = 0.0;
  bool any() const { return start > 0.0 || differential > 0.0 || constraint > 0.0; }
};

// With one majorant for all times.
std::vector<DeviationBound> bound_deviation(const Majorant& majorant, const PerturbationSizes& sizes,
                                            std::span<const double> times);

struct AlongOptions {
  Norm norm = Norm::two();
  double radius = 1e-3;  // of the tube in which deviations are followed
  ConstraintScaling scaling = ConstraintScaling::newton;
  PerturbationSizes perturbation = {};
  double sharpness = 0.05;
  int halvings = 3;
};

struct StabilityAlong {
  std::string norm;
  double begin = 0.0, end = 0.0;  // what was looked at: up to where index 1 is lost, or the run ends
  IndexLoss index;
  Tube tube;
  bool certain = false;
  double growth = 0.0;  // exp(integral of the rate): deviations that stay in the tube grow at most by this
  double mean_rate = 0.0, largest_rate = 0.0, largest_rate_at = 0.0;
  RunBound error;                         // of the run itself
  std::vector<DeviationBound> deviation;  // by the perturbation, at the states of the run
  bool deviation_valid = false;           // it stays in its tube
  std::vector<std::string> sentences;     // all of this in words

  double rate_at(double t) const;
};

// Misuse unless the run is of index 1, adaptive, and kept all of its steps.
StabilityAlong analyse_along(const Solution& run, const AlongOptions& options = {});

}  // namespace driftless
