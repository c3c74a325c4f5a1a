// The error growth function of a Runge-Kutta method (Burrage and Butcher 1979; Hairer and Wanner II, IV.12): the least
// phi with |u_1| <= phi |u_0| for all differences u of solutions of problems with (u, f' u) <= x/h |u|^2 in an inner
// product. It is exp(x) for the differential equation itself, and phi(0) = 1 for algebraically stable methods.
#pragma once

#include "driftless/analysis/stability/stage_monotonicity.h"

namespace driftless {

// An upper bound that is proved by the multipliers found with it; infinity unless x < m_D[A^-1], or x <= 0 and the
// method is algebraically stable.
struct ErrorGrowth {
  double factor = 0.0;
  Vector multipliers = {};  // lambda_i >= 0 that make phi^2 |u_0|^2 - |u_1|^2 - 2 sum lambda_i (x |X_i|^2 - (X_i, K_i))
                            // a form of (u_0, K) that is never negative
};
ErrorGrowth error_growth(const Tableau& tableau, const StageMonotonicity& stages, double x);

// Whether the multipliers prove the factor.
bool check(const ErrorGrowth& growth, const Tableau& tableau, double x);

}  // namespace driftless
