// Times of rows: every so often, or so many.
#pragma once

#include <cstddef>

#include "driftless/core/matrix.h"
#include "driftless/integrate/solve.h"

namespace driftless {

constexpr std::size_t usual_rows = 500;  // intervals of the output, if neither the user nor the model says

// begin, begin + h, ..., and exactly the end. Misuse unless h is positive and finite.
Vector times_every(double h, const TimeSpan& span);
// Equally far from each other. Misuse if there is no interval.
Vector times_of_grid(std::size_t intervals, const TimeSpan& span);

}  // namespace driftless
