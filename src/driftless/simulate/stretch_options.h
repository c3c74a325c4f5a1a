// The options of a whole run, cut to one stretch of it.
#pragma once

#include "driftless/integrate/solve.h"
#include "driftless/simulate/stretch.h"

namespace driftless {

// `attempts`: steps that the run has tried until now, which count against its limit.
SolveOptions options_of_stretch(const SolveOptions& whole, const Stretch& stretch, std::size_t attempts);

// Misuse if an option belongs to the model.
void require_options_of_a_simulation(const SolveOptions& options);

}  // namespace driftless
