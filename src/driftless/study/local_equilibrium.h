// An equilibrium of a model on its constraints.
#pragma once

#include "driftless/study/local_flow.h"

namespace driftless {

inline constexpr double slope_of_rest = 1e-7;  // usual sizes a unit of time

// Newton's method from a consistent state; where that leads nowhere, the flow itself, by implicit steps that damp it
// and grow as it comes to rest, so that the equilibrium is one that a motion with friction would find.
Result<Vector> equilibrium_near(const Equations& equations, double t, const Vector& state);

}  // namespace driftless
