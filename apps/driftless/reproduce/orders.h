// Orders that are measured at finite step sizes.
#pragma once

#include <cmath>

#include "apps/driftless/reproduce/item.h"
#include "driftless/step/method.h"
#include "testset/problem.h"

namespace reproduce {

// Curves ascend; step sizes fall.
Curve falling(const std::string& label, const Vector& steps, const Vector& values);

// Errors of u, v, lambda at the end of runs over one unit of time.
struct Convergence {
  Vector steps = {};           // sizes
  std::vector<Vector> errors;  // by block, then by step size
  // Between the two finest step sizes whose errors are well above rounding, which is amplified in the multiplier.
  double order(std::size_t block) const;
};
Convergence converge(const driftless::testset::Problem& problem, const driftless::Method& method, std::size_t first,
                     int doublings);

}  // namespace reproduce
