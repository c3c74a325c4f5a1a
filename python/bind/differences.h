// Derivatives of functions of which nothing but values is known.
#pragma once

#include <functional>

#include "driftless/core/matrix.h"
#include "driftless/linalg/pattern.h"

namespace driftless::python {

using Formula = std::function<void(ConstSpan x, Span out)>;

// How well a derivative has to be known.
enum class Needed {
  for_newton,    // a wrong digit costs iterations: one central difference, 1e-9 or so
  for_equations  // it is a part of the equations, as G in G^T lambda: extrapolated, 1e-12 or so
};

// d/ds f(x + s direction) at s = 0, and the second derivative there.
void slope_along(const Formula& f, ConstSpan x, ConstSpan direction, Needed needed, Span out);
void curvature_along(const Formula& f, ConstSpan x, ConstSpan direction, Span out);

// Columns first, first + 1, ... of the Jacobian, as many as j has.
void difference_jacobian(const Formula& f, ConstSpan x, std::size_t first, Needed needed, MatrixView j);

// The values on a pattern, in its order: columns of one colour share no row, and are found together.
void coloured_differences(const Formula& f, ConstSpan x, const Pattern& pattern,
                          const std::vector<std::uint32_t>& colour, Span values);

}  // namespace driftless::python
