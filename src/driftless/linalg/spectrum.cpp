#include "driftless/linalg/spectrum.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <unsupported/Eigen/MatrixFunctions>

#include "driftless/linalg/dense.h"
#include "driftless/linalg/eigen_matrix.h"

namespace driftless {

std::vector<std::complex<double>> eigenvalues_of(ConstMatrixView a) {
  const Eigen::MatrixXd m = to_eigen(a);
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  if (a.rows == 0) return {};
  if (!m.allFinite()) return std::vector<std::complex<double>>(a.rows, {unknown, unknown});
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(m, false);
  std::vector<std::complex<double>> values(solver.eigenvalues().begin(), solver.eigenvalues().end());
  std::stable_sort(values.begin(), values.end(), [](const auto& x, const auto& y) {
    const double scale = 1e-12 * std::max(std::abs(x), std::abs(y));
    if (std::abs(std::abs(x) - std::abs(y)) > scale) return std::abs(x) > std::abs(y);
    if (std::abs(x.real() - y.real()) > scale) return x.real() > y.real();
    return x.imag() > y.imag();
  });
  return values;
}

Eigenpairs eigenpairs_of(ConstMatrixView a) {
  if (a.rows == 0) return {};
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(to_eigen(a));
  Eigenpairs pairs{.values = {solver.eigenvalues().begin(), solver.eigenvalues().end()}};
  const Eigen::MatrixXcd vectors = solver.eigenvectors();
  for (const auto& column : vectors.colwise()) pairs.vectors.emplace_back(column.begin(), column.end());
  return pairs;
}

SymmetricSpectrum symmetric_spectrum(ConstMatrixView a) {
  if (a.rows == 0) return {};
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  if (!to_eigen(a).allFinite()) return {Vector(a.rows, unknown), Vector(a.rows, unknown)};
  SymmetricEigen eigen = symmetric_eigen(a);
  const ConstSpan lowest = eigen.vectors.view().column(0);
  return {std::move(eigen.values), Vector(lowest.begin(), lowest.end())};
}

double largest_symmetric_eigenvalue(ConstMatrixView a) {
  const Vector values = symmetric_spectrum(a).values;
  return values.empty() ? -std::numeric_limits<double>::infinity() : values.back();
}

Matrix exponential_of(ConstMatrixView a) {
  const Eigen::MatrixXd exponential = to_eigen(a).exp();
  return from_eigen(exponential);
}

}  // namespace driftless
