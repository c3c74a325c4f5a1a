// The samples of one run; what sample_attractor() does for each of its starts.
#pragma once

#include "driftless/analysis/geometric/attractor_sample.h"
#include "driftless/step/stepper.h"

namespace driftless {

struct RunSamples {
  Vector coordinates = {};
  std::size_t steps = 0;
};

Result<RunSamples> sample_fixed_run(const Index2& equations, const Stepper& stepper, double h, const Vector& start,
                                    const SamplingOptions& options);
Result<RunSamples> sample_adaptive_run(const Index2& equations, const Vector& start, const SamplingOptions& options);

}  // namespace driftless
