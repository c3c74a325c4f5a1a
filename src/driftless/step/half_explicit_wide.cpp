#include <algorithm>
#include <cmath>

#include "driftless/linalg/decisive.h"
#include "driftless/nonlinear/convergence.h"
#include "driftless/step/half_explicit_rk.h"
#include "driftless/step/shifted_tableau.h"

namespace driftless {

struct HalfExplicitWide::Memory final : Stepper::Workspace {
  Memory(const WideMechanical& form, std::size_t stages)
      : manifold(make_manifold(form)),
        saddle(form.v_size() + form.rows()),
        mass(form.functions().has_mass() ? form.v_size() : 0, form.functions().has_mass() ? form.v_size() : 0),
        here(form.rows(), form.v_size()),
        there(form.rows(), form.v_size()),
        dq(form.q_size(), stages),
        a(form.v_size(), stages),
        ds(form.s_size(), stages),
        solution(form.v_size() + form.rows()),
        free(form.v_size()),
        x(form.q_size() + form.v_size() + form.s_size()),
        next(x.size()) {}

  std::unique_ptr<Manifold> manifold;
  DecisiveMatrix saddle;
  Matrix mass, here, there;  // M and C at a stage, C at the next one
  Matrix dq, a, ds;          // slopes of the stages
  Vector solution, free, x, next;
};

HalfExplicitWide::HalfExplicitWide(const WideMechanical& form, const Method& method)
    : form_(form),
      equations_(form),
      f_(form.share()),
      method_(method),
      projection_(method.projection == Projection::automatic ? Projection::full : method.projection),
      shifted_(shifted_matrix(method.tableau)),
      nodes_(shifted_nodes(method.tableau)),
      n_(form.q_size()),
      p_(form.v_size()),
      r_(form.s_size()),
      m_(form.rows()) {}

std::unique_ptr<Stepper::Workspace> HalfExplicitWide::make_workspace() const {
  return std::make_unique<Memory>(form_, nodes_.size());
}

Attempt HalfExplicitWide::make_attempt() const {
  const std::size_t all = form_.lambda_size();
  return {.state = Vector(form_.layout().size()), .mu1 = Vector(all), .mu2 = Vector(all)};
}

std::optional<Failure> HalfExplicitWide::attempt(double t, ConstSpan state, double h, Workspace& workspace,
                                                 Attempt& out) const {
  Memory& m = static_cast<Memory&>(workspace);
  std::copy_n(state.begin(), m.x.size(), m.x.begin());
  std::ranges::copy(state, out.state.begin());
  f_->directions(ConstSpan(m.x).first(n_), t, m.there);
  out.work = {};
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    ++out.work.evaluations;
    if (const auto status = stage(i, t, state, h, m); status != ManifoldStatus::ok) {
      std::ranges::copy(m.x, out.state.begin());
      return explain(status, equations_, t + method_.tableau.c[i] * h, out.state);
    }
  }
  std::ranges::copy(m.x, out.state.begin());
  std::copy_n(m.solution.begin() + static_cast<std::ptrdiff_t>(p_), m_,
              out.state.begin() + static_cast<std::ptrdiff_t>(m.x.size()));
  if (out.slopes.cols() > 0)
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Span column = out.slopes.view().column(i);
      std::ranges::copy(m.dq.view().column(i), column.begin());
      std::ranges::copy(m.a.view().column(i), column.subspan(n_).begin());
      std::ranges::copy(m.ds.view().column(i), column.subspan(n_ + p_).begin());
    }
  return settle(t, h, m, out);
}

// From stage i to stage i + 1: M a = F - C(Q_i)^T Lambda_i, and all constraints on velocities hold at stage i + 1,
//     w(Q_{i+1}, v_n + h sum_{j < i} a~_ij a_j + h a~_ii a) = 0,
// which is linear in a and Lambda_i: [M C_i^T; C_{i+1} 0] (a, Lambda) = (F, -w(Q_{i+1}, v_n + ...)/(h a~_ii)). M may
// be singular; of redundant rows Lambda is of least norm.
ManifoldStatus HalfExplicitWide::stage(std::size_t i, double t, ConstSpan state, double h, Memory& m) const {
  const double here = t + method_.tableau.c[i] * h, there = t + nodes_[i] * h, weight = h * shifted_(i, i);
  const ConstSpan q = ConstSpan(m.x).first(n_), v = ConstSpan(m.x).subspan(n_, p_), s = ConstSpan(m.x).last(r_);
  const Span force = Span(m.solution).first(p_), rest = Span(m.solution).subspan(p_);
  std::swap(m.here, m.there);
  f_->rates(q, v, here, m.dq.view().column(i));
  f_->states(q, v, s, here, m.ds.view().column(i));
  f_->force(q, v, s, here, force);
  advance(m.dq, i, state.first(n_), h, Span(m.next).first(n_));
  advance(m.ds, i, state.subspan(n_ + p_, r_), h, Span(m.next).last(r_));
  for (std::size_t k = 0; k < p_; ++k) {
    m.free[k] = state[n_ + k];
    for (std::size_t j = 0; j < i; ++j) m.free[k] += h * shifted_(i, j) * m.a(k, j);
  }
  const ConstSpan next_q = ConstSpan(m.next).first(n_);
  f_->directions(next_q, there, m.there);
  f_->velocity_rows(next_q, m.free, there, rest);
  for (double& x : rest) x /= -weight;
  set_saddle(q, here, m);
  if (!all_finite({m.saddle.matrix().data(), m.solution.size() * m.solution.size()}) || !all_finite(m.solution))
    return ManifoldStatus::not_finite;
  m.saddle.factorise();
  m.saddle.solve(m.solution);
  for (std::size_t k = 0; k < p_; ++k) {
    m.a(k, i) = m.solution[k];
    m.next[n_ + k] = m.free[k] + weight * m.solution[k];
  }
  std::swap(m.x, m.next);
  return all_finite(m.x) ? ManifoldStatus::ok : ManifoldStatus::not_finite;
}

void HalfExplicitWide::advance(const Matrix& slopes, std::size_t i, ConstSpan from, double h, Span out) const {
  for (std::size_t k = 0; k < out.size(); ++k) {
    out[k] = from[k];
    for (std::size_t j = 0; j <= i; ++j) out[k] += h * shifted_(i, j) * slopes(k, j);
  }
}

void HalfExplicitWide::set_saddle(ConstSpan q, double t, Memory& m) const {
  Matrix& k = m.saddle.matrix();
  k.view().fill(0.0);
  if (f_->has_mass()) f_->mass(q, t, m.mass);
  for (std::size_t j = 0; j < p_; ++j) {
    if (!f_->has_mass()) k(j, j) = 1.0;
    for (std::size_t l = 0; l < m.mass.rows(); ++l) k(l, j) = m.mass(l, j);
    for (std::size_t l = 0; l < m_; ++l) {
      k(j, p_ + l) = m.here(l, j);
      k(p_ + l, j) = m.there(l, j);
    }
  }
}

std::optional<Failure> HalfExplicitWide::settle(double t, double h, Memory& m, Attempt& out) const {
  std::ranges::fill(out.mu1, 0.0);
  std::ranges::fill(out.mu2, 0.0);
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
