// Rates from measured numbers: an order in h, a factor per step.
#pragma once

#include "driftless/core/matrix.h"

namespace driftless {

// value = factor * h^order, by least squares of the logarithms.
struct OrderFit {
  double order = 0.0;  // NaN unless at least two values were used
  double factor = 0.0;
  double scatter = 0.0;  // the largest |log10(value / fit)|
  std::size_t used = 0;  // values above their floor
};

// Values at or below their floor are rounding (or a gap between samples), and left out. `floors` may be empty: 0.
OrderFit fit_order(ConstSpan step_sizes, ConstSpan values, ConstSpan floors = {});

// The factor by which values shrink from one to the next, over the leading values above the floor; NaN if there are
// fewer than two.
double fit_rate(ConstSpan values, double floor);

}  // namespace driftless
