#include "driftless/equations/manifold_wide.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/core/scratch.h"
#include "driftless/nonlinear/convergence.h"

namespace driftless {

WideManifold::WideManifold(const WideMechanical& form)
    : f_(form.share()),
      n_(form.q_size()),
      p_(form.v_size()),
      r_(form.s_size()),
      g_(form.holonomic()),
      m_(form.rows()),
      i_(form.position_invariants()),
      j_(form.velocity_invariants()),
      all_(form.lambda_size()),
      at_(form),
      rates_(n_, n_ + p_ + 1),
      at_q_(n_),
      norm_(form.layout()) {}

WideManifold::Parts<double> WideManifold::split(Span x) const {
  return {x.subspan(0, n_), x.subspan(n_, p_), x.subspan(n_ + p_, r_), x.subspan(n_ + p_ + r_, m_),
          x.subspan(n_ + p_ + r_ + m_, i_ + j_)};
}
WideManifold::Parts<const double> WideManifold::split(ConstSpan x) const {
  return {x.subspan(0, n_), x.subspan(n_, p_), x.subspan(n_ + p_, r_), x.subspan(n_ + p_ + r_, m_),
          x.subspan(n_ + p_ + r_ + m_, i_ + j_)};
}

bool WideManifold::is_known(double t, ConstSpan q) const {
  return known_ && t == at_t_ && std::equal(q.begin(), q.end(), at_q_.begin());
}

void WideManifold::evaluate_directions(double t, ConstSpan q) {
  if (is_known(t, q)) return;
  known_ = rates_known_ = false;
  at_.evaluate(q, t);
}

ManifoldStatus WideManifold::factorise(double t, ConstSpan q) {
  if (is_known(t, q)) return ManifoldStatus::ok;
  evaluate_directions(t, q);
  if (const auto status = at_.factorise(); status != ManifoldStatus::ok) return status;
  std::ranges::copy(q, at_q_.begin());
  at_t_ = t;
  known_ = true;
  return ManifoldStatus::ok;
}

// T where it is factorised; any velocity will do.
void WideManifold::evaluate_rates(double t, ConstSpan q) {
  if (rates_known_ && is_known(t, q)) return;
  Scratch scratch;
  f_->rates_jacobian(q, scratch.take<double>(p_), t, rates_);
  rates_known_ = known_;
}

void WideManifold::move(ConstSpan along, Span q) const {
  for (std::size_t j = 0; j < p_; ++j)
    for (std::size_t i = 0; i < n_; ++i) q[i] += rates_(i, n_ + j) * along[j];
}

ManifoldStatus WideManifold::residual(int level, double t, ConstSpan state, Span out) {
  const auto x = split(state);
  std::ranges::fill(out, 0.0);
  if (level == 1) {
    f_->constraint(x.q, t, out.first(g_));
    f_->position_invariants(x.q, t, out.subspan(m_, i_));
    return ManifoldStatus::ok;
  }
  if (level == 2) {
    f_->velocity_rows(x.q, x.v, t, out.first(m_));
    f_->velocity_invariants(x.q, x.v, t, out.subspan(m_ + i_, j_));
    return ManifoldStatus::ok;
  }
  Scratch scratch;
  const Span slope = scratch.take<double>(state.size());
  if (const auto status = derivative(t, state, slope); status != ManifoldStatus::ok) return status;
  f_->acceleration_rows(x.q, x.v, slope.subspan(n_, p_), t, out.first(m_));
  return ManifoldStatus::ok;
}

ManifoldStatus WideManifold::derivative(double t, ConstSpan state, Span out) {
  const auto x = split(state);
  const auto dx = split(out);
  if (const auto status = factorise(t, x.q); status != ManifoldStatus::ok) return status;
  Scratch scratch;
  const Span rest = scratch.take<double>(m_);
  std::ranges::fill(dx.v, 0.0);
  f_->acceleration_rows(x.q, x.v, dx.v, t, rest);
  for (double& value : rest) value = -value;
  f_->rates(x.q, x.v, t, dx.q);
  f_->force(x.q, x.v, x.s, t, dx.v);
  at_.accelerate(x.lambda, rest, dx.v);
  f_->states(x.q, x.v, x.s, t, dx.s);
  std::ranges::fill(dx.lambda, 0.0);
  std::ranges::fill(dx.drift, 0.0);
  return ManifoldStatus::ok;
}

// [M C^T; C 0] (a, (lambda, nu)) = (F, -c).
ManifoldStatus WideManifold::set_multipliers(double t, Span state) {
  const auto x = split(state);
  if (const auto status = factorise(t, x.q); status != ManifoldStatus::ok) return status;
  Scratch scratch;
  const Span a = scratch.take<double>(p_);
  f_->acceleration_rows(x.q, x.v, a, t, x.lambda);
  f_->force(x.q, x.v, x.s, t, a);
  if (!all_finite(a) || !all_finite(x.lambda)) return ManifoldStatus::not_finite;
  for (double& value : x.lambda) value = -value;
  at_.solve(a, x.lambda);
  return ManifoldStatus::ok;
}

ManifoldStatus WideManifold::flow(double t, Span state, Span slope) {
  const auto x = split(state);
  const auto dx = split(slope);
  known_ = rates_known_ = false;
  at_.evaluate_dynamics(x.q, x.v, x.s, t, dx.v, x.lambda, dx.q);
  for (double& value : x.lambda) value = -value;
  if (const auto status = at_.factorise(); status != ManifoldStatus::ok) return status;
  at_.solve(dx.v, x.lambda);
  if (r_ > 0) f_->states(x.q, x.v, x.s, t, dx.s);
  std::ranges::fill(dx.lambda, 0.0);
  std::ranges::fill(dx.drift, 0.0);
  const bool finite = all_finite(slope) && all_finite(x.lambda);
  return finite ? ManifoldStatus::ok : ManifoldStatus::not_finite;
}

// Positions move along virtual displacements: q -> q + T d with A d = 0. Of these d the one with least d^T M d that has
// G T d = -g: (2.7) of Schropp 2003 for the motion that A leaves, where M decides even if it is singular elsewhere.
ManifoldStatus WideManifold::project_positions(double t, Span q, Span mu) {
  if (g_ == 0) return ManifoldStatus::ok;
  Scratch scratch;
  const Span d = scratch.take<double>(p_), moved = scratch.take<double>(n_);
  auto monitor = ConvergenceMonitor::to_rounding();
  while (true) {
    if (const auto status = factorise(t, q); status != ManifoldStatus::ok) return status;
    evaluate_rates(t, q);
    std::ranges::fill(mu, 0.0);
    f_->constraint(q, t, mu.first(g_));
    for (double& x : mu.first(m_)) x = -x;
    at_.solve_positions(d, mu.first(m_));
    std::ranges::copy(q, moved.begin());
    move(d, q);
    for (std::size_t i = 0; i < n_; ++i) moved[i] = q[i] - moved[i];
    const auto verdict = monitor.see_relative(norm_.of_part(0, moved), 1.0 + norm_.of_part(0, q));
    if (verdict == Convergence::arrived) return ManifoldStatus::ok;
    if (verdict == Convergence::diverged) return ManifoldStatus::not_converged;
  }
}

// Linear in v; the second pass removes what rounding left.
ManifoldStatus WideManifold::project_velocities(double t, ConstSpan q, Span v, Span mu) {
  if (m_ == 0) return ManifoldStatus::ok;
  if (const auto status = factorise(t, q); status != ManifoldStatus::ok) return status;
  Scratch scratch;
  const Span d = scratch.take<double>(p_), rest = scratch.take<double>(m_);
  std::ranges::fill(mu, 0.0);
  for (int pass = 0; pass < 2; ++pass) {
    f_->velocity_rows(q, v, t, rest);
    for (double& x : rest) x = -x;
    at_.solve_constraints(d, rest);
    for (std::size_t i = 0; i < p_; ++i) v[i] += d[i];
    for (std::size_t i = 0; i < m_; ++i) mu[i] += rest[i];
  }
  return all_finite(v) ? ManifoldStatus::ok : ManifoldStatus::not_finite;
}

ManifoldStatus WideManifold::project(double t, Span state, bool positions, Span mu1, Span mu2_by_h) {
  const auto x = split(state);
  std::ranges::fill(mu1, 0.0);
  std::ranges::fill(mu2_by_h, 0.0);
  if (positions)
    if (const auto status = project_positions(t, x.q, mu1); status != ManifoldStatus::ok) return status;
  if (const auto status = project_velocities(t, x.q, x.v, mu2_by_h); status != ManifoldStatus::ok) return status;
  if (positions)
    if (const auto status = project_invariants(t, state); status != ManifoldStatus::ok) return status;
  if (at_.rank() < m_)
    if (const auto status = factorise(t, x.q); status != ManifoldStatus::ok) return status;
  return contradicts(t, x.q, x.v) ? ManifoldStatus::not_converged : ManifoldStatus::ok;
}

// Redundant rows are fine as long as they agree; if they do not, least squares has left a residual.
bool WideManifold::contradicts(double t, ConstSpan q, ConstSpan v) {
  if (at_.rank() == m_) return false;
  Scratch scratch;
  const Span rest = scratch.take<double>(g_ + m_);
  const MatrixView by_q{scratch.take<double>(g_ * (n_ + 1)).data(), g_, n_ + 1, g_},
      by_qv{scratch.take<double>(m_ * (n_ + p_ + 1)).data(), m_, n_ + p_ + 1, m_};
  f_->constraint(q, t, rest.first(g_));
  f_->velocity_rows(q, v, t, rest.subspan(g_));
  f_->constraint_jacobian(q, t, by_q);
  f_->velocity_jacobian(q, v, t, by_qv);
  const auto allowed = [&](ConstMatrixView by, std::size_t row) {
    double largest = std::abs(by(row, by.cols - 1));
    for (std::size_t k = 0; k + 1 < by.cols; ++k) {
      const double value = k < n_ ? q[k] : v[k - n_];
      largest = std::fmax(largest, std::abs(by(row, k)) * (norm_.usual(k) + std::abs(value)));
    }
    return 1e-8 * largest;
  };
  for (std::size_t k = 0; k < g_; ++k)
    if (!(std::abs(rest[k]) <= allowed(by_q, k))) return true;
  for (std::size_t k = 0; k < m_; ++k)
    if (!(std::abs(rest[g_ + k]) <= allowed(by_qv, k))) return true;
  return false;
}

// Simplified Newton with the factorisation at hand, first for q, then for v; false if it does not contract.
bool WideManifold::correct_nearby(double t, Span q, Span v) {
  Scratch scratch;
  const Span d = scratch.take_raw<double>(p_), rest = scratch.take_raw<double>(m_), moved = scratch.take<double>(n_);
  for (const bool positions : {true, false}) {
    if (positions && g_ == 0) continue;
    double last = std::numeric_limits<double>::infinity();
    for (int pass = 0;; ++pass) {
      std::ranges::fill(rest, 0.0);
      if (positions)
        f_->constraint(q, t, rest.first(g_));
      else
        f_->velocity_rows(q, v, t, rest);
      for (double& value : rest) value = -value;
      at_.solve_constraints(d, rest);
      double size = 0.0;
      if (positions) {
        std::ranges::fill(moved, 0.0);
        move(d, moved);
        for (std::size_t i = 0; i < n_; ++i) q[i] += moved[i];
        size = norm_.of_part(0, moved);
      } else {
        for (std::size_t i = 0; i < p_; ++i) v[i] += d[i];
        size = norm_.of_part(n_, d);
      }
      const double whole = positions ? norm_.of_part(0, q) : norm_.of_part(n_, v);
      const double rounding = std::numeric_limits<double>::epsilon() * (1.0 + whole);
      if (size <= rounding) break;
      if (pass > 0 && size * (size / last) <= 0.5 * rounding) break;  // the next one would be below rounding
      if (!(size <= 0.2 * last) || pass > 20) return size <= 8.0 * rounding;
      last = size;
    }
  }
  return true;
}

ManifoldStatus WideManifold::project_nearby(double t, Span state) {
  if (all_ == 0) return ManifoldStatus::ok;
  const auto x = split(state);
  Scratch scratch;
  const Span kept = scratch.take_raw<double>(n_ + p_);
  std::copy_n(state.begin(), n_ + p_, kept.begin());
  if (at_.rank() == m_) {
    if (!rates_known_ && g_ > 0) {
      f_->rates_jacobian(x.q, x.v, t, rates_);
      rates_known_ = is_known(t, x.q);
    }
    if (correct_nearby(t, x.q, x.v)) return project_invariants(t, state);
  }
  std::ranges::copy(kept, state.begin());
  return project(t, state, true, scratch.take<double>(all_), scratch.take<double>(all_));
}

ManifoldStatus WideManifold::settle(double t, Span state) {
  if (const auto status = factorise(t, state.first(n_)); status != ManifoldStatus::ok) return status;
  if (const auto status = project_nearby(t, state); status != ManifoldStatus::ok) return status;
  return set_multipliers(t, state);
}

ManifoldStatus WideManifold::remove_normal(double t, ConstSpan state, Span change) {
  if (const auto status = factorise(t, split(state).q); status != ManifoldStatus::ok) return status;
  return remove_normal_nearby(t, state, change);
}

// T d with G T d = G dq, and C d = C dv.
ManifoldStatus WideManifold::remove_normal_nearby(double t, ConstSpan state, Span change) {
  if (m_ == 0) return ManifoldStatus::ok;
  const auto dx = split(change);
  Scratch scratch;
  const Span d = scratch.take<double>(p_), rest = scratch.take<double>(m_);
  if (g_ > 0) {
    const ConstSpan q = state.first(n_);
    const MatrixView gradients{scratch.take<double>(g_ * (n_ + 1)).data(), g_, n_ + 1, g_};
    f_->constraint_jacobian(q, t, gradients);
    evaluate_rates(t, q);
    for (std::size_t j = 0; j < n_; ++j)
      for (std::size_t i = 0; i < g_; ++i) rest[i] -= gradients(i, j) * dx.q[j];
    at_.solve_positions(d, rest);
    move(d, dx.q);
  }
  at_.apply(dx.v, rest);
  for (double& x : rest) x = -x;
  at_.solve_constraints(d, rest);
  for (std::size_t j = 0; j < p_; ++j) dx.v[j] += d[j];
  return ManifoldStatus::ok;
}

// C M^-1 C^T, and 1 for each invariant.
ManifoldStatus WideManifold::decisive_matrix(double t, ConstSpan state, Matrix& out) {
  if (const auto status = factorise(t, split(state).q); status != ManifoldStatus::ok) return status;
  out = Matrix(all_, all_);
  Vector column(p_);
  for (std::size_t k = 0; k < m_; ++k) {
    for (std::size_t j = 0; j < p_; ++j) column[j] = at_.directions()(k, j);
    at_.solve_mass(column);
    at_.apply(column, out.view().column(k).first(m_));
  }
  for (std::size_t k = m_; k < all_; ++k) out(k, k) = 1.0;
  return ManifoldStatus::ok;
}

Manifold::Range WideManifold::determined_by(int level) const { return level == 1 ? Range{0, n_} : Range{n_, p_}; }

ManifoldStatus WideManifold::level_jacobian(int level, double t, ConstSpan state, Matrix& out) {
  const auto x = split(state);
  const auto place = [&](ConstMatrixView from, std::size_t first, std::size_t row) {
    for (std::size_t j = 0; j < out.cols(); ++j)
      for (std::size_t i = 0; i < from.rows; ++i) out(row + i, j) = from(i, first + j);
  };
  if (level == 1) {
    Matrix gradients(g_, n_ + 1), invariants(i_, n_ + 1);
    out = Matrix(all_, n_);
    f_->constraint_jacobian(x.q, t, gradients);
    f_->position_invariants_jacobian(x.q, t, invariants);
    place(gradients, 0, 0);
    place(invariants, 0, m_);
    return ManifoldStatus::ok;
  }
  Matrix invariants(j_, n_ + p_ + 1);
  out = Matrix(all_, p_);
  evaluate_directions(t, x.q);
  f_->velocity_invariants_jacobian(x.q, x.v, t, invariants);
  place(at_.directions(), 0, 0);
  place(invariants, n_, m_ + i_);
  return ManifoldStatus::ok;
}

ManifoldStatus WideManifold::jump_directions(int level, double t, ConstSpan state, Matrix& out) {
  const auto x = split(state);
  if (const auto status = factorise(t, x.q); status != ManifoldStatus::ok) return status;
  Matrix gradients;
  if (const auto status = level_jacobian(level, t, state, gradients); status != ManifoldStatus::ok) return status;
  evaluate_rates(t, x.q);
  const Range range = determined_by(level);
  out = Matrix(range.size, all_);
  Vector column(p_);
  for (std::size_t k = 0; k < all_; ++k) {
    if (k >= m_) {
      for (std::size_t j = 0; j < range.size; ++j) out(j, k) = gradients(k, j);
      continue;
    }
    if (level == 1 && k >= g_) continue;
    for (std::size_t j = 0; j < p_; ++j) column[j] = at_.directions()(k, j);
    at_.solve_mass(column);
    if (level == 1)
      move(column, out.view().column(k));
    else
      std::ranges::copy(column, out.view().column(k).begin());
  }
  return ManifoldStatus::ok;
}

ManifoldStatus WideManifold::regularity(double t, ConstSpan state, Regularity& out) {
  if (const auto status = factorise(t, split(state).q); status != ManifoldStatus::ok) return status;
  regularity_nearby(out);
  return ManifoldStatus::ok;
}

// As for the plain form: C M^-1 C^T is never negative.
void WideManifold::regularity_nearby(Regularity& out) const {
  const double log = at_.log_determinant();
  out = {.rank = at_.rank() + i_ + j_, .sign = at_.rank() > 0 ? 1 : 0, .log_determinant = log, .log_scale = log};
}

}  // namespace driftless
