// Derivatives of what a model computes along the directions that its constraints allow.
#pragma once

#include <algorithm>
#include <cmath>

#include "driftless/linalg/dense.h"
#include "driftless/study/local_flow.h"

namespace driftless {

inline constexpr double step_along = 1e-3;            // of differences, in usual sizes
inline constexpr double zero_singular_value = 1e-14;  // of the linear system, as a share of the largest

// V^T x, or V^T X.
inline Vector in_coordinates(const Matrix& basis, const Vector& x) { return product(transpose_of(basis), x); }
inline Matrix in_coordinates(const Matrix& basis, const Matrix& x) { return product(transpose_of(basis), x); }

inline double max_of(const Vector& v) {
  double largest = 0.0;
  for (const double x : v) largest = std::max(largest, std::abs(x));
  return largest;
}

inline double max_of(const Matrix& m) {
  double largest = 0.0;
  for (std::size_t j = 0; j < m.cols(); ++j)
    for (std::size_t i = 0; i < m.rows(); ++i) largest = std::max(largest, std::abs(m(i, j)));
  return largest;
}

// The derivatives of one quantity of states, a column for each column of a basis.
template <class Quantity>
Result<Matrix> derivatives_along(const LocalFlow& flow, const Matrix& basis, const Quantity& quantity,
                                 double h = step_along) {
  Matrix all;
  for (std::size_t j = 0; j < basis.cols(); ++j) {
    const ConstSpan direction = basis.view().column(j);
    const auto column = derivative_at_zero(
        [&](double s) -> Result<Vector> {
          const auto state = flow.moved(direction, s);
          if (!state) return state.failure();
          return quantity(*state);
        },
        h);
    if (!column) return column.failure();
    if (j == 0) all = Matrix(column->size(), basis.cols());
    std::copy(column->begin(), column->end(), all.view().column(j).begin());
  }
  return all;
}

// V^T DF V
Result<Matrix> local_jacobian(const LocalFlow& flow, double t, const Matrix& basis, double h = step_along);

}  // namespace driftless
