// The two ways in which solve() advances a solution from its consistent start.
#pragma once

#include "driftless/integrate/solve.h"

namespace driftless {

void require_fixed(const SolveOptions& options);       // Misuse for options that fixed steps cannot honour
void require_fixed_grid(const SolveOptions& options);  // Misuse if the steps asked for make no sense
void run_fixed_steps(Solution& solution, const Stepper& stepper, const SolveOptions& options);

void require_integrator(const Equations& equations, const AdaptiveOptions& options);
void require_adaptive(const Equations& equations, const SolveOptions& options);
void run_adaptive(Solution& solution, const SolveOptions& options);

}  // namespace driftless
