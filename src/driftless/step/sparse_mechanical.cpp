#include "driftless/step/sparse_mechanical.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "driftless/core/scratch.h"

namespace driftless {

namespace {

using Derivatives = Mechanical::Functions::Derivatives;

// In the order of SparseMechanicalStage::Block.
BlockPattern stage_blocks(const Mechanical& form, const Derivatives& d, const Pattern& g_transposed) {
  const std::size_t n = form.q_size(), r = form.s_size(), m = form.lambda_size();
  const auto& structure = *form.functions().structure();
  const auto by = [&](const Pattern& all, std::size_t first, std::size_t count) {
    return columns_of(all, first, count);
  };
  const std::array<PlacedBlock, 12> blocks{{{form.functions().has_mass() ? structure.mass : diagonal_pattern(n), 0, 0},
                                            {structure.jacobian, n + r, 0},
                                            {g_transposed, 0, n + r},
                                            {d.momentum, 0, 0},
                                            {d.reaction, 0, 0},
                                            {by(d.force, 0, n), 0, 0},
                                            {by(d.force, n, n), 0, 0},
                                            {by(d.force, 2 * n, r), 0, n},
                                            {by(d.states, 0, n), n, 0},
                                            {by(d.states, n, n), n, 0},
                                            {by(d.states, 2 * n, r), n, n},
                                            {diagonal_pattern(r), n, n}}};
  return block_pattern(n + r + m, n + r + m, blocks);
}

// Whole when there is nothing to find out, so that a full pattern never appears by chance for a few unknowns.
bool has_patterns(const Mechanical& form) {
  return form.kkt_plan() && form.q_size() > Mechanical::whole_up_to && form.functions().derivatives() &&
         wants_pattern(form.q_size() + form.lambda_size());
}

}  // namespace

bool SparseMechanicalStage::suits(const Mechanical& form) {
  if (!has_patterns(form)) return false;
  const TransposedPattern across = transposed_pattern(form.functions().structure()->jacobian);
  return LinearSystem(stage_blocks(form, *form.functions().derivatives(), across.pattern).pattern).is_sparse();
}

SparseMechanicalStage::SparseMechanicalStage(const Mechanical& form, std::vector<int> power,
                                             const Derivatives& patterns)
    : FactorisedStage(std::move(power), form.q_size() + form.s_size() + form.lambda_size()),
      f_(form.share()),
      n_(form.q_size()),
      r_(form.s_size()),
      m_(form.lambda_size()),
      patterns_(patterns),
      across_(transposed_pattern(f_->structure()->jacobian)),
      blocks_(stage_blocks(form, patterns_, across_.pattern)),
      force_(patterns_.force.count()),
      states_(patterns_.states.count()),
      momentum_(patterns_.momentum.count()),
      reaction_(patterns_.reaction.count()),
      first_(across_.from.size()),
      second_(across_.from.size()),
      a0_(blocks_.pattern.count()),
      a1_(blocks_.pattern.count()),
      a2_(blocks_.pattern.count()),
      at_(form) {}

void SparseMechanicalStage::evaluate_gradients(double t, ConstSpan q) {
  at_.evaluate(q, t);
  if (!looked_ || !redundant_.empty()) find_redundant_rows();
}

void SparseMechanicalStage::evaluate(double t, ConstSpan x, ConstSpan a) {
  const ConstSpan q = x.subspan(0, n_), v = x.subspan(n_, n_), s = x.subspan(2 * n_, r_),
                  lambda = x.subspan(2 * n_ + r_, m_);
  evaluate_gradients(t, q);
  f_->force_values(q, v, s, t, force_);
  if (r_ > 0) f_->states_values(q, v, s, t, states_);
  if (!momentum_.empty()) f_->momentum_values(q, t, a, momentum_);
  f_->reaction_values(q, t, lambda, reaction_);
  f_->turning_values(q, t, v, a, first_, second_);
}

void SparseMechanicalStage::add(Block block, ConstSpan values, double factor, Vector& part) const {
  const auto& places = blocks_.places[block];
  for (std::size_t k = 0; k < places.size(); ++k) part[places[k]] += factor * values[k];
}

void SparseMechanicalStage::set_saddle() {
  for (Vector* part : {&a0_, &a1_, &a2_}) std::ranges::fill(*part, 0.0);
  const ConstSpan g = at_.jacobian_values();
  const auto &transposed = blocks_.places[reaction_forces], &ones = blocks_.places[one_of_s];
  add(mass, at_.mass_values(), 1.0, a0_);
  add(gradient, g, 1.0, a0_);
  for (std::size_t k = 0; k < transposed.size(); ++k) a0_[transposed[k]] += g[across_.from[k]];
  for (const std::uint32_t place : ones) a0_[place] += 1.0;
}

// By the factors of [M G^T; G 0] where it is linearised first; where there are some, at every point.
void SparseMechanicalStage::find_redundant_rows() {
  looked_ = true;
  if (at_.factorise() != ManifoldStatus::ok) return;
  const std::vector<std::size_t> rows = at_.redundant_rows();
  if (rows.empty() && redundant_.empty()) return;
  if (redundant_.empty()) {
    const std::array<PlacedBlock, 2> blocks{{{blocks_.pattern}, {diagonal_pattern(m_), n_ + r_, n_ + r_}}};
    BlockPattern wider = block_pattern(n_ + r_ + m_, n_ + r_ + m_, blocks);
    for (auto& places : blocks_.places)
      for (std::uint32_t& place : places) place = wider.places[0][place];
    blocks_.pattern = std::move(wider.pattern);
    diagonal_ = std::move(wider.places[1]);
    for (Vector* part : {&a0_, &a1_, &a2_}) part->assign(blocks_.pattern.count(), 0.0);
  }
  redundant_.assign(m_, 0);
  for (const std::size_t row : rows) redundant_[row] = 1;
}

// Their multipliers are left alone.
void SparseMechanicalStage::leave_out_redundant_rows() {
  if (redundant_.empty()) return;
  const Pattern& all = blocks_.pattern;
  const std::size_t first = n_ + r_;
  const auto is_out = [&](std::size_t k) { return k >= first && redundant_[k - first]; };
  for (std::size_t j = 0, k = 0; j < all.cols; ++j)
    for (; k < all.begin[j + 1]; ++k)
      if (is_out(j) || is_out(all.row[k])) a0_[k] = a1_[k] = a2_[k] = 0.0;
  for (std::size_t i = 0; i < m_; ++i)
    if (redundant_[i]) a0_[diagonal_[i]] = 1.0;
}

void SparseMechanicalStage::residual_of(double t, ConstSpan x, ConstSpan a, Span balance, Span states,
                                        Span constraint) const {
  const ConstSpan q = x.subspan(0, n_), v = x.subspan(n_, n_), s = x.subspan(2 * n_, r_),
                  lambda = x.subspan(2 * n_ + r_, m_);
  Scratch scratch;
  const Span force = scratch.take_raw<double>(n_);
  f_->force(q, v, s, t, force);
  f_->states(q, v, s, t, states);
  f_->constraint(q, t, constraint);
  at_.evaluate(q, t);
  at_.subtract_reaction(lambda, force);
  at_.multiply_mass(a, balance);
  for (std::size_t i = 0; i < n_; ++i) balance[i] -= force[i];
}

template <class S>
void SparseMechanicalStage::add_product(const Vector& part, S factor, std::span<const S> x, std::span<S> out) const {
  const Pattern& all = blocks_.pattern;
  for (std::size_t j = 0, k = 0; j < x.size(); ++j) {
    const S scaled = times(factor, x[j]);
    for (; k < all.begin[j + 1]; ++k) out[all.row[k]] += part[k] * scaled;
  }
}

template void SparseMechanicalStage::add_product(const Vector&, double, std::span<const double>,
                                                 std::span<double>) const;
template void SparseMechanicalStage::add_product(const Vector&, Complex, std::span<const Complex>,
                                                 std::span<Complex>) const;

SparseAccelerationStage::SparseAccelerationStage(const Mechanical& form)
    : StageOf(form, powers({{2 * form.q_size() + form.s_size(), 0}, {form.lambda_size(), 1}}),
              *form.functions().derivatives()),
      manifold_(make_manifold(form)) {}

// As AccelerationStage.
void SparseAccelerationStage::residual(double t, ConstSpan x, ConstSpan slope, Span r) const {
  const std::size_t multipliers = 2 * n_ + r_;
  Scratch scratch;
  const Span state = scratch.take_raw<double>(x.size());
  std::ranges::copy(x, state.begin());
  if (manifold_->flow(t, state, r) != ManifoldStatus::ok) {
    std::ranges::fill(r, std::nan(""));
    return;
  }
  for (std::size_t i = 0; i < multipliers; ++i) r[i] = slope[i] - r[i];
  for (std::size_t k = multipliers; k < x.size(); ++k) r[k] = x[k] - state[k];
}

void SparseAccelerationStage::linearise(double t, ConstSpan x, ConstSpan slope) {
  evaluate(t, x, slope.subspan(n_, n_));
  set_saddle();
  const ConstSpan force(force_), states(states_);
  const auto &of_force = patterns_.force.begin, &of_states = patterns_.states.begin;
  add(force_by_q, force, -1.0, a2_);
  add(force_by_v, force.subspan(of_force[n_]), -1.0, a1_);
  add(force_by_s, force.subspan(of_force[2 * n_]), -1.0, a1_);
  add(momentum_by_q, momentum_, 1.0, a2_);
  add(reaction_by_q, reaction_, 1.0, a2_);
  add(states_by_q, states, -1.0, a2_);
  add(states_by_v, states.subspan(of_states[n_]), -1.0, a1_);
  add(states_by_s, states.subspan(of_states[2 * n_]), -1.0, a1_);
  add(gradient, first_, 2.0, a1_);  // the curvature is quadratic in (v, 1)
  add(gradient, second_, 1.0, a2_);
  leave_out_redundant_rows();
}

// A_0 (rho_v, rho_s, 0)/c - A_2 (rho_q, 0, 0)/c^2.
template <class S>
void SparseAccelerationStage::reduce_any(S c, std::span<const S> rho, std::span<S> out) const {
  const S p = reciprocal(c);
  std::ranges::fill(out, S(0.0));
  add_product(a0_, p, rho.subspan(n_, n_ + r_), out);
  add_product(a2_, -times(p, p), rho.first(n_), out);
}

template <class S>
void SparseAccelerationStage::expand_any(S c, std::span<const S> x, std::span<S> rho) const {
  const S p = reciprocal(c);
  for (std::size_t i = 0; i < n_; ++i) rho[i] = times(x[i] + rho[i], p);
  for (std::size_t i = 0; i < n_ + r_; ++i) rho[n_ + i] = x[i];
  for (std::size_t k = 0; k < m_; ++k) rho[2 * n_ + r_ + k] += times(x[n_ + r_ + k], c);
}

SparsePositionStage::SparsePositionStage(const Mechanical& form)
    : StageOf(form, powers({{form.q_size(), 0}, {form.q_size(), 1}, {form.s_size(), 0}, {form.lambda_size(), 2}}),
              *form.functions().derivatives()) {}

void SparsePositionStage::residual(double t, ConstSpan x, ConstSpan slope, Span r) const {
  const Span states = r.subspan(2 * n_, r_), constraint = r.subspan(2 * n_ + r_, m_);
  residual_of(t, x, slope.subspan(n_, n_), r.subspan(n_, n_), states, constraint);
  for (std::size_t i = 0; i < n_; ++i) r[i] = slope[i] - x[n_ + i];
  for (std::size_t i = 0; i < r_; ++i) states[i] = slope[2 * n_ + i] - states[i];
  for (double& value : constraint) value = -value;
}

void SparsePositionStage::linearise(double t, ConstSpan x, ConstSpan slope) {
  evaluate(t, x, slope.subspan(n_, n_));
  set_saddle();
  const ConstSpan force(force_), states(states_);
  const auto &of_force = patterns_.force.begin, &of_states = patterns_.states.begin;
  add(force_by_q, force, -1.0, a2_);
  add(force_by_v, force.subspan(of_force[n_]), -1.0, a1_);
  add(force_by_s, force.subspan(of_force[2 * n_]), -1.0, a2_);
  add(momentum_by_q, momentum_, 1.0, a2_);
  add(reaction_by_q, reaction_, 1.0, a2_);
  add(states_by_q, states, -1.0, a1_);
  add(states_by_v, states.subspan(of_states[n_]), -1.0, a0_);
  add(states_by_s, states.subspan(of_states[2 * n_]), -1.0, a1_);
  leave_out_redundant_rows();
}

// As MechanicalStage: A_0 has M and -r_v, A_1 has -F_v.
template <class S>
void SparsePositionStage::reduce_any(S c, std::span<const S> rho, std::span<S> out) const {
  const S p = reciprocal(c), p2 = times(p, p);
  std::ranges::fill(out, S(0.0));
  add_product(a1_, p2, rho.first(n_), out);
  std::ranges::fill(out.subspan(n_), S(0.0));
  add_product(a0_, p, rho.first(n_), out);
  for (std::size_t i = 0; i < n_; ++i) out[i] += times(rho[n_ + i], p2);
  for (std::size_t i = 0; i < r_; ++i) out[n_ + i] += times(rho[2 * n_ + i], p);
  for (std::size_t k = 0; k < m_; ++k) out[n_ + r_ + k] = is_redundant(k) ? S(0.0) : -rho[2 * n_ + r_ + k];
}

template <class S>
void SparsePositionStage::expand_any(S c, std::span<const S> x, std::span<S> rho) const {
  const S c2 = times(c, c);
  for (std::size_t i = 0; i < n_; ++i) {
    const S eliminated = times(c, x[i]) - rho[i];
    rho[i] = x[i];
    rho[n_ + i] = eliminated;
  }
  for (std::size_t i = 0; i < r_; ++i) rho[2 * n_ + i] = x[n_ + i];
  for (std::size_t k = 0; k < m_; ++k) rho[2 * n_ + r_ + k] = times(x[n_ + r_ + k], c2);
}

template void SparseAccelerationStage::reduce_any(double, std::span<const double>, std::span<double>) const;
template void SparseAccelerationStage::reduce_any(Complex, std::span<const Complex>, std::span<Complex>) const;
template void SparseAccelerationStage::expand_any(double, std::span<const double>, std::span<double>) const;
template void SparseAccelerationStage::expand_any(Complex, std::span<const Complex>, std::span<Complex>) const;
template void SparsePositionStage::reduce_any(double, std::span<const double>, std::span<double>) const;
template void SparsePositionStage::reduce_any(Complex, std::span<const Complex>, std::span<Complex>) const;
template void SparsePositionStage::expand_any(double, std::span<const double>, std::span<double>) const;
template void SparsePositionStage::expand_any(Complex, std::span<const Complex>, std::span<Complex>) const;

}  // namespace driftless
