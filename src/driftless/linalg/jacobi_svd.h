// Jacobi's singular values of a matrix of any shape. Eigen's own frees memory twice if it runs out of it while it sets
// up for a matrix that is not square; here the QR decomposition that makes it square comes first.
#pragma once

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <limits>

namespace driftless {

enum class SingularVectors { none, thin, full };

struct Svd {
  Eigen::MatrixXd u, v;  // empty without vectors
  Eigen::VectorXd values;
};

namespace detail {

inline Svd square_svd(const Eigen::MatrixXd& m, SingularVectors vectors) {
  using Square = Eigen::JacobiSVD<Eigen::MatrixXd, Eigen::NoQRPreconditioner>;
  const Square svd(m, vectors == SingularVectors::none ? 0u : Eigen::ComputeFullU | Eigen::ComputeFullV);
  if (vectors == SingularVectors::none) return {{}, {}, svd.singularValues()};
  return {svd.matrixU(), svd.matrixV(), svd.singularValues()};
}

// More rows than columns: m P = Q R, R = U' S V'^T, so m = (Q U') S (P V')^T.
inline Svd tall_svd(const Eigen::MatrixXd& m, SingularVectors vectors) {
  const Eigen::Index rows = m.rows(), columns = m.cols();
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(m);
  Svd svd = square_svd(qr.matrixQR().topRows(columns).triangularView<Eigen::Upper>(), vectors);
  if (vectors == SingularVectors::none) return svd;
  const Eigen::Index wanted = vectors == SingularVectors::full ? rows : columns;
  Eigen::MatrixXd u = Eigen::MatrixXd::Identity(rows, wanted);
  u.topLeftCorner(columns, columns) = svd.u;
  svd.u = qr.householderQ() * u;
  svd.v = qr.colsPermutation() * svd.v;
  return svd;
}

}  // namespace detail

inline Svd jacobi_svd(const Eigen::MatrixXd& m, SingularVectors vectors) {
  const Eigen::Index values = std::min(m.rows(), m.cols());
  if (values == 0 || !m.allFinite()) {
    const bool full = vectors == SingularVectors::full;
    return {Eigen::MatrixXd::Identity(m.rows(), full ? m.rows() : values),
            Eigen::MatrixXd::Identity(m.cols(), full ? m.cols() : values),
            Eigen::VectorXd::Constant(values, std::numeric_limits<double>::quiet_NaN())};
  }
  if (m.rows() == m.cols()) return detail::square_svd(m, vectors);
  if (m.rows() > m.cols()) return detail::tall_svd(m, vectors);
  Svd svd = detail::tall_svd(m.transpose(), vectors);
  svd.u.swap(svd.v);
  return svd;
}

// The shortest x with the least |m x - b|; singular values below `tolerance` of the largest count as 0.
inline Eigen::VectorXd least_squares(const Svd& svd, const Eigen::VectorXd& b, double tolerance) {
  const double largest = svd.values.size() > 0 ? svd.values(0) : 0.0;
  const double least = std::max(tolerance * largest, std::numeric_limits<double>::min());
  Eigen::Index rank = 0;
  while (rank < svd.values.size() && svd.values(rank) > least) ++rank;
  const Eigen::VectorXd shares = svd.u.leftCols(rank).transpose() * b;
  return svd.v.leftCols(rank) * shares.cwiseQuotient(svd.values.head(rank));
}

}  // namespace driftless
