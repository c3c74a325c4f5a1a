// Stage equations of index 3, general and mechanical.
#include <algorithm>
#include <cmath>

#include "driftless/core/scratch.h"
#include "driftless/nonlinear/convergence.h"
#include "driftless/step/stage_equations_forms.h"

namespace driftless {

Index3Stage::Index3Stage(const Index3& form)
    : StageOf(powers({{form.u_size(), 0}, {form.v_size(), 1}, {form.lambda_size(), 2}}), form.layout().size()),
      f_(form.share()),
      n_(form.u_size()),
      p_(form.v_size()),
      m_(form.lambda_size()),
      f_jacobian_(n_, n_ + p_ + 1),
      k_jacobian_(p_, n_ + p_ + m_ + 1),
      g_jacobian_(m_, n_ + 1) {
  for (std::size_t i = 0; i < n_ + p_; ++i) a0_(i, i) = 1.0;
}

void Index3Stage::residual(double t, ConstSpan x, ConstSpan slope, Span r) const {
  const ConstSpan u = x.subspan(0, n_), v = x.subspan(n_, p_), lambda = x.subspan(n_ + p_, m_);
  f_->f(u, v, t, r.subspan(0, n_));
  f_->k(u, v, lambda, t, r.subspan(n_, p_));
  f_->g(u, t, r.subspan(n_ + p_, m_));
  for (std::size_t i = 0; i < n_ + p_; ++i) r[i] = slope[i] - r[i];
  for (std::size_t i = n_ + p_; i < r.size(); ++i) r[i] = -r[i];
  for (std::size_t k = 0; k < redundant_.rows.size(); ++k) {
    double& out = r[n_ + p_ + redundant_.rows[k]] = 0.0;
    for (std::size_t l = 0; l < m_; ++l) out -= redundant_.directions(k, l) * lambda[l];
  }
}

void Index3Stage::linearise(double t, ConstSpan x, ConstSpan) {
  const ConstSpan u = x.subspan(0, n_), v = x.subspan(n_, p_), lambda = x.subspan(n_ + p_, m_);
  f_->f_jacobian(u, v, t, f_jacobian_);
  f_->k_jacobian(u, v, lambda, t, k_jacobian_);
  f_->g_jacobian(u, t, g_jacobian_);
  for (std::size_t j = 0; j < n_; ++j) {
    for (std::size_t i = 0; i < n_; ++i) a1_(i, j) = -f_jacobian_(i, j);
    for (std::size_t i = 0; i < p_; ++i) a2_(n_ + i, j) = -k_jacobian_(i, j);
    for (std::size_t i = 0; i < m_; ++i) a0_(n_ + p_ + i, j) = -g_jacobian_(i, j);
  }
  for (std::size_t j = 0; j < p_; ++j) {
    for (std::size_t i = 0; i < n_; ++i) a0_(i, n_ + j) = -f_jacobian_(i, n_ + j);
    for (std::size_t i = 0; i < p_; ++i) a1_(n_ + i, n_ + j) = -k_jacobian_(i, n_ + j);
  }
  for (std::size_t l = 0; l < m_; ++l)
    for (std::size_t i = 0; i < p_; ++i) a0_(n_ + i, n_ + p_ + l) = -k_jacobian_(i, n_ + p_ + l);
  if (!looked_ || !redundant_.rows.empty()) find_redundant_rows();
}

// By S = Dg f_v k_lambda.
void Index3Stage::find_redundant_rows() {
  looked_ = true;
  Matrix s(m_, m_);
  for (std::size_t i = 0; i < m_; ++i)
    for (std::size_t k = 0; k < p_; ++k) {
      double row = 0.0;
      for (std::size_t j = 0; j < n_; ++j) row += g_jacobian_(i, j) * f_jacobian_(j, n_ + k);
      for (std::size_t l = 0; l < m_ && row != 0.0; ++l) s(i, l) += row * k_jacobian_(k, n_ + p_ + l);
    }
  for (std::size_t i = 0; i < m_; ++i)
    for (std::size_t l = 0; l < m_; ++l) a0_(n_ + p_ + i, n_ + p_ + l) = 0.0;
  if (!std::isfinite(max_norm({s.data(), m_ * m_}))) return;
  redundant_ = redundancy_of(s);
  for (std::size_t r = 0; r < redundant_.rows.size(); ++r) {
    const std::size_t row = n_ + p_ + redundant_.rows[r];
    for (std::size_t j = 0; j < n_; ++j) a0_(row, j) = 0.0;
    for (std::size_t l = 0; l < m_; ++l) a0_(row, n_ + p_ + l) = -redundant_.directions(r, l);
  }
}

template <class S>
void Index3Stage::reduce_any(S c, std::span<const S> rho, std::span<S> out) const {
  const S p = 1.0 / c, p2 = p * p;
  for (std::size_t i = 0; i < n_; ++i) out[i] = rho[i] * p;
  for (std::size_t i = n_; i < n_ + p_; ++i) out[i] = rho[i] * p2;
  for (std::size_t i = n_ + p_; i < rho.size(); ++i) out[i] = rho[i];
  for (const std::size_t row : redundant_.rows) out[n_ + p_ + row] = rho[n_ + p_ + row] * p2;
}

template <class S>
void Index3Stage::expand_any(S c, std::span<const S> x, std::span<S> rho) const {
  const S c2 = c * c;
  for (std::size_t i = 0; i < n_; ++i) rho[i] = x[i];
  for (std::size_t i = n_; i < n_ + p_; ++i) rho[i] = x[i] * c;
  for (std::size_t i = n_ + p_; i < rho.size(); ++i) rho[i] = x[i] * c2;
}

MechanicalStage::MechanicalStage(const Mechanical& form)
    : StageOf(powers({{form.q_size(), 0}, {form.q_size(), 1}, {form.s_size(), 0}, {form.lambda_size(), 2}}),
              form.q_size() + form.s_size() + form.lambda_size()),
      f_(form.share()),
      n_(form.q_size()),
      r_(form.s_size()),
      m_(form.lambda_size()),
      mass_(Matrix::identity(n_)),
      g_(m_, n_ + 1),
      force_(n_, 2 * n_ + r_ + 1),
      states_(r_, 2 * n_ + r_ + 1),
      reaction_(n_, n_ + 1),
      momentum_(n_, n_ + 1),
      redundant_(m_, 0),
      rows_(n_, m_) {}

void MechanicalStage::residual(double t, ConstSpan x, ConstSpan slope, Span r) const {
  const ConstSpan q = x.subspan(0, n_), v = x.subspan(n_, n_), s = x.subspan(2 * n_, r_),
                  lambda = x.subspan(2 * n_ + r_, m_);
  const Span rv = r.subspan(n_, n_), rs = r.subspan(2 * n_, r_), rg = r.subspan(2 * n_ + r_, m_);
  Scratch scratch;
  const MatrixView g{scratch.take<double>(m_ * (n_ + 1)).data(), m_, n_ + 1, m_};
  f_->constraint_jacobian(q, t, g);
  f_->force(q, v, s, t, rv);
  f_->states(q, v, s, t, rs);
  f_->constraint(q, t, rg);
  for (std::size_t i = 0; i < n_; ++i) {
    r[i] = slope[i] - v[i];
    double reaction = 0.0;
    for (std::size_t k = 0; k < m_; ++k) reaction += g(k, i) * lambda[k];
    rv[i] = reaction - rv[i];
  }
  if (f_->has_mass()) {
    const MatrixView mass{scratch.take<double>(n_ * n_).data(), n_, n_, n_};
    f_->mass(q, t, mass);
    for (std::size_t j = 0; j < n_; ++j)
      for (std::size_t i = 0; i < n_; ++i) rv[i] += mass(i, j) * slope[n_ + j];
  } else {
    for (std::size_t i = 0; i < n_; ++i) rv[i] += slope[n_ + i];
  }
  for (std::size_t i = 0; i < r_; ++i) rs[i] = slope[2 * n_ + i] - rs[i];
  for (double& value : rg) value = -value;
}

void MechanicalStage::linearise(double t, ConstSpan x, ConstSpan slope) {
  const ConstSpan q = x.subspan(0, n_), v = x.subspan(n_, n_), s = x.subspan(2 * n_, r_),
                  lambda = x.subspan(2 * n_ + r_, m_);
  f_->force_jacobian(q, v, s, t, force_);
  if (r_ > 0) f_->states_jacobian(q, v, s, t, states_);
  f_->constraint_jacobian(q, t, g_);
  f_->reaction_jacobian(q, t, lambda, reaction_);
  if (f_->has_mass()) {
    f_->mass(q, t, mass_);
    f_->mass_jacobian(q, t, slope.subspan(n_, n_), momentum_);
  }
  find_redundant_rows();
  a0_.view().fill(0.0);
  for (std::size_t j = 0; j < n_; ++j) {
    for (std::size_t i = 0; i < n_; ++i) {
      a0_(i, j) = mass_(i, j);
      a1_(i, j) = -force_(i, n_ + j);
      a2_(i, j) = momentum_(i, j) - force_(i, j) + reaction_(i, j);
    }
    for (std::size_t i = 0; i < r_; ++i) {
      a0_(n_ + i, j) = -states_(i, n_ + j);
      a1_(n_ + i, j) = -states_(i, j);
    }
    for (std::size_t k = 0; k < m_; ++k)
      if (!redundant_[k]) a0_(n_ + r_ + k, j) = a0_(j, n_ + r_ + k) = g_(k, j);
  }
  for (std::size_t j = 0; j < r_; ++j) {
    a0_(n_ + j, n_ + j) = 1.0;
    for (std::size_t i = 0; i < n_; ++i) a2_(i, n_ + j) = -force_(i, 2 * n_ + j);
    for (std::size_t i = 0; i < r_; ++i) a1_(n_ + i, n_ + j) = -states_(i, 2 * n_ + j);
  }
  for (std::size_t k = 0; k < m_; ++k)
    if (redundant_[k]) a0_(n_ + r_ + k, n_ + r_ + k) = 1.0;
}

void MechanicalStage::find_redundant_rows() {
  rows_.factorise({}, g_.view().block(0, 0, m_, n_));
  for (std::size_t k = 0; k < m_; ++k) redundant_[rows_.row_order()[k]] = k >= rows_.rank();
}

// Top rows: (rho_v + (c M - F_v) rho_q) / c^2; states: (rho_s - r_v rho_q) / c; constraints: G dq = -rho_lambda.
template <class S>
void MechanicalStage::reduce_any(S c, std::span<const S> rho, std::span<S> out) const {
  const S p = 1.0 / c, p2 = p * p;
  for (std::size_t i = 0; i < n_; ++i) out[i] = rho[n_ + i] * p2;
  for (std::size_t j = 0; j < n_; ++j) {
    const S x = rho[j] * p, y = rho[j] * p2;
    for (std::size_t i = 0; i < n_; ++i) out[i] += mass_(i, j) * x - force_(i, n_ + j) * y;
  }
  for (std::size_t i = 0; i < r_; ++i) {
    S sum = rho[2 * n_ + i];
    for (std::size_t j = 0; j < n_; ++j) sum -= states_(i, n_ + j) * rho[j];
    out[n_ + i] = sum * p;
  }
  for (std::size_t k = 0; k < m_; ++k) out[n_ + r_ + k] = redundant_[k] ? S(0.0) : -rho[2 * n_ + r_ + k];
}

template <class S>
void MechanicalStage::expand_any(S c, std::span<const S> x, std::span<S> rho) const {
  const S c2 = c * c;
  for (std::size_t i = 0; i < n_; ++i) {
    const S eliminated = c * x[i] - rho[i];
    rho[i] = x[i];
    rho[n_ + i] = eliminated;
  }
  for (std::size_t i = 0; i < r_; ++i) rho[2 * n_ + i] = x[n_ + i];
  for (std::size_t k = 0; k < m_; ++k) rho[2 * n_ + r_ + k] = x[n_ + r_ + k] * c2;
}

template void Index3Stage::reduce_any(double, std::span<const double>, std::span<double>) const;
template void Index3Stage::reduce_any(Complex, std::span<const Complex>, std::span<Complex>) const;
template void Index3Stage::expand_any(double, std::span<const double>, std::span<double>) const;
template void Index3Stage::expand_any(Complex, std::span<const Complex>, std::span<Complex>) const;
template void MechanicalStage::reduce_any(double, std::span<const double>, std::span<double>) const;
template void MechanicalStage::reduce_any(Complex, std::span<const Complex>, std::span<Complex>) const;
template void MechanicalStage::expand_any(double, std::span<const double>, std::span<double>) const;
template void MechanicalStage::expand_any(Complex, std::span<const Complex>, std::span<Complex>) const;

}  // namespace driftless
