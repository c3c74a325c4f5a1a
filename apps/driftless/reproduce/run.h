// One integration of one of the examples.
#pragma once

#include <functional>

#include "apps/driftless/reproduce/experiment.h"
#include "testset/problem.h"

namespace reproduce {

struct Outcome {
  Counts counts;
  double error;  // of u and v at the end: max |y - reference| / max(1, |reference|)
};

using Observer = std::function<void(double t, driftless::ConstSpan state)>;

// The observer sees the start and every accepted step. Throws driftless::FailedRun if the integration does not reach
// the end.
Outcome run(const Experiment& experiment, driftless::AdaptiveOptions options, double tol, const Observer& observe = {});

}  // namespace reproduce
