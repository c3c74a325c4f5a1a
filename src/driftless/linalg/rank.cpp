#include "driftless/linalg/rank.h"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <limits>

namespace driftless {

namespace {

Eigen::MatrixXd to_eigen(ConstMatrixView a) {
  Eigen::MatrixXd m(a.rows, a.cols);
  for (std::size_t j = 0; j < a.cols; ++j)
    for (std::size_t i = 0; i < a.rows; ++i) m(i, j) = a(i, j);
  return m;
}

Matrix from_eigen(const Eigen::MatrixXd& m) {
  Matrix a(m.rows(), m.cols());
  std::copy(m.data(), m.data() + m.size(), a.data());
  return a;
}

Eigen::JacobiSVD<Eigen::MatrixXd> decompose(const Eigen::MatrixXd& m) {
  return Eigen::JacobiSVD<Eigen::MatrixXd>(m, Eigen::ComputeFullU | Eigen::ComputeFullV);
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
  const auto svd = decompose(m);
  const auto& s = svd.singularValues();
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
  auto svd = decompose(to_eigen(a));
  svd.setThreshold(tolerance);
  const Eigen::VectorXd x = svd.solve(Eigen::Map<const Eigen::VectorXd>(b.data(), b.size()));
  return Vector(x.data(), x.data() + x.size());
}

SingularValues singular_values(ConstMatrixView a) {
  const auto svd = decompose(to_eigen(a));
  const auto& s = svd.singularValues();
  return {from_eigen(svd.matrixU()), from_eigen(svd.matrixV()), Vector(s.data(), s.data() + s.size())};
}

}  // namespace driftless
