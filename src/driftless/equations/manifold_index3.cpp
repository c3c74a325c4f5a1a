#include <algorithm>
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
      slope_(n_),
      rate_(p_),
      second_(n_),
      norm_(form.layout()) {
  if (norm_.is_plain()) return;
  const ConstSpan sizes = ConstSpan(form.layout().sizes()).subspan(n_ + p_, m_);
  lambda_sizes_.assign(sizes.begin(), sizes.end());
}

Index3Normal& Index3Manifold::normal() {
  if (!normal_) normal_ = make_normal(f_, n_, p_, m_, lambda_sizes_);
  return *normal_;
}

ManifoldStatus Index3Manifold::residual(int level, double t, ConstSpan state, Span out) {
  const ConstSpan u = state.subspan(0, n_), v = state.subspan(n_, p_), lambda = state.subspan(n_ + p_, m_);
  if (level == 1) {
    f_->g(u, t, out);
    return ManifoldStatus::ok;
  }
  normal().set_gradients(t, u);
  f_->f(u, v, t, slope_);
  if (level == 2) {
    velocity_residual(out);
    return ManifoldStatus::ok;
  }
  normal_->set_rates(t, u, v);
  f_->k(u, v, lambda, t, rate_);
  acceleration_residual(t, u, out);
  return ManifoldStatus::ok;
}

// Dg f + g_t, with Dg and f at hand.
void Index3Manifold::velocity_residual(Span out) const {
  normal_->time_derivative(out);
  normal_->add_gradients(slope_, out);
}

// (A2) of Schropp 2003 with time: D^2 g (f, f) + Dg (f_u f + f_v k + f_t) = 0, where the first term is the second
// derivative of g along (f, 1).
void Index3Manifold::acceleration_residual(double t, ConstSpan u, Span out) {
  f_->g_curvature(u, t, slope_, 1.0, out);
  normal_->accelerate(slope_, rate_, second_);
  normal_->add_gradients(second_, out);
}

ManifoldStatus Index3Manifold::derivative(double t, ConstSpan state, Span out) {
  const ConstSpan u = state.subspan(0, n_), v = state.subspan(n_, p_), lambda = state.subspan(n_ + p_, m_);
  f_->f(u, v, t, out.subspan(0, n_));
  f_->k(u, v, lambda, t, out.subspan(n_, p_));
  for (double& x : out.subspan(n_ + p_, m_)) x = 0.0;
  return ManifoldStatus::ok;
}

// S = Dg f_v k_lambda at the state; f and k are left at hand.
ManifoldStatus Index3Manifold::linearise(double t, ConstSpan state) {
  const ConstSpan u = state.subspan(0, n_), v = state.subspan(n_, p_), lambda = state.subspan(n_ + p_, m_);
  f_->f(u, v, t, slope_);
  f_->k(u, v, lambda, t, rate_);
  normal().set_rates(t, u, v);
  normal_->set_directions(t, u, v, lambda);
  normal_->set_gradients(t, u);
  return normal_->factorise();
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
    normal_->correct(d, lambda);
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
  const Span u0 = scratch.take<double>(n_), v0 = scratch.take<double>(p_);
  const Span turn = scratch.take<double>(p_), next = scratch.take<double>(n_);
  std::copy(u.begin(), u.end(), u0.begin());
  std::copy(v.begin(), v.end(), v0.begin());
  std::fill(mu1.begin(), mu1.end(), 0.0);
  auto monitor = ConvergenceMonitor::to_rounding();
  while (true) {
    double moved = 0.0;
    if (positions) {
      if (const auto status = linearise(t, state); status != ManifoldStatus::ok) return status;
      f_->g(u, t, mu1);
      for (std::size_t j = 0; j < n_; ++j) next[j] = u0[j] - u[j];
      normal_->add_gradients(next, mu1);
      for (double& x : mu1) x = -x;
      normal_->solve(mu1);
      normal_->push(mu1, turn);
      std::ranges::copy(u0, next.begin());
      normal_->add_rates(1.0, turn, next);
      for (std::size_t j = 0; j < n_; ++j) {
        moved = std::fmax(moved, norm_.of(j, next[j] - u[j]) / (1.0 + norm_.of(j, next[j])));
        u[j] = next[j];
      }
    }
    if (const auto status = linearise(t, state); status != ManifoldStatus::ok) return status;
    velocity_residual(mu2_by_h);
    for (std::size_t k = 0; k < p_; ++k) turn[k] = v0[k] - v[k];
    normal_->add_velocity_gradients(turn, mu2_by_h);
    for (double& x : mu2_by_h) x = -x;
    normal_->solve(mu2_by_h);
    normal_->push(mu2_by_h, turn);
    for (std::size_t k = 0; k < p_; ++k) {
      const double x = v0[k] + turn[k];
      moved = std::fmax(moved, norm_.of(n_ + k, x - v[k]) / (1.0 + norm_.of(n_ + k, x)));
      v[k] = x;
    }
    const auto verdict = monitor.see_relative(moved, 1.0);
    if (verdict == Convergence::arrived)
      return normal_->regular() || !leaves_something(*this, {1, 2}, t, state, norm_) ? ManifoldStatus::ok
                                                                                     : ManifoldStatus::not_converged;
    if (verdict == Convergence::diverged) return ManifoldStatus::not_converged;
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
  normal_->add_gradients(du, mu);
  normal_->solve(mu);
  normal_->push(mu, turn);
  normal_->add_rates(-1.0, turn, du);
  std::ranges::fill(mu, 0.0);
  normal_->add_velocity_gradients(dv, mu);
  normal_->solve(mu);
  normal_->push(mu, turn);
  for (std::size_t k = 0; k < p_; ++k) dv[k] -= turn[k];
  return ManifoldStatus::ok;
}

ManifoldStatus Index3Manifold::decisive_matrix(double t, ConstSpan state, Matrix& out) {
  if (const auto status = linearise(t, state); status != ManifoldStatus::ok) return status;
  normal_->copy_decisive(out);
  return ManifoldStatus::ok;
}

Manifold::Range Index3Manifold::determined_by(int level) const { return level == 1 ? Range{0, n_} : Range{n_, p_}; }

ManifoldStatus Index3Manifold::level_jacobian(int level, double t, ConstSpan state, Matrix& out) {
  if (const auto status = linearise(t, state); status != ManifoldStatus::ok) return status;
  normal_->copy_gradients(level, out);
  return ManifoldStatus::ok;
}

ManifoldStatus Index3Manifold::level_values(int level, double t, ConstSpan state, Pattern& pattern, Vector& values) {
  normal().set_gradients(t, state.subspan(0, n_));
  normal_->set_rates(t, state.subspan(0, n_), state.subspan(n_, p_));
  normal_->copy_gradients(level, pattern, values);
  return ManifoldStatus::ok;
}

ManifoldStatus Index3Manifold::level_effect(int level, double t, ConstSpan state, ConstSpan sizes, Span out) {
  if (!is_sparse()) return Manifold::level_effect(level, t, state, sizes, out);
  Pattern pattern;
  Vector values;
  level_values(level, t, state, pattern, values);
  std::ranges::fill(out, 0.0);
  for (std::size_t j = 0, e = 0; j < pattern.cols; ++j)
    for (; e < pattern.begin[j + 1]; ++e) out[pattern.row[e]] += std::abs(values[e]) * sizes[j];
  return ManifoldStatus::ok;
}

// Along f_v k_lambda for u and k_lambda for v: mu with g_u P f_v k_lambda mu = -r, resp. g_u f_v P k_lambda mu = -r,
// for the projection P on what is free.
ManifoldStatus Index3Manifold::jump_step(int level, double t, ConstSpan state, const std::vector<char>& free,
                                         ConstSpan residual, Span step) {
  const ConstSpan u = state.subspan(0, n_), v = state.subspan(n_, p_), lambda = state.subspan(n_ + p_, m_);
  normal().set_rates(t, u, v);
  normal_->set_directions(t, u, v, lambda);
  normal_->set_gradients(t, u);
  normal_->hold(level, free);
  if (const auto status = normal_->factorise(); status != ManifoldStatus::ok) return status;
  Scratch scratch;
  const Span mu = scratch.take<double>(m_), turn = scratch.take<double>(p_);
  for (std::size_t i = 0; i < m_; ++i) mu[i] = -residual[i];
  normal_->solve(mu);
  normal_->push(mu, turn);
  std::ranges::fill(step, 0.0);
  if (level == 2) {
    std::ranges::copy(turn, step.begin());
    return ManifoldStatus::ok;
  }
  normal_->add_rates(1.0, turn, step);
  for (std::size_t j = 0; j < n_; ++j)
    if (!free[j]) step[j] = 0.0;
  return ManifoldStatus::ok;
}

ManifoldStatus Index3Manifold::examine(double t, ConstSpan state, Examination& out) {
  if (const auto status = linearise(t, state); status != ManifoldStatus::ok) return status;
  normal_->examine(out);
  return ManifoldStatus::ok;
}

ManifoldStatus Index3Manifold::regularity(double t, ConstSpan state, Regularity& out) {
  if (const auto status = linearise(t, state); status != ManifoldStatus::ok) return status;
  regularity_nearby(out);
  return ManifoldStatus::ok;
}

void Index3Manifold::regularity_nearby(Regularity& out) const {
  if (!normal_) return void(out = {});
  const Determinant determinant = normal_->determinant();
  out = {.rank = determinant.sign != 0 ? m_ : 0,
         .sign = determinant.sign,
         .log_determinant = determinant.log,
         .log_scale = normal_->log_scale()};
}

bool Index3Manifold::decisive_nearby(Matrix& out) const {
  if (!normal_ || normal_->is_sparse()) return false;
  normal_->copy_decisive(out);
  return true;
}

}  // namespace driftless
