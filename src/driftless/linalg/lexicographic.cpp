#include "driftless/linalg/lexicographic.h"

#include <Eigen/QR>
#include <algorithm>

#include "driftless/linalg/eigen_matrix.h"

namespace driftless {

Lexicographic::Lexicographic(std::size_t unknowns) : x_(unknowns, 0.0), open_(Matrix::identity(unknowns)) {}

// The least-norm solution and the kernel both come from (a Z)^T P = Q R: with the first r columns of Q the equations
// are R^T (Q_r^T y) = P^T b, in the sense of least squares, and the other columns of Q are the kernel.
void Lexicographic::add(ConstMatrixView a, ConstSpan b) {
  if (a.rows == 0 || open_.cols() == 0) return;
  const Eigen::MatrixXd whole = to_eigen(a), open = to_eigen(open_);
  const Eigen::MatrixXd inside = whole * open;
  Eigen::Map<Eigen::VectorXd> x(x_.data(), static_cast<Eigen::Index>(x_.size()));
  const Eigen::VectorXd missing = Eigen::Map<const Eigen::VectorXd>(b.data(), inside.rows()) - whole * x;
  // Rows that earlier levels have settled leave rounding behind, which is no direction of its own.
  const double largest = whole.rowwise().norm().maxCoeff(), left = inside.rowwise().norm().maxCoeff();
  if (!(left > rank_tolerance * largest)) return;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  qr.setThreshold(std::min(1.0, rank_tolerance * largest / left));
  qr.compute(inside.transpose());
  const Eigen::Index rank = qr.rank();
  const Eigen::MatrixXd q = qr.householderQ();
  const Eigen::MatrixXd r = qr.matrixQR().topRows(rank).triangularView<Eigen::Upper>();
  const Eigen::VectorXd permuted = qr.colsPermutation().transpose() * missing;
  const Eigen::VectorXd y = Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(r.transpose()).solve(permuted);
  x += open * (q.leftCols(rank) * y);
  open_ = from_eigen(open * q.rightCols(q.cols() - rank));
}

}  // namespace driftless
