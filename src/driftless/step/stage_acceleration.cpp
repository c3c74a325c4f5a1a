#include <algorithm>
#include <cmath>

#include "driftless/core/scratch.h"
#include "driftless/step/stage_equations_forms.h"

namespace driftless {

AccelerationStage::AccelerationStage(const Mechanical& form)
    : StageOf(powers({{2 * form.q_size() + form.s_size(), 0}, {form.lambda_size(), 1}}),
              form.q_size() + form.s_size() + form.lambda_size()),
      f_(form.share()),
      n_(form.q_size()),
      r_(form.s_size()),
      m_(form.lambda_size()),
      mass_(Matrix::identity(n_)),
      g_(m_, n_),
      balance_(n_, 2 * n_ + r_),
      constraint_(m_, 2 * n_),
      states_(r_, 2 * n_ + r_ + 1),
      redundant_(m_, 0),
      rows_(n_, m_),
      manifold_(make_manifold(form)) {}

// (q' - v, v' - a*, s' - r, lambda - lambda*), where (a, lambda)* solve the balance and the constraint at this point.
void AccelerationStage::coupled_residual(double t, ConstSpan x, ConstSpan slope, Span r) const {
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

// The distances from a* and lambda* are weighted with the matrices of the Jacobian's point: M_0 (v' - a*) +
// G_0^T (lambda - lambda*), G_0 (v' - a*). At a solution this has the derivative of the plain residual, but the change
// of M and G along the step, which is O(h), no longer slows the Newton iteration.
void AccelerationStage::residual(double t, ConstSpan x, ConstSpan slope, Span r) const {
  coupled_residual(t, x, slope, r);
  weight_with_matrices(r.subspan(n_, n_), r.subspan(2 * n_ + r_, m_));
}

void AccelerationStage::apply_leading(ConstSpan w, Span out) const {
  std::ranges::copy(w, out.begin());
  std::ranges::fill(out.subspan(2 * n_ + r_, m_), 0.0);
  weight_with_matrices(out.subspan(n_, n_), out.subspan(2 * n_ + r_, m_));
}

void AccelerationStage::weight_with_matrices(Span rv, Span rg) const {
  Scratch scratch;
  const Span a = scratch.take_raw<double>(n_), multiplier = scratch.take_raw<double>(m_);
  std::ranges::copy(rv, a.begin());
  std::ranges::copy(rg, multiplier.begin());
  std::ranges::fill(rg, 0.0);
  if (f_->has_mass()) {
    std::ranges::fill(rv, 0.0);
    for (std::size_t j = 0; j < n_; ++j)
      for (std::size_t i = 0; i < n_; ++i) rv[i] += mass_(i, j) * a[j];
  }
  for (std::size_t j = 0; j < n_; ++j)
    for (std::size_t k = 0; k < m_; ++k) {
      rv[j] += g_(k, j) * multiplier[k];
      rg[k] += g_(k, j) * a[j];
    }
}

void AccelerationStage::linearise_coupled(double t, ConstSpan x, ConstSpan slope, ConstSpan residual) {
  Scratch scratch;
  const Span point = scratch.take_raw<double>(x.size()), rate = scratch.take_raw<double>(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    point[i] = i < 2 * n_ + r_ ? x[i] : x[i] - residual[i];
    rate[i] = slope[i] - residual[i];
  }
  linearise(t, point, rate);
}

void AccelerationStage::linearise(double t, ConstSpan x, ConstSpan slope) {
  const ConstSpan q = x.subspan(0, n_), v = x.subspan(n_, n_), s = x.subspan(2 * n_, r_),
                  lambda = x.subspan(2 * n_ + r_, m_);
  f_->acceleration_jacobians(q, v, s, t, slope.subspan(n_, n_), lambda,
                             {.mass = mass_, .g = g_, .balance = balance_, .constraint = constraint_});
  if (r_ > 0) f_->states_jacobian(q, v, s, t, states_);
  rows_.factorise({}, g_);
  for (std::size_t k = 0; k < m_; ++k) redundant_[rows_.row_order()[k]] = k >= rows_.rank();
  for (auto* matrix : {&a0_, &a1_, &a2_}) matrix->view().fill(0.0);
  for (std::size_t j = 0; j < n_; ++j) {
    for (std::size_t i = 0; i < n_; ++i) {
      a0_(i, j) = mass_(i, j);
      a1_(i, j) = balance_(i, n_ + j);
      a2_(i, j) = balance_(i, j);
    }
    for (std::size_t i = 0; i < r_; ++i) {
      a1_(n_ + i, j) = -states_(i, n_ + j);
      a2_(n_ + i, j) = -states_(i, j);
    }
    for (std::size_t k = 0; k < m_; ++k) {
      if (redundant_[k]) {
        constraint_(k, j) = 0.0;
        continue;
      }
      a0_(n_ + r_ + k, j) = a0_(j, n_ + r_ + k) = g_(k, j);
      a1_(n_ + r_ + k, j) = constraint_(k, n_ + j);
      a2_(n_ + r_ + k, j) = constraint_(k, j);
    }
  }
  for (std::size_t j = 0; j < r_; ++j) {
    a0_(n_ + j, n_ + j) = 1.0;
    for (std::size_t i = 0; i < n_; ++i) a1_(i, n_ + j) = balance_(i, 2 * n_ + j);
    for (std::size_t i = 0; i < r_; ++i) a1_(n_ + i, n_ + j) = -states_(i, 2 * n_ + j);
  }
  for (std::size_t k = 0; k < m_; ++k)
    if (redundant_[k]) a0_(n_ + r_ + k, n_ + r_ + k) = 1.0;
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
  for (std::size_t i = 0; i < n_; ++i) out[i] = times(rho[n_ + i], p);
  for (std::size_t i = 0; i < r_; ++i) out[n_ + i] = times(rho[2 * n_ + i], p);
  for (std::size_t k = 0; k < m_; ++k) out[n_ + r_ + k] = redundant_[k] ? S(0.0) : times(rho[2 * n_ + r_ + k], p);
  for (std::size_t j = 0; j < n_; ++j) {
    const S x = times(rho[j], p2);
    subtract_column(balance_.data() + j * n_, x, out.data(), n_);
    for (std::size_t i = 0; i < r_; ++i) out[n_ + i] += states_(i, j) * x;
    subtract_column(constraint_.data() + j * m_, x, out.data() + n_ + r_, m_);  // zero in redundant rows
  }
}

template <class S>
void AccelerationStage::expand_any(S c, std::span<const S> x, std::span<S> rho) const {
  const S p = reciprocal(c);
  for (std::size_t i = 0; i < n_; ++i) {
    rho[i] = times(x[i] + rho[i], p);
    rho[n_ + i] = x[i];
  }
  for (std::size_t i = 0; i < r_; ++i) rho[2 * n_ + i] = x[n_ + i];
  for (std::size_t k = 0; k < m_; ++k) rho[2 * n_ + r_ + k] = times(x[n_ + r_ + k], c);
}

std::unique_ptr<StageEquations> make_acceleration_stage(const Mechanical& form) {
  return std::make_unique<AccelerationStage>(form);
}

template void AccelerationStage::reduce_any(double, std::span<const double>, std::span<double>) const;
template void AccelerationStage::reduce_any(Complex, std::span<const Complex>, std::span<Complex>) const;
template void AccelerationStage::expand_any(double, std::span<const double>, std::span<double>) const;
template void AccelerationStage::expand_any(Complex, std::span<const Complex>, std::span<Complex>) const;

}  // namespace driftless
