#include "driftless/analysis/stability/interval_matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/core/infinity.h"
#include "driftless/core/stop.h"
#include "driftless/linalg/dense.h"

namespace driftless {

namespace {

constexpr double unit = std::numeric_limits<double>::epsilon() / 2.0;
// Relative error of a sum of n products, evaluated itself with errors (Higham 2002, section 3.1), and a little more.
double sum_error(std::size_t n) { return 1.1 * static_cast<double>(n + 4) * unit; }

Matrix magnitudes(ConstMatrixView a) {
  Matrix m = copy_of(a);
  for (std::size_t k = 0; k < m.rows() * m.cols(); ++k) m.data()[k] = std::abs(m.data()[k]);
  return m;
}

double row_sum_norm(const Matrix& a) {
  double norm = 0.0;
  for (std::size_t i = 0; i < a.rows(); ++i) {
    double sum = 0.0;
    for (std::size_t j = 0; j < a.cols(); ++j) sum += std::abs(a(i, j));
    norm = std::max(norm, sum);
  }
  return norm * (1.0 + sum_error(a.cols()));
}

// |R| for R >= 0, from above: R^T R x <= r x with any x > 0 gives |R|^2 <= r (Collatz), and x is almost the best one.
double perron_bound(const Matrix& r) {
  const Matrix rt = transpose_of(r);
  Vector x(r.cols(), 1.0);
  double bound = infinity;
  for (int iteration = 0; iteration < 12; ++iteration) {
    Vector y = product(rt, product(r, x));
    const double largest = *std::max_element(y.begin(), y.end());
    if (!(largest > 0.0) || !std::isfinite(largest)) break;
    double ratio = 0.0;
    for (std::size_t i = 0; i < y.size(); ++i) ratio = std::max(ratio, y[i] / x[i]);
    bound = std::min(bound, ratio);
    for (std::size_t i = 0; i < y.size(); ++i) x[i] = std::max(y[i] / largest, 1e-3);
  }
  return std::sqrt(bound) * (1.0 + sum_error(r.rows() + r.cols()));
}

// Above the Euclidean norm of every matrix whose entries are at most those of `radius`.
double radius_norm(const Matrix& radius) {
  double squares = 0.0;
  for (std::size_t k = 0; k < radius.rows() * radius.cols(); ++k) squares += radius.data()[k] * radius.data()[k];
  const double frobenius = std::sqrt(squares) * (1.0 + sum_error(radius.rows() * radius.cols()));
  const double mixed = std::sqrt(row_sum_norm(radius) * row_sum_norm(transpose_of(radius))) * (1.0 + 4.0 * unit);
  return std::min({frobenius, mixed, perron_bound(radius)});
}

// |fl(a b) - a b| entry by entry is at most this times |a| |b|.
struct RoundedProduct {
  Matrix value, error;
};
RoundedProduct rounded_product(const Matrix& a, const Matrix& b) {
  RoundedProduct p{product(a, b), product(magnitudes(a), magnitudes(b))};
  const double factor = sum_error(a.cols());
  for (std::size_t k = 0; k < p.error.rows() * p.error.cols(); ++k)
    p.error.data()[k] = p.error.data()[k] * factor + 1e-300;
  return p;
}

// max_i (b_ii + sum_j r_ij s_j / s_i), Gerschgorin's bound for the eigenvalues of every symmetric matrix whose diagonal
// is at most `diagonal` and whose other entries are at most `off`, similar by diag(s).
double gerschgorin_bound(ConstSpan diagonal, const Matrix& off, ConstSpan s) {
  const std::size_t n = diagonal.size();
  double bound = -infinity;
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0.0;
    for (std::size_t j = 0; j < n; ++j)
      if (j != i) sum += off(i, j) * (s[j] / s[i]);
    sum *= 1.0 + sum_error(n + 2);
    bound = std::max(bound, diagonal[i] + sum + 4.0 * unit * (std::abs(diagonal[i]) + sum));
  }
  return bound;
}

// An upper bound for the largest eigenvalue of every symmetric matrix within `radius`, entry by entry, of `c`. With
// approximate eigenvectors V, V^T C V is almost diagonal and V^T V almost the identity. A scaling that makes the rows
// of smaller eigenvalues carry what the largest one shares with them leaves errors of second order there.
double eigenvalue_bound(const Matrix& c, const Matrix& radius, double radius_size) {
  const std::size_t n = c.rows();
  const Matrix v = symmetric_eigen(c).vectors, vt = transpose_of(v), vt_size = magnitudes(vt);
  const RoundedProduct cv = rounded_product(c, v), b = rounded_product(vt, cv.value), gram = rounded_product(vt, v);
  const Matrix carried = product(vt_size, cv.error);
  const Matrix spread = product(vt_size, product(radius, magnitudes(v)));
  Vector diagonal(n), wide(n);
  Matrix off(n, n), wide_off(n, n);
  double defect = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    double gram_off = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
      const double error = 2.0 * (b.error(i, j) + carried(i, j));
      const double more = spread(i, j) * (1.0 + 2.0 * sum_error(2 * n));
      off(i, j) = std::abs(b.value(i, j)) + error;
      wide_off(i, j) = off(i, j) + more;
      if (i == j) diagonal[i] = b.value(i, i) + error + unit * std::abs(b.value(i, i));
      if (i == j) wide[i] = diagonal[i] + more + unit * std::abs(diagonal[i]);
      gram_off += std::abs(gram.value(i, j) - (i == j ? 1.0 : 0.0)) + 2.0 * gram.error(i, j);
    }
    defect = std::max(defect, gram_off * (1.0 + sum_error(n)));
  }
  if (!(defect < 0.5)) return infinity;
  Vector ones(n, 1.0), s(n, 1.0);
  for (std::size_t j = 0; j + 1 < n; ++j) {
    const double gap = wide[n - 1] - wide[j];
    if (gap > 0.0) s[j] = std::clamp(2.0 * wide_off(n - 1, j) / gap, 1e-8, 1.0);
  }
  const double apart = gerschgorin_bound(diagonal, off, ones);
  const double beta = std::min({apart + radius_size + 2.0 * unit * std::abs(apart),
                                gerschgorin_bound(wide, wide_off, ones), gerschgorin_bound(wide, wide_off, s)});
  const double bound = beta >= 0.0 ? beta / (1.0 - defect) : beta / (1.0 + defect);
  return bound + std::abs(bound) * 8.0 * unit;
}

bool finite(const Matrix& a) {
  return std::all_of(a.data(), a.data() + a.rows() * a.cols(), [](double x) { return std::isfinite(x); });
}

// x^T A x / x^T x for all A at once.
Interval rayleigh_quotient(const IntervalMatrix& a, ConstSpan x) {
  Interval above, below;
  for (std::size_t j = 0; j < a.cols(); ++j) {
    Interval column;
    for (std::size_t i = 0; i < a.rows(); ++i) column += Interval(x[i]) * a(i, j);
    above += column * Interval(x[j]);
    below += square(Interval(x[j]));
  }
  return above / below;
}

}  // namespace

IntervalMatrix::IntervalMatrix(ConstMatrixView points) : IntervalMatrix(points.rows, points.cols) {
  for (std::size_t j = 0; j < cols_; ++j)
    for (std::size_t i = 0; i < rows_; ++i) (*this)(i, j) = Interval(points(i, j));
}

bool IntervalMatrix::is_bounded() const {
  return std::all_of(data_.begin(), data_.end(), [](const Interval& x) { return x.is_bounded(); });
}

Matrix IntervalMatrix::middle() const {
  Matrix m(rows_, cols_);
  for (std::size_t k = 0; k < data_.size(); ++k) m.data()[k] = data_[k].middle();
  return m;
}

Matrix IntervalMatrix::radius() const {
  Matrix m(rows_, cols_);
  for (std::size_t k = 0; k < data_.size(); ++k) m.data()[k] = data_[k].radius();
  return m;
}

IntervalMatrix product(const IntervalMatrix& a, const IntervalMatrix& b) {
  IntervalMatrix c(a.rows(), b.cols());
  for (std::size_t j = 0; j < b.cols(); ++j) {
    check_stop();  // a thousand columns take a minute
    for (std::size_t k = 0; k < a.cols(); ++k) {
      if (b(k, j).is_point() && b(k, j).lower() == 0.0) continue;
      for (std::size_t i = 0; i < a.rows(); ++i)
        if (!(a(i, k).is_point() && a(i, k).lower() == 0.0)) c(i, j) += a(i, k) * b(k, j);
    }
  }
  return c;
}
IntervalMatrix product(ConstMatrixView a, const IntervalMatrix& b) { return product(IntervalMatrix(a), b); }
IntervalMatrix product(const IntervalMatrix& a, ConstMatrixView b) { return product(a, IntervalMatrix(b)); }

IntervalMatrix difference(IntervalMatrix a, const IntervalMatrix& b) {
  for (std::size_t j = 0; j < a.cols(); ++j)
    for (std::size_t i = 0; i < a.rows(); ++i) a(i, j) -= b(i, j);
  return a;
}

namespace {

bool is_diagonal(const IntervalMatrix& a) {
  for (std::size_t j = 0; j < a.cols(); ++j)
    for (std::size_t i = 0; i < a.rows(); ++i)
      if (i != j && !(a(i, j).is_point() && a(i, j).lower() == 0.0)) return false;
  return true;
}

// `radius_size` bounds the norm of the radius, if the caller knows better.
Interval symmetric_eigenvalue(const IntervalMatrix& a, double radius_size = infinity) {
  const std::size_t n = a.rows();
  if (n == 0) return Interval(-infinity);
  if (!a.is_bounded()) return Interval::whole();
  IntervalMatrix symmetric(n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) symmetric(i, j) = Interval(0.5) * (a(i, j) + a(j, i));
  if (is_diagonal(symmetric)) {  // exact: a zero block has the eigenvalue 0, not one of rounding size
    Interval largest = symmetric(0, 0);
    for (std::size_t i = 1; i < n; ++i) largest = max(largest, symmetric(i, i));
    return largest;
  }
  const Matrix middle = symmetric.middle();
  const Matrix radius = symmetric.radius();
  const double upper = eigenvalue_bound(middle, radius, std::min(radius_size, radius_norm(radius)));
  const Interval lower = rayleigh_quotient(symmetric, symmetric_eigen(middle).vectors.view().column(n - 1));
  return Interval::unchecked(std::min(lower.lower(), upper), upper);
}

}  // namespace

Interval largest_eigenvalue(const IntervalMatrix& a) { return symmetric_eigenvalue(a); }

// The largest eigenvalue of (0 A; A^T 0).
Interval largest_singular_value(const IntervalMatrix& a) {
  const std::size_t m = a.rows(), n = a.cols();
  if (m == 0 || n == 0) return Interval(0.0);
  if (!a.is_bounded()) return Interval(0.0, infinity);
  IntervalMatrix both(m + n, m + n);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j) both(i, m + j) = both(m + j, i) = a(i, j);
  const Interval value = symmetric_eigenvalue(both, radius_norm(a.radius()));
  return Interval::unchecked(std::max(value.lower(), 0.0), std::max(value.upper(), 0.0));
}

// Preconditioned by the inverse R of the middle and divided by its diagonal D, R A = D (I + N) with |N| < 1, so that
// A^-1 = (I + N)^-1 D^-1 R, and |(I + N)^-1 - I| <= |N| + |N|^2 + ... entry by entry.
bool enclose_inverse(const IntervalMatrix& a, IntervalMatrix& result) {
  const std::size_t n = a.rows();
  if (!a.is_bounded()) return false;
  const auto r = inverse(a.middle());
  if (!r || !finite(*r)) return false;
  const IntervalMatrix ra = product(*r, a);
  Matrix e(n, n);
  IntervalMatrix scaled(n, n);  // D^-1 R
  for (std::size_t i = 0; i < n; ++i) {
    if (ra(i, i).contains(0.0)) return false;
    for (std::size_t j = 0; j < n; ++j) {
      if (j != i) e(i, j) = (ra(i, j) / ra(i, i)).magnitude();
      scaled(i, j) = Interval((*r)(i, j)) / ra(i, i);
    }
  }
  const double norm = row_sum_norm(e);
  if (!(norm < 0.99)) return false;
  IntervalMatrix neumann(n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      double row = 0.0, column = 0.0;  // |N^k| for k >= 2 is at most (row sum) (largest entry of column) norm^(k-2)
      for (std::size_t k = 0; k < n; ++k) {
        row += e(i, k);
        column = std::max(column, e(k, j));
      }
      const double bound = (e(i, j) + row * column / (1.0 - norm)) * (1.0 + sum_error(n) + 8.0 * unit);
      neumann(i, j) = Interval(i == j ? 1.0 : 0.0) + Interval(-bound, bound);
    }
  result = product(neumann, scaled);
  return true;
}

}  // namespace driftless
