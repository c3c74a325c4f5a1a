// Mechanical equations with the accelerations w = v' among the unknowns, as Schropp 2003 and Hairer and Wanner (VII.7)
// integrate Andrews' mechanism: order (q, v, s, lambda, w),
//     q' = v,  v' = w,  s' = r(q, v, s, t),  0 = g(q, t),  0 = M(q, t) w - F(q, v, s, t) + G^T lambda.
//
// The approximate Jacobian of Hairer and Wanner, p. 540, keeps only what makes the index: M by w, G^T by lambda, G by
// q.
//     c dq - dv = rho_q,   c dv - dw = rho_v,   c ds = rho_s,   -G dq = rho_lambda,   M dw + G^T dlambda = rho_w.
// With dv = c dq - rho_q and dw = c dv - rho_v = c^2 dq - c rho_q - rho_v the last equation, divided by c^2, leaves
//     [ M  G^T ] [ dq           ]   [ M (rho_q/c + rho_v/c^2) + rho_w/c^2 ]
//     [ G  0   ] [ dlambda/c^2  ] = [ -rho_lambda                         ],
// a matrix that does not depend on c: A_1 = A_2 = 0.
#include "driftless/core/scratch.h"
#include "driftless/step/sparse_mechanical.h"

namespace driftless {

PaperStage::PaperStage(const Mechanical& form)
    : StageOf(
          powers({{form.q_size(), 0}, {form.q_size(), 1}, {form.s_size(), 0}, {form.lambda_size() + form.q_size(), 2}}),
          form.q_size() + form.lambda_size()),
      f_(form.share()),
      n_(form.q_size()),
      r_(form.s_size()),
      m_(form.lambda_size()),
      mass_(Matrix::identity(n_)),
      g_(m_, n_ + 1),
      redundant_(m_, 0),
      rows_(n_, m_) {}

void PaperStage::residual(double t, ConstSpan x, ConstSpan slope, Span r) const {
  const ConstSpan q = x.subspan(0, n_), v = x.subspan(n_, n_), s = x.subspan(2 * n_, r_);
  const ConstSpan lambda = x.subspan(2 * n_ + r_, m_), w = x.subspan(2 * n_ + r_ + m_, n_);
  const Span rs = r.subspan(2 * n_, r_), rg = r.subspan(2 * n_ + r_, m_), rw = r.subspan(2 * n_ + r_ + m_, n_);
  Scratch scratch;
  const MatrixView g{scratch.take<double>(m_ * (n_ + 1)).data(), m_, n_ + 1, m_};
  f_->constraint_jacobian(q, t, g);
  f_->force(q, v, s, t, rw);
  f_->states(q, v, s, t, rs);
  f_->constraint(q, t, rg);
  for (std::size_t i = 0; i < n_; ++i) {
    r[i] = slope[i] - v[i];
    r[n_ + i] = slope[n_ + i] - w[i];
    double reaction = 0.0;
    for (std::size_t k = 0; k < m_; ++k) reaction += g(k, i) * lambda[k];
    rw[i] = reaction - rw[i];
  }
  if (f_->has_mass()) {
    const MatrixView mass{scratch.take<double>(n_ * n_).data(), n_, n_, n_};
    f_->mass(q, t, mass);
    for (std::size_t j = 0; j < n_; ++j)
      for (std::size_t i = 0; i < n_; ++i) rw[i] += mass(i, j) * w[j];
  } else {
    for (std::size_t i = 0; i < n_; ++i) rw[i] += w[i];
  }
  for (std::size_t i = 0; i < r_; ++i) rs[i] = slope[2 * n_ + i] - rs[i];
  for (double& value : rg) value = -value;
}

void PaperStage::linearise(double t, ConstSpan x, ConstSpan) {
  const ConstSpan q = x.subspan(0, n_);
  f_->constraint_jacobian(q, t, g_);
  if (f_->has_mass()) f_->mass(q, t, mass_);
  rows_.factorise({}, g_.view().block(0, 0, m_, n_));
  for (std::size_t k = 0; k < m_; ++k) redundant_[rows_.row_order()[k]] = k >= rows_.rank();
  a0_.view().fill(0.0);
  for (std::size_t j = 0; j < n_; ++j) {
    for (std::size_t i = 0; i < n_; ++i) a0_(i, j) = mass_(i, j);
    for (std::size_t k = 0; k < m_; ++k)
      if (!redundant_[k]) a0_(n_ + k, j) = a0_(j, n_ + k) = g_(k, j);
  }
  for (std::size_t k = 0; k < m_; ++k)
    if (redundant_[k]) a0_(n_ + k, n_ + k) = 1.0;
}

template <class S>
void PaperStage::reduce_any(S c, std::span<const S> rho, std::span<S> out) const {
  const S p = 1.0 / c, p2 = p * p;
  for (std::size_t i = 0; i < n_; ++i) out[i] = rho[2 * n_ + r_ + m_ + i] * p2;
  for (std::size_t j = 0; j < n_; ++j) {
    const S x = rho[j] * p + rho[n_ + j] * p2;
    for (std::size_t i = 0; i < n_; ++i) out[i] += mass_(i, j) * x;
  }
  for (std::size_t k = 0; k < m_; ++k) out[n_ + k] = redundant_[k] ? S(0.0) : -rho[2 * n_ + r_ + k];
}

template <class S>
void PaperStage::expand_any(S c, std::span<const S> x, std::span<S> rho) const {
  const S p = 1.0 / c, c2 = c * c;
  for (std::size_t i = 0; i < n_; ++i) {
    const S dv = c * x[i] - rho[i], dw = c * dv - rho[n_ + i];
    rho[i] = x[i];
    rho[n_ + i] = dv;
    rho[2 * n_ + r_ + m_ + i] = dw;
  }
  for (std::size_t i = 0; i < r_; ++i) rho[2 * n_ + i] *= p;
  for (std::size_t k = 0; k < m_; ++k) rho[2 * n_ + r_ + k] = x[n_ + k] * c2;
}

std::unique_ptr<StageEquations> make_paper_stage(const Mechanical& form) {
  if (SparseMechanicalStage::suits(form)) return std::make_unique<SparsePaperStage>(form);
  return std::make_unique<PaperStage>(form);
}

template void PaperStage::reduce_any(double, std::span<const double>, std::span<double>) const;
template void PaperStage::reduce_any(Complex, std::span<const Complex>, std::span<Complex>) const;
template void PaperStage::expand_any(double, std::span<const double>, std::span<double>) const;
template void PaperStage::expand_any(Complex, std::span<const Complex>, std::span<Complex>) const;

}  // namespace driftless
