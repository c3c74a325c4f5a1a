#include "driftless/equations/wide_linearisation.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "driftless/core/memory.h"
#include "driftless/core/scratch.h"
#include "driftless/nonlinear/convergence.h"

namespace driftless {

namespace {

ConstSpan entries_of(const Matrix& a) { return {a.data(), a.rows() * a.cols()}; }

}  // namespace

WideLinearisation::WideLinearisation(const WideMechanical& form)
    : f_(form.share()),
      n_(form.v_size()),
      m_(form.rows()),
      holonomic_(form.holonomic()),
      has_mass_(f_->has_mass()),
      mass_(has_mass_ ? n_ : 0, has_mass_ ? n_ : 0),
      c_(m_, n_),
      weights_(m_) {
  require_dense(n_ + m_, 2.0, "mechanical equations in the wide form");
  constexpr std::size_t most_by_plan = 12;  // a plan of full matrices lists every product
  if (n_ == 0 || n_ > most_by_plan || m_ > n_) return;
  plain_ = std::make_unique<SparseKkt>(std::make_shared<const SparseKktPlan>(
      full_pattern(mass_.rows(), mass_.rows()), full_pattern(m_, n_), SparseKktPlan::Values::dense));
}

void WideLinearisation::evaluate(ConstSpan q, double t) {
  if (has_mass_) f_->mass(q, t, mass_);
  f_->directions(q, t, c_);
}

void WideLinearisation::evaluate_dynamics(ConstSpan q, ConstSpan v, ConstSpan s, double t, Span force, Span curvature,
                                          Span rate) {
  f_->dynamics(q, v, s, t, mass_, force, c_, curvature, rate);
}

void WideLinearisation::assign(ConstMatrixView mass, ConstMatrixView c) {
  for (std::size_t j = 0; j < mass.cols; ++j) std::ranges::copy(mass.column(j), mass_.view().column(j).begin());
  for (std::size_t j = 0; j < n_; ++j) std::ranges::copy(c.column(j), c_.view().column(j).begin());
}

ManifoldStatus WideLinearisation::factorise() {
  positions_apart_ = false;
  if (!judged_ && has_mass_) augmented_ = is_nearly_singular();
  judged_ = true;
  auto status = augmented_ ? ManifoldStatus::mass_not_positive_definite : factorise_plain();
  if (status == ManifoldStatus::mass_not_positive_definite) {
    if (!all_finite(entries_of(mass_)) || !all_finite(entries_of(c_))) return ManifoldStatus::not_finite;
    status = factorise_augmented();
  }
  if (status == ManifoldStatus::ok && rank() < m_ && holonomic_ > 0 && holonomic_ < m_) return factorise_positions();
  return status;
}

ManifoldStatus WideLinearisation::factorise_plain() {
  by_plan_ = false;
  if (plain_) {
    const auto status = plain_->factorise({mass_.data(), mass_.rows() * mass_.cols()}, {c_.data(), m_ * n_});
    by_plan_ = status == SparseKkt::Status::regular;
    if (by_plan_) return ManifoldStatus::ok;
    if (status == SparseKkt::Status::mass_not_positive_definite) return ManifoldStatus::mass_not_positive_definite;
  }
  if (!all_finite(entries_of(mass_)) || !all_finite(entries_of(c_))) return ManifoldStatus::not_finite;
  make_dense();
  return dense_->factorise(mass_, c_) == Kkt::Status::mass_not_positive_definite
             ? ManifoldStatus::mass_not_positive_definite
             : ManifoldStatus::ok;
}

// Once that is so it stays so: what takes the place of M may not change its mind from step to step.
ManifoldStatus WideLinearisation::factorise_augmented() {
  augmented_ = true;
  by_plan_ = false;
  make_dense();
  constexpr std::array<double, 4> factors{1.0, 1e2, 1e4, 1e6};  // semidefinite masses need no more than the first
  for (const double factor : factors) {
    augment(factor);
    if (dense_->factorise(definite_, c_) != Kkt::Status::mass_not_positive_definite) return ManifoldStatus::ok;
  }
  failed_row_ = dense_->failed_row();
  return ManifoldStatus::mass_not_positive_definite;
}

void WideLinearisation::make_dense() {
  if (!dense_) dense_ = std::make_unique<Kkt>(n_, m_);
}

// Pivots of M in units of its diagonal: where one is lost to rounding by half of the digits, M^-1 is avoided.
bool WideLinearisation::is_nearly_singular() const {
  constexpr double least = 1e-8;
  Matrix l = mass_;
  for (std::size_t j = 0; j < n_; ++j) {
    if (!(l(j, j) > least * mass_(j, j))) return true;
    for (std::size_t i = j + 1; i < n_; ++i) {
      const double factor = l(i, j) / l(j, j);
      for (std::size_t k = j + 1; k <= i; ++k) l(i, k) -= factor * l(k, j);
    }
  }
  return false;
}

// M + C^T W C with rows of C of the size of M.
void WideLinearisation::augment(double factor) {
  definite_ = mass_;
  const double largest = max_norm({mass_.data(), n_ * n_});
  const double size = largest > 0.0 ? largest : 1.0;
  for (std::size_t i = 0; i < m_; ++i) {
    double sum = 0.0;
    for (std::size_t j = 0; j < n_; ++j) sum += c_(i, j) * c_(i, j);
    weights_[i] = sum > 0.0 ? factor * size / sum : 0.0;
    for (std::size_t j = 0; j < n_; ++j)
      for (std::size_t k = 0; k < n_ && c_(i, j) != 0.0; ++k) definite_(k, j) += weights_[i] * c_(i, k) * c_(i, j);
  }
}

ManifoldStatus WideLinearisation::factorise_positions() {
  if (!positions_) positions_ = std::make_unique<Kkt>(n_, holonomic_);
  const Matrix& mass = augmented_ ? definite_ : mass_;
  positions_apart_ = true;
  return positions_->factorise(mass, c_.view().block(0, 0, holonomic_, n_)) == Kkt::Status::mass_not_positive_definite
             ? ManifoldStatus::mass_not_positive_definite
             : ManifoldStatus::ok;
}

void WideLinearisation::add_weighted(ConstSpan bottom, Span top) const {
  for (std::size_t j = 0; j < n_; ++j)
    for (std::size_t i = 0; i < m_; ++i) top[j] += c_(i, j) * weights_[i] * bottom[i];
}

void WideLinearisation::solve(Span top, Span bottom) const {
  if (by_plan_) return plain_->solve(top, bottom);
  if (augmented_) add_weighted(bottom, top);
  dense_->solve(top, bottom);
}

void WideLinearisation::solve_constraints(Span x, Span bottom) const {
  if (by_plan_) return plain_->solve_constraints(x, bottom);
  std::ranges::fill(x, 0.0);
  solve(x, bottom);
}

void WideLinearisation::solve_positions(Span x, Span bottom) const {
  if (!positions_apart_) return solve_constraints(x, bottom);
  std::ranges::fill(x, 0.0);
  positions_->solve(x, bottom.first(holonomic_));
  std::ranges::fill(bottom.subspan(holonomic_), 0.0);
}

void WideLinearisation::accelerate(ConstSpan lambda, ConstSpan bottom, Span top) const {
  subtract_reaction(lambda, top);
  if (augmented_) add_weighted(bottom, top);
  solve_mass(top);
}

void WideLinearisation::solve_mass(Span x) const {
  if (by_plan_)
    plain_->solve_mass(x);
  else
    dense_->solve_mass(x);
}

void WideLinearisation::apply(ConstSpan x, Span out) const {
  std::ranges::fill(out, 0.0);
  for (std::size_t j = 0; j < n_; ++j)
    for (std::size_t i = 0; i < m_; ++i) out[i] += c_(i, j) * x[j];
}

void WideLinearisation::subtract_reaction(ConstSpan lambda, Span out) const {
  for (std::size_t j = 0; j < n_; ++j)
    for (std::size_t i = 0; i < m_; ++i) out[j] -= c_(i, j) * lambda[i];
}

void WideLinearisation::multiply_mass(ConstSpan x, Span out) const {
  if (!has_mass_) {
    std::ranges::copy(x, out.begin());
    return;
  }
  const Matrix& mass = augmented_ ? definite_ : mass_;
  std::ranges::fill(out, 0.0);
  for (std::size_t j = 0; j < n_; ++j)
    for (std::size_t i = 0; i < n_; ++i) out[i] += mass(i, j) * x[j];
}

double WideLinearisation::log_determinant() const {
  return by_plan_ ? plain_->log_determinant() : dense_->log_determinant();
}

}  // namespace driftless
