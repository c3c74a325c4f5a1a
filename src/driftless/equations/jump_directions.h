// Where a solution can jump: at an event the equations leave a differential part alone, but for what an impulse of the
// multipliers does to it. With u' = f(u, lambda) and lambda ~ mu delta(t - t*), u jumps along f_lambda mu.
#pragma once

#include "driftless/equations/manifold.h"

namespace driftless {

// One column per constraint, one row per component that the level determines (Manifold::determined_by): Im Q with index
// 1, whose algebraic part follows; Gamma^-1 f_lambda; f_v k_lambda for positions and k_lambda for velocities; M^-1 G^T.
ManifoldStatus jump_directions(const Equations& equations, int level, double t, ConstSpan state, Matrix& out);

}  // namespace driftless
