// How solve() advances a solution from its consistent start.
#pragma once

#include "driftless/integrate/solution_recorder.h"
#include "driftless/integrate/solve.h"
#include "driftless/step/stepper.h"

namespace driftless {

inline bool has_fixed_steps(const SolveOptions& options) { return options.steps || options.step_size; }

void require_integrator(const Equations& equations, const AdaptiveOptions& options);
// Misuse for options that cannot be honoured, with these steps or at all.
void require_options(const Equations& equations, const SolveOptions& options);

// Steps, output, events and restarts; `stepper` for fixed steps, else null.
void run(SolutionRecorder& solution, const Stepper* stepper, const SolveOptions& options);

}  // namespace driftless
