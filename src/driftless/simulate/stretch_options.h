// The options of a whole run, cut to one stretch of it.
#pragma once

#include <algorithm>
#include <cmath>

#include "driftless/integrate/solve.h"
#include "driftless/simulate/stretch.h"

namespace driftless {

// Equal but for rounding.
inline bool same_time(double a, double b) { return std::abs(a - b) <= 1e-14 * std::max(std::abs(a), std::abs(b)); }

// `attempts`: steps that the run has tried until now, which count against its limit; `restart_size`: what Solution says
// of the stretch before.
SolveOptions options_of_stretch(const SolveOptions& whole, const Stretch& stretch, std::size_t attempts,
                                double restart_size);

// Misuse if an option belongs to the model.
void require_options_of_a_simulation(const SolveOptions& options);

}  // namespace driftless
