#include "driftless/linalg/rank.h"

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <limits>

#include "driftless/core/stop.h"
#include "driftless/linalg/eigen_matrix.h"
#include "driftless/linalg/jacobi_svd.h"
#include "driftless/linalg/large_svd.h"

namespace driftless {

namespace {

// From this size on Jacobi's method, the more accurate one, is too slow.
bool is_large(const Eigen::MatrixXd& m) { return std::min(m.rows(), m.cols()) > 40 && m.allFinite(); }

Eigen::VectorXd values_of(const Eigen::MatrixXd& m) {
  check_stop();
  return is_large(m) ? large_svd(m, SingularVectors::none).values : jacobi_svd(m, SingularVectors::none).values;
}

Svd full(const Eigen::MatrixXd& m) {
  return is_large(m) ? large_svd(m, SingularVectors::full) : jacobi_svd(m, SingularVectors::full);
}

Eigen::VectorXd solved(const Eigen::MatrixXd& m, const Eigen::VectorXd& b, double tolerance) {
  if (!is_large(m)) return least_squares(jacobi_svd(m, SingularVectors::thin), b, tolerance);
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition(m);
  decomposition.setThreshold(tolerance);
  return decomposition.solve(b);
}

}  // namespace

RankReport analyse_rows(ConstMatrixView a, double tolerance) {
  RankReport report;
  if (a.rows == 0) return report;
  Eigen::MatrixXd m = to_eigen(a);
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    const double length = m.row(i).norm();
    if (length > 0.0) m.row(i) /= length;
  }
  const Eigen::VectorXd s = values_of(m);
  report.singular_values.assign(s.data(), s.data() + s.size());
  const double largest = s.size() > 0 ? s(0) : 0.0;
  for (double value : report.singular_values) report.rank += value > tolerance * largest;
  report.condition =
      report.rank == a.rows ? largest / report.singular_values[a.rows - 1] : std::numeric_limits<double>::infinity();
  if (report.rank == a.rows) return report;
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(m.transpose());
  const auto& order = qr.colsPermutation().indices();
  for (std::size_t k = report.rank; k < a.rows; ++k)
    report.dependent_rows.push_back(static_cast<std::size_t>(order(k)));
  std::sort(report.dependent_rows.begin(), report.dependent_rows.end());
  return report;
}

Vector least_norm_solution(ConstMatrixView a, ConstSpan b, double tolerance) {
  if (a.rows == 0 || a.cols == 0) return Vector(a.cols, 0.0);
  check_stop();
  const Eigen::VectorXd x =
      solved(to_eigen(a), Eigen::Map<const Eigen::VectorXd>(b.data(), static_cast<Eigen::Index>(b.size())), tolerance);
  return Vector(x.data(), x.data() + x.size());
}

namespace {

// Each column over its largest entry; 1 over those.
Eigen::VectorXd scale_columns(Eigen::MatrixXd& m) {
  Eigen::VectorXd scales = Eigen::VectorXd::Ones(m.cols());
  for (Eigen::Index j = 0; j < m.cols(); ++j) {
    const double largest = m.col(j).cwiseAbs().maxCoeff();
    if (largest > 0.0) m.col(j) *= scales(j) = 1.0 / largest;
  }
  return scales;
}

Eigen::VectorXd scale_rows(Eigen::MatrixXd& m) {
  Eigen::MatrixXd transposed = m.transpose();
  Eigen::VectorXd scales = scale_columns(transposed);
  m = transposed.transpose();
  return scales;
}

}  // namespace

// (R a C) y = R b and x = C y.
Vector least_norm_solution_in_any_units(ConstMatrixView a, ConstSpan b, double tolerance) {
  if (a.rows == 0 || a.cols == 0) return Vector(a.cols, 0.0);
  Eigen::MatrixXd m = to_eigen(a);
  const Eigen::VectorXd rows = scale_rows(m), columns = scale_columns(m);
  Vector right(b.begin(), b.end());
  for (std::size_t i = 0; i < right.size(); ++i) right[i] *= rows(static_cast<Eigen::Index>(i));
  Vector x = least_norm_solution(from_eigen(m), right, tolerance);
  for (std::size_t j = 0; j < x.size(); ++j) x[j] *= columns(static_cast<Eigen::Index>(j));
  return x;
}

// With complete pivoting of m = R a C. m y = 0 and least |y| for x = C y: the directions are C^-1 y.
Redundancy redundancy_of(ConstMatrixView a, double tolerance) {
  Eigen::MatrixXd m = to_eigen(a);
  scale_rows(m);
  const Eigen::VectorXd columns = scale_columns(m);
  Eigen::FullPivLU<Eigen::MatrixXd> lu(m);
  lu.setThreshold(tolerance);
  Redundancy result;
  if (lu.rank() == m.rows()) return result;
  for (Eigen::Index i = 0; i < m.rows(); ++i)
    if (lu.permutationP().indices()(i) >= lu.rank()) result.rows.push_back(static_cast<std::size_t>(i));
  const Eigen::MatrixXd directions = (columns.cwiseInverse().asDiagonal() * lu.kernel()).transpose();
  result.directions = from_eigen(directions);
  return result;
}

Matrix orthonormal_range(ConstMatrixView a, double tolerance) {
  if (a.rows == 0 || a.cols == 0) return Matrix(a.rows, 0);
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(to_eigen(a));
  qr.setThreshold(tolerance);
  const Eigen::MatrixXd basis =
      qr.householderQ() * Eigen::MatrixXd::Identity(static_cast<Eigen::Index>(a.rows), qr.rank());
  return from_eigen(basis);
}

SingularValues singular_values(ConstMatrixView a) {
  check_stop();
  const Eigen::MatrixXd m = to_eigen(a);
  const Svd svd = full(m);
  return {from_eigen(svd.u), from_eigen(svd.v), Vector(svd.values.data(), svd.values.data() + svd.values.size())};
}

}  // namespace driftless
