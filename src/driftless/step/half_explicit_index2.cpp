#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/equations/index2_normal.h"
#include "driftless/equations/size_norm.h"
#include "driftless/step/half_explicit_rk.h"
#include "driftless/step/shifted_tableau.h"

namespace driftless {

struct HalfExplicitIndex2::Memory final : Stepper::Workspace {
  Memory(const Equations& equations, std::size_t n, std::size_t m, std::size_t s)
      : manifold(make_manifold(equations)),
        normal(make_normal(std::get<Index2>(equations))),
        slopes(n, s),
        stage(n),
        next(n),
        base(n),
        lambda(m),
        residual(m),
        change(n),
        norm(layout_of(equations)) {}

  std::unique_ptr<Manifold> manifold;
  std::unique_ptr<Index2Normal> normal;
  Matrix slopes;  // K_i = Gamma^-1 f at stage i
  Vector stage, next, base, lambda, residual, change;
  SizeNorm norm;
};

HalfExplicitIndex2::HalfExplicitIndex2(const Index2& form, const Method& method, const NewtonOptions& newton)
    : equations_(form),
      f_(form.share()),
      method_(method),
      newton_(newton),
      shifted_(shifted_matrix(method.tableau)),
      nodes_(shifted_nodes(method.tableau)),
      n_(form.u_size()),
      m_(form.lambda_size()) {}

std::unique_ptr<Stepper::Workspace> HalfExplicitIndex2::make_workspace() const {
  return std::make_unique<Memory>(equations_, n_, m_, nodes_.size());
}

Attempt HalfExplicitIndex2::make_attempt() const {
  return {.state = Vector(n_ + m_), .mu1 = Vector(m_), .mu2 = Vector(m_)};
}

std::optional<Failure> HalfExplicitIndex2::attempt(double t, ConstSpan state, double h, Workspace& workspace,
                                                   Attempt& out) const {
  Memory& memory = static_cast<Memory&>(workspace);
  std::copy(state.begin(), state.begin() + n_, memory.stage.begin());
  std::copy(state.begin() + n_, state.end(), memory.lambda.begin());
  out.newton_iterations = 0;
  out.work = {};
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (auto failure = stage(i, t, state, h, memory, out)) return failure;
    memory.stage = memory.next;
  }
  std::copy(memory.stage.begin(), memory.stage.end(), out.state.begin());
  std::copy(memory.lambda.begin(), memory.lambda.end(), out.state.begin() + n_);
  if (out.slopes.cols() > 0)
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      std::ranges::copy(memory.slopes.view().column(i), out.slopes.view().column(i).begin());
  std::fill(out.mu1.begin(), out.mu1.end(), 0.0);
  std::fill(out.mu2.begin(), out.mu2.end(), 0.0);
  // u_{n+1} satisfies the constraint already; a projection is done only where it was asked for.
  ManifoldStatus status = ManifoldStatus::ok;
  if (method_.projection == Projection::full)
    status = memory.manifold->project(t + h, out.state, true, out.mu1, out.mu2);
  if (status == ManifoldStatus::ok && method_.multiplier == MultiplierRule::hidden_constraint)
    status = memory.manifold->set_multipliers(t + h, out.state);
  if (status != ManifoldStatus::ok) return explain(status, equations_, t + h, out.state);
  return std::nullopt;
}

// Newton for Lambda_i on g(U_{i+1}) = 0, U_{i+1} = u_n + h sum_{j <= i} a~_ij K_j: the derivative by Lambda_i is
// h a~_ii g_u(U_{i+1}) Gamma^-1 f_lambda(U_i, Lambda_i).
std::optional<Failure> HalfExplicitIndex2::stage(std::size_t i, double t, ConstSpan state, double h, Memory& m,
                                                 Attempt& out) const {
  const double here = t + method_.tableau.c[i] * h, there = t + nodes_[i] * h, weight = h * shifted_(i, i);
  if (m.normal->set_gamma(here, m.stage) != ManifoldStatus::ok)
    return explain(ManifoldStatus::gamma_singular, equations_, here, state);
  for (std::size_t k = 0; k < n_; ++k) {
    m.base[k] = state[k];
    for (std::size_t j = 0; j < i; ++j) m.base[k] += h * shifted_(i, j) * m.slopes(k, j);
  }
  const Span slope = m.slopes.view().column(i);
  auto advance = [&] {
    f_->f(m.stage, m.lambda, here, slope);
    ++out.work.evaluations;
    m.normal->solve_gamma(slope);
    for (std::size_t k = 0; k < n_; ++k) m.next[k] = m.base[k] + weight * slope[k];
  };
  advance();
  ConvergenceMonitor monitor({.tolerance = 2.0, .stagnation = 1e7, .limit = newton_.limit});
  Convergence verdict = m_ > 0 ? Convergence::go_on : Convergence::arrived;
  while (verdict == Convergence::go_on) {
    f_->g(m.next, there, m.residual);
    m.normal->set_gradients(there, m.next);
    m.normal->set_directions(here, m.stage, m.lambda);
    ++out.work.jacobians;
    if (!all_finite(m.residual) || m.normal->factorise() != ManifoldStatus::ok) break;
    ++out.work.factorisations;
    m.normal->solve(m.residual);  // = h a~_ii times the correction
    for (std::size_t l = 0; l < m_; ++l) m.lambda[l] -= m.residual[l] / weight;
    std::ranges::fill(m.change, 0.0);
    m.normal->push(1.0, m.residual, m.change);
    const double moved = m.norm.of_part(0, m.change);
    advance();
    verdict = monitor.see_relative(moved, m.norm.of_part(0, m.next));
  }
  out.newton_iterations = std::max(out.newton_iterations, monitor.iterations());
  out.contraction = monitor.contraction();
  if (verdict == Convergence::arrived && all_finite(m.next)) return std::nullopt;
  std::copy(m.stage.begin(), m.stage.end(), out.state.begin());
  std::copy(m.lambda.begin(), m.lambda.end(), out.state.begin() + n_);
  if (!find_not_finite(equations_, here, out.state).empty())
    return explain(ManifoldStatus::not_finite, equations_, here, out.state);
  return Failure{
      .kind = FailureKind::newton_did_not_converge,
      .time = t,
      .what_happened = fmt::format("stage {} of a half-explicit step of size {:.6g}, {} iterations, contraction {:.3g}",
                                   i + 1, h, monitor.iterations(), monitor.contraction()),
      .what_to_try = "take smaller steps, or an implicit method such as radau_iia(3)",
      .where = "the multipliers"};
}

}  // namespace driftless
