#include "driftless/linalg/dense.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/core/stop.h"
#include "driftless/linalg/eigen_matrix.h"
#include "driftless/linalg/jacobi_svd.h"
#include "driftless/linalg/lu.h"

namespace driftless {

Matrix product(ConstMatrixView a, ConstMatrixView b) {
  Matrix c(a.rows, b.cols);
  for (std::size_t j = 0; j < b.cols; ++j) {
    if (j % 64 == 63) check_stop();
    for (std::size_t k = 0; k < a.cols; ++k)
      for (std::size_t i = 0; i < a.rows; ++i) c(i, j) += a(i, k) * b(k, j);
  }
  return c;
}

Vector product(ConstMatrixView a, ConstSpan x) {
  Vector y(a.rows, 0.0);
  for (std::size_t j = 0; j < a.cols; ++j)
    for (std::size_t i = 0; i < a.rows; ++i) y[i] += a(i, j) * x[j];
  return y;
}

Matrix transpose_of(ConstMatrixView a) {
  Matrix t(a.cols, a.rows);
  for (std::size_t j = 0; j < a.cols; ++j)
    for (std::size_t i = 0; i < a.rows; ++i) t(j, i) = a(i, j);
  return t;
}

Matrix copy_of(ConstMatrixView a) {
  Matrix c(a.rows, a.cols);
  for (std::size_t j = 0; j < a.cols; ++j)
    for (std::size_t i = 0; i < a.rows; ++i) c(i, j) = a(i, j);
  return c;
}

Matrix columns_of(ConstMatrixView a, std::span<const std::size_t> chosen) {
  Matrix c(a.rows, chosen.size());
  for (std::size_t j = 0; j < chosen.size(); ++j)
    for (std::size_t i = 0; i < a.rows; ++i) c(i, j) = a(i, chosen[j]);
  return c;
}

std::optional<Matrix> inverse(ConstMatrixView a) {
  RealLu lu(a.rows);
  lu.matrix() = copy_of(a);
  if (!lu.factorise()) return std::nullopt;
  Matrix result = Matrix::identity(a.rows);
  for (std::size_t j = 0; j < a.rows; ++j) {
    if (j % 64 == 63) check_stop();
    lu.solve(result.view().column(j));
  }
  return result;
}

SymmetricEigen symmetric_eigen(ConstMatrixView a) {
  check_stop();
  Eigen::MatrixXd m = to_eigen(a);
  m = (0.5 * (m + m.transpose())).eval();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(m);
  const auto& values = solver.eigenvalues();
  return {Vector(values.data(), values.data() + values.size()), from_eigen(solver.eigenvectors())};
}

// By the eigenvalues of the smaller of A^T A and A A^T, which lose nothing of the largest one.
double largest_singular_value(ConstMatrixView a) {
  if (a.rows == 0 || a.cols == 0) return 0.0;
  check_stop();
  Eigen::MatrixXd m = to_eigen(a);
  const double scale = m.cwiseAbs().maxCoeff();
  if (!(scale > 0.0) || !std::isfinite(scale)) return scale;
  m /= scale;
  const Eigen::MatrixXd gram =
      m.rows() < m.cols() ? Eigen::MatrixXd(m * m.transpose()) : Eigen::MatrixXd(m.transpose() * m);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(gram, Eigen::EigenvaluesOnly);
  return scale * std::sqrt(std::max(0.0, solver.eigenvalues()(gram.rows() - 1)));
}

double smallest_singular_value(ConstMatrixView a) {
  if (a.rows == 0 || a.cols == 0) return std::numeric_limits<double>::infinity();
  check_stop();
  if (a.rows < a.cols) return 0.0;
  return jacobi_svd(to_eigen(a), SingularVectors::none).values(static_cast<Eigen::Index>(a.cols) - 1);
}

ThinQr thin_qr(ConstMatrixView a) {
  const Eigen::Index m = static_cast<Eigen::Index>(a.rows), n = static_cast<Eigen::Index>(a.cols);
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(to_eigen(a));
  Eigen::MatrixXd q = qr.householderQ() * Eigen::MatrixXd::Identity(m, n);
  const Eigen::MatrixXd r = qr.matrixQR().topRows(n).triangularView<Eigen::Upper>();
  return {from_eigen(q), from_eigen(r)};
}

}  // namespace driftless
