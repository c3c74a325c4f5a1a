// What a run did and why, counted by cause.
#pragma once

#include <cstddef>

namespace driftless {

struct Statistics {
  std::size_t steps = 0;              // accepted
  std::size_t newton_iterations = 0;  // summed over all attempts
  std::size_t evaluations = 0;        // of the right-hand side, as RADAU5 counts them
  std::size_t jacobians = 0;
  std::size_t factorisations = 0;
  std::size_t rejected_by_error = 0;
  std::size_t rejected_by_newton = 0;
  std::size_t rejected_by_projection = 0;
  std::size_t order_raised = 0;
  std::size_t order_lowered = 0;
  // Jacobians by cause
  std::size_t jacobians_slow_newton = 0;  // contraction above its limit
  std::size_t jacobians_after_failure = 0;
};

}  // namespace driftless
