#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/core/scratch.h"
#include "driftless/equations/manifold_forms.h"
#include "driftless/nonlinear/convergence.h"

namespace driftless {

Index2Manifold::Index2Manifold(const Index2& form)
    : f_(form.share()), n_(form.u_size()), m_(form.lambda_size()), slope_(n_), norm_(form.layout()) {
  if (norm_.is_plain()) return;
  const ConstSpan sizes = ConstSpan(form.layout().sizes()).subspan(n_, m_);
  lambda_sizes_.assign(sizes.begin(), sizes.end());
}

Index2Normal& Index2Manifold::normal() {
  if (!normal_) normal_ = make_normal(f_, n_, m_, lambda_sizes_);
  return *normal_;
}

// g_u Gamma^-1 f + g_t, (A3) of Schropp 2001, with g_u and Gamma^-1 f at hand.
void Index2Manifold::velocity_residual(Span out) const {
  normal_->time_derivative(out);
  normal_->add_gradients(slope_, out);
}

ManifoldStatus Index2Manifold::residual(int level, double t, ConstSpan state, Span out) {
  const ConstSpan u = state.subspan(0, n_);
  if (level == 1) {
    f_->g(u, t, out);
    return ManifoldStatus::ok;
  }
  normal().set_gradients(t, u);
  Scratch scratch;
  const Span rate = scratch.take<double>(state.size());
  if (const auto status = derivative(t, state, rate); status != ManifoldStatus::ok) return status;
  std::copy(rate.begin(), rate.begin() + n_, slope_.begin());
  velocity_residual(out);
  return ManifoldStatus::ok;
}

ManifoldStatus Index2Manifold::derivative(double t, ConstSpan state, Span out) {
  const ConstSpan u = state.subspan(0, n_);
  if (const auto status = set_gamma(t, u); status != ManifoldStatus::ok) return status;
  evaluate_slope(t, state, out.subspan(0, n_));
  for (double& x : out.subspan(n_, m_)) x = 0.0;
  return ManifoldStatus::ok;
}

// Without a Gamma no matrix is needed.
ManifoldStatus Index2Manifold::set_gamma(double t, ConstSpan u) {
  return f_->has_gamma() ? normal().set_gamma(t, u) : ManifoldStatus::ok;
}

// S = g_u Gamma^-1 f_lambda, (A4).
ManifoldStatus Index2Manifold::linearise(double t, ConstSpan state) {
  settled_.clear();
  const ConstSpan u = state.subspan(0, n_), lambda = state.subspan(n_, m_);
  if (const auto status = set_gamma(t, u); status != ManifoldStatus::ok) return status;
  Index2Normal& at = normal();
  evaluate_slope(t, state, slope_);
  at.set_directions(t, u, lambda);
  at.set_gradients(t, u);
  return at.factorise();
}

// Gamma^-1 f, with Gamma factorised.
void Index2Manifold::evaluate_slope(double t, ConstSpan state, Span out) {
  f_->f(state.subspan(0, n_), state.subspan(n_, m_), t, out);
  if (f_->has_gamma()) normal().solve_gamma(out);
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
    normal_->correct(d, lambda);
    for (std::size_t i = 0; i < m_; ++i) lambda[i] -= d[i];
    const double moved = norm_.of_part(n_, d);
    const auto verdict = monitor.see_relative(moved, 1.0 + norm_.of_part(n_, lambda));
    if (verdict == Convergence::arrived) return ManifoldStatus::ok;
    if (verdict == Convergence::diverged) return ManifoldStatus::not_converged;
    if (normal_->has_constant_directions() && std::isfinite(moved)) return ManifoldStatus::ok;
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
  const Span u0 = scratch.take_raw<double>(n_), next = scratch.take_raw<double>(n_);
  std::copy(u.begin(), u.end(), u0.begin());
  auto monitor = ConvergenceMonitor::to_rounding();
  while (true) {
    if (const auto status = linearise(t, state); status != ManifoldStatus::ok) return status;
    f_->g(u, t, mu1);
    for (std::size_t j = 0; j < n_; ++j) next[j] = u0[j] - u[j];
    normal_->add_gradients(next, mu1);
    for (double& x : mu1) x = -x;
    normal_->solve(mu1);
    std::ranges::copy(u0, next.begin());
    normal_->push(1.0, mu1, next);
    double moved = 0.0;
    for (std::size_t j = 0; j < n_; ++j) {
      moved = std::fmax(moved, norm_.of(j, next[j] - u[j]));
      u[j] = next[j];
    }
    const auto verdict = monitor.see_relative(moved, 1.0 + norm_.of_part(0, u));
    if (verdict == Convergence::arrived)
      return normal_->regular() || !leaves_something(*this, {1}, t, state, norm_) ? ManifoldStatus::ok
                                                                                  : ManifoldStatus::not_converged;
    if (verdict == Convergence::diverged) return ManifoldStatus::not_converged;
  }
}

// Simplified Newton with the matrices at hand.
ManifoldStatus Index2Manifold::project_nearby(double t, Span state) {
  if (m_ == 0) return ManifoldStatus::ok;
  if (!normal().regular()) return Manifold::project_nearby(t, state);
  const Span u = state.subspan(0, n_);
  Scratch scratch;
  const Span mu = scratch.take<double>(m_), kept = scratch.take<double>(n_), d = scratch.take_raw<double>(n_);
  std::copy(u.begin(), u.end(), kept.begin());
  double last = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < 20; ++pass) {
    f_->g(u, t, mu);
    normal_->solve(mu);
    std::ranges::fill(d, 0.0);
    normal_->push(1.0, mu, d);
    double moved = 0.0;
    for (std::size_t j = 0; j < n_; ++j) {
      u[j] -= d[j];
      moved = std::fmax(moved, norm_.of(j, d[j]));
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
    normal_->correct(d, lambda);
    for (std::size_t i = 0; i < m_; ++i) lambda[i] -= d[i];
    const double moved = norm_.of_part(n_, d);
    const double rounding = std::numeric_limits<double>::epsilon() * (1.0 + norm_.of_part(n_, lambda));
    if (moved <= rounding || (pass > 0 && moved * (moved / last) <= 0.5 * rounding)) return true;
    if (!(moved <= 0.2 * last)) return false;
    last = moved;
  }
  return false;
}

ManifoldStatus Index2Manifold::set_multipliers_nearby(double t, Span state) {
  if (m_ == 0) return ManifoldStatus::ok;
  if (!normal_) return set_multipliers(t, state);
  settled_.clear();
  const ConstSpan u = state.subspan(0, n_);
  if (const auto status = set_gamma(t, u); status != ManifoldStatus::ok) return status;
  normal_->set_gradients(t, u);
  return correct_multipliers(t, state) ? ManifoldStatus::ok : set_multipliers(t, state);
}

// One linearisation for both, at the point given; g_u is that of the end, so that the hidden constraint is exact.
ManifoldStatus Index2Manifold::settle(double t, Span state) {
  if (m_ == 0) return ManifoldStatus::ok;
  if (const auto status = linearise(t, state); status != ManifoldStatus::ok) return status;
  if (const auto status = project_nearby(t, state); status != ManifoldStatus::ok) return status;
  if (const auto status = set_multipliers_nearby(t, state); status != ManifoldStatus::ok) return status;
  const ConstSpan u = state.subspan(0, n_);
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
  if (m_ == 0) return ManifoldStatus::ok;
  Scratch scratch;
  const Span mu = scratch.take<double>(m_);
  normal_->add_gradients(change, mu);
  normal_->solve(mu);
  normal_->push(-1.0, mu, change);
  return ManifoldStatus::ok;
}

ManifoldStatus Index2Manifold::decisive_matrix(double t, ConstSpan state, Matrix& out) {
  if (const auto status = linearise(t, state); status != ManifoldStatus::ok) return status;
  normal_->copy_decisive(out);
  return ManifoldStatus::ok;
}

Manifold::Range Index2Manifold::determined_by(int) const { return {0, n_}; }

ManifoldStatus Index2Manifold::level_jacobian(int, double t, ConstSpan state, Matrix& out) {
  normal().set_gradients(t, state.subspan(0, n_));
  normal_->copy_gradients(out);
  return ManifoldStatus::ok;
}

ManifoldStatus Index2Manifold::level_effect(int, double t, ConstSpan state, ConstSpan sizes, Span out) {
  normal().set_gradients(t, state.subspan(0, n_));
  std::ranges::fill(out, 0.0);
  normal_->add_sizes(sizes, out);
  return ManifoldStatus::ok;
}

ManifoldStatus Index2Manifold::level_values(int, double t, ConstSpan state, Pattern& pattern, Vector& values) {
  normal().set_gradients(t, state.subspan(0, n_));
  normal_->copy_gradients(pattern, values);
  return ManifoldStatus::ok;
}

// mu with g_u P Gamma^-1 f_lambda mu = -r for the projection P on what is free.
ManifoldStatus Index2Manifold::jump_step(int, double t, ConstSpan state, const std::vector<char>& free,
                                         ConstSpan residual, Span step) {
  settled_.clear();
  const ConstSpan u = state.subspan(0, n_);
  if (const auto status = set_gamma(t, u); status != ManifoldStatus::ok) return status;
  normal().set_gradients(t, u);
  normal_->set_directions(t, u, state.subspan(n_, m_));
  normal_->hold_gradients(free);
  if (const auto status = normal_->factorise(); status != ManifoldStatus::ok) return status;
  Scratch scratch;
  const Span mu = scratch.take<double>(m_);
  std::ranges::copy(residual, mu.begin());
  normal_->solve(mu);
  std::ranges::fill(step, 0.0);
  normal_->push(-1.0, mu, step);
  for (std::size_t j = 0; j < n_; ++j)
    if (!free[j]) step[j] = 0.0;
  return ManifoldStatus::ok;
}

ManifoldStatus Index2Manifold::examine(double t, ConstSpan state, Examination& out) {
  if (const auto status = linearise(t, state); status != ManifoldStatus::ok) return status;
  normal_->examine(out);
  return ManifoldStatus::ok;
}

ManifoldStatus Index2Manifold::regularity(double t, ConstSpan state, Regularity& out) {
  if (const auto status = linearise(t, state); status != ManifoldStatus::ok) return status;
  regularity_nearby(out);
  return ManifoldStatus::ok;
}

void Index2Manifold::regularity_nearby(Regularity& out) const {
  if (!normal_) return void(out = {});
  const Determinant determinant = normal_->determinant();
  out = {.rank = determinant.sign != 0 ? m_ : 0,
         .sign = determinant.sign,
         .log_determinant = determinant.log,
         .log_scale = normal_->log_scale()};
}

bool Index2Manifold::decisive_nearby(Matrix& out) const {
  if (!normal_ || normal_->is_sparse()) return false;
  normal_->copy_decisive(out);
  return true;
}

}  // namespace driftless
