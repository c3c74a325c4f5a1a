// Lyapunov exponents in the tangent space of the constraint.
#pragma once

#include "driftless/analysis/geometric/flow.h"
#include "driftless/core/execution.h"

namespace driftless {

struct LyapunovOptions {
  FlowOptions flow = {.tolerance = {.relative = 1e-11, .absolute = 1e-12}};  // the DAE, or a method with fixed steps
  double transient = 50.0;
  double time = 500.0;    // that is averaged over, for each start
  double interval = 0.2;  // between two orthonormalisations
  std::size_t count = 0;  // the largest ones; 0: all
  double bound = 1e6;     // |u| beyond this: the run ran away
  Execution execution = {};
};

struct LyapunovExponents {
  Vector exponents = {};                // per unit of time, descending
  Vector standard_errors = {};          // from the spread of 20 stretches of each run
  double kaplan_yorke_dimension = 0.0;  // NaN if not enough exponents were computed
};

// Averaged over the starts, which run on all cores. Vectors of the tangent space are carried along as differences of
// neighbouring solutions and orthonormalised (Benettin, Galgani, Giorgilli and Strelcyn 1980).
Result<LyapunovExponents> lyapunov_exponents(const Index2& equations, const std::vector<Vector>& starts,
                                             const LyapunovOptions& options = {});

}  // namespace driftless
