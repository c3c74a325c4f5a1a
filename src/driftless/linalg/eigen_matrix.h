// Between our matrices and those of Eigen, for the decompositions that Eigen does in .cpp files.
#pragma once

#include <Eigen/Core>
#include <algorithm>

#include "driftless/core/matrix.h"

namespace driftless {

inline Eigen::MatrixXd to_eigen(ConstMatrixView a) {
  Eigen::MatrixXd m(a.rows, a.cols);
  for (std::size_t j = 0; j < a.cols; ++j)
    for (std::size_t i = 0; i < a.rows; ++i) m(i, j) = a(i, j);
  return m;
}

inline Matrix from_eigen(const Eigen::MatrixXd& m) {
  Matrix a(m.rows(), m.cols());
  std::copy(m.data(), m.data() + m.size(), a.data());
  return a;
}

}  // namespace driftless
