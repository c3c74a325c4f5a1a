#include "driftless/linalg/kkt.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "driftless/core/scratch.h"
#include "driftless/core/stop.h"
#include "driftless/linalg/rank.h"

namespace driftless {

namespace {

// Columns here are short: pairs without any preparation are faster than what the compiler makes of a loop.
typedef double Pair __attribute__((vector_size(16), aligned(8), may_alias));
inline Pair pair(const double* x) { return *reinterpret_cast<const Pair*>(x); }
inline Pair& pair(double* x) { return *reinterpret_cast<Pair*>(x); }

inline double dot(const double* a, const double* b, std::size_t begin, std::size_t end) {
  Pair sums = {0.0, 0.0};
  std::size_t i = begin;
  for (; i + 2 <= end; i += 2) sums += pair(a + i) * pair(b + i);
  return i < end ? sums[0] + sums[1] + a[i] * b[i] : sums[0] + sums[1];
}

// x -= factor a
inline void subtract(double* x, double factor, const double* a, std::size_t begin, std::size_t end) {
  std::size_t i = begin;
  for (; i + 2 <= end; i += 2) pair(x + i) -= factor * pair(a + i);
  if (i < end) x[i] -= factor * a[i];
}

struct Reflection {
  double beta, inverse;
};

// Turns the column `a` from entry k on into the reflection H = I - beta w w^T, w = (1, ...), that maps it on
// -sign(a_k) |a| e_k; that number stays in entry k, and its inverse is returned beside beta.
Reflection make_reflection(double* a, std::size_t k, std::size_t n, double norm) {
  const double alpha = a[k] > 0.0 ? -norm : norm;
  const double first = a[k] - alpha, scale = 1.0 / first, inverse = 1.0 / alpha;
  for (std::size_t i = k + 1; i < n; ++i) a[i] *= scale;
  a[k] = alpha;
  return {-first * inverse, inverse};
}

// x := H x for the reflection in column `a`.
inline void reflect(const double* a, std::size_t k, std::size_t n, double beta, double* x) {
  const double along = beta * (x[k] + dot(a, x, k + 1, n));
  x[k] -= along;
  subtract(x, along, a, k + 1, n);
}

// R x = b, resp. R^T x = b, in place, with the upper triangle R of the size of x and the inverses of its diagonal.
void solve_upper(ConstMatrixView r, ConstSpan inverse, Span x) {
  for (std::size_t k = x.size(); k-- > 0;) {
    x[k] *= inverse[k];
    subtract(x.data(), x[k], r.data + k * r.stride, 0, k);
  }
}
void solve_upper_transposed(ConstMatrixView r, ConstSpan inverse, Span x) {
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = (x[k] - dot(r.data + k * r.stride, x.data(), 0, k)) * inverse[k];
}

}  // namespace

Kkt::Kkt(std::size_t n, std::size_t m)
    : n_(n),
      m_(m),
      width_((m + 1) / 2 * 2),
      l_(n, n),
      inverse_(n, 1.0),
      y_(n * width_, 0.0),
      s_(width_ * width_, 0.0),
      s_inverse_(m),
      qr_(n, m),
      rows_(m, std::min(n, m)),
      beta_(m),
      row_beta_(m),
      diagonal_(m),
      row_diagonal_(m),
      order_(m) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
}

Kkt::Status Kkt::factorise(ConstMatrixView mass, ConstMatrixView g) {
  if (unit_mass_ != (mass.rows == 0)) {
    unit_mass_ = mass.rows == 0;
    std::fill(inverse_.begin(), inverse_.end(), 1.0);
  }
  if (!unit_mass_ && !factorise_mass(mass)) return Status::mass_not_positive_definite;
  eliminate_mass(g);
  by_schur_ = m_ <= std::min(n_, most_) && factorise_schur();
  if (by_schur_) {
    rank_ = m_;
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    return Status::regular;
  }
  make_qr();
  orthogonalise();
  if (rank_ == m_) return Status::regular;
  orthogonalise_rows();
  return Status::redundant_constraints;
}

// Mass matrices and constraints of mechanisms are full of zeros, worth looking for in every column.
bool Kkt::factorise_mass(ConstMatrixView mass) {
  for (std::size_t j = 0; j < n_; ++j) std::copy_n(mass.data + j * mass.stride + j, n_ - j, l_.data() + j * n_ + j);
  for (std::size_t j = 0; j < n_; ++j) {
    if (j % 64 == 63) check_stop();
    double* column = l_.data() + j * n_;
    const double pivot = column[j];
    // What rounding leaves of a singular matrix is of either sign, and no inertia.
    if (!(pivot > 16.0 * std::numeric_limits<double>::epsilon() * mass(j, j)) || !std::isfinite(pivot)) {
      failed_row_ = j;
      return false;
    }
    const double inverse = inverse_[j] = 1.0 / pivot;
    for (std::size_t i = j + 1; i < n_; ++i) {
      if (column[i] == 0.0) continue;
      const double factor = column[i] * inverse;
      subtract(l_.data() + i * n_, factor, column, i, n_);
      column[i] = factor;
    }
  }
  return true;
}

// Y = L^-1 G^T; row k of G^T is column k of G.
void Kkt::eliminate_mass(ConstMatrixView g) {
  for (std::size_t k = 0; k < n_; ++k) std::copy_n(g.data + k * g.stride, m_, y_row(k));
  if (unit_mass_) return;
  for (std::size_t k = 0; k < n_; ++k) {
    if (k % 64 == 63) check_stop();
    const double* l = l_.data() + k * n_;
    for (std::size_t i = k + 1; i < n_; ++i)
      if (l[i] != 0.0) subtract(y_row(i), l[i], y_row(k), 0, width_);
  }
}

// S = sum_k y_k y_k^T / d_k, then S = L_s D_s L_s^T; false if a pivot falls so low that accuracy would suffer.
bool Kkt::factorise_schur() {
  constexpr double least_pivot = 1e-5;
  std::fill(s_.begin(), s_.end(), 0.0);
  for (std::size_t k = 0; k < n_; ++k) {
    if (k % 64 == 63) check_stop();
    const double* y = y_row(k);
    for (std::size_t i = 0; i < m_; ++i)
      if (y[i] != 0.0) subtract(s_row(i), -y[i] * inverse_[k], y, i & ~std::size_t{1}, width_);
  }
  for (std::size_t i = 0; i < m_; ++i) s_inverse_[i] = s_row(i)[i];
  for (std::size_t k = 0; k < m_; ++k) {
    if (k % 64 == 63) check_stop();
    double* row = s_row(k);  // the upper triangle is worked on, L_s is left in it transposed
    if (!(row[k] > least_pivot * s_inverse_[k]) || !std::isfinite(row[k])) return false;
    const double inverse = s_inverse_[k] = 1.0 / row[k];
    for (std::size_t i = k + 1; i < m_; ++i)
      if (row[i] != 0.0) subtract(s_row(i), row[i] * inverse, row, i & ~std::size_t{1}, width_);
    for (std::size_t i = k + 1; i < m_; ++i) row[i] *= inverse;
  }
  return true;
}

void Kkt::make_qr() {
  for (std::size_t i = 0; i < n_; ++i) {
    const double scale = std::sqrt(inverse_[i]);
    for (std::size_t j = 0; j < m_; ++j) qr_(i, j) = y_row(i)[j] * scale;
  }
}

// x := L^-1 x, resp. L^-T x.
void Kkt::forward(Span vector) const {
  if (unit_mass_) return;
  double* x = vector.data();
  for (std::size_t k = 0; k < n_; ++k)
    if (x[k] != 0.0) subtract(x, x[k], l_.data() + k * n_, k + 1, n_);
}

void Kkt::backward(Span vector) const {
  if (unit_mass_) return;
  double* x = vector.data();
  for (std::size_t k = n_; k-- > 0;) x[k] -= dot(l_.data() + k * n_, x, k + 1, n_);
}

void Kkt::solve_mass(Span x) const {
  if (unit_mass_) return;
  forward(x);
  for (std::size_t k = 0; k < n_; ++k) x[k] *= inverse_[k];
  backward(x);
}

double Kkt::log_determinant() const {
  double sum = 0.0;
  for (std::size_t k = 0; k < rank_; ++k)
    sum -= by_schur_ ? std::log(s_inverse_[k]) : 2.0 * std::log(std::abs(diagonal_[k]));
  return sum;
}

// Householder QR with column pivoting on columns scaled to unit length, so that the rank does not depend on units.
void Kkt::orthogonalise() {
  Scratch scratch;
  const Span scale = scratch.take<double>(m_),
             rest = scratch.take<double>(m_);  // 1/length^2, and what is left of length^2
  double* const qr = qr_.data();
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  for (std::size_t j = 0; j < m_; ++j) {
    rest[j] = dot(qr + j * n_, qr + j * n_, 0, n_);
    scale[j] = rest[j] > 0.0 ? 1.0 / rest[j] : 0.0;
  }
  rank_ = 0;
  for (std::size_t k = 0; k < std::min({n_, m_, most_}); ++k) {
    std::size_t best = k;
    for (std::size_t j = k + 1; j < m_; ++j)
      if (rest[j] * scale[j] > rest[best] * scale[best]) best = j;
    double* const a = qr + k * n_;
    if (best != k) {
      std::swap(order_[k], order_[best]);
      std::swap(scale[k], scale[best]);
      std::swap(rest[k], rest[best]);
      std::swap_ranges(a, a + n_, qr + best * n_);
    }
    if (!(rest[k] * scale[k] > rank_tolerance * rank_tolerance)) return;
    ++rank_;
    const auto [beta, inverse] = make_reflection(a, k, n_, std::sqrt(rest[k]));
    beta_[k] = beta;
    diagonal_[k] = inverse;
    for (std::size_t j = k + 1; j < m_; ++j) {
      double* const column = qr + j * n_;
      reflect(a, k, n_, beta, column);
      rest[j] = dot(column, column, k + 1, n_);
    }
  }
}

// Redundant rows: the first rank() rows of R form a trapezoid; its transpose is V T with orthogonal V and triangular T.
void Kkt::orthogonalise_rows() {
  for (std::size_t k = 0; k < rank_; ++k)
    for (std::size_t j = 0; j < m_; ++j) rows_(j, k) = j >= k ? qr_(k, j) : 0.0;
  for (std::size_t k = 0; k < rank_; ++k) {
    double* const a = rows_.data() + k * m_;
    const auto [beta, inverse] = make_reflection(a, k, m_, std::sqrt(dot(a, a, k, m_)));
    row_beta_[k] = beta;
    row_diagonal_[k] = inverse;
    for (std::size_t j = k + 1; j < rank_; ++j) reflect(a, k, m_, beta, rows_.data() + j * m_);
  }
}

// With y = L^-1 top and Y = Q R Pi^T: the constrained part of L^T x is Q z with R^T z = bottom, the free part y - Q Q^T
// y, and R lambda = Q^T y - z. If rows are redundant, R = T^T V^T: z of least squares from T z = V^T bottom, lambda of
// least norm as V T^-T (Q^T y - z).
void Kkt::solve(Span top, Span bottom) const {
  if (by_schur_)
    solve_by_schur(top, bottom);
  else
    solve_by_qr(top, bottom);
}

// With w = D^-1 L^-1 top:  S lambda = Y^T w - bottom,  x = L^-T (w - D^-1 Y lambda).
void Kkt::solve_by_schur(Span top, Span bottom) const {
  Scratch scratch;
  double* const lambda = scratch.take<double>(width_).data();
  forward(top);
  for (std::size_t i = 0; i < m_; ++i) lambda[i] = -bottom[i];
  for (std::size_t k = 0; k < n_; ++k) {
    top[k] *= inverse_[k];
    if (top[k] != 0.0) subtract(lambda, -top[k], y_row(k), 0, width_);
  }
  for (std::size_t k = 0; k + 1 < m_; ++k)
    if (lambda[k] != 0.0) subtract(lambda, lambda[k], s_row(k), k + 1, m_);
  for (std::size_t k = 0; k < m_; ++k) lambda[k] *= s_inverse_[k];
  for (std::size_t k = m_; k-- > 0;) lambda[k] -= dot(s_row(k), lambda, k + 1, m_);
  for (std::size_t k = 0; k < n_; ++k) top[k] -= inverse_[k] * dot(y_row(k), lambda, 0, width_);
  backward(top);
  std::copy_n(lambda, m_, bottom.begin());
}

void Kkt::solve_by_qr(Span top, Span bottom) const {
  const bool redundant = rank_ < m_;
  Scratch scratch;
  const Span right = scratch.take<double>(m_), multiplier = scratch.take<double>(m_);
  for (std::size_t k = 0; k < m_; ++k) right[k] = bottom[order_[k]];
  const Span z = right.first(rank_);
  if (redundant) {
    for (std::size_t k = 0; k < rank_; ++k) reflect(rows_.data() + k * m_, k, m_, row_beta_[k], right.data());
    solve_upper(rows_, row_diagonal_, z);
  } else {
    solve_upper_transposed(qr_, diagonal_, z);
  }
  forward(top);
  for (std::size_t k = 0; k < n_; ++k) top[k] *= std::sqrt(inverse_[k]);
  for (std::size_t k = 0; k < rank_; ++k) reflect(qr_.data() + k * n_, k, n_, beta_[k], top.data());
  for (std::size_t k = 0; k < rank_; ++k) {
    multiplier[k] = top[k] - z[k];
    top[k] = z[k];
  }
  for (std::size_t k = rank_; k-- > 0;) reflect(qr_.data() + k * n_, k, n_, beta_[k], top.data());
  for (std::size_t k = 0; k < n_; ++k) top[k] *= std::sqrt(inverse_[k]);
  backward(top);
  if (redundant) {
    solve_upper_transposed(rows_, row_diagonal_, multiplier.first(rank_));
    for (std::size_t k = rank_; k-- > 0;) reflect(rows_.data() + k * m_, k, m_, row_beta_[k], multiplier.data());
  } else {
    solve_upper(qr_, diagonal_, multiplier);
  }
  for (std::size_t k = 0; k < m_; ++k) bottom[order_[k]] = multiplier[k];
}

}  // namespace driftless
