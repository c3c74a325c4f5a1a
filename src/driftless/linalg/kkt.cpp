#include "driftless/linalg/kkt.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "driftless/core/scratch.h"
#include "driftless/linalg/rank.h"

namespace driftless {

namespace {

// Turns column k of `a` below and on the diagonal into the reflection H = I - beta w w^T, w = (1, ...), that maps it on
// -sign(a_kk) |a| e_k; that number stays on the diagonal. Returns beta.
double make_reflection(MatrixView a, std::size_t k, double norm) {
  const double alpha = a(k, k) > 0.0 ? -norm : norm;
  const double first = a(k, k) - alpha;
  for (std::size_t i = k + 1; i < a.rows; ++i) a(i, k) /= first;
  a(k, k) = alpha;
  return -first / alpha;
}

// x := H x for the reflection in column k.
void reflect(ConstMatrixView a, std::size_t k, double beta, Span x) {
  double dot = x[k];
  for (std::size_t i = k + 1; i < a.rows; ++i) dot += a(i, k) * x[i];
  dot *= beta;
  x[k] -= dot;
  for (std::size_t i = k + 1; i < a.rows; ++i) x[i] -= dot * a(i, k);
}

double norm_below(ConstMatrixView a, std::size_t k) {
  double sum = 0.0;
  for (std::size_t i = k; i < a.rows; ++i) sum += a(i, k) * a(i, k);
  return std::sqrt(sum);
}

// R x = b, resp. R^T x = b, in place, with the upper triangle R of the size of x.
void solve_upper(ConstMatrixView r, Span x) {
  for (std::size_t k = x.size(); k-- > 0;) {
    x[k] /= r(k, k);
    for (std::size_t i = 0; i < k; ++i) x[i] -= r(i, k) * x[k];
  }
}
void solve_upper_transposed(ConstMatrixView r, Span x) {
  for (std::size_t k = 0; k < x.size(); ++k) {
    for (std::size_t i = 0; i < k; ++i) x[k] -= r(i, k) * x[i];
    x[k] /= r(k, k);
  }
}

}  // namespace

Kkt::Kkt(std::size_t n, std::size_t m)
    : n_(n), m_(m), l_(n, n), qr_(n, m), rows_(m, std::min(n, m)), beta_(m), row_beta_(m), order_(m) {}

Kkt::Status Kkt::factorise(ConstMatrixView mass, ConstMatrixView g) {
  unit_mass_ = mass.rows == 0;
  if (!unit_mass_ && !factorise_mass(mass)) return Status::mass_not_positive_definite;
  for (std::size_t j = 0; j < m_; ++j) {
    for (std::size_t i = 0; i < n_; ++i) qr_(i, j) = g(j, i);
    forward(qr_.view().column(j));
  }
  orthogonalise();
  if (rank_ == m_) return Status::regular;
  orthogonalise_rows();
  return Status::redundant_constraints;
}

bool Kkt::factorise_mass(ConstMatrixView mass) {
  for (std::size_t j = 0; j < n_; ++j) {
    for (std::size_t i = j; i < n_; ++i) l_(i, j) = mass(i, j);
    for (std::size_t k = 0; k < j; ++k) {
      const double x = l_(j, k);
      for (std::size_t i = j; i < n_; ++i) l_(i, j) -= l_(i, k) * x;
    }
    const double pivot = l_(j, j);
    // What rounding leaves of a singular matrix is of either sign, and no inertia.
    if (!(pivot > 16.0 * std::numeric_limits<double>::epsilon() * mass(j, j)) || !std::isfinite(pivot)) {
      failed_row_ = j;
      return false;
    }
    const double scale = 1.0 / std::sqrt(pivot);
    for (std::size_t i = j; i < n_; ++i) l_(i, j) *= scale;
  }
  return true;
}

void Kkt::forward(Span x) const {
  if (unit_mass_) return;
  for (std::size_t k = 0; k < n_; ++k) {
    const double xk = x[k] /= l_(k, k);
    for (std::size_t i = k + 1; i < n_; ++i) x[i] -= l_(i, k) * xk;
  }
}

void Kkt::backward(Span x) const {
  if (unit_mass_) return;
  for (std::size_t k = n_; k-- > 0;) {
    double sum = x[k];
    for (std::size_t i = k + 1; i < n_; ++i) sum -= l_(i, k) * x[i];
    x[k] = sum / l_(k, k);
  }
}

// Householder QR with column pivoting on columns scaled to unit length, so that the rank does not depend on units.
void Kkt::orthogonalise() {
  Scratch scratch;
  const Span length = scratch.take<double>(m_), remaining = scratch.take<double>(m_);
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  for (std::size_t j = 0; j < m_; ++j) {
    for (double x : qr_.view().column(j)) length[j] += x * x;
    remaining[j] = length[j] > 0.0 ? 1.0 : 0.0;
  }
  rank_ = 0;
  for (std::size_t k = 0; k < std::min(n_, m_); ++k) {
    const auto best =
        static_cast<std::size_t>(std::max_element(remaining.begin() + k, remaining.end()) - remaining.begin());
    if (best != k) {
      std::swap(order_[k], order_[best]);
      std::swap(length[k], length[best]);
      std::swap(remaining[k], remaining[best]);
      for (std::size_t i = 0; i < n_; ++i) std::swap(qr_(i, k), qr_(i, best));
    }
    const double norm = norm_below(qr_, k);
    if (!(norm > rank_tolerance * std::sqrt(length[k]))) return;
    ++rank_;
    beta_[k] = make_reflection(qr_, k, norm);
    for (std::size_t j = k + 1; j < m_; ++j) {
      reflect(qr_, k, beta_[k], qr_.view().column(j));
      double rest = 0.0;
      for (std::size_t i = k + 1; i < n_; ++i) rest += qr_(i, j) * qr_(i, j);
      remaining[j] = length[j] > 0.0 ? rest / length[j] : 0.0;
    }
  }
}

// Redundant rows: the first rank() rows of R form a trapezoid; its transpose is V T with orthogonal V and triangular T.
void Kkt::orthogonalise_rows() {
  for (std::size_t k = 0; k < rank_; ++k)
    for (std::size_t j = 0; j < m_; ++j) rows_(j, k) = j >= k ? qr_(k, j) : 0.0;
  for (std::size_t k = 0; k < rank_; ++k) {
    row_beta_[k] = make_reflection(rows_, k, norm_below(rows_, k));
    for (std::size_t j = k + 1; j < rank_; ++j) reflect(rows_, k, row_beta_[k], rows_.view().column(j));
  }
}

// With y = L^-1 top and Y = Q R Pi^T: the constrained part of L^T x is Q z with R^T z = bottom, the free part y - Q Q^T
// y, and R lambda = Q^T y - z. If rows are redundant, R = T^T V^T: z of least squares from T z = V^T bottom, lambda of
// least norm as V T^-T (Q^T y - z).
void Kkt::solve(Span top, Span bottom) const {
  const bool redundant = rank_ < m_;
  Scratch scratch;
  const Span right = scratch.take<double>(m_), multiplier = scratch.take<double>(m_);
  for (std::size_t k = 0; k < m_; ++k) right[k] = bottom[order_[k]];
  const Span z = right.first(rank_);
  if (redundant) {
    for (std::size_t k = 0; k < rank_; ++k) reflect(rows_, k, row_beta_[k], right);
    solve_upper(rows_, z);
  } else {
    solve_upper_transposed(qr_, z);
  }
  forward(top);
  for (std::size_t k = 0; k < rank_; ++k) reflect(qr_, k, beta_[k], top);
  for (std::size_t k = 0; k < rank_; ++k) {
    multiplier[k] = top[k] - z[k];
    top[k] = z[k];
  }
  for (std::size_t k = rank_; k-- > 0;) reflect(qr_, k, beta_[k], top);
  backward(top);
  if (redundant) {
    solve_upper_transposed(rows_, multiplier.first(rank_));
    for (std::size_t k = rank_; k-- > 0;) reflect(rows_, k, row_beta_[k], multiplier);
  } else {
    solve_upper(qr_, multiplier);
  }
  for (std::size_t k = 0; k < m_; ++k) bottom[order_[k]] = multiplier[k];
}

}  // namespace driftless
