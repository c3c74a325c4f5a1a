// Bounds of Theorem 3.5 of Higueras and Soderlind 2003 that hold between any two states of a convex box, without a word
// about where the constraint runs between them.
//
// For two states of the box f(x + dx) - f(x) = J dx with a mean J of the Jacobians on the segment between them. With
// Q J dx = -Qp, dx and P f(x + dx) - P f(x) follow from J alone, as for a linear problem. J need not be the Jacobian of
// any state: it is enclosed by the hull of all of them, in one piece, or by functions of J that are convex.
#pragma once

#include "driftless/analysis/stability/lipschitz_constants.h"
#include "driftless/analysis/stability/majorant.h"

namespace driftless {

// An upper bound of one of the four constants of Theorem 3.5; infinity if there is none. `constants` are proved.
double mean_value_bound(const Index1& form, const Index1Split& split, const Box& box, Quantity quantity,
                        const SplitConstants& constants, const Refinement& refinement);

}  // namespace driftless
