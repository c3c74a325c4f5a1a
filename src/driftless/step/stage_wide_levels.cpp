#include <algorithm>
#include <cmath>

#include "driftless/core/scratch.h"
#include "driftless/equations/convert_parts.h"
#include "driftless/step/stage_wide.h"

namespace driftless {

namespace {

std::size_t stage_size(const WideMechanical& form, WideLevel level) {
  return form.layout().size() + (level == WideLevel::ggl ? form.holonomic() : 0);
}

std::vector<int> stage_powers(const WideMechanical& form, WideLevel level) {
  const int lift = level == WideLevel::position ? 1 : 0;
  return powers({{form.q_size(), 0},
                 {form.v_size(), lift},
                 {form.s_size(), 0},
                 {form.lambda_size(), 1 + lift},
                 {level == WideLevel::ggl ? form.holonomic() : 0, 1}});
}

}  // namespace

WideLevelStage::WideLevelStage(const WideMechanical& form, WideLevel level)
    : StageOf(stage_powers(form, level), stage_size(form, level)),
      f_(form.share()),
      level_(level),
      lift_(level == WideLevel::position ? 1 : 0),
      n_(form.q_size()),
      p_(form.v_size()),
      r_(form.s_size()),
      g_(form.holonomic()),
      m_(form.rows()),
      drifts_(form.lambda_size() - form.rows()),
      v_(n_),
      s_(n_ + p_),
      lambda_(n_ + p_ + r_),
      drift_(lambda_ + m_),
      mu_(drift_ + drifts_),
      mass_(f_->has_mass() ? p_ : 0, f_->has_mass() ? p_ : 0),
      rates_(n_, n_ + p_ + 1),
      force_(p_, n_ + p_ + r_ + 1),
      momentum_(p_, n_ + 1),
      reaction_(p_, n_ + 1),
      states_(r_, n_ + p_ + r_ + 1),
      velocity_(m_, n_ + p_ + 1),
      gradient_(g_, n_ + 1),
      at_(form) {}

void WideLevelStage::residual(double t, ConstSpan x, ConstSpan slope, Span r) const {
  const ConstSpan q = x.subspan(0, n_), v = x.subspan(v_, p_), s = x.subspan(s_, r_), lambda = x.subspan(lambda_, m_);
  Scratch scratch;
  const MatrixView c = take_matrix(scratch, m_, p_), mass = take_matrix(scratch, mass_.rows(), mass_.rows());
  const Span work = scratch.take<double>(std::max({n_, p_, r_, m_}));
  f_->rates(q, v, t, work.first(n_));
  for (std::size_t i = 0; i < n_; ++i) r[i] = slope[i] - work[i];
  f_->force(q, v, s, t, work.first(p_));
  for (std::size_t i = 0; i < p_; ++i) r[v_ + i] = (f_->has_mass() ? 0.0 : slope[v_ + i]) - work[i];
  f_->directions(q, t, c);
  add_transposed_product(c, 1.0, lambda, r.subspan(v_, p_));
  if (f_->has_mass()) {
    f_->mass(q, t, mass);
    add_product(mass, slope.subspan(v_, p_), r.subspan(v_, p_));
  }
  f_->states(q, v, s, t, work.first(r_));
  for (std::size_t i = 0; i < r_; ++i) r[s_ + i] = slope[s_ + i] - work[i];
  f_->velocity_rows(q, v, t, r.subspan(lambda_, m_));
  if (level_ == WideLevel::position) f_->constraint(q, t, r.subspan(lambda_, g_));
  for (std::size_t i = 0; i < drifts_; ++i) r[drift_ + i] = x[drift_ + i];
  for (std::size_t k = 0; k < redundant_.rows.size(); ++k) {
    double& out = r[lambda_ + redundant_.rows[k]] = 0.0;
    for (std::size_t l = 0; l < m_; ++l) out += redundant_.directions(k, l) * lambda[l];
  }
  if (level_ != WideLevel::ggl) return;
  const MatrixView by_q = take_matrix(scratch, g_, n_ + 1), by_v = take_matrix(scratch, n_, n_ + p_ + 1);
  const Span force = scratch.take<double>(n_), along = scratch.take<double>(p_);
  f_->constraint(q, t, r.subspan(mu_, g_));
  f_->constraint_jacobian(q, t, by_q);
  f_->rates_jacobian(q, v, t, by_v);
  add_transposed_product(by_q, 1.0, x.subspan(mu_, g_), force);
  add_transposed_product(by_v.block(0, n_, n_, p_), 1.0, force, along);
  add_product(by_v.block(0, n_, n_, p_), along, r.first(n_));
}

StageMatrices WideLevelStage::matrices() const {
  marks_ = Matrix(redundant_.rows.empty() ? 0 : size(), 1);
  for (const std::size_t row : redundant_.rows) marks_(lambda_ + row, 0) = 1.0;
  return {a0_, a1_, marks_};
}

// On levels of index 2.
std::unique_ptr<CoupledStages> WideLevelStage::couple() const {
  return lift_ == 0 ? couple_index2(lambda_, size() - lambda_) : nullptr;
}

void WideLevelStage::apply_leading(ConstSpan w, Span out) const {
  std::ranges::copy(w, out.begin());
  std::ranges::fill(out.subspan(lambda_), 0.0);
  if (!f_->has_mass()) return;
  const Span momentum = out.subspan(v_, p_);
  std::ranges::fill(momentum, 0.0);
  add_product(mass_, w.subspan(v_, p_), momentum);
}

void WideLevelStage::evaluate(double t, ConstSpan x, ConstSpan slope) {
  const ConstSpan q = x.subspan(0, n_), v = x.subspan(v_, p_), s = x.subspan(s_, r_);
  f_->rates_jacobian(q, v, t, rates_);
  f_->force_jacobian(q, v, s, t, force_);
  if (r_ > 0) f_->states_jacobian(q, v, s, t, states_);
  f_->velocity_jacobian(q, v, t, velocity_);
  f_->reaction_jacobian(q, t, x.subspan(lambda_, m_), reaction_);
  if (g_ > 0) f_->constraint_jacobian(q, t, gradient_);
  if (!f_->has_mass()) return;
  f_->mass(q, t, mass_);
  f_->momentum_jacobian(q, t, slope.subspan(v_, p_), momentum_);
}

void WideLevelStage::add(ConstMatrixView block, double factor, int power, std::size_t row, std::size_t column) {
  Matrix& part = power == 0 ? a0_ : power == 1 ? a1_ : a2_;
  add_block(block, factor, part.view().block(row, column, block.rows, block.cols));
}

void WideLevelStage::add_ones(std::size_t count, std::size_t first) {
  for (std::size_t i = 0; i < count; ++i) a0_(first + i, first + i) += 1.0;
}

void WideLevelStage::linearise(double t, ConstSpan x, ConstSpan slope) {
  evaluate(t, x, slope);
  find_redundant_rows();
  for (Matrix* part : {&a0_, &a1_, &a2_}) part->view().fill(0.0);
  place_motion();
  place_constraints();
}

// The rows of q', of the balance and of s'.
void WideLevelStage::place_motion() {
  const auto columns = [](const Matrix& a, std::size_t first, std::size_t count) {
    return a.view().block(0, first, a.rows(), count);
  };
  add_ones(n_, 0);
  add(columns(rates_, 0, n_), -1.0, 1, 0, 0);
  add(columns(rates_, n_, p_), -1.0, 1 - lift_, 0, v_);
  if (f_->has_mass()) {
    add(mass_, 1.0, 0, v_, v_);
    add(columns(momentum_, 0, n_), 1.0, 1 + lift_, v_, 0);
  } else {
    add_ones(p_, v_);
  }
  add(columns(reaction_, 0, n_), 1.0, 1 + lift_, v_, 0);
  add(columns(force_, 0, n_), -1.0, 1 + lift_, v_, 0);
  add(columns(force_, n_, p_), -1.0, 1, v_, v_);
  add(columns(force_, n_ + p_, r_), -1.0, 1 + lift_, v_, s_);
  add_transposed(columns(velocity_, n_, p_), 1.0, a0_.view().block(v_, lambda_, p_, m_));
  add_ones(r_, s_);
  add(columns(states_, 0, n_), -1.0, 1, s_, 0);
  add(columns(states_, n_, p_), -1.0, 1 - lift_, s_, v_);
  add(columns(states_, n_ + p_, r_), -1.0, 1, s_, s_);
}

void WideLevelStage::place_constraints() {
  const std::size_t first = level_ == WideLevel::position ? g_ : 0;  // row of w; g itself stands before it
  add(gradient_.view().block(0, 0, first, n_), 1.0, 0, lambda_, 0);
  add(velocity_.view().block(first, 0, m_ - first, n_), 1.0, lift_, lambda_ + first, 0);
  add(velocity_.view().block(first, n_, m_ - first, p_), 1.0, 0, lambda_ + first, v_);
  add_ones(drifts_, drift_);
  for (std::size_t k = 0; k < redundant_.rows.size(); ++k) {
    const std::size_t row = lambda_ + redundant_.rows[k];
    for (Matrix* part : {&a0_, &a1_, &a2_}) part->view().block(row, 0, 1, part->cols()).fill(0.0);
    for (std::size_t l = 0; l < m_; ++l) a0_(row, lambda_ + l) = redundant_.directions(k, l);
  }
  if (level_ != WideLevel::ggl) return;
  Scratch scratch;
  const MatrixView push = take_matrix(scratch, p_, g_), moved = take_matrix(scratch, n_, g_);
  const ConstMatrixView by_v = rates_.view().block(0, n_, n_, p_);
  for (std::size_t k = 0; k < g_; ++k) {
    for (std::size_t j = 0; j < p_; ++j)
      for (std::size_t i = 0; i < n_; ++i) push(j, k) += by_v(i, j) * gradient_(k, i);
    add_product(by_v, push.column(k), moved.column(k));
  }
  add(moved, 1.0, 0, 0, mu_);
  add(gradient_.view().block(0, 0, g_, n_), 1.0, 0, mu_, 0);
}

// By S = C M^-1 C^T: rows that depend on the others, and as many directions n with S n = 0, from singular values of S
// with a unit diagonal. Least norm is n^T lambda = 0, in the plain norm that the end of a step has as well.
void WideLevelStage::find_redundant_rows() {
  at_.assign(mass_, velocity_.view().block(0, n_, m_, p_));
  if (at_.factorise() != ManifoldStatus::ok) return;
  if (at_.rank() == m_) {
    redundant_ = {};
    return;
  }
  Matrix s(m_, m_);
  Vector column(p_);
  for (std::size_t k = 0; k < m_; ++k) {
    for (std::size_t j = 0; j < p_; ++j) column[j] = velocity_(k, n_ + j);
    at_.solve_mass(column);
    at_.apply(column, s.view().column(k));
  }
  redundant_ = redundancy_of(s);
  Vector unit(m_, 1.0);
  for (std::size_t k = 0; k < m_; ++k)
    if (s(k, k) > 0.0) unit[k] = 1.0 / std::sqrt(s(k, k));
  for (std::size_t k = 0; k < m_; ++k)
    for (std::size_t l = 0; l < m_; ++l) s(k, l) *= unit[k] * unit[l];
  const Matrix v = singular_values(s).v;
  for (std::size_t k = 0; k < redundant_.rows.size(); ++k)
    for (std::size_t l = 0; l < m_; ++l) redundant_.directions(k, l) = unit[l] * v(l, m_ - 1 - k);
}

template <class S>
void WideLevelStage::reduce_any(S c, std::span<const S> rho, std::span<S> out) const {
  const S inverse = reciprocal(c), lifted = lift_ > 0 ? times(inverse, inverse) : inverse;
  std::ranges::copy(rho, out.begin());
  for (std::size_t i = 0; i < n_; ++i) out[i] = times(rho[i], inverse);
  for (std::size_t i = v_; i < s_; ++i) out[i] = times(rho[i], lifted);
  for (std::size_t i = s_; i < lambda_; ++i) out[i] = times(rho[i], inverse);
  if (lift_ > 0)
    for (std::size_t i = lambda_ + g_; i < drift_; ++i) out[i] = times(rho[i], inverse);
  for (const std::size_t row : redundant_.rows) out[lambda_ + row] = times(rho[lambda_ + row], lifted);
}

template <class S>
void WideLevelStage::expand_any(S c, std::span<const S> x, std::span<S> rho) const {
  const S lifted = lift_ > 0 ? times(c, c) : c;
  std::ranges::copy(x, rho.begin());
  if (lift_ > 0)
    for (std::size_t i = v_; i < s_; ++i) rho[i] = times(x[i], c);
  for (std::size_t i = lambda_; i < drift_; ++i) rho[i] = times(x[i], lifted);
  for (std::size_t i = mu_; i < rho.size(); ++i) rho[i] = times(x[i], c);
}

template void WideLevelStage::reduce_any(double, std::span<const double>, std::span<double>) const;
template void WideLevelStage::reduce_any(Complex, std::span<const Complex>, std::span<Complex>) const;
template void WideLevelStage::expand_any(double, std::span<const double>, std::span<double>) const;
template void WideLevelStage::expand_any(Complex, std::span<const Complex>, std::span<Complex>) const;

std::unique_ptr<StageEquations> make_velocity_stage(const WideMechanical& form) {
  return std::make_unique<WideLevelStage>(form, WideLevel::velocity);
}
std::unique_ptr<StageEquations> make_ggl_stage(const WideMechanical& form) {
  return std::make_unique<WideLevelStage>(form, WideLevel::ggl);
}

}  // namespace driftless
