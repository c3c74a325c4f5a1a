// Two solutions step by step, and their distance: methods that are algebraically stable bring them nearer to each other
// in every step where the equations do (B-stability: b_stability.h).
#pragma once

#include <functional>

#include "driftless/step/stepper.h"

namespace driftless {

struct ContractionOptions {
  Method method = {};
  NewtonOptions newton = {.relative = 1e-10, .absolute = 1e-10, .damped = true};
  double begin = 0.0, h = 0.01;
  std::size_t steps = 10;
};

struct Contraction {
  Vector times, distance;
  double largest_quotient = 0.0;  // of distances after and before a step
  bool contractive = false;       // it never exceeded 1
  Work work = {};                 // of both
  std::size_t newton_iterations = 0;
};

// From two consistent states of these equations. `norm` measures the part of a difference that contracts: a Norm of P
// x, or another function. Throws FailedRun if a step fails.
Contraction measure_contraction(const Equations& equations, ConstSpan one, ConstSpan two,
                                const std::function<double(ConstSpan)>& norm, const ContractionOptions& options);

}  // namespace driftless
