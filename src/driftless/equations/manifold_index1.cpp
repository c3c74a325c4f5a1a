#include <cmath>

#include "driftless/core/scratch.h"
#include "driftless/equations/manifold_forms.h"
#include "driftless/nonlinear/convergence.h"

namespace driftless {

Index1Manifold::Index1Manifold(const Index1& form)
    : f_(form.share()),
      p_(form.projector()),
      image_(form.q_image()),
      rows_(form.q_rows()),
      n_(form.size()),
      m_(form.constraint_count()),
      f_jacobian_(n_, n_ + 1),
      value_(n_),
      s_(m_) {}

// Q f = 0 in an orthonormal basis of the rows of Q: as many numbers as there are constraints.
ManifoldStatus Index1Manifold::residual(int, double t, ConstSpan state, Span out) {
  f_->f(state, t, value_);
  for (std::size_t k = 0; k < m_; ++k) {
    out[k] = 0.0;
    for (std::size_t i = 0; i < n_; ++i) out[k] += rows_(i, k) * value_[i];
  }
  return ManifoldStatus::ok;
}

// P x' = P f: the part of x' that the equations state; Q x' is not stated and set to 0.
ManifoldStatus Index1Manifold::derivative(double t, ConstSpan state, Span out) {
  f_->f(state, t, value_);
  for (std::size_t i = 0; i < n_; ++i) {
    out[i] = 0.0;
    for (std::size_t j = 0; j < n_; ++j) out[i] += p_(i, j) * value_[j];
  }
  return ManifoldStatus::ok;
}

ManifoldStatus Index1Manifold::linearise(double t, ConstSpan x) {
  f_->f_jacobian(x, t, f_jacobian_);
  Matrix& s = s_.matrix();
  Scratch scratch;
  const Span column = scratch.take<double>(n_);
  for (std::size_t l = 0; l < m_; ++l) {
    std::fill(column.begin(), column.end(), 0.0);
    for (std::size_t j = 0; j < n_; ++j)
      for (std::size_t i = 0; i < n_; ++i) column[i] += f_jacobian_(i, j) * image_(j, l);
    for (std::size_t k = 0; k < m_; ++k) {
      s(k, l) = 0.0;
      for (std::size_t i = 0; i < n_; ++i) s(k, l) += rows_(i, k) * column[i];
    }
  }
  if (!std::isfinite(max_norm({s.data(), m_ * m_}))) return ManifoldStatus::not_finite;
  s_.factorise();
  return ManifoldStatus::ok;
}

// Newton on Q f(x) = 0 with P x held: the correction lies in Im Q = Ker P.
ManifoldStatus Index1Manifold::set_multipliers(double t, Span state) {
  Scratch scratch;
  const Span d = scratch.take<double>(m_);
  auto monitor = ConvergenceMonitor::to_rounding();
  while (true) {
    if (const auto status = linearise(t, state); status != ManifoldStatus::ok) return status;
    residual(1, t, state, d);
    s_.solve(d);
    for (std::size_t l = 0; l < m_; ++l)
      for (std::size_t i = 0; i < n_; ++i) state[i] -= image_(i, l) * d[l];
    const auto verdict = monitor.see_relative(max_norm(d), 1.0 + max_norm(state));
    if (verdict == Convergence::arrived) return ManifoldStatus::ok;
    if (verdict == Convergence::diverged) return ManifoldStatus::not_converged;
  }
}

ManifoldStatus Index1Manifold::project(double t, Span state, bool positions, Span mu1, Span mu2_by_h) {
  std::fill(mu1.begin(), mu1.end(), 0.0);
  std::fill(mu2_by_h.begin(), mu2_by_h.end(), 0.0);
  return positions ? set_multipliers(t, state) : ManifoldStatus::ok;
}

// The algebraic part is an error that users see: nothing is removed.
ManifoldStatus Index1Manifold::remove_normal(double, ConstSpan, Span) { return ManifoldStatus::ok; }

ManifoldStatus Index1Manifold::decisive_matrix(double t, ConstSpan state, Matrix& out) {
  if (const auto status = linearise(t, state); status != ManifoldStatus::ok) return status;
  out = s_.matrix();
  return ManifoldStatus::ok;
}

Manifold::Range Index1Manifold::determined_by(int) const { return {0, n_}; }

ManifoldStatus Index1Manifold::level_jacobian(int, double t, ConstSpan state, Matrix& out) {
  f_->f_jacobian(state, t, f_jacobian_);
  out = Matrix(m_, n_);
  for (std::size_t k = 0; k < m_; ++k)
    for (std::size_t j = 0; j < n_; ++j)
      for (std::size_t i = 0; i < n_; ++i) out(k, j) += rows_(i, k) * f_jacobian_(i, j);
  return ManifoldStatus::ok;
}

}  // namespace driftless
