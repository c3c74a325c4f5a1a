// How far two points are from each other.
#pragma once

#include <cmath>

#include "driftless/core/matrix.h"

namespace driftless {

inline double euclidean_distance(ConstSpan x, ConstSpan y) {
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
  return std::sqrt(sum);
}

}  // namespace driftless
