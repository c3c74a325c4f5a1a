// How well a state satisfies the constraints, hidden ones included.
#pragma once

#include "driftless/equations/equations.h"

namespace driftless {

// d_1, d_2, d_3 of Schropp 2003, section 4: the residuals of all levels.
struct ConstraintResiduals {
  std::vector<Vector> level;
  double largest(int k) const;  // max norm of level k = 1, 2, 3; 0 if there is no such level
};
ConstraintResiduals constraint_residuals(const Equations& equations, double t, ConstSpan state);

}  // namespace driftless
