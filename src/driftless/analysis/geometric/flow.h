// A state some time later: by the DAE itself, or by a method with fixed steps.
#pragma once

#include <memory>

#include "driftless/analysis/geometric/attractor_sample.h"

namespace driftless {

// Memory of one thread.
class Flow {
 public:
  virtual ~Flow() = default;
  virtual std::optional<Failure> advance(double t, Span state, double duration) = 0;
};

struct FlowOptions {
  // Unset: the DAE, with adaptive steps to the tolerance. Set: equal steps of about this size that make up the
  // duration.
  std::optional<Discretisation> discretisation = {};
  Tolerance tolerance = {.relative = 1e-12, .absolute = 1e-13};
  std::size_t step_limit = 1'000'000;  // of one advance
};
std::unique_ptr<Flow> make_flow(const Index2& equations, const FlowOptions& options);

// Steps of this size that make up the duration best; at least one.
std::size_t steps_in(double duration, double step_size);

}  // namespace driftless
