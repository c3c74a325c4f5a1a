#include "driftless/analysis/geometric/spectrum.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

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

SymmetricSpectrum symmetric_spectrum(ConstMatrixView a) {
  if (a.rows == 0) return {};
  const Eigen::MatrixXd m = to_eigen(a);
  const Eigen::MatrixXd symmetric = 0.5 * (m + m.transpose());
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  if (!symmetric.allFinite()) return {Vector(a.rows, unknown), Vector(a.rows, unknown)};
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(symmetric);
  return {Vector(solver.eigenvalues().begin(), solver.eigenvalues().end()),
          Vector(solver.eigenvectors().col(0).begin(), solver.eigenvectors().col(0).end())};
}

double largest_symmetric_eigenvalue(ConstMatrixView a) {
  const Vector values = symmetric_spectrum(a).values;
  return values.empty() ? -std::numeric_limits<double>::infinity() : values.back();
}

}  // namespace driftless
