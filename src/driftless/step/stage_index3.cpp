// Stage equations of index 3, general and mechanical.
#include <algorithm>
#include <cmath>

#include "driftless/core/scratch.h"
#include "driftless/linalg/fill_order.h"
#include "driftless/step/stage_equations_forms.h"

namespace driftless {

namespace {

enum PartOfStage : std::size_t { ones, rates, forces, gradients };

BlockPattern stage_blocks(std::size_t n, std::size_t p, std::size_t m, const Index3::Functions::Patterns& patterns) {
  const PlacedBlock blocks[] = {{diagonal_pattern(n + p)},
                                {columns_of(patterns.f, 0, n + p)},
                                {patterns.k, n},
                                {columns_of(patterns.g, 0, n), n + p}};
  const std::size_t size = n + p + m;
  // Where all derivatives are taken for other than zero, the matrix is dense as a whole.
  return patterns.k.is_full() ? blocks_in_full(size, size, blocks) : block_pattern(size, size, blocks);
}

// `to`, where the entries from `first` to `last` of a block are, becomes minus these.
void subtract(const std::vector<std::uint32_t>& places, ConstSpan from, std::size_t first, std::size_t last,
              Vector& to) {
  for (std::size_t e = first; e < last; ++e) to[places[e]] -= from[e];
}

}  // namespace

Index3Stage::Index3Stage(const Index3& form) : Index3Stage(form, form.patterns()) {}

Index3Stage::Index3Stage(const Index3& form, Index3::Functions::Patterns patterns)
    : StageOf(powers({{form.u_size(), 0}, {form.v_size(), 1}, {form.lambda_size(), 2}}), form.layout().size()),
      f_(form.share()),
      n_(form.u_size()),
      p_(form.v_size()),
      m_(form.lambda_size()),
      blocks_(stage_blocks(n_, p_, m_, patterns)),
      f_by_u_(patterns.f.begin[n_]),
      f_by_uv_(patterns.f.begin[n_ + p_]),
      k_by_u_(patterns.k.begin[n_]),
      k_by_uv_(patterns.k.begin[n_ + p_]),
      f_values_(patterns.f.count()),
      k_values_(patterns.k.count()),
      g_values_(patterns.g.count()),
      a0_(blocks_.pattern.count()),
      a1_(blocks_.pattern.count()),
      a2_(blocks_.pattern.count()) {
  const ConstSpan sizes = form.layout().sizes();
  if (!sizes.empty()) lambda_sizes_.assign(sizes.begin() + static_cast<std::ptrdiff_t>(n_ + p_), sizes.end());
}

void Index3Stage::residual(double t, ConstSpan x, ConstSpan slope, Span r) const {
  const ConstSpan u = x.subspan(0, n_), v = x.subspan(n_, p_), lambda = x.subspan(n_ + p_, m_);
  f_->f(u, v, t, r.subspan(0, n_));
  f_->k(u, v, lambda, t, r.subspan(n_, p_));
  f_->g(u, t, r.subspan(n_ + p_, m_));
  for (std::size_t i = 0; i < n_ + p_; ++i) r[i] = slope[i] - r[i];
  for (std::size_t i = n_ + p_; i < r.size(); ++i) r[i] = -r[i];
  for (std::size_t k = 0; k < redundant_.rows.size(); ++k) {
    double& out = r[n_ + p_ + redundant_.rows[k]] = 0.0;
    for (std::size_t l = 0; l < m_; ++l) out -= redundant_.directions(k, l) * lambda[l];
  }
}

void Index3Stage::linearise(double t, ConstSpan x, ConstSpan) {
  const ConstSpan u = x.subspan(0, n_), v = x.subspan(n_, p_), lambda = x.subspan(n_ + p_, m_);
  if (m_ > 0 && (!normal_ || !redundant_.rows.empty())) find_redundant_rows(t, x);
  f_->f_values(u, v, t, f_values_);
  f_->k_values(u, v, lambda, t, k_values_);
  f_->g_values(u, t, g_values_);
  for (Vector* part : {&a0_, &a1_, &a2_}) std::ranges::fill(*part, 0.0);
  const auto &of_f = blocks_.places[rates], &of_k = blocks_.places[forces], &of_g = blocks_.places[gradients];
  for (const std::uint32_t place : blocks_.places[ones]) a0_[place] = 1.0;
  subtract(of_f, f_values_, 0, f_by_u_, a1_);
  subtract(of_f, f_values_, f_by_u_, f_by_uv_, a0_);
  subtract(of_k, k_values_, 0, k_by_u_, a2_);
  subtract(of_k, k_values_, k_by_u_, k_by_uv_, a1_);
  subtract(of_k, k_values_, k_by_uv_, of_k.size(), a0_);
  subtract(of_g, g_values_, 0, of_g.size(), a0_);
  if (!redundant_.rows.empty()) leave_out_redundant_rows();
}

// By S = Dg f_v k_lambda where it is linearised first, and from then on wherever there are some. Directions may turn;
// the rows of a sparse matrix, which has room for their directions, stay the same.
void Index3Stage::find_redundant_rows(double t, ConstSpan x) {
  const ConstSpan u = x.subspan(0, n_), v = x.subspan(n_, p_), lambda = x.subspan(n_ + p_, m_);
  const bool first = !normal_;
  if (first) normal_ = make_normal(f_, n_, p_, m_, lambda_sizes_);
  normal_->set_rates(t, u, v);
  normal_->set_directions(t, u, v, lambda);
  normal_->set_gradients(t, u);
  if (normal_->factorise() != ManifoldStatus::ok) return;
  Redundancy found = normal_->redundancy();
  if (!first && found.rows != redundant_.rows && !blocks_.pattern.is_full()) return;
  redundant_ = std::move(found);
  if (!first || redundant_.rows.empty()) return;
  std::vector<PlacedBlock> blocks{{blocks_.pattern}};
  for (const std::size_t row : redundant_.rows) blocks.push_back({full_pattern(1, m_), n_ + p_ + row, n_ + p_});
  BlockPattern wider = block_pattern(n_ + p_ + m_, n_ + p_ + m_, blocks);
  for (auto& places : blocks_.places)
    for (std::uint32_t& place : places) place = wider.places[0][place];
  blocks_.pattern = std::move(wider.pattern);
  for (Vector* part : {&a0_, &a1_, &a2_}) part->assign(blocks_.pattern.count(), 0.0);
}

void Index3Stage::leave_out_redundant_rows() {
  const Pattern& all = blocks_.pattern;
  const std::size_t states = n_ + p_;
  Scratch scratch;
  const auto number = scratch.take_raw<std::size_t>(m_);
  std::ranges::fill(number, redundant_.rows.size());
  for (std::size_t k = 0; k < redundant_.rows.size(); ++k) number[redundant_.rows[k]] = k;
  for (std::size_t j = 0, e = 0; j < all.cols; ++j)
    for (; e < all.begin[j + 1]; ++e) {
      if (all.row[e] < states || number[all.row[e] - states] == redundant_.rows.size()) continue;
      a0_[e] = j < states ? 0.0 : -redundant_.directions(number[all.row[e] - states], j - states);
    }
}

std::vector<std::uint32_t> Index3Stage::order() const {
  if (m_ == 0) return {};
  return saddle_order(blocks_.pattern, n_ + p_, a0_);
}

template <class S>
void Index3Stage::reduce_any(S c, std::span<const S> rho, std::span<S> out) const {
  const S p = 1.0 / c, p2 = p * p;
  for (std::size_t i = 0; i < n_; ++i) out[i] = rho[i] * p;
  for (std::size_t i = n_; i < n_ + p_; ++i) out[i] = rho[i] * p2;
  for (std::size_t i = n_ + p_; i < rho.size(); ++i) out[i] = rho[i];
  for (const std::size_t row : redundant_.rows) out[n_ + p_ + row] = rho[n_ + p_ + row] * p2;
}

template <class S>
void Index3Stage::expand_any(S c, std::span<const S> x, std::span<S> rho) const {
  const S c2 = c * c;
  for (std::size_t i = 0; i < n_; ++i) rho[i] = x[i];
  for (std::size_t i = n_; i < n_ + p_; ++i) rho[i] = x[i] * c;
  for (std::size_t i = n_ + p_; i < rho.size(); ++i) rho[i] = x[i] * c2;
}

MechanicalStage::MechanicalStage(const Mechanical& form)
    : StageOf(powers({{form.q_size(), 0}, {form.q_size(), 1}, {form.s_size(), 0}, {form.lambda_size(), 2}}),
              form.q_size() + form.s_size() + form.lambda_size()),
      f_(form.share()),
      n_(form.q_size()),
      r_(form.s_size()),
      m_(form.lambda_size()),
      mass_(Matrix::identity(n_)),
      g_(m_, n_ + 1),
      force_(n_, 2 * n_ + r_ + 1),
      states_(r_, 2 * n_ + r_ + 1),
      reaction_(n_, n_ + 1),
      momentum_(n_, n_ + 1),
      redundant_(m_, 0),
      rows_(n_, m_) {}

void MechanicalStage::residual(double t, ConstSpan x, ConstSpan slope, Span r) const {
  const ConstSpan q = x.subspan(0, n_), v = x.subspan(n_, n_), s = x.subspan(2 * n_, r_),
                  lambda = x.subspan(2 * n_ + r_, m_);
  const Span rv = r.subspan(n_, n_), rs = r.subspan(2 * n_, r_), rg = r.subspan(2 * n_ + r_, m_);
  Scratch scratch;
  const MatrixView g{scratch.take<double>(m_ * (n_ + 1)).data(), m_, n_ + 1, m_};
  f_->constraint_jacobian(q, t, g);
  f_->force(q, v, s, t, rv);
  f_->states(q, v, s, t, rs);
  f_->constraint(q, t, rg);
  for (std::size_t i = 0; i < n_; ++i) {
    r[i] = slope[i] - v[i];
    double reaction = 0.0;
    for (std::size_t k = 0; k < m_; ++k) reaction += g(k, i) * lambda[k];
    rv[i] = reaction - rv[i];
  }
  if (f_->has_mass()) {
    const MatrixView mass{scratch.take<double>(n_ * n_).data(), n_, n_, n_};
    f_->mass(q, t, mass);
    for (std::size_t j = 0; j < n_; ++j)
      for (std::size_t i = 0; i < n_; ++i) rv[i] += mass(i, j) * slope[n_ + j];
  } else {
    for (std::size_t i = 0; i < n_; ++i) rv[i] += slope[n_ + i];
  }
  for (std::size_t i = 0; i < r_; ++i) rs[i] = slope[2 * n_ + i] - rs[i];
  for (double& value : rg) value = -value;
}

void MechanicalStage::linearise(double t, ConstSpan x, ConstSpan slope) {
  const ConstSpan q = x.subspan(0, n_), v = x.subspan(n_, n_), s = x.subspan(2 * n_, r_),
                  lambda = x.subspan(2 * n_ + r_, m_);
  f_->force_jacobian(q, v, s, t, force_);
  if (r_ > 0) f_->states_jacobian(q, v, s, t, states_);
  f_->constraint_jacobian(q, t, g_);
  f_->reaction_jacobian(q, t, lambda, reaction_);
  if (f_->has_mass()) {
    f_->mass(q, t, mass_);
    f_->mass_jacobian(q, t, slope.subspan(n_, n_), momentum_);
  }
  find_redundant_rows();
  a0_.view().fill(0.0);
  for (std::size_t j = 0; j < n_; ++j) {
    for (std::size_t i = 0; i < n_; ++i) {
      a0_(i, j) = mass_(i, j);
      a1_(i, j) = -force_(i, n_ + j);
      a2_(i, j) = momentum_(i, j) - force_(i, j) + reaction_(i, j);
    }
    for (std::size_t i = 0; i < r_; ++i) {
      a0_(n_ + i, j) = -states_(i, n_ + j);
      a1_(n_ + i, j) = -states_(i, j);
    }
    for (std::size_t k = 0; k < m_; ++k)
      if (!redundant_[k]) a0_(n_ + r_ + k, j) = a0_(j, n_ + r_ + k) = g_(k, j);
  }
  for (std::size_t j = 0; j < r_; ++j) {
    a0_(n_ + j, n_ + j) = 1.0;
    for (std::size_t i = 0; i < n_; ++i) a2_(i, n_ + j) = -force_(i, 2 * n_ + j);
    for (std::size_t i = 0; i < r_; ++i) a1_(n_ + i, n_ + j) = -states_(i, 2 * n_ + j);
  }
  for (std::size_t k = 0; k < m_; ++k)
    if (redundant_[k]) a0_(n_ + r_ + k, n_ + r_ + k) = 1.0;
}

void MechanicalStage::find_redundant_rows() {
  rows_.factorise({}, g_.view().block(0, 0, m_, n_));
  for (std::size_t k = 0; k < m_; ++k) redundant_[rows_.row_order()[k]] = k >= rows_.rank();
}

// Top rows: (rho_v + (c M - F_v) rho_q) / c^2; states: (rho_s - r_v rho_q) / c; constraints: G dq = -rho_lambda.
template <class S>
void MechanicalStage::reduce_any(S c, std::span<const S> rho, std::span<S> out) const {
  const S p = 1.0 / c, p2 = p * p;
  for (std::size_t i = 0; i < n_; ++i) out[i] = rho[n_ + i] * p2;
  for (std::size_t j = 0; j < n_; ++j) {
    const S x = rho[j] * p, y = rho[j] * p2;
    for (std::size_t i = 0; i < n_; ++i) out[i] += mass_(i, j) * x - force_(i, n_ + j) * y;
  }
  for (std::size_t i = 0; i < r_; ++i) {
    S sum = rho[2 * n_ + i];
    for (std::size_t j = 0; j < n_; ++j) sum -= states_(i, n_ + j) * rho[j];
    out[n_ + i] = sum * p;
  }
  for (std::size_t k = 0; k < m_; ++k) out[n_ + r_ + k] = redundant_[k] ? S(0.0) : -rho[2 * n_ + r_ + k];
}

template <class S>
void MechanicalStage::expand_any(S c, std::span<const S> x, std::span<S> rho) const {
  const S c2 = c * c;
  for (std::size_t i = 0; i < n_; ++i) {
    const S eliminated = c * x[i] - rho[i];
    rho[i] = x[i];
    rho[n_ + i] = eliminated;
  }
  for (std::size_t i = 0; i < r_; ++i) rho[2 * n_ + i] = x[n_ + i];
  for (std::size_t k = 0; k < m_; ++k) rho[2 * n_ + r_ + k] = x[n_ + r_ + k] * c2;
}

template void Index3Stage::reduce_any(double, std::span<const double>, std::span<double>) const;
template void Index3Stage::reduce_any(Complex, std::span<const Complex>, std::span<Complex>) const;
template void Index3Stage::expand_any(double, std::span<const double>, std::span<double>) const;
template void Index3Stage::expand_any(Complex, std::span<const Complex>, std::span<Complex>) const;
template void MechanicalStage::reduce_any(double, std::span<const double>, std::span<double>) const;
template void MechanicalStage::reduce_any(Complex, std::span<const Complex>, std::span<Complex>) const;
template void MechanicalStage::expand_any(double, std::span<const double>, std::span<double>) const;
template void MechanicalStage::expand_any(Complex, std::span<const Complex>, std::span<Complex>) const;

}  // namespace driftless
