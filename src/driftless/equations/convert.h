// The same problem in another form. A mechanical problem can be stated with its constraint on position level (index 3),
// on velocity level or on both at once (index 2), or on acceleration level (index 1); any time-dependent problem can be
// stated with time as one more unknown. Derivatives are composed from those at hand, so nothing is differentiated a
// second time.
#pragma once

#include "driftless/equations/equations.h"

namespace driftless {

// u = q, v = (v, s):  q' = v,  (v, s)' = (M^-1 (F - G^T lambda), r),  0 = g(q, t).
Index3 as_index3(const Mechanical& form);

// Velocity level, u = (q, v, s):  diag(I, M, I) u' = (v, F - G^T lambda, r),  0 = G v + g_t.
// The hidden constraint g = 0 is no longer stated: a solution drifts off it, which as_ggl() prevents.
Index2 as_index2(const Mechanical& form);

// Gear, Gupta and Leimkuhler 1985, u = (q, v, s), multipliers (lambda, mu):
// diag(I, M, I) u' = (v - G^T mu, F - G^T lambda, r),  0 = g,  0 = G v + g_t;  mu = 0 along solutions.
Index2 as_ggl(const Mechanical& form);

// Acceleration level, x = (q, v, s, a, lambda):  q' = v,  v' = a,  s' = r,  0 = M a - F + G^T lambda,
// 0 = G a + d^2/ds^2 g(q + s v, t + s).
Index1 as_index1(const Mechanical& form);

// The state of the other form for a state (q, v, s, lambda) of the mechanical one. mu is 0; a belongs to the lambda
// given.
Vector state_as_index3(const Mechanical& form, double t, ConstSpan state);
Vector state_as_index2(const Mechanical& form, double t, ConstSpan state);
Vector state_as_ggl(const Mechanical& form, double t, ConstSpan state);
Vector state_as_index1(const Mechanical& form, double t, ConstSpan state);

// Time as one more unknown called "t" with t' = 1, (3.11) of Schropp 2001: last in x (index 1), last in u (index 2 and
// 3). A mechanical problem goes by way of as_index3(): as a coordinate of it, the clock would feel the reaction forces.
Equations autonomous(const Equations& equations);
// The state of autonomous(equations) for a state of `equations` at time t.
Vector autonomous_state(const Equations& equations, double t, ConstSpan state);

}  // namespace driftless
