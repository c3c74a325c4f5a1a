#include "driftless/equations/mechanical_linearisation.h"

#include <algorithm>

#include "driftless/core/memory.h"
#include "driftless/core/scratch.h"
#include "driftless/nonlinear/convergence.h"

namespace driftless {

namespace {

// Calls visit(row, column, value) for every entry.
template <class Visit>
void for_each_entry(const Pattern& pattern, ConstSpan values, Visit&& visit) {
  std::size_t k = 0;
  for (std::size_t j = 0; j < pattern.cols; ++j)
    for (; k < pattern.begin[j + 1]; ++k) visit(pattern.row[k], j, values[k]);
}

}  // namespace

MechanicalLinearisation::MechanicalLinearisation(const Mechanical& form)
    : f_(form.share()), n_(form.q_size()), m_(form.lambda_size()), structure_(f_->structure()), time_derivative_(m_) {
  if (form.kkt_plan()) sparse_ = std::make_unique<SparseKkt>(form.kkt_plan());
  compressed_ = sparse_ && n_ > Mechanical::whole_up_to;
  if (compressed_) {
    mass_values_.resize(structure_->mass.count());
    g_values_.resize(structure_->jacobian.count());
    is_large_ = wants_pattern(n_ + m_);
    mass_pattern_ = f_->has_mass() ? structure_->mass : diagonal_pattern(n_);
    if (is_large_ && !f_->has_mass()) unit_mass_.assign(n_, 1.0);
  } else {
    require_dense(n_ + m_, 2.0, "mechanical equations of which nobody knows the derivatives that are zero");
    make_whole();
  }
}

void MechanicalLinearisation::make_whole() {
  if (g_.rows() > 0) return;
  const std::size_t k = f_->has_mass() ? n_ : 0;
  mass_ = Matrix(k, k);
  g_ = Matrix(m_, n_ + 1);
}

void MechanicalLinearisation::evaluate(ConstSpan q, double t) {
  if (compressed_) {
    f_->sparse_gradients(q, t, mass_values_, g_values_, time_derivative_);
    return;
  }
  if (f_->has_mass()) f_->mass(q, t, mass_);
  f_->constraint_jacobian(q, t, g_);
  std::ranges::copy(g_.view().column(n_), time_derivative_.begin());
}

void MechanicalLinearisation::evaluate_dynamics(ConstSpan q, ConstSpan v, ConstSpan s, double t, Span force,
                                                Span curvature) {
  if (compressed_)
    f_->sparse_dynamics(q, v, s, t, mass_values_, force, g_values_, curvature);
  else
    f_->dynamics(q, v, s, t, mass_, force, g_.view().block(0, 0, m_, n_), curvature);
}

void MechanicalLinearisation::assign(ConstMatrixView mass, ConstMatrixView g) {
  if (compressed_) {
    std::size_t k = 0;
    for_each_entry(structure_->mass, mass_values_,
                   [&](std::size_t i, std::size_t j, double) { mass_values_[k++] = mass(i, j); });
    k = 0;
    for_each_entry(structure_->jacobian, g_values_,
                   [&](std::size_t i, std::size_t j, double) { g_values_[k++] = g(i, j); });
    return;
  }
  for (std::size_t j = 0; j < mass_.cols(); ++j) std::ranges::copy(mass.column(j), mass_.view().column(j).begin());
  for (std::size_t j = 0; j < n_; ++j) std::ranges::copy(g.column(j), g_.view().column(j).begin());
}

// A number that is not finite makes a pivot fail: only then is it worth looking for one.
ManifoldStatus MechanicalLinearisation::factorise() {
  saddle_in_use_ = false;
  if (!sparse_) return factorise_dense();
  if (most_independent_ < m_ && !is_large_) {
    ill_conditioned_ = true;
    return factorise_whole();
  }
  const auto status = compressed_
                          ? sparse_->factorise(mass_values_, g_values_)
                          : sparse_->factorise({mass_.data(), mass_.rows() * mass_.cols()}, {g_.data(), m_ * n_});
  ill_conditioned_ = status == SparseKkt::Status::ill_conditioned;
  if (status == SparseKkt::Status::regular) return ManifoldStatus::ok;
  if (!compressed_) return ill_conditioned_ ? factorise_dense() : explain_mass();
  if (!all_finite(mass_values_) || !all_finite(g_values_)) return ManifoldStatus::not_finite;
  if (!ill_conditioned_) return ManifoldStatus::mass_not_positive_definite;
  if (is_large_) {
    factorise_saddle();
    return ManifoldStatus::ok;
  }
  return factorise_whole();
}

ManifoldStatus MechanicalLinearisation::factorise_whole() {
  if (!compressed_) return factorise_dense();
  make_whole();
  std::fill(mass_.data(), mass_.data() + mass_.rows() * mass_.cols(), 0.0);
  std::fill(g_.data(), g_.data() + m_ * (n_ + 1), 0.0);
  for_each_entry(structure_->mass, mass_values_, [&](std::size_t i, std::size_t j, double x) { mass_(i, j) = x; });
  for_each_entry(structure_->jacobian, g_values_, [&](std::size_t i, std::size_t j, double x) { g_(i, j) = x; });
  return factorise_dense();
}

// [M, -G^T; G, 0] (x, -lambda).
void MechanicalLinearisation::factorise_saddle() {
  const TransposedPattern across = transposed_pattern(structure_->jacobian);
  if (!saddle_) saddle_ = std::make_unique<SaddleSystem>(mass_pattern_, across.pattern, structure_->jacobian);
  Vector g_transposed(g_values_.size());
  for (std::size_t k = 0; k < g_transposed.size(); ++k) g_transposed[k] = g_values_[across.from[k]];
  saddle_->set_a(mass_values());
  saddle_->set_b(g_transposed);
  saddle_->set_g(g_values_);
  saddle_->factorise();
  saddle_in_use_ = true;
}

std::vector<std::size_t> MechanicalLinearisation::redundant_rows() const {
  return saddle_in_use_ ? saddle_->redundancy().rows : std::vector<std::size_t>{};
}

double MechanicalLinearisation::log_determinant() const {
  if (sparse_in_use()) return sparse_->log_determinant();
  return saddle_in_use_ ? saddle_->determinant().log - sparse_->mass_log_determinant() : dense_->log_determinant();
}

ManifoldStatus MechanicalLinearisation::explain_mass() const {
  return all_finite({mass_.data(), mass_.rows() * mass_.cols()}) ? ManifoldStatus::mass_not_positive_definite
                                                                 : ManifoldStatus::not_finite;
}

ManifoldStatus MechanicalLinearisation::factorise_dense() {
  if (!all_finite({g_.data(), m_ * n_}) || !all_finite({mass_.data(), mass_.rows() * mass_.cols()}))
    return ManifoldStatus::not_finite;
  if (!dense_) dense_ = std::make_unique<Kkt>(n_, m_);
  dense_->limit_rank(most_independent_);
  return dense_->factorise(mass_, g_.view().block(0, 0, m_, n_)) == Kkt::Status::mass_not_positive_definite
             ? ManifoldStatus::mass_not_positive_definite
             : ManifoldStatus::ok;
}

void MechanicalLinearisation::solve(Span top, Span bottom) const {
  if (sparse_in_use())
    sparse_->solve(top, bottom);
  else if (saddle_in_use_)
    solve_saddle(top, bottom);
  else
    dense_->solve(top, bottom);
}

void MechanicalLinearisation::solve_saddle(Span top, Span bottom) const {
  Scratch scratch;
  const Span x = scratch.take_raw<double>(n_ + m_);
  std::ranges::copy(top, x.begin());
  std::ranges::copy(bottom, x.begin() + static_cast<std::ptrdiff_t>(n_));
  saddle_->solve(x);
  std::ranges::copy(x.first(n_), top.begin());
  for (std::size_t i = 0; i < m_; ++i) bottom[i] = -x[n_ + i];
}

void MechanicalLinearisation::solve_constraints(Span x, Span bottom) const {
  if (sparse_in_use()) return sparse_->solve_constraints(x, bottom);
  std::fill(x.begin(), x.end(), 0.0);
  solve(x, bottom);
}

void MechanicalLinearisation::solve_mass(Span x) const {
  if (sparse_)
    sparse_->solve_mass(x);
  else
    dense_->solve_mass(x);
}

void MechanicalLinearisation::remove_normal(Span x) const {
  if (sparse_in_use() && sparse_->is_small()) return sparse_->remove_normal({g_.data(), m_ * n_}, x);
  Scratch scratch;
  const Span normal = scratch.take_raw<double>(n_), mu = scratch.take_raw<double>(m_);
  apply(x, mu);
  for (double& value : mu) value = -value;
  solve_constraints(normal, mu);
  for (std::size_t j = 0; j < n_; ++j) x[j] += normal[j];
}

void MechanicalLinearisation::apply(ConstSpan x, Span out) const {
  std::fill(out.begin(), out.end(), 0.0);
  if (compressed_)
    for_each_entry(structure_->jacobian, g_values_,
                   [&](std::size_t i, std::size_t j, double value) { out[i] += value * x[j]; });
  else
    for (std::size_t j = 0; j < n_; ++j)
      for (std::size_t i = 0; i < m_; ++i) out[i] += g_(i, j) * x[j];
}

void MechanicalLinearisation::rate(ConstSpan v, Span out) const {
  apply(v, out);
  for (std::size_t i = 0; i < m_; ++i) out[i] += time_derivative_[i];
}

void MechanicalLinearisation::subtract_reaction(ConstSpan lambda, Span out) const {
  if (compressed_)
    for_each_entry(structure_->jacobian, g_values_,
                   [&](std::size_t i, std::size_t j, double value) { out[j] -= value * lambda[i]; });
  else
    for (std::size_t j = 0; j < n_; ++j)
      for (std::size_t i = 0; i < m_; ++i) out[j] -= g_(i, j) * lambda[i];
}

void MechanicalLinearisation::multiply_mass(ConstSpan x, Span out) const {
  if (!f_->has_mass()) {
    std::copy(x.begin(), x.end(), out.begin());
    return;
  }
  std::fill(out.begin(), out.end(), 0.0);
  if (compressed_)
    for_each_entry(structure_->mass, mass_values_,
                   [&](std::size_t i, std::size_t j, double value) { out[i] += value * x[j]; });
  else
    for (std::size_t j = 0; j < n_; ++j)
      for (std::size_t i = 0; i < n_; ++i) out[i] += mass_(i, j) * x[j];
}

Matrix MechanicalLinearisation::dense_jacobian() const {
  Matrix g(m_, n_);
  if (compressed_)
    for_each_entry(structure_->jacobian, g_values_, [&](std::size_t i, std::size_t j, double x) { g(i, j) = x; });
  else
    std::copy(g_.data(), g_.data() + m_ * n_, g.data());
  return g;
}

double MechanicalLinearisation::largest_gradient(const SizeNorm& sizes, std::size_t begin) const {
  double largest = max_norm(time_derivative_);
  const auto see = [&](std::size_t j, double x) {
    if (const double size = std::abs(x) * sizes.usual(begin + j); !(size <= largest)) largest = size;
  };
  if (compressed_)
    for_each_entry(structure_->jacobian, g_values_, [&](std::size_t, std::size_t j, double x) { see(j, x); });
  else
    for (std::size_t j = 0; j < n_; ++j)
      for (std::size_t i = 0; i < m_; ++i) see(j, g_(i, j));
  return largest;
}

}  // namespace driftless
