#include <algorithm>
#include <cmath>

#include "driftless/core/scratch.h"
#include "driftless/step/stage_wide.h"

namespace driftless {

WideAccelerationStage::WideAccelerationStage(const WideMechanical& form)
    : StageOf(powers({{form.q_size() + form.v_size() + form.s_size(), 0}, {form.lambda_size(), 1}}),
              form.q_size() + form.v_size() + form.s_size()),
      f_(form.share()),
      n_(form.q_size()),
      p_(form.v_size()),
      r_(form.s_size()),
      m_(form.rows()),
      drifts_(form.lambda_size() - form.rows()),
      mass_(f_->has_mass() ? p_ : 0, f_->has_mass() ? p_ : 0),
      c_(m_, p_),
      rates_(n_, n_ + p_ + 1),
      force_(p_, n_ + p_ + r_ + 1),
      momentum_(p_, n_ + 1),
      reaction_(p_, n_ + 1),
      second_(m_, n_ + p_ + 1),
      states_(r_, n_ + p_ + r_ + 1),
      whole_(n_ + p_ + r_ + m_ + drifts_, n_ + p_ + r_),
      at_(form),
      manifold_(make_manifold(form)) {
  a0_ = Matrix::identity(n_ + p_ + r_);
}

void WideAccelerationStage::residual(double t, ConstSpan x, ConstSpan slope, Span r) const {
  const std::size_t moving = n_ + p_ + r_;
  Scratch scratch;
  const Span state = scratch.take_raw<double>(x.size());
  std::ranges::copy(x, state.begin());
  if (manifold_->flow(t, state, r) != ManifoldStatus::ok) {
    std::ranges::fill(r, std::nan(""));
    return;
  }
  for (std::size_t i = 0; i < moving; ++i) r[i] = slope[i] - r[i];
  for (std::size_t k = moving; k < moving + m_; ++k) r[k] = x[k] - state[k];
  for (std::size_t k = moving + m_; k < x.size(); ++k) r[k] = x[k];
}

void WideAccelerationStage::evaluate(double t, ConstSpan x, ConstSpan a) {
  const ConstSpan q = x.subspan(0, n_), v = x.subspan(n_, p_), s = x.subspan(n_ + p_, r_),
                  lambda = x.subspan(n_ + p_ + r_, m_);
  f_->rates_jacobian(q, v, t, rates_);
  f_->force_jacobian(q, v, s, t, force_);
  if (r_ > 0) f_->states_jacobian(q, v, s, t, states_);
  f_->directions(q, t, c_);
  f_->acceleration_jacobian(q, v, a, t, second_);
  f_->reaction_jacobian(q, t, lambda, reaction_);
  if (!f_->has_mass()) return;
  f_->mass(q, t, mass_);
  f_->momentum_jacobian(q, t, a, momentum_);
}

void WideAccelerationStage::linearise(double t, ConstSpan x, ConstSpan slope) {
  evaluate(t, x, slope.subspan(n_, p_));
  at_.assign(mass_, c_);
  if (at_.factorise() == ManifoldStatus::ok)
    differentiate();
  else
    whole_.view().fill(std::nan(""));  // shows as a singular matrix
  for (std::size_t j = 0; j < whole_.cols(); ++j)
    std::copy_n(whole_.view().column(j).data(), whole_.cols(), a1_.view().column(j).data());
}

// At the accelerations and multipliers that belong to the stage.
void WideAccelerationStage::linearise_stage(double t, ConstSpan x, ConstSpan slope, ConstSpan residual) {
  Scratch scratch;
  const Span point = scratch.take_raw<double>(x.size()), rate = scratch.take_raw<double>(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    point[i] = i < n_ + p_ + r_ ? x[i] : x[i] - residual[i];
    rate[i] = slope[i] - residual[i];
  }
  linearise(t, point, rate);
}

void WideAccelerationStage::apply_leading(ConstSpan w, Span out) const {
  std::ranges::copy(w, out.begin());
  std::ranges::fill(out.subspan(n_ + p_ + r_), 0.0);
}

// -J, column by column: [M C^T; C 0] (da, dlambda) = -(d(M a + C^T lambda - F), d(C a + c)).
void WideAccelerationStage::differentiate() {
  Scratch scratch;
  const Span balance = scratch.take<double>(p_), second = scratch.take<double>(m_);
  for (std::size_t j = 0; j < n_ + p_ + r_; ++j) {
    const bool by_q = j < n_, by_s = j >= n_ + p_;
    for (std::size_t i = 0; i < p_; ++i) {
      balance[i] = -force_(i, j);
      if (by_q) balance[i] += momentum_(i, j) + reaction_(i, j);
    }
    for (std::size_t i = 0; i < m_; ++i) second[i] = by_s ? 0.0 : second_(i, j);
    at_.solve(balance, second);
    for (std::size_t i = 0; i < n_; ++i) whole_(i, j) = by_s ? 0.0 : -rates_(i, j);
    for (std::size_t i = 0; i < p_; ++i) whole_(n_ + i, j) = balance[i];
    for (std::size_t i = 0; i < r_; ++i) whole_(n_ + p_ + i, j) = -states_(i, j);
    for (std::size_t i = 0; i < m_; ++i) whole_(n_ + p_ + r_ + i, j) = second[i];
  }
}

template <class S>
void WideAccelerationStage::reduce_any(S c, std::span<const S> rho, std::span<S> out) const {
  const S inverse = reciprocal(c);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = times(rho[i], inverse);
}

template <class S>
void WideAccelerationStage::expand_any(S, std::span<const S> x, std::span<S> rho) const {
  for (std::size_t j = 0; j < x.size(); ++j) {
    rho[j] = x[j];
    for (std::size_t i = 0; i < m_; ++i) rho[x.size() + i] -= whole_(x.size() + i, j) * x[j];
  }
}

template void WideAccelerationStage::reduce_any(double, std::span<const double>, std::span<double>) const;
template void WideAccelerationStage::reduce_any(Complex, std::span<const Complex>, std::span<Complex>) const;
template void WideAccelerationStage::expand_any(double, std::span<const double>, std::span<double>) const;
template void WideAccelerationStage::expand_any(Complex, std::span<const Complex>, std::span<Complex>) const;

std::unique_ptr<StageEquations> make_acceleration_stage(const WideMechanical& form) {
  return std::make_unique<WideAccelerationStage>(form);
}

}  // namespace driftless
