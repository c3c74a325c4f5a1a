#include "driftless/equations/manifold_mechanical.h"

#include <algorithm>
#include <limits>

#include "driftless/core/memory.h"
#include "driftless/core/scratch.h"
#include "driftless/nonlinear/convergence.h"

namespace driftless {

MechanicalManifold::MechanicalManifold(const Mechanical& form)
    : f_(form.share()),
      n_(form.q_size()),
      r_(form.s_size()),
      m_(form.lambda_size()),
      at_(form),
      at_q_(n_),
      lasting_rank_(m_),
      norm_(form.layout()) {}

MechanicalManifold::Parts<double> MechanicalManifold::split(Span x) const {
  return {x.subspan(0, n_), x.subspan(n_, n_), x.subspan(2 * n_, r_), x.subspan(2 * n_ + r_, m_)};
}
MechanicalManifold::Parts<const double> MechanicalManifold::split(ConstSpan x) const {
  return {x.subspan(0, n_), x.subspan(n_, n_), x.subspan(2 * n_, r_), x.subspan(2 * n_ + r_, m_)};
}

bool MechanicalManifold::is_known(double t, ConstSpan q) const {
  return known_ && t == at_t_ && std::equal(q.begin(), q.end(), at_q_.begin());
}

void MechanicalManifold::evaluate_gradients(double t, ConstSpan q) {
  if (is_known(t, q)) return;
  known_ = false;
  at_.evaluate(q, t);
}

ManifoldStatus MechanicalManifold::factorise(double t, ConstSpan q) {
  if (is_known(t, q)) return ManifoldStatus::ok;
  known_ = false;
  at_.evaluate(q, t);
  if (const auto status = at_.factorise(); status != ManifoldStatus::ok) return status;
  std::copy(q.begin(), q.end(), at_q_.begin());
  at_t_ = t;
  known_ = true;
  return ManifoldStatus::ok;
}

// [M G^T; G 0] (a, lambda) = (F, -curvature): level 3 is G a + d^2/ds^2 g(q + s v, t + s) = 0.
ManifoldStatus MechanicalManifold::accelerations(double t, ConstSpan q, ConstSpan v, ConstSpan s, Span a, Span lambda) {
  f_->force(q, v, s, t, a);
  f_->constraint_curvature(q, t, v, 1.0, lambda);
  if (!all_finite(a) || !all_finite(lambda)) return ManifoldStatus::not_finite;
  for (double& x : lambda) x = -x;
  at_.solve(a, lambda);
  return ManifoldStatus::ok;
}

ManifoldStatus MechanicalManifold::residual(int level, double t, ConstSpan state, Span out) {
  const auto x = split(state);
  if (level == 1) {
    f_->constraint(x.q, t, out);
    return ManifoldStatus::ok;
  }
  evaluate_gradients(t, x.q);
  if (level == 2) {
    at_.rate(x.v, out);
    return ManifoldStatus::ok;
  }
  Scratch scratch;
  const Span slope = scratch.take<double>(state.size());
  if (const auto status = derivative(t, state, slope); status != ManifoldStatus::ok) return status;
  const Span curvature = scratch.take<double>(m_);
  f_->constraint_curvature(x.q, t, x.v, 1.0, curvature);
  at_.apply(slope.subspan(n_, n_), out);
  for (std::size_t i = 0; i < m_; ++i) out[i] += curvature[i];
  return ManifoldStatus::ok;
}

ManifoldStatus MechanicalManifold::derivative(double t, ConstSpan state, Span out) {
  const auto x = split(state);
  const auto dx = split(out);
  if (const auto status = factorise(t, x.q); status != ManifoldStatus::ok) return status;
  std::copy(x.v.begin(), x.v.end(), dx.q.begin());
  f_->force(x.q, x.v, x.s, t, dx.v);
  at_.subtract_reaction(x.lambda, dx.v);
  at_.solve_mass(dx.v);
  f_->states(x.q, x.v, x.s, t, dx.s);
  std::fill(dx.lambda.begin(), dx.lambda.end(), 0.0);
  return ManifoldStatus::ok;
}

ManifoldStatus MechanicalManifold::set_multipliers(double t, Span state) {
  const auto x = split(state);
  if (const auto status = factorise(t, x.q); status != ManifoldStatus::ok) return status;
  Scratch scratch;
  return accelerations(t, x.q, x.v, x.s, scratch.take<double>(n_), x.lambda);
}

// Numbers that are not finite show in the result, so they are looked for only then. Small mechanisms spend
// most of their time here.
ManifoldStatus MechanicalManifold::flow(double t, Span state, Span slope) {
  const std::size_t n = n_, r = r_, m = m_;
  double* const x = state.data();
  double* const dx = slope.data();
  const ConstSpan q(x, n), v(x + n, n), s(x + 2 * n, r);
  const Span lambda(x + 2 * n + r, m), acceleration(dx + n, n);
  known_ = false;
  at_.evaluate_dynamics(q, v, s, t, acceleration, lambda);
  for (double& value : lambda) value = -value;
  if (const auto status = at_.factorise(); status != ManifoldStatus::ok) return status;
  at_.solve(acceleration, lambda);
  if (r > 0) f_->states(q, v, s, t, slope.subspan(2 * n, r));
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    dx[i] = x[n + i];
    sum += dx[n + i];
  }
  for (std::size_t i = 2 * n + r; i < 2 * n + r + m; ++i) {
    dx[i] = 0.0;
    sum += x[i];
  }
  return std::isfinite(sum) ? ManifoldStatus::ok : ManifoldStatus::not_finite;
}

// Newton on M(q) (q - q~) + G(q)^T mu = 0, g(q) = 0, the derivative of M and G^T left out (they meet mu = O(h^{q+1})):
// M d + G^T mu = M (q~ - q), G d = -g(q) gives the correction d and the whole mu, so that (2.7) holds exactly at the
// end.
ManifoldStatus MechanicalManifold::project_positions(double t, Span q, Span mu) {
  Scratch scratch;
  const Span start = scratch.take<double>(n_), moved = scratch.take<double>(n_), d = scratch.take<double>(n_);
  std::copy(q.begin(), q.end(), start.begin());
  auto monitor = ConvergenceMonitor::to_rounding();
  while (true) {
    if (const auto status = factorise(t, q); status != ManifoldStatus::ok) return status;
    f_->constraint(q, t, mu);
    for (double& x : mu) x = -x;
    for (std::size_t i = 0; i < n_; ++i) moved[i] = start[i] - q[i];
    at_.multiply_mass(moved, d);
    at_.solve(d, mu);
    for (std::size_t i = 0; i < n_; ++i) q[i] += d[i];
    const auto verdict = monitor.see_relative(norm_.of_part(0, d), 1.0 + norm_.of_part(0, q));
    if (verdict == Convergence::arrived) return ManifoldStatus::ok;
    if (verdict == Convergence::diverged) return ManifoldStatus::not_converged;
  }
}

// Linear in v; the second pass removes what rounding left.
void MechanicalManifold::project_velocities(Span v, Span nu) {
  Scratch scratch;
  const Span d = scratch.take<double>(n_), rest = scratch.take<double>(m_);
  std::fill(nu.begin(), nu.end(), 0.0);
  for (int pass = 0; pass < 2; ++pass) {
    at_.rate(v, rest);
    for (double& x : rest) x = -x;
    at_.solve_constraints(d, rest);
    for (std::size_t i = 0; i < n_; ++i) v[i] += d[i];
    for (std::size_t i = 0; i < m_; ++i) nu[i] += rest[i];
  }
}

ManifoldStatus MechanicalManifold::project(double t, Span state, bool positions, Span mu1, Span mu2_by_h) {
  const auto x = split(state);
  std::fill(mu1.begin(), mu1.end(), 0.0);
  if (positions)
    if (const auto status = project_positions(t, x.q, mu1); status != ManifoldStatus::ok) return status;
  if (const auto status = factorise(t, x.q); status != ManifoldStatus::ok) return status;
  if (const auto status = find_rank(t, x.q); status != ManifoldStatus::ok) return status;
  project_velocities(x.v, mu2_by_h);
  return contradicts(t, x.q, x.v) ? ManifoldStatus::not_converged : ManifoldStatus::ok;
}

// At positions on the constraints: which rank G has there, and whether it is to be expected nearby.
ManifoldStatus MechanicalManifold::find_rank(double t, ConstSpan q) {
  if (at_.rank() == m_ || at_.is_large()) return ManifoldStatus::ok;
  const auto anew = [&](std::size_t most) {
    at_.limit_rank(most);
    known_ = false;
    return factorise(t, q);
  };
  if (const auto status = anew(m_); status != ManifoldStatus::ok) return status;
  const std::size_t rank = at_.rank();
  if (rank != lasting_rank_) lasting_rank_ = rank < m_ && is_lasting(t, q, rank) ? rank : m_;
  return anew(lasting_rank_);
}

// Along the motions that are possible here G may become regular again, as beyond a change point; or it may not.
bool MechanicalManifold::is_lasting(double t, ConstSpan q, std::size_t rank) {
  Vector nearby(q.begin(), q.end()), d(n_), rest(m_);
  const double size = 1e-3 * (1.0 + max_norm(q));
  std::uint32_t random = 12345;
  for (double& x : d) {
    random = 1664525 * random + 1013904223;
    x = size * (static_cast<double>(random >> 8) * 0x1p-23 - 1.0);
  }
  at_.remove_normal(d);
  for (std::size_t i = 0; i < n_; ++i) nearby[i] += d[i];
  at_.limit_rank(rank);
  auto monitor = ConvergenceMonitor::to_rounding();
  for (auto verdict = Convergence::go_on; verdict == Convergence::go_on;) {
    at_.evaluate(nearby, t);
    if (at_.factorise() != ManifoldStatus::ok) return false;
    f_->constraint(nearby, t, rest);
    for (double& x : rest) x = -x;
    at_.solve_constraints(d, rest);
    for (std::size_t i = 0; i < n_; ++i) nearby[i] += d[i];
    verdict = monitor.see_relative(norm_.of_part(0, d), 1.0 + norm_.of_part(0, nearby));
    if (verdict == Convergence::diverged) return false;
  }
  at_.limit_rank(m_);
  at_.evaluate(nearby, t);
  return at_.factorise() == ManifoldStatus::ok && at_.rank() == rank;
}

// Redundant rows are fine as long as they agree; if they do not, least squares has left a residual.
bool MechanicalManifold::contradicts(double t, ConstSpan q, ConstSpan v) const {
  if (at_.rank() == m_) return false;
  Scratch scratch;
  const Span g = scratch.take<double>(m_), velocity = scratch.take<double>(m_);
  f_->constraint(q, t, g);
  at_.rate(v, velocity);
  const double by_q = at_.largest_gradient(norm_, 0), by_v = at_.largest_gradient(norm_, n_);
  return !(max_norm(g) <= 1e-8 * by_q * (1.0 + norm_.of_part(0, q))) ||
         !(max_norm(velocity) <= 1e-8 * by_v * (1.0 + norm_.of_part(n_, v)));
}

// Simplified Newton with the factorisation at hand, first for q, then for v; false if it does not contract.
bool MechanicalManifold::correct_nearby(double t, Span q, Span v) {
  Scratch scratch;
  const Span d = scratch.take_raw<double>(n_), rest = scratch.take_raw<double>(m_);
  for (const Span x : {q, v}) {
    const std::size_t begin = x.data() == q.data() ? 0 : n_;
    double last = std::numeric_limits<double>::infinity();
    for (int pass = 0;; ++pass) {
      if (begin == 0)
        f_->constraint(q, t, rest);
      else
        f_->constraint_rate(q, t, v, 1.0, rest);
      for (double& value : rest) value = -value;
      at_.solve_constraints(d, rest);
      for (std::size_t i = 0; i < n_; ++i) x[i] += d[i];
      const double size = norm_.of_part(begin, d);
      const double rounding = std::numeric_limits<double>::epsilon() * (1.0 + norm_.of_part(begin, x));
      if (size <= rounding) break;
      if (pass > 0 && size * (size / last) <= 0.5 * rounding) break;  // the next one would be below rounding
      if (!(size <= 0.2 * last) || pass > 20) return size <= 8.0 * rounding;
      last = size;
    }
  }
  return true;
}

ManifoldStatus MechanicalManifold::project_nearby(double t, Span state) {
  const auto x = split(state);
  Scratch scratch;
  const Span kept = scratch.take_raw<double>(2 * n_);
  std::copy(state.begin(), state.begin() + 2 * n_, kept.begin());
  if (at_.rank() == m_ && correct_nearby(t, x.q, x.v)) return ManifoldStatus::ok;
  std::copy(kept.begin(), kept.end(), state.begin());
  return project(t, state, true, scratch.take<double>(m_), scratch.take<double>(m_));
}

ManifoldStatus MechanicalManifold::settle(double t, Span state) {
  if (const auto status = factorise(t, state.subspan(0, n_)); status != ManifoldStatus::ok) return status;
  if (const auto status = project_nearby(t, state); status != ManifoldStatus::ok) return status;
  return set_multipliers(t, state);
}

ManifoldStatus MechanicalManifold::remove_normal(double t, ConstSpan state, Span change) {
  if (const auto status = factorise(t, split(state).q); status != ManifoldStatus::ok) return status;
  remove_normal_here(change);
  return ManifoldStatus::ok;
}

ManifoldStatus MechanicalManifold::remove_normal_nearby(double, ConstSpan, Span change) {
  remove_normal_here(change);
  return ManifoldStatus::ok;
}

// Positions and velocities alike.
void MechanicalManifold::remove_normal_here(Span change) const {
  at_.remove_normal(change.subspan(0, n_));
  at_.remove_normal(change.subspan(n_, n_));
}

ManifoldStatus MechanicalManifold::decisive_matrix(double t, ConstSpan state, Matrix& out) {
  if (const auto status = factorise(t, split(state).q); status != ManifoldStatus::ok) return status;
  require_dense(n_ + m_, 2.0, "the matrix of the constraints");
  out = Matrix(m_, m_);
  const Matrix g = at_.dense_jacobian();
  Vector column(n_);
  for (std::size_t k = 0; k < m_; ++k) {
    for (std::size_t j = 0; j < n_; ++j) column[j] = g(k, j);
    at_.solve_mass(column);
    at_.apply(column, out.view().column(k));
  }
  return ManifoldStatus::ok;
}

Manifold::Range MechanicalManifold::determined_by(int level) const { return {level == 1 ? 0 : n_, n_}; }

ManifoldStatus MechanicalManifold::level_jacobian(int, double t, ConstSpan state, Matrix& out) {
  evaluate_gradients(t, split(state).q);
  out = at_.dense_jacobian();
  return ManifoldStatus::ok;
}

ManifoldStatus MechanicalManifold::level_effect(int level, double t, ConstSpan state, ConstSpan sizes, Span out) {
  if (!at_.is_large()) return Manifold::level_effect(level, t, state, sizes, out);
  evaluate_gradients(t, split(state).q);
  std::ranges::fill(out, 0.0);
  const Pattern& g = at_.jacobian_pattern();
  const ConstSpan values = at_.jacobian_values();
  for (std::size_t j = 0, k = 0; j < n_; ++j)
    for (; k < g.begin[j + 1]; ++k) out[g.row[k]] += std::abs(values[k]) * sizes[j];
  return ManifoldStatus::ok;
}

ManifoldStatus MechanicalManifold::level_values(int, double t, ConstSpan state, Pattern& pattern, Vector& values) {
  evaluate_gradients(t, split(state).q);
  pattern = at_.jacobian_pattern();
  values.assign(at_.jacobian_values().begin(), at_.jacobian_values().end());
  return ManifoldStatus::ok;
}

// mu with G P M^-1 G^T mu = -r for the projection P on what is free; positions and velocities jump alike.
ManifoldStatus MechanicalManifold::jump_step(int level, double t, ConstSpan state, const std::vector<char>& free,
                                             ConstSpan residual, Span step) {
  evaluate_gradients(t, split(state).q);
  const std::size_t begin = determined_by(level).begin;
  const Pattern& g = at_.jacobian_pattern();
  const TransposedPattern across = transposed_pattern(g);
  Vector held(at_.jacobian_values().begin(), at_.jacobian_values().end()), transposed(held.size());
  for (std::size_t k = 0; k < held.size(); ++k) transposed[k] = held[across.from[k]];
  for (std::size_t j = 0; j < n_; ++j)
    for (std::size_t k = g.begin[j]; k < g.begin[j + 1] && !free[begin + j]; ++k) held[k] = 0.0;
  SaddleSystem saddle(at_.mass_pattern(), across.pattern, g);
  saddle.set_a(at_.mass_values());
  saddle.set_b(transposed);
  saddle.set_g(held);
  if (!saddle.is_finite()) return ManifoldStatus::not_finite;
  saddle.factorise();
  Vector x(n_ + m_, 0.0);
  for (std::size_t i = 0; i < m_; ++i) x[n_ + i] = -residual[i];
  saddle.solve(x);
  for (std::size_t j = 0; j < n_; ++j) step[j] = free[begin + j] ? x[j] : 0.0;
  return ManifoldStatus::ok;
}

ManifoldStatus MechanicalManifold::examine(double t, ConstSpan state, Examination& out) {
  if (const auto status = factorise(t, split(state).q); status != ManifoldStatus::ok) return status;
  out = {.regular = at_.rank() == m_, .rank = at_.rank(), .redundant = at_.redundant_rows(), .pivot_ratio = 0.0};
  if (!out.redundant.empty()) out.undetermined = out.redundant.front();
  out.pivot_ratio = out.regular ? 1.0 / at_.pivot_ratio() : 0.0;
  return ManifoldStatus::ok;
}

ManifoldStatus MechanicalManifold::regularity(double t, ConstSpan state, Regularity& out) {
  if (const auto status = factorise(t, split(state).q); status != ManifoldStatus::ok) return status;
  regularity_nearby(out);
  return ManifoldStatus::ok;
}

// G M^-1 G^T is never negative. Its rows are as long as it is itself: one constraint is compared with its past alone.
void MechanicalManifold::regularity_nearby(Regularity& out) const {
  const double log = at_.log_determinant();
  out = {.rank = at_.rank(), .sign = at_.rank() > 0 ? 1 : 0, .log_determinant = log, .log_scale = log};
}

}  // namespace driftless
