#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/core/scratch.h"
#include "driftless/core/stop.h"
#include "driftless/equations/manifold_forms.h"
#include "driftless/nonlinear/convergence.h"

namespace driftless {

Index2Manifold::Index2Manifold(const Index2& form)
    : f_(form.share()),
      n_(form.u_size()),
      m_(form.lambda_size()),
      gamma_(f_->has_gamma() ? n_ : 0),
      g_jacobian_(m_, n_ + 1),
      direction_(n_, m_),
      slope_(n_),
      s_(m_),
      norm_(form.layout()) {
  if (!norm_.is_plain()) s_.set_sizes(ConstSpan(form.layout().sizes()).subspan(n_, m_));
}

ManifoldStatus Index2Manifold::factorise_gamma(double t, ConstSpan u) {
  if (!f_->has_gamma()) return ManifoldStatus::ok;
  f_->gamma(u, t, gamma_.matrix());
  if (!std::isfinite(max_norm({gamma_.matrix().data(), n_ * n_}))) return ManifoldStatus::not_finite;
  return gamma_.factorise() ? ManifoldStatus::ok : ManifoldStatus::gamma_singular;
}

// g_u Gamma^-1 f + g_t, (A3) of Schropp 2001, with g_u and Gamma^-1 f at hand.
void Index2Manifold::velocity_residual(Span out) const {
  for (std::size_t i = 0; i < m_; ++i) {
    double sum = g_jacobian_(i, n_);
    for (std::size_t j = 0; j < n_; ++j) sum += g_jacobian_(i, j) * slope_[j];
    out[i] = sum;
  }
}

ManifoldStatus Index2Manifold::residual(int level, double t, ConstSpan state, Span out) {
  const ConstSpan u = state.subspan(0, n_);
  if (level == 1) {
    f_->g(u, t, out);
    return ManifoldStatus::ok;
  }
  f_->g_jacobian(u, t, g_jacobian_);
  Scratch scratch;
  const Span rate = scratch.take<double>(state.size());
  if (const auto status = derivative(t, state, rate); status != ManifoldStatus::ok) return status;
  std::copy(rate.begin(), rate.begin() + n_, slope_.begin());
  velocity_residual(out);
  return ManifoldStatus::ok;
}

ManifoldStatus Index2Manifold::derivative(double t, ConstSpan state, Span out) {
  const ConstSpan u = state.subspan(0, n_), lambda = state.subspan(n_, m_);
  if (const auto status = factorise_gamma(t, u); status != ManifoldStatus::ok) return status;
  f_->f(u, lambda, t, out.subspan(0, n_));
  if (f_->has_gamma()) gamma_.solve(out.subspan(0, n_));
  for (double& x : out.subspan(n_, m_)) x = 0.0;
  return ManifoldStatus::ok;
}

// direction = Gamma^-1 f_lambda and S = g_u Gamma^-1 f_lambda, (A4).
ManifoldStatus Index2Manifold::linearise(double t, ConstSpan state) {
  settled_.clear();
  const ConstSpan u = state.subspan(0, n_), lambda = state.subspan(n_, m_);
  if (const auto status = factorise_gamma(t, u); status != ManifoldStatus::ok) return status;
  f_->f(u, lambda, t, slope_);
  f_->f_by_lambda(u, lambda, t, direction_);
  f_->g_jacobian(u, t, g_jacobian_);
  if (f_->has_gamma()) gamma_.solve(slope_);
  Matrix& s = s_.matrix();
  for (std::size_t l = 0; l < m_; ++l) {
    if (l % 16 == 15) check_stop();
    if (f_->has_gamma()) gamma_.solve(direction_.view().column(l));
    for (std::size_t i = 0; i < m_; ++i) {
      s(i, l) = 0.0;
      for (std::size_t j = 0; j < n_; ++j) s(i, l) += g_jacobian_(i, j) * direction_(j, l);
    }
  }
  if (!std::isfinite(max_norm({s.data(), m_ * m_}))) return ManifoldStatus::not_finite;
  s_.factorise();
  return ManifoldStatus::ok;
}

// Gamma^-1 f, with Gamma factorised.
void Index2Manifold::evaluate_slope(double t, ConstSpan state, Span out) {
  f_->f(state.subspan(0, n_), state.subspan(n_, m_), t, out);
  if (f_->has_gamma()) gamma_.solve(out);
}

ManifoldStatus Index2Manifold::flow(double t, Span state, Span slope) {
  if (m_ == 0) return derivative(t, state, slope);
  if (const auto status = set_multipliers(t, state); status != ManifoldStatus::ok) return status;
  evaluate_slope(t, state, slope.subspan(0, n_));
  std::ranges::fill(slope.subspan(n_, m_), 0.0);
  return ManifoldStatus::ok;
}

ManifoldStatus Index2Manifold::set_multipliers(double t, Span state) {
  if (m_ == 0) return ManifoldStatus::ok;
  const Span lambda = state.subspan(n_, m_);
  Scratch scratch;
  const Span d = scratch.take<double>(m_);
  auto monitor = ConvergenceMonitor::to_rounding();
  for (int pass = 0;; ++pass) {
    // Where lambda enters linearly, one linearisation is all it takes.
    if (pass % 3 == 0) {
      if (const auto status = linearise(t, state); status != ManifoldStatus::ok) return status;
    } else {
      evaluate_slope(t, state, slope_);
    }
    velocity_residual(d);
    s_.correct(d, lambda);
    for (std::size_t i = 0; i < m_; ++i) lambda[i] -= d[i];
    const auto verdict = monitor.see_relative(norm_.of_part(n_, d), 1.0 + norm_.of_part(n_, lambda));
    if (verdict == Convergence::arrived) return ManifoldStatus::ok;
    if (verdict == Convergence::diverged) return ManifoldStatus::not_converged;
  }
}

// (2.7) of Schropp 2001: u = u~ + Gamma^-1 f_lambda mu with the matrices at the new point; the whole mu in each
// iteration.
ManifoldStatus Index2Manifold::project(double t, Span state, bool positions, Span mu1, Span mu2_by_h) {
  std::fill(mu1.begin(), mu1.end(), 0.0);
  std::fill(mu2_by_h.begin(), mu2_by_h.end(), 0.0);
  if (!positions || m_ == 0) return ManifoldStatus::ok;
  const Span u = state.subspan(0, n_);
  Scratch scratch;
  const Span u0 = scratch.take<double>(n_);
  std::copy(u.begin(), u.end(), u0.begin());
  auto monitor = ConvergenceMonitor::to_rounding();
  while (true) {
    if (const auto status = linearise(t, state); status != ManifoldStatus::ok) return status;
    f_->g(u, t, mu1);
    for (std::size_t j = 0; j < n_; ++j)
      for (std::size_t i = 0; i < m_; ++i) mu1[i] += g_jacobian_(i, j) * (u0[j] - u[j]);
    for (double& x : mu1) x = -x;
    s_.solve(mu1);
    double moved = 0.0;
    for (std::size_t j = 0; j < n_; ++j) {
      double x = u0[j];
      for (std::size_t i = 0; i < m_; ++i) x += direction_(j, i) * mu1[i];
      moved = std::fmax(moved, norm_.of(j, x - u[j]));
      u[j] = x;
    }
    const auto verdict = monitor.see_relative(moved, 1.0 + norm_.of_part(0, u));
    if (verdict == Convergence::arrived)
      return s_.regular() || !leaves_something(*this, {1}, t, state, norm_) ? ManifoldStatus::ok
                                                                            : ManifoldStatus::not_converged;
    if (verdict == Convergence::diverged) return ManifoldStatus::not_converged;
  }
}

// Simplified Newton with the matrices at hand.
ManifoldStatus Index2Manifold::project_nearby(double t, Span state) {
  if (m_ == 0) return ManifoldStatus::ok;
  if (!s_.regular()) return Manifold::project_nearby(t, state);
  const Span u = state.subspan(0, n_);
  Scratch scratch;
  const Span mu = scratch.take<double>(m_), kept = scratch.take<double>(n_);
  std::copy(u.begin(), u.end(), kept.begin());
  double last = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < 20; ++pass) {
    f_->g(u, t, mu);
    s_.solve(mu);
    double moved = 0.0;
    for (std::size_t j = 0; j < n_; ++j) {
      double d = 0.0;
      for (std::size_t i = 0; i < m_; ++i) d += direction_(j, i) * mu[i];
      u[j] -= d;
      moved = std::fmax(moved, norm_.of(j, d));
    }
    const double rounding = std::numeric_limits<double>::epsilon() * (1.0 + norm_.of_part(0, u));
    if (moved <= rounding || (pass > 0 && moved * (moved / last) <= 0.5 * rounding)) return ManifoldStatus::ok;
    if (!(moved <= 0.2 * last)) break;
    last = moved;
  }
  std::copy(kept.begin(), kept.end(), u.begin());
  return Manifold::project_nearby(t, state);
}

// lambda with the matrix of the point before the projection; false if that does not contract.
bool Index2Manifold::correct_multipliers(double t, Span state) {
  const Span lambda = state.subspan(n_, m_);
  Scratch scratch;
  const Span d = scratch.take_raw<double>(m_);
  double last = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < 10; ++pass) {
    evaluate_slope(t, state, slope_);
    velocity_residual(d);
    s_.correct(d, lambda);
    for (std::size_t i = 0; i < m_; ++i) lambda[i] -= d[i];
    const double moved = norm_.of_part(n_, d);
    const double rounding = std::numeric_limits<double>::epsilon() * (1.0 + norm_.of_part(n_, lambda));
    if (moved <= rounding || (pass > 0 && moved * (moved / last) <= 0.5 * rounding)) return true;
    if (!(moved <= 0.2 * last)) return false;
    last = moved;
  }
  return false;
}

// One linearisation for both, at the point given; g_u is that of the end, so that the hidden constraint is exact.
ManifoldStatus Index2Manifold::settle(double t, Span state) {
  if (m_ == 0) return ManifoldStatus::ok;
  if (const auto status = linearise(t, state); status != ManifoldStatus::ok) return status;
  if (const auto status = project_nearby(t, state); status != ManifoldStatus::ok) return status;
  const ConstSpan u = state.subspan(0, n_);
  if (const auto status = factorise_gamma(t, u); status != ManifoldStatus::ok) return status;
  f_->g_jacobian(u, t, g_jacobian_);
  if (!correct_multipliers(t, state)) return set_multipliers(t, state);
  settled_.assign(u.begin(), u.end());
  settled_t_ = t;
  return ManifoldStatus::ok;
}

bool Index2Manifold::is_settled(double t, ConstSpan u) const {
  return !settled_.empty() && t == settled_t_ && std::ranges::equal(u, settled_);
}

ManifoldStatus Index2Manifold::remove_normal(double t, ConstSpan state, Span change) {
  if (m_ == 0) return ManifoldStatus::ok;
  if (!is_settled(t, state.subspan(0, n_)))
    if (const auto status = linearise(t, state); status != ManifoldStatus::ok) return status;
  return remove_normal_nearby(t, state, change);
}

ManifoldStatus Index2Manifold::remove_normal_nearby(double, ConstSpan, Span change) {
  Scratch scratch;
  const Span mu = scratch.take<double>(m_);
  for (std::size_t i = 0; i < m_; ++i)
    for (std::size_t j = 0; j < n_; ++j) mu[i] += g_jacobian_(i, j) * change[j];
  s_.solve(mu);
  for (std::size_t j = 0; j < n_; ++j)
    for (std::size_t i = 0; i < m_; ++i) change[j] -= direction_(j, i) * mu[i];
  return ManifoldStatus::ok;
}

ManifoldStatus Index2Manifold::decisive_matrix(double t, ConstSpan state, Matrix& out) {
  if (const auto status = linearise(t, state); status != ManifoldStatus::ok) return status;
  out = s_.matrix();
  return ManifoldStatus::ok;
}

Manifold::Range Index2Manifold::determined_by(int) const { return {0, n_}; }

ManifoldStatus Index2Manifold::level_jacobian(int, double t, ConstSpan state, Matrix& out) {
  f_->g_jacobian(state.subspan(0, n_), t, g_jacobian_);
  out = Matrix(m_, n_);
  std::copy(g_jacobian_.data(), g_jacobian_.data() + m_ * n_, out.data());
  return ManifoldStatus::ok;
}

ManifoldStatus Index2Manifold::regularity(double t, ConstSpan state, Regularity& out) {
  if (const auto status = linearise(t, state); status != ManifoldStatus::ok) return status;
  regularity_nearby(out);
  return ManifoldStatus::ok;
}

// Lengths of the rows and columns of g_u and Gamma^-1 f_lambda.
void Index2Manifold::regularity_nearby(Regularity& out) const {
  const Determinant determinant = s_.determinant();
  out = {.rank = determinant.sign != 0 ? m_ : 0, .sign = determinant.sign, .log_determinant = determinant.log};
  for (std::size_t i = 0; i < m_; ++i) {
    double row = 0.0, column = 0.0;
    for (std::size_t j = 0; j < n_; ++j) {
      row += g_jacobian_(i, j) * g_jacobian_(i, j);
      column += direction_(j, i) * direction_(j, i);
    }
    out.log_scale += 0.5 * std::log(row * column);
  }
}

}  // namespace driftless
