// Jacobians by central differences of order 6: about eleven digits for functions of size 1.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <initializer_list>

#include "driftless/core/matrix.h"

namespace driftless {

inline Vector concatenate(std::initializer_list<ConstSpan> parts) {
  Vector all;
  for (ConstSpan part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

inline Matrix difference_quotients(const std::function<void(ConstSpan, Span)>& function, const Vector& x,
                                   std::size_t rows) {
  const double h = 4e-3, c[] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
  Matrix j(rows, x.size());
  Vector at = x, y(rows);
  for (std::size_t column = 0; column < x.size(); ++column)
    for (int k = -3; k <= 3; ++k) {
      if (k == 0) continue;
      at[column] = x[column] + k * h;
      function(at, y);
      for (std::size_t i = 0; i < rows; ++i) j(i, column) += (k > 0 ? 1.0 : -1.0) * c[std::abs(k) - 1] * y[i] / h;
      at[column] = x[column];
    }
  return j;
}

// `analytic` must agree with the differences of `function`, every entry of it.
inline void expect_jacobian(const char* what, const std::function<void(ConstSpan, Span)>& function, const Vector& x,
                            const Matrix& analytic, double tolerance = 2e-9) {
  ASSERT_EQ(analytic.cols(), x.size()) << what;
  const Matrix expected = difference_quotients(function, x, analytic.rows());
  for (std::size_t j = 0; j < analytic.cols(); ++j)
    for (std::size_t i = 0; i < analytic.rows(); ++i)
      EXPECT_NEAR(analytic(i, j), expected(i, j), tolerance * (1.0 + std::abs(expected(i, j))))
          << fmt::format("{}: row {}, column {}", what, i, j);
}

}  // namespace driftless
