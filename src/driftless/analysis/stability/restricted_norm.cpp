#include "driftless/analysis/stability/restricted_norm.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/core/failure.h"
#include "driftless/core/infinity.h"
#include "driftless/linalg/dense.h"
#include "driftless/linalg/rank.h"

namespace driftless {

namespace {

constexpr std::size_t vertex_limit = 200'000;

// Least upper bounds of a set with no vector in it.
double of_nothing(bool logarithmic) { return logarithmic ? -infinity : 0.0; }

double magnitude_of(double x) { return std::abs(x); }
Interval magnitude_of(const Interval& x) { return abs(x); }
double larger(double x, double y) { return std::max(x, y); }
Interval larger(const Interval& x, const Interval& y) { return max(x, y); }

Matrix weighted(const Norm& norm, const Matrix& z) { return norm.transform(z.view()); }
IntervalMatrix weighted(const Norm& norm, const IntervalMatrix& z) {
  return norm.matrix() ? product(norm.matrix()->view(), z) : z;
}

bool is_identity(const Matrix& a) { return a == Matrix::identity(a.rows()); }

}  // namespace

std::optional<RestrictedNorm::Coordinates> RestrictedNorm::coordinates_of(const Matrix& wy) {
  Coordinates found;
  std::vector<bool> used(wy.rows(), false);
  for (std::size_t j = 0; j < wy.cols(); ++j) {
    std::size_t count = 0, row = 0;
    for (std::size_t i = 0; i < wy.rows(); ++i)
      if (wy(i, j) != 0.0) {
        ++count;
        row = i;
      }
    if (count != 1 || used[row]) return std::nullopt;
    used[row] = true;
    found.row.push_back(row);
    found.entry.push_back(wy(row, j));
  }
  return found;
}

RestrictedNorm::RestrictedNorm(Norm norm, Matrix y) : norm_(std::move(norm)), y_(std::move(y)) {
  wy_ = norm_.transform(y_.view());
  coordinates_ = coordinates_of(wy_);
  if (dimension() == 0) return;
  if (!coordinates_ && analyse_rows(transpose_of(wy_)).rank < dimension())
    throw Misuse("a norm on a subspace needs a basis of it, but the vectors given depend on each other");
  if (norm_.is_euclidean()) {
    r_inverse_ = Matrix::identity(dimension());
    const Matrix gram = product(transpose_of(wy_), wy_);
    if (!is_identity(gram)) r_inverse_ = *inverse(thin_qr(wy_).r);
    orthonormal_ = product(wy_, r_inverse_);
    const IntervalMatrix exact = product(wy_.view(), IntervalMatrix(r_inverse_));
    IntervalMatrix transposed(exact.cols(), exact.rows());
    for (std::size_t i = 0; i < exact.rows(); ++i)
      for (std::size_t j = 0; j < exact.cols(); ++j) transposed(j, i) = exact(i, j);
    const IntervalMatrix defect = difference(product(transposed, exact), IntervalMatrix(Matrix::identity(dimension())));
    for (std::size_t i = 0; i < defect.rows(); ++i) {
      Interval sum;
      for (std::size_t j = 0; j < defect.cols(); ++j) sum += Interval(defect(i, j).magnitude());
      gram_defect_ = std::max(gram_defect_, sum.upper());
    }
    return;
  }
  if (coordinates_) return;
  // A left inverse of W Y by normal equations of its orthonormal factor.
  const ThinQr qr = thin_qr(wy_);
  left_inverse_ = product(*inverse(qr.r), transpose_of(qr.q));
  if (norm_.kind() == Norm::Kind::one) {
    auto vertices = one_norm_vertices(wy_, vertex_limit);
    exact_ = vertices.has_value();
    if (exact_) vertices_ = std::move(*vertices);
  }
}

// The matrix of the map in the coordinates of the subspace: W Z diag(1 / entry).
template <class M>
M RestrictedNorm::scaled(const M& z) const {
  M result = weighted(norm_, z);
  for (std::size_t j = 0; j < result.cols(); ++j)
    for (std::size_t i = 0; i < result.rows(); ++i)
      if (coordinates_->entry[j] != 1.0) result(i, j) = result(i, j) / coordinates_->entry[j];
  return result;
}

// Row sums (maximum norm) or column sums (1-norm); the logarithmic ones keep the sign of the diagonal. In the maximum
// norm rows outside the subspace do not count for small h, in the 1-norm they do.
template <class M>
auto RestrictedNorm::coordinate_value(const M& z, bool logarithmic) const {
  using T = std::decay_t<decltype(z(0, 0))>;
  const M a = scaled(z);
  const bool by_rows = norm_.kind() == Norm::Kind::maximum;
  T best(of_nothing(logarithmic));
  const auto term = [&](std::size_t i, std::size_t j) {
    return logarithmic && coordinates_->row[j] == i ? a(i, j) : magnitude_of(a(i, j));
  };
  if (!by_rows) {
    for (std::size_t j = 0; j < a.cols(); ++j) {
      T sum(0.0);
      for (std::size_t i = 0; i < a.rows(); ++i) sum += term(i, j);
      best = larger(best, sum);
    }
    return best;
  }
  std::vector<bool> inside(a.rows(), !logarithmic);
  for (const std::size_t row : coordinates_->row) inside[row] = true;
  for (std::size_t i = 0; i < a.rows(); ++i) {
    if (!inside[i]) continue;
    T sum(0.0);
    for (std::size_t j = 0; j < a.cols(); ++j) sum += term(i, j);
    best = larger(best, sum);
  }
  return best;
}

double RestrictedNorm::norm(const Matrix& z) const {
  if (dimension() == 0) return of_nothing(false);
  if (norm_.is_euclidean()) return largest_singular_value(product(norm_.transform(z.view()), r_inverse_));
  return coordinates_ ? coordinate_value(z, false) : polyhedral(z, false);
}

double RestrictedNorm::log_norm(const Matrix& z) const {
  if (dimension() == 0) return of_nothing(true);
  if (norm_.is_euclidean()) {
    const Matrix image = product(norm_.transform(z.view()), r_inverse_);
    return symmetric_eigen(product(transpose_of(orthonormal_), image)).values.back();
  }
  return coordinates_ ? coordinate_value(z, true) : polyhedral(z, true);
}

Interval RestrictedNorm::norm(const IntervalMatrix& z) const {
  if (dimension() == 0) return Interval(of_nothing(false));
  if (norm_.is_euclidean()) return euclidean(z, false);
  return coordinates_ ? coordinate_value(z, false) : polyhedral(z, false);
}

Interval RestrictedNorm::log_norm(const IntervalMatrix& z) const {
  if (dimension() == 0) return Interval(of_nothing(true));
  if (norm_.is_euclidean()) return euclidean(z, true);
  return coordinates_ ? coordinate_value(z, true) : polyhedral(z, true);
}

// The basis W Y r^-1 is orthonormal up to gram_defect_, so quotients are divided by 1 +- that.
Interval RestrictedNorm::euclidean(const IntervalMatrix& z, bool logarithmic) const {
  IntervalMatrix image = weighted(norm_, z);
  if (!is_identity(r_inverse_)) image = product(image, r_inverse_.view());
  if (!(gram_defect_ < 0.5)) return Interval::whole();
  if (!logarithmic) return largest_singular_value(image) / sqrt(squared_length());
  return largest_eigenvalue(product(transposed_basis(), image)) / squared_length();
}

// (W Y r^-1)^T without rounding.
IntervalMatrix RestrictedNorm::transposed_basis() const {
  const IntervalMatrix basis = product(wy_.view(), IntervalMatrix(r_inverse_));
  IntervalMatrix transposed(basis.cols(), basis.rows());
  for (std::size_t i = 0; i < basis.rows(); ++i)
    for (std::size_t j = 0; j < basis.cols(); ++j) transposed(j, i) = basis(i, j);
  return transposed;
}

IntervalMatrix RestrictedNorm::in_orthonormal_basis(const IntervalMatrix& z, const RestrictedNorm& from) const {
  IntervalMatrix image = weighted(norm_, z);
  if (!is_identity(from.r_inverse_)) image = product(image, from.r_inverse_.view());
  return product(transposed_basis(), image);
}

double RestrictedNorm::polyhedral(const Matrix& z, bool logarithmic) const {
  const Matrix wz = norm_.transform(z.view());
  const std::size_t n = wz.rows(), k = wz.cols();
  double best = of_nothing(logarithmic);
  if (norm_.kind() == Norm::Kind::maximum) {
    Vector row(k);
    for (std::size_t i = 0; i < n; ++i) {
      double size = 0.0;
      for (std::size_t j = 0; j < k; ++j) {
        row[j] = wz(i, j);
        size = std::max(size, std::abs(wy_(i, j)));
      }
      if (logarithmic && size == 0.0) continue;
      best = std::max(best, maximise_on_cube(wy_, row, logarithmic ? std::optional(i) : std::nullopt));
    }
    return best;
  }
  if (!exact_) {  // any extension of the map to the whole space has a larger norm
    const Matrix extension = product(wz, left_inverse_);
    for (std::size_t j = 0; j < extension.cols(); ++j) {
      double sum = 0.0;
      for (std::size_t i = 0; i < n; ++i) sum += logarithmic && i == j ? extension(i, i) : std::abs(extension(i, j));
      best = std::max(best, sum);
    }
    return best;
  }
  for (const Vector& c : vertices_) {
    const Vector u = product(wy_, c), v = product(wz, c);
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i)
      sum += !logarithmic || std::abs(u[i]) < 1e-13 ? std::abs(v[i]) : std::copysign(v[i], u[i] * v[i]);
    best = std::max(best, sum);
  }
  return best;
}

// The value for the middle, plus and minus the norm of the radius: |E c| <= |E| |left inverse| |Y c|.
Interval RestrictedNorm::polyhedral(const IntervalMatrix& z, bool logarithmic) const {
  if (!z.is_bounded()) return logarithmic ? Interval::whole() : Interval(0.0, infinity);
  const IntervalMatrix wz = weighted(norm_, z);
  const double value = polyhedral(z.middle(), logarithmic);
  Matrix radius = wz.radius(), left = left_inverse_;
  for (std::size_t i = 0; i < left.rows() * left.cols(); ++i) left.data()[i] = std::abs(left.data()[i]);
  const Matrix spread = product(radius, left);
  double error = 0.0;
  for (std::size_t a = 0; a < spread.rows(); ++a) {
    double sum = 0.0;
    for (std::size_t b = 0; b < spread.rows(); ++b)
      sum += norm_.kind() == Norm::Kind::maximum ? spread(a, b) : spread(b, a);
    error = std::max(error, sum);
  }
  error = error * (1.0 + 1e-12) + 1e-12 * std::abs(value) + 1e-300;
  const double lower = exact_ ? value - error : -infinity;
  return Interval::unchecked(logarithmic ? lower : std::max(lower, 0.0), value + error);
}

}  // namespace driftless
