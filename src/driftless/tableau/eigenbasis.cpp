#include "driftless/tableau/eigenbasis.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <complex>

#include "driftless/core/failure.h"
#include "driftless/tableau/properties.h"
#include "driftless/tableau/small_matrix.h"

namespace driftless {
namespace {

using Real = long double;
using Complex = std::complex<Real>;
using RealMatrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
using ComplexVector = Eigen::Matrix<Complex, Eigen::Dynamic, 1>;

constexpr double worst_condition = 1e10;

struct Eigenpair {
  Complex value;
  ComplexVector vector;
};

SmallMatrix<Real> required_inverse(const Tableau& tableau) {
  SmallMatrix<Real> inverse(tableau.stages());
  if (invert(SmallMatrix<Real>(tableau.a), inverse)) return inverse;
  throw Misuse(fmt::format("{}: A is singular, so A^-1 does not exist", title_of(tableau)));
}

[[noreturn]] void report_defective(const Tableau& tableau) {
  throw Misuse(fmt::format(
      "{}: A^-1 has no well-conditioned basis of eigenvectors, so its stages cannot be decoupled by a change of "
      "basis{}",
      title_of(tableau),
      shape_of(tableau).diagonally_implicit ? "; A is lower triangular, solve its stages one after the other" : ""));
}

// One shared entry on the diagonal and anything below it: a Jordan
// block, which rounding may hide from the eigenvalue solver.
bool is_jordan_like(const Tableau& tableau) { return tableau.stages() > 1 && shape_of(tableau).singly_diagonal; }

// Real eigenvalues first, ascending; then those with positive imaginary part, by that part.
std::vector<Eigenpair> sorted_eigenpairs(const RealMatrix& m) {
  const Eigen::EigenSolver<RealMatrix> solver(m);
  std::vector<Eigenpair> pairs;
  for (Eigen::Index k = 0; k < m.rows(); ++k) {
    const Complex value = solver.eigenvalues()(k);
    if (value.imag() >= 0) pairs.push_back({value, solver.eigenvectors().col(k)});
  }
  std::sort(pairs.begin(), pairs.end(), [](const Eigenpair& left, const Eigenpair& right) {
    if (left.value.imag() != right.value.imag()) return left.value.imag() < right.value.imag();
    return left.value.real() < right.value.real();
  });
  return pairs;
}

// The phase that makes real and imaginary part orthogonal, v^T v real and positive, and the length that of T's columns.
ComplexVector normalised(const Eigenpair& pair) {
  const Real length = pair.vector.norm();
  if (pair.value.imag() == 0) return pair.vector / length;
  const Complex square = (pair.vector.transpose() * pair.vector)(0, 0);
  const Complex phase = std::abs(square) > 0 ? std::sqrt(std::conj(square) / std::abs(square)) : Complex(1);
  return pair.vector * (phase * std::sqrt(Real(2)) / length);
}

void append_columns(const Eigenpair& pair, std::size_t& column, Eigenbasis& basis) {
  const ComplexVector v = normalised(pair);
  const std::size_t s = basis.t.rows();
  const bool real = pair.value.imag() == 0;
  for (std::size_t i = 0; i < s; ++i) {
    basis.t(i, column) = static_cast<double>(v(static_cast<Eigen::Index>(i)).real());
    if (!real) basis.t(i, column + 1) = static_cast<double>(v(static_cast<Eigen::Index>(i)).imag());
  }
  column += real ? 1 : 2;
  if (real) {
    basis.real.push_back(static_cast<double>(pair.value.real()));
  } else {
    basis.pairs.push_back({static_cast<double>(pair.value.real()), static_cast<double>(pair.value.imag())});
  }
}

}  // namespace

Matrix inverse_of(const Matrix& a) {
  if (a.rows() != a.cols()) throw Misuse(fmt::format("a matrix of {} x {} has no inverse", a.rows(), a.cols()));
  return inverse_of(SmallMatrix<Real>(a)).to_double();
}

Vector b_times_inverse(const Tableau& tableau) {
  const SmallMatrix<Real> inverse = required_inverse(tableau);
  const std::size_t s = tableau.stages();
  Vector product(s, 0.0);
  if (shape_of(tableau).stiffly_accurate) {
    product.back() = 1.0;
    return product;
  }
  for (std::size_t j = 0; j < s; ++j) {
    Real sum = 0;
    for (std::size_t i = 0; i < s; ++i) sum += tableau.b[i] * inverse(i, j);
    product[j] = static_cast<double>(sum);
  }
  return product;
}

Eigenbasis eigenbasis_of(const Tableau& tableau) {
  const SmallMatrix<Real> inverse = required_inverse(tableau);
  if (is_jordan_like(tableau)) report_defective(tableau);
  const std::size_t s = tableau.stages();
  RealMatrix m(s, s);
  for (std::size_t i = 0; i < s; ++i)
    for (std::size_t j = 0; j < s; ++j) m(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = inverse(i, j);

  Eigenbasis basis;
  basis.t = Matrix(s, s);
  std::size_t column = 0;
  for (const Eigenpair& pair : sorted_eigenpairs(m)) append_columns(pair, column, basis);

  // The inverse of T as rounded, so that T T^{-1} = I does not suffer from rounding T.
  const SmallMatrix<Real> t(basis.t);
  try {
    const SmallMatrix<Real> t_inverse = inverse_of(t);
    basis.condition = static_cast<double>(row_norm(t) * row_norm(t_inverse));
    basis.t_inverse = t_inverse.to_double();
  } catch (const Misuse&) {
    report_defective(tableau);
  }
  if (!(basis.condition < worst_condition)) report_defective(tableau);
  return basis;
}

}  // namespace driftless
