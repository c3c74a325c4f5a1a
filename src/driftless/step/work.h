// The papers' measure of cost, with the same meaning for fixed and for adaptive steps.
#pragma once

#include <cstddef>

namespace driftless {

// What the stages of a method cost. An evaluation is one of the right-hand side, as RADAU5 counts them: at a stage, in
// every Newton iteration anew, for the slope at an end of a step, for an error estimate. Jacobians and factorisations
// are those of Newton's iteration for the stages; the matrices of one step, real and complex, count once. What the
// start, the projection and the multiplier ask for, and what a Jacobian evaluates on its way, is not counted.
struct Work {
  std::size_t evaluations = 0;
  std::size_t jacobians = 0;
  std::size_t factorisations = 0;

  Work& operator+=(const Work& more) {
    evaluations += more.evaluations;
    jacobians += more.jacobians;
    factorisations += more.factorisations;
    return *this;
  }
};

}  // namespace driftless
