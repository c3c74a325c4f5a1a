// Whether a state is where a run may call it a result: on its constraints.
#pragma once

#include <optional>

#include "driftless/equations/manifold.h"
#include "driftless/integrate/adaptive_options.h"

namespace driftless {

// A failure that names the constraint if one is off by more than the tolerance. What a residual means is measured by
// its unknowns: |r_i| against sum_j |dr_i/dx_j| (rtol |x_j| + atol_j). Constraints are kept at rounding level, so that
// nothing comes close to this unless a projection had no way to work. Hidden constraints that determine multipliers are
// not looked at.
std::optional<Failure> off_constraints(const Equations& equations, double t, ConstSpan state,
                                       const Tolerance& tolerance);
// The same by a manifold of these equations that is at hand.
std::optional<Failure> off_constraints(const Equations& equations, Manifold& manifold, double t, ConstSpan state,
                                       const Tolerance& tolerance);

}  // namespace driftless
