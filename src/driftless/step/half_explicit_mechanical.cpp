#include <algorithm>
#include <cmath>

#include "driftless/linalg/decisive.h"
#include "driftless/linalg/kkt.h"
#include "driftless/nonlinear/convergence.h"
#include "driftless/step/half_explicit_rk.h"
#include "driftless/step/shifted_tableau.h"

namespace driftless {

struct HalfExplicitMechanical::Memory final : Stepper::Workspace {
  Memory(const Equations& equations, std::size_t n, std::size_t r, std::size_t m, std::size_t s, bool has_mass)
      : manifold(make_manifold(equations)),
        mass_solver(n, 0),
        decisive(m),
        mass(has_mass ? n : 0, has_mass ? n : 0),
        here(m, n + 1),
        there(m, n + 1),
        direction(n, m),
        v(n, s + 1),
        a(n, s),
        rates(r, s),
        q(n),
        next_q(n),
        s_stage(r),
        lambda(m),
        free(n) {}

  std::unique_ptr<Manifold> manifold;
  Kkt mass_solver;
  DecisiveMatrix decisive;
  Matrix mass, here, there, direction;
  Matrix v, a, rates;  // V_i, V_i', S_i' of the stages; V_{s+1} = v_{n+1}
  Vector q, next_q, s_stage, lambda, free;
};

HalfExplicitMechanical::HalfExplicitMechanical(const Mechanical& form, const Method& method)
    : equations_(form),
      f_(form.share()),
      method_(method),
      projection_(method.projection == Projection::automatic ? Projection::full : method.projection),
      shifted_(shifted_matrix(method.tableau)),
      nodes_(shifted_nodes(method.tableau)),
      n_(form.q_size()),
      r_(form.s_size()),
      m_(form.lambda_size()) {}

std::unique_ptr<Stepper::Workspace> HalfExplicitMechanical::make_workspace() const {
  return std::make_unique<Memory>(equations_, n_, r_, m_, nodes_.size(), f_->has_mass());
}

Attempt HalfExplicitMechanical::make_attempt() const {
  return {.state = Vector(2 * n_ + r_ + m_), .mu1 = Vector(m_), .mu2 = Vector(m_)};
}

std::optional<Failure> HalfExplicitMechanical::attempt(double t, ConstSpan state, double h, Workspace& workspace,
                                                       Attempt& out) const {
  Memory& m = static_cast<Memory&>(workspace);
  std::copy(state.begin(), state.begin() + n_, m.q.begin());
  std::copy(state.begin() + n_, state.begin() + 2 * n_, m.v.view().column(0).begin());
  std::copy(state.begin() + 2 * n_, state.begin() + 2 * n_ + r_, m.s_stage.begin());
  f_->constraint_jacobian(m.q, t, m.there);
  out.work = {};
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    ++out.work.evaluations;
    if (const auto status = stage(i, t, state, h, m); status != ManifoldStatus::ok) {
      const auto v = m.v.view().column(i);
      std::copy(state.begin(), state.end(), out.state.begin());
      std::copy(m.q.begin(), m.q.end(), out.state.begin());
      std::copy(v.begin(), v.end(), out.state.begin() + n_);
      return explain(status, equations_, t + method_.tableau.c[i] * h, out.state);
    }
  }
  const auto v = m.v.view().column(nodes_.size());
  std::copy(m.q.begin(), m.q.end(), out.state.begin());
  std::copy(v.begin(), v.end(), out.state.begin() + n_);
  std::copy(m.s_stage.begin(), m.s_stage.end(), out.state.begin() + 2 * n_);
  std::copy(m.lambda.begin(), m.lambda.end(), out.state.begin() + 2 * n_ + r_);
  if (out.slopes.cols() > 0) copy_slopes(m, out.slopes);
  return settle(t, h, m, out);
}

void HalfExplicitMechanical::copy_slopes(const Memory& m, Matrix& out) const {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Span column = out.view().column(i);
    std::ranges::copy(m.v.view().column(i), column.begin());
    std::ranges::copy(m.a.view().column(i), column.begin() + static_cast<std::ptrdiff_t>(n_));
    std::ranges::copy(m.rates.view().column(i), column.begin() + static_cast<std::ptrdiff_t>(2 * n_));
  }
}

// From stage i (q, V_i, s at hand) to stage i + 1. With M a = F - G(Q_i)^T Lambda_i the velocity constraint at Q_{i+1},
//     G(Q_{i+1}) (v_n + h sum_{j < i} a~_ij a_j + h a~_ii a) + g_t = 0,
// is linear in Lambda_i: S Lambda = G(Q_{i+1}) M^-1 F + (G(Q_{i+1}) (v_n + ...) + g_t)/(h a~_ii), S = G(Q_{i+1}) M^-1
// G(Q_i)^T.
ManifoldStatus HalfExplicitMechanical::stage(std::size_t i, double t, ConstSpan state, double h, Memory& m) const {
  const double here = t + method_.tableau.c[i] * h, there = t + nodes_[i] * h, weight = h * shifted_(i, i);
  const Span v = m.v.view().column(i), a = m.a.view().column(i), next_v = m.v.view().column(i + 1);
  std::swap(m.here, m.there);
  if (f_->has_mass()) f_->mass(m.q, here, m.mass);
  if (m.mass_solver.factorise(m.mass, Matrix(0, 0)) == Kkt::Status::mass_not_positive_definite)
    return ManifoldStatus::mass_not_positive_definite;
  f_->force(m.q, v, m.s_stage, here, a);
  f_->states(m.q, v, m.s_stage, here, m.rates.view().column(i));
  m.mass_solver.solve_mass(a);
  for (std::size_t k = 0; k < n_; ++k) {
    double q = state[k], base = state[n_ + k];
    for (std::size_t j = 0; j <= i; ++j) q += h * shifted_(i, j) * m.v(k, j);
    for (std::size_t j = 0; j < i; ++j) base += h * shifted_(i, j) * m.a(k, j);
    m.next_q[k] = q;
    m.free[k] = base;
  }
  f_->constraint_jacobian(m.next_q, there, m.there);
  for (std::size_t l = 0; l < m_; ++l) {
    for (std::size_t k = 0; k < n_; ++k) m.direction(k, l) = m.here(l, k);
    m.mass_solver.solve_mass(m.direction.view().column(l));
    double sum = m.there(l, n_) / weight;
    for (std::size_t k = 0; k < n_; ++k) sum += m.there(l, k) * (a[k] + m.free[k] / weight);
    m.lambda[l] = sum;
  }
  Matrix& s = m.decisive.matrix();
  for (std::size_t l = 0; l < m_; ++l)
    for (std::size_t k = 0; k < m_; ++k) {
      s(k, l) = 0.0;
      for (std::size_t j = 0; j < n_; ++j) s(k, l) += m.there(k, j) * m.direction(j, l);
    }
  if (!all_finite({s.data(), m_ * m_}) || !all_finite(m.lambda)) return ManifoldStatus::not_finite;
  m.decisive.factorise();
  m.decisive.solve(m.lambda);
  for (std::size_t k = 0; k < n_; ++k) {
    for (std::size_t l = 0; l < m_; ++l) a[k] -= m.direction(k, l) * m.lambda[l];
    next_v[k] = m.free[k] + weight * a[k];
  }
  for (std::size_t k = 0; k < r_; ++k) {
    double x = state[2 * n_ + k];
    for (std::size_t j = 0; j <= i; ++j) x += h * shifted_(i, j) * m.rates(k, j);
    m.s_stage[k] = x;
  }
  std::swap(m.q, m.next_q);
  return all_finite(next_v) && all_finite(m.q) ? ManifoldStatus::ok : ManifoldStatus::not_finite;
}

std::optional<Failure> HalfExplicitMechanical::settle(double t, double h, Memory& m, Attempt& out) const {
  std::fill(out.mu1.begin(), out.mu1.end(), 0.0);
  std::fill(out.mu2.begin(), out.mu2.end(), 0.0);
  ManifoldStatus status = ManifoldStatus::ok;
  if (projection_ != Projection::none) {
    status = m.manifold->project(t + h, out.state, projection_ == Projection::full, out.mu1, out.mu2);
    for (double& x : out.mu2) x *= h;
  }
  if (status == ManifoldStatus::ok && method_.multiplier == MultiplierRule::hidden_constraint)
    status = m.manifold->set_multipliers(t + h, out.state);
  if (status != ManifoldStatus::ok) return explain(status, equations_, t + h, out.state);
  return std::nullopt;
}

}  // namespace driftless
