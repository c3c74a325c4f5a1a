#include <algorithm>
#include <cmath>

#include "driftless/core/scratch.h"
#include "driftless/step/sparse_mechanical.h"

namespace driftless {

AccelerationStage::AccelerationStage(const Mechanical& form)
    : StageOf(powers({{2 * form.q_size() + form.s_size(), 0}, {form.lambda_size(), 1}}), form.q_size() + form.s_size()),
      f_(form.share()),
      n_(form.q_size()),
      r_(form.s_size()),
      m_(form.lambda_size()),
      mass_(f_->has_mass() ? n_ : 0, f_->has_mass() ? n_ : 0),
      g_(m_, n_),
      balance_(n_, 2 * n_ + r_),
      constraint_(m_, 2 * n_),
      states_(r_, 2 * n_ + r_ + 1),
      at_(form),
      b1_(n_ + r_ + m_, n_ + r_),
      b2_(n_ + r_ + m_, n_),
      manifold_(make_manifold(form)) {
  a0_ = Matrix::identity(n_ + r_);
}

// (q' - v, v' - a*, s' - r, lambda - lambda*), where (a, lambda)* solve the balance and the constraint at this point:
// the change of M and G along the step, which is O(h), does not slow the Newton iteration.
void AccelerationStage::residual(double t, ConstSpan x, ConstSpan slope, Span r) const {
  const std::size_t multipliers = 2 * n_ + r_;
  Scratch scratch;
  const Span state = scratch.take_raw<double>(x.size());
  std::ranges::copy(x, state.begin());
  if (manifold_->flow(t, state, r) != ManifoldStatus::ok) {
    std::ranges::fill(r, std::nan(""));
    return;
  }
  for (std::size_t i = 0; i < multipliers; ++i) r[i] = slope[i] - r[i];
  for (std::size_t k = multipliers; k < x.size(); ++k) r[k] = x[k] - state[k];
}

void AccelerationStage::apply_leading(ConstSpan w, Span out) const {
  std::ranges::copy(w, out.begin());
  std::ranges::fill(out.subspan(2 * n_ + r_, m_), 0.0);
}

void AccelerationStage::linearise_stage(double t, ConstSpan x, ConstSpan slope, ConstSpan residual) {
  Scratch scratch;
  const Span point = scratch.take_raw<double>(x.size()), rate = scratch.take_raw<double>(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    point[i] = i < 2 * n_ + r_ ? x[i] : x[i] - residual[i];
    rate[i] = slope[i] - residual[i];
  }
  linearise(t, point, rate);
}

// Constraints may depend on each other where they hold, and nowhere else: which of them count is found out there.
void AccelerationStage::find_rank(double t, ConstSpan x) {
  if (knows_rank_) return;
  Vector state(x.begin(), x.end());
  Regularity found;
  if (manifold_->settle(t, state) != ManifoldStatus::ok || manifold_->regularity(t, state, found) != ManifoldStatus::ok)
    return;
  at_.limit_rank(found.rank);
  knows_rank_ = found.rank == m_;
}

void AccelerationStage::linearise(double t, ConstSpan x, ConstSpan slope) {
  find_rank(t, x);
  const ConstSpan q = x.subspan(0, n_), v = x.subspan(n_, n_), s = x.subspan(2 * n_, r_),
                  lambda = x.subspan(2 * n_ + r_, m_);
  f_->acceleration_jacobians(q, v, s, t, slope.subspan(n_, n_), lambda,
                             {.mass = mass_, .g = g_, .balance = balance_, .constraint = constraint_});
  if (r_ > 0) f_->states_jacobian(q, v, s, t, states_);
  at_.assign(mass_, g_);
  if (at_.factorise() == ManifoldStatus::ok)
    differentiate();
  else
    b1_.view().fill(std::nan(""));  // shows as a singular matrix
  for (std::size_t j = 0; j < n_ + r_; ++j)
    std::copy_n(b1_.view().column(j).data(), n_ + r_, a1_.view().column(j).data());
  for (std::size_t j = 0; j < n_; ++j) std::copy_n(b2_.view().column(j).data(), n_ + r_, a2_.view().column(j).data());
}

// [M G^T; G 0] (da, dlambda) = -(balance, constraint) dx
void AccelerationStage::differentiate() {
  const auto fill_column = [&](Span column, std::size_t of_balance, bool in_constraint) {
    const Span accelerations = column.subspan(0, n_), multipliers = column.subspan(n_ + r_, m_);
    std::ranges::copy(balance_.view().column(of_balance), accelerations.begin());
    if (in_constraint)
      std::ranges::copy(constraint_.view().column(of_balance), multipliers.begin());
    else
      std::ranges::fill(multipliers, 0.0);
    at_.solve(accelerations, multipliers);
    for (std::size_t i = 0; i < r_; ++i) column[n_ + i] = -states_(i, of_balance);
  };
  for (std::size_t j = 0; j < n_; ++j) {
    fill_column(b2_.view().column(j), j, true);
    fill_column(b1_.view().column(j), n_ + j, true);
  }
  for (std::size_t j = 0; j < r_; ++j) fill_column(b1_.view().column(n_ + j), 2 * n_ + j, false);
}

namespace {

// out -= matrix x, column by column; a complex number counts as two real ones, since the matrix is real.
inline void subtract_column(const double* __restrict column, double x, double* __restrict out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] -= column[i] * x;
}
inline void subtract_column(const double* __restrict column, Complex x, Complex* out, std::size_t n) {
  double* __restrict parts = reinterpret_cast<double*>(out);
  const double re = x.real(), im = x.imag();
  for (std::size_t i = 0; i < n; ++i) {
    parts[2 * i] -= column[i] * re;
    parts[2 * i + 1] -= column[i] * im;
  }
}

}  // namespace

template <class S>
void AccelerationStage::reduce_any(S c, std::span<const S> rho, std::span<S> out) const {
  const S p = reciprocal(c), p2 = times(p, p);
  for (std::size_t i = 0; i < n_ + r_; ++i) out[i] = times(rho[n_ + i], p);
  for (std::size_t j = 0; j < n_; ++j)
    subtract_column(b2_.view().column(j).data(), times(rho[j], p2), out.data(), n_ + r_);
}

template <class S>
void AccelerationStage::expand_any(S c, std::span<const S> x, std::span<S> rho) const {
  const S p = reciprocal(c);
  S* const multipliers = rho.data() + 2 * n_ + r_;
  for (std::size_t i = 0; i < n_; ++i) {
    rho[i] = times(x[i] + rho[i], p);
    subtract_column(b2_.view().column(i).data() + n_ + r_, rho[i], multipliers, m_);
  }
  for (std::size_t i = 0; i < n_ + r_; ++i) {
    rho[n_ + i] = x[i];
    subtract_column(b1_.view().column(i).data() + n_ + r_, x[i], multipliers, m_);
  }
}

std::unique_ptr<StageEquations> make_acceleration_stage(const Mechanical& form) {
  if (SparseMechanicalStage::suits(form)) return std::make_unique<SparseAccelerationStage>(form);
  return std::make_unique<AccelerationStage>(form);
}

template void AccelerationStage::reduce_any(double, std::span<const double>, std::span<double>) const;
template void AccelerationStage::reduce_any(Complex, std::span<const Complex>, std::span<Complex>) const;
template void AccelerationStage::expand_any(double, std::span<const double>, std::span<double>) const;
template void AccelerationStage::expand_any(Complex, std::span<const Complex>, std::span<Complex>) const;

}  // namespace driftless
