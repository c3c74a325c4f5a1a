#include <cmath>

#include "driftless/core/scratch.h"
#include "driftless/equations/manifold_forms.h"
#include "driftless/nonlinear/convergence.h"

namespace driftless {

Index3Manifold::Index3Manifold(const Index3& form)
    : f_(form.share()),
      n_(form.u_size()),
      p_(form.v_size()),
      m_(form.lambda_size()),
      f_jacobian_(n_, n_ + p_ + 1),
      k_jacobian_(p_, n_ + p_ + m_ + 1),
      g_jacobian_(m_, n_ + 1),
      row_(m_, p_),
      slope_(n_),
      rate_(p_),
      s_(m_),
      norm_(form.layout()) {
  if (!norm_.is_plain()) s_.set_sizes(ConstSpan(form.layout().sizes()).subspan(n_ + p_, m_));
}

ManifoldStatus Index3Manifold::residual(int level, double t, ConstSpan state, Span out) {
  const ConstSpan u = state.subspan(0, n_), v = state.subspan(n_, p_), lambda = state.subspan(n_ + p_, m_);
  if (level == 1) {
    f_->g(u, t, out);
    return ManifoldStatus::ok;
  }
  f_->g_jacobian(u, t, g_jacobian_);
  f_->f(u, v, t, slope_);
  if (level == 2) {
    velocity_residual(out);
    return ManifoldStatus::ok;
  }
  f_->f_jacobian(u, v, t, f_jacobian_);
  f_->k(u, v, lambda, t, rate_);
  acceleration_residual(t, u, out);
  return ManifoldStatus::ok;
}

// Dg f + g_t, with Dg and f at hand.
void Index3Manifold::velocity_residual(Span out) const {
  for (std::size_t i = 0; i < m_; ++i) {
    double sum = g_jacobian_(i, n_);
    for (std::size_t j = 0; j < n_; ++j) sum += g_jacobian_(i, j) * slope_[j];
    out[i] = sum;
  }
}

// (A2) of Schropp 2003 with time: D^2 g (f, f) + Dg (f_u f + f_v k + f_t) = 0, where the first term is the second
// derivative of g along (f, 1).
void Index3Manifold::acceleration_residual(double t, ConstSpan u, Span out) const {
  f_->g_curvature(u, t, slope_, 1.0, out);
  for (std::size_t j = 0; j < n_; ++j) {
    double second = f_jacobian_(j, n_ + p_);
    for (std::size_t k = 0; k < n_; ++k) second += f_jacobian_(j, k) * slope_[k];
    for (std::size_t k = 0; k < p_; ++k) second += f_jacobian_(j, n_ + k) * rate_[k];
    for (std::size_t i = 0; i < m_; ++i) out[i] += g_jacobian_(i, j) * second;
  }
}

ManifoldStatus Index3Manifold::derivative(double t, ConstSpan state, Span out) {
  const ConstSpan u = state.subspan(0, n_), v = state.subspan(n_, p_), lambda = state.subspan(n_ + p_, m_);
  f_->f(u, v, t, out.subspan(0, n_));
  f_->k(u, v, lambda, t, out.subspan(n_, p_));
  for (double& x : out.subspan(n_ + p_, m_)) x = 0.0;
  return ManifoldStatus::ok;
}

// row = Dg f_v and S = Dg f_v k_lambda at the state; f, k and their Jacobians are left at hand.
ManifoldStatus Index3Manifold::linearise(double t, ConstSpan state) {
  const ConstSpan u = state.subspan(0, n_), v = state.subspan(n_, p_), lambda = state.subspan(n_ + p_, m_);
  f_->f(u, v, t, slope_);
  f_->k(u, v, lambda, t, rate_);
  f_->f_jacobian(u, v, t, f_jacobian_);
  f_->k_jacobian(u, v, lambda, t, k_jacobian_);
  f_->g_jacobian(u, t, g_jacobian_);
  Matrix& s = s_.matrix();
  for (std::size_t i = 0; i < m_; ++i) {
    for (std::size_t k = 0; k < p_; ++k) {
      row_(i, k) = 0.0;
      for (std::size_t j = 0; j < n_; ++j) row_(i, k) += g_jacobian_(i, j) * f_jacobian_(j, n_ + k);
    }
    for (std::size_t l = 0; l < m_; ++l) {
      s(i, l) = 0.0;
      for (std::size_t k = 0; k < p_; ++k) s(i, l) += row_(i, k) * k_jacobian_(k, n_ + p_ + l);
    }
  }
  if (!std::isfinite(max_norm({s.data(), m_ * m_}))) return ManifoldStatus::not_finite;
  s_.factorise();
  return ManifoldStatus::ok;
}

ManifoldStatus Index3Manifold::set_multipliers(double t, Span state) {
  const Span lambda = state.subspan(n_ + p_, m_);
  Scratch scratch;
  const Span d = scratch.take<double>(m_);
  auto monitor = ConvergenceMonitor::to_rounding();
  for (int pass = 0;; ++pass) {
    // Where lambda enters linearly, one linearisation is all it takes.
    if (pass % 3 == 0) {
      if (const auto status = linearise(t, state); status != ManifoldStatus::ok) return status;
    } else {
      f_->k(state.subspan(0, n_), state.subspan(n_, p_), lambda, t, rate_);
    }
    acceleration_residual(t, state.subspan(0, n_), d);
    s_.correct(d, lambda);
    for (std::size_t i = 0; i < m_; ++i) lambda[i] -= d[i];
    const auto verdict = monitor.see_relative(norm_.of_part(n_ + p_, d), 1.0 + norm_.of_part(n_ + p_, lambda));
    if (verdict == Convergence::arrived) return ManifoldStatus::ok;
    if (verdict == Convergence::diverged) return ManifoldStatus::not_converged;
  }
}

// (2.7) of Schropp 2003: u = u~ + f_v k_lambda mu_1, v = v~ + k_lambda mu_2/h with the matrices at the new point. One
// sweep linearises both constraints at the current point and computes the whole mu_1, then the whole mu_2/h.
ManifoldStatus Index3Manifold::project(double t, Span state, bool positions, Span mu1, Span mu2_by_h) {
  const Span u = state.subspan(0, n_), v = state.subspan(n_, p_);
  Scratch scratch;
  const Span u0 = scratch.take<double>(n_), v0 = scratch.take<double>(p_), turn = scratch.take<double>(p_);
  std::copy(u.begin(), u.end(), u0.begin());
  std::copy(v.begin(), v.end(), v0.begin());
  std::fill(mu1.begin(), mu1.end(), 0.0);
  auto monitor = ConvergenceMonitor::to_rounding();
  while (true) {
    double moved = 0.0;
    if (positions) {
      if (const auto status = linearise(t, state); status != ManifoldStatus::ok) return status;
      f_->g(u, t, mu1);
      for (std::size_t j = 0; j < n_; ++j)
        for (std::size_t i = 0; i < m_; ++i) mu1[i] += g_jacobian_(i, j) * (u0[j] - u[j]);
      for (double& x : mu1) x = -x;
      s_.solve(mu1);
      push(mu1, turn);
      for (std::size_t j = 0; j < n_; ++j) {
        double x = u0[j];
        for (std::size_t k = 0; k < p_; ++k) x += f_jacobian_(j, n_ + k) * turn[k];
        moved = std::fmax(moved, norm_.of(j, x - u[j]) / (1.0 + norm_.of(j, x)));
        u[j] = x;
      }
    }
    if (const auto status = linearise(t, state); status != ManifoldStatus::ok) return status;
    velocity_residual(mu2_by_h);
    for (std::size_t k = 0; k < p_; ++k)
      for (std::size_t i = 0; i < m_; ++i) mu2_by_h[i] += row_(i, k) * (v0[k] - v[k]);
    for (double& x : mu2_by_h) x = -x;
    s_.solve(mu2_by_h);
    push(mu2_by_h, turn);
    for (std::size_t k = 0; k < p_; ++k) {
      const double x = v0[k] + turn[k];
      moved = std::fmax(moved, norm_.of(n_ + k, x - v[k]) / (1.0 + norm_.of(n_ + k, x)));
      v[k] = x;
    }
    const auto verdict = monitor.see_relative(moved, 1.0);
    if (verdict == Convergence::arrived)
      return s_.regular() || !leaves_something(*this, {1, 2}, t, state, norm_) ? ManifoldStatus::ok
                                                                               : ManifoldStatus::not_converged;
    if (verdict == Convergence::diverged) return ManifoldStatus::not_converged;
  }
}

// k_lambda mu
void Index3Manifold::push(ConstSpan mu, Span out) const {
  for (std::size_t k = 0; k < p_; ++k) {
    out[k] = 0.0;
    for (std::size_t i = 0; i < m_; ++i) out[k] += k_jacobian_(k, n_ + p_ + i) * mu[i];
  }
}

// Du: the part f_v k_lambda S^-1 Dg du; Dv: k_lambda S^-1 Dg f_v dv.
ManifoldStatus Index3Manifold::remove_normal(double t, ConstSpan state, Span change) {
  if (const auto status = linearise(t, state); status != ManifoldStatus::ok) return status;
  return remove_normal_nearby(t, state, change);
}

ManifoldStatus Index3Manifold::remove_normal_nearby(double, ConstSpan, Span change) {
  const Span du = change.subspan(0, n_), dv = change.subspan(n_, p_);
  Scratch scratch;
  const Span mu = scratch.take<double>(m_), turn = scratch.take<double>(p_);
  for (std::size_t i = 0; i < m_; ++i)
    for (std::size_t j = 0; j < n_; ++j) mu[i] += g_jacobian_(i, j) * du[j];
  s_.solve(mu);
  push(mu, turn);
  for (std::size_t j = 0; j < n_; ++j)
    for (std::size_t k = 0; k < p_; ++k) du[j] -= f_jacobian_(j, n_ + k) * turn[k];
  for (std::size_t i = 0; i < m_; ++i) {
    mu[i] = 0.0;
    for (std::size_t k = 0; k < p_; ++k) mu[i] += row_(i, k) * dv[k];
  }
  s_.solve(mu);
  push(mu, turn);
  for (std::size_t k = 0; k < p_; ++k) dv[k] -= turn[k];
  return ManifoldStatus::ok;
}

ManifoldStatus Index3Manifold::decisive_matrix(double t, ConstSpan state, Matrix& out) {
  if (const auto status = linearise(t, state); status != ManifoldStatus::ok) return status;
  out = s_.matrix();
  return ManifoldStatus::ok;
}

Manifold::Range Index3Manifold::determined_by(int level) const { return level == 1 ? Range{0, n_} : Range{n_, p_}; }

ManifoldStatus Index3Manifold::level_jacobian(int level, double t, ConstSpan state, Matrix& out) {
  if (const auto status = linearise(t, state); status != ManifoldStatus::ok) return status;
  if (level == 1) {
    out = Matrix(m_, n_);
    std::copy(g_jacobian_.data(), g_jacobian_.data() + m_ * n_, out.data());
  } else {
    out = row_;
  }
  return ManifoldStatus::ok;
}

ManifoldStatus Index3Manifold::regularity(double t, ConstSpan state, Regularity& out) {
  if (const auto status = linearise(t, state); status != ManifoldStatus::ok) return status;
  regularity_nearby(out);
  return ManifoldStatus::ok;
}

// Lengths of the rows and columns of Dg f_v and k_lambda.
void Index3Manifold::regularity_nearby(Regularity& out) const {
  const Determinant determinant = s_.determinant();
  out = {.rank = determinant.sign != 0 ? m_ : 0, .sign = determinant.sign, .log_determinant = determinant.log};
  for (std::size_t i = 0; i < m_; ++i) {
    double row = 0.0, column = 0.0;
    for (std::size_t j = 0; j < p_; ++j) {
      row += row_(i, j) * row_(i, j);
      column += k_jacobian_(j, n_ + p_ + i) * k_jacobian_(j, n_ + p_ + i);
    }
    out.log_scale += 0.5 * std::log(row * column);
  }
}

}  // namespace driftless
