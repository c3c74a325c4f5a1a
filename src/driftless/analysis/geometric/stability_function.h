// R(Z) of a Runge-Kutta method for a matrix Z: one step of size h leads from v to R(h L) v where v' = L v.
#pragma once

#include "driftless/tableau/tableau.h"

namespace driftless {

// R(Z) = I + (b^T x Z) (I - A x Z)^-1 (1 x I). Misuse if Z is not square; nothing if 1 / z of an eigenvalue z is one of
// A, where the stages have no solution.
std::optional<Matrix> stability_function(const Tableau& tableau, const Matrix& z);

}  // namespace driftless
