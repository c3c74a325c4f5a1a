// Invariants of the wide form: what the equations keep by themselves, and what is projected on after the constraints.
#include <algorithm>
#include <cmath>

#include "driftless/equations/manifold_wide.h"
#include "driftless/nonlinear/convergence.h"

namespace driftless {

void WideManifold::invariants_residual(double t, ConstSpan q, ConstSpan v, Span out) const {
  f_->constraint(q, t, out.first(g_));
  f_->velocity_rows(q, v, t, out.subspan(g_, m_));
  f_->position_invariants(q, t, out.subspan(g_ + m_, i_));
  f_->velocity_invariants(q, v, t, out.subspan(g_ + m_ + i_, j_));
}

// [G 0; w_q C; i_q 0; j_q j_v]
void WideManifold::invariants_gradients(double t, ConstSpan q, ConstSpan v, Matrix& out) const {
  Matrix by_q(std::max({g_, i_, std::size_t{1}}), n_ + 1), by_qv(std::max({m_, j_, std::size_t{1}}), n_ + p_ + 1);
  const auto place = [&](const Matrix& from, std::size_t rows, std::size_t columns, std::size_t row) {
    for (std::size_t j = 0; j < columns; ++j)
      for (std::size_t i = 0; i < rows; ++i) out(row + i, j) = from(i, j);
  };
  const auto top = [](Matrix& a, std::size_t rows) { return a.view().block(0, 0, rows, a.cols()); };
  f_->constraint_jacobian(q, t, top(by_q, g_));
  place(by_q, g_, n_, 0);
  f_->velocity_jacobian(q, v, t, top(by_qv, m_));
  place(by_qv, m_, n_ + p_, g_);
  if (i_ > 0) f_->position_invariants_jacobian(q, t, top(by_q, i_));
  place(by_q, i_, n_, g_ + m_);
  if (j_ > 0) f_->velocity_invariants_jacobian(q, v, t, top(by_qv, j_));
  place(by_qv, j_, n_ + p_, g_ + m_ + i_);
}

// Gauss-Newton by least changes of (q, v), in units of their usual sizes: no inertia belongs to motion off the range of
// T. Constraints are among the rows, so that they are kept. What was removed takes the place of the multipliers.
ManifoldStatus WideManifold::project_invariants(double t, Span state) {
  if (i_ + j_ == 0) return ManifoldStatus::ok;
  const auto x = split(state);
  const std::size_t rows = g_ + m_ + i_ + j_, unknowns = n_ + p_;
  Matrix gradients(rows, unknowns), mass(unknowns, unknowns);
  for (std::size_t k = 0; k < unknowns; ++k) mass(k, k) = 1.0 / (norm_.usual(k) * norm_.usual(k));
  Kkt kkt(unknowns, rows);
  Vector rest(rows), d(unknowns);
  auto monitor = ConvergenceMonitor::to_rounding();
  for (bool first = true;; first = false) {
    invariants_residual(t, x.q, x.v, rest);
    if (first) std::copy(rest.end() - static_cast<std::ptrdiff_t>(i_ + j_), rest.end(), x.drift.begin());
    invariants_gradients(t, x.q, x.v, gradients);
    if (!all_finite(rest) || !all_finite({gradients.data(), rows * unknowns})) return ManifoldStatus::not_finite;
    for (double& value : rest) value = -value;
    std::ranges::fill(d, 0.0);
    kkt.factorise(mass, gradients);
    kkt.solve(d, rest);
    for (std::size_t k = 0; k < n_; ++k) x.q[k] += d[k];
    for (std::size_t k = 0; k < p_; ++k) x.v[k] += d[n_ + k];
    const auto verdict = monitor.see_relative(norm_.of_part(0, d), 1.0 + norm_.of_part(0, state.first(unknowns)));
    if (verdict == Convergence::arrived) return ManifoldStatus::ok;
    if (verdict == Convergence::diverged) return ManifoldStatus::not_converged;
  }
}

}  // namespace driftless
