// Stage equations of index 1 and index 2.
#include <algorithm>

#include "driftless/core/scratch.h"
#include "driftless/linalg/fill_order.h"
#include "driftless/step/stage_equations_forms.h"

namespace driftless {

Index1Stage::Index1Stage(const Index1& form)
    : StageOf(std::vector<int>(form.size(), 0), form.size()),
      f_(form.share()),
      parts_(form.share_parts()),
      product_(form.pattern(), parts_->p.transposed(), ConstantMatrix::identity(form.size())) {
  const Pattern p = parts_->p.pattern();
  pattern_ = union_of(union_of(product_.factor(), product_.pattern()), p);
  place_of_p_ = places_in(pattern_, p);
  place_of_j_ = places_in(pattern_, product_.factor());
  place_of_product_ = places_in(pattern_, product_.pattern());
  jacobian_.resize(place_of_j_.size());
  along_.resize(place_of_product_.size());
  a0_.resize(pattern_.count());
  a1_.resize(pattern_.count());
  is_full_ = jacobian_.size() == pattern_.rows * pattern_.cols && along_.size() == jacobian_.size();
  for (const auto& entry : parts_->p.entries()) p_values_.push_back(entry.value);
}

void Index1Stage::residual(double t, ConstSpan x, ConstSpan slope, Span r) const {
  f_->f(x, t, r);
  for (double& value : r) value = -value;
  parts_->p.add_product(slope, r);
}

void Index1Stage::linearise(double t, ConstSpan x, ConstSpan) {
  f_->f_values(x, t, jacobian_);
  product_(jacobian_, along_);
  if (is_full_)
    for (std::size_t k = 0; k < a0_.size(); ++k) {
      a0_[k] = along_[k] - jacobian_[k];
      a1_[k] = -along_[k];
    }
  else
    scatter();
  for (std::size_t k = 0; k < place_of_p_.size(); ++k) a0_[place_of_p_[k]] += p_values_[k];
}

// A_0 = P J - J and A_1 = -P J, where their patterns differ.
void Index1Stage::scatter() {
  std::ranges::fill(a0_, 0.0);
  for (std::size_t k = 0; k < along_.size(); ++k) {
    a0_[place_of_product_[k]] = along_[k];
    a1_[place_of_product_[k]] = -along_[k];
  }
  for (std::size_t k = 0; k < jacobian_.size(); ++k) a0_[place_of_j_[k]] -= jacobian_[k];
}

template <class S>
void Index1Stage::reduce_any(S c, std::span<const S> rho, std::span<S> out) const {
  const S p_factor = reciprocal(c);
  Scratch scratch;
  const auto p = scratch.take<S>(rho.size());
  parts_->p.add_product(rho, p);
  for (std::size_t i = 0; i < rho.size(); ++i) out[i] = times(p[i], p_factor) + (rho[i] - p[i]);
}

// The same by real and imaginary parts, to the last bit: P is real.
bool Index1Stage::reduce_parts(Complex c, ConstSpan re, ConstSpan im, Span x, Span y) const {
  const Complex p_factor = reciprocal(c);
  std::ranges::fill(x, 0.0);
  std::ranges::fill(y, 0.0);
  for (const auto& [i, j, value] : parts_->p.entries()) {
    x[i] += value * re[j];
    y[i] += value * im[j];
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Complex p(x[i], y[i]), reduced = times(p, p_factor);
    x[i] = reduced.real() + (re[i] - p.real());
    y[i] = reduced.imag() + (im[i] - p.imag());
  }
  return true;
}

template <class S>
void Index1Stage::expand_any(S, std::span<const S> x, std::span<S> rho) const {
  std::copy(x.begin(), x.end(), rho.begin());
}

namespace {

BlockPattern stage_blocks(std::size_t n, std::size_t m, const Index2::Functions::Patterns& patterns) {
  const PlacedBlock blocks[] = {{patterns.gamma}, {patterns.f}, {columns_of(patterns.g, 0, n), n}, {patterns.gamma_u}};
  // Where all derivatives are taken for other than zero, the matrix is dense as a whole.
  return patterns.f.is_full() ? blocks_in_full(n + m, n + m, blocks) : block_pattern(n + m, n + m, blocks);
}

void spread(const Pattern& pattern, ConstSpan values, Matrix& out) {
  if (out.rows() != pattern.rows) out = Matrix(pattern.rows, pattern.cols);
  if (pattern.is_full()) return void(std::ranges::copy(values, out.data()));
  for (std::size_t j = 0, k = 0; j < pattern.cols; ++j)
    for (; k < pattern.begin[j + 1]; ++k) out(pattern.row[k], j) = values[k];
}

}  // namespace

Index2Stage::Index2Stage(const Index2& form) : Index2Stage(form, form.patterns()) {}

Index2Stage::Index2Stage(const Index2& form, Index2::Functions::Patterns patterns)
    : StageOf(powers({{form.u_size(), 0}, {form.lambda_size(), 1}}), form.u_size() + form.lambda_size()),
      f_(form.share()),
      n_(form.u_size()),
      m_(form.lambda_size()),
      has_gamma_(f_->has_gamma()),
      gamma_pattern_(patterns.gamma),
      blocks_(stage_blocks(n_, m_, patterns)),
      f_by_u_(patterns.f.begin[n_]),
      gamma_(patterns.gamma.count(), 1.0),
      f_jacobian_(patterns.f.count()),
      g_jacobian_(patterns.g.count()),
      gamma_jacobian_(patterns.gamma_u.count()),
      a0_(blocks_.pattern.count()),
      a1_(blocks_.pattern.count()) {
  const ConstSpan sizes = form.layout().sizes();
  if (!sizes.empty()) lambda_sizes_.assign(sizes.begin() + static_cast<std::ptrdiff_t>(n_), sizes.end());
}

// out += Gamma x
void Index2Stage::add_gamma(ConstSpan values, ConstSpan x, Span out) const {
  for (std::size_t j = 0, k = 0; j < n_; ++j)
    for (; k < gamma_pattern_.begin[j + 1]; ++k) out[gamma_pattern_.row[k]] += values[k] * x[j];
}

void Index2Stage::residual(double t, ConstSpan x, ConstSpan slope, Span r) const {
  const ConstSpan u = x.subspan(0, n_), lambda = x.subspan(n_, m_);
  f_->f(u, lambda, t, r.subspan(0, n_));
  f_->g(u, t, r.subspan(n_, m_));
  for (double& value : r) value = -value;
  for (std::size_t k = 0; k < redundant_.rows.size(); ++k) {
    double& out = r[n_ + redundant_.rows[k]] = 0.0;
    for (std::size_t l = 0; l < m_; ++l) out -= redundant_.directions(k, l) * lambda[l];
  }
  if (!has_gamma_) {
    for (std::size_t i = 0; i < n_; ++i) r[i] += slope[i];
    return;
  }
  Scratch scratch;
  const Span gamma = scratch.take<double>(gamma_.size());
  f_->gamma_values(u, t, gamma);
  add_gamma(gamma, slope, r);
}

void Index2Stage::linearise(double t, ConstSpan x, ConstSpan slope) {
  const ConstSpan u = x.subspan(0, n_), lambda = x.subspan(n_, m_);
  if (m_ > 0 && (!normal_ || !redundant_.rows.empty())) find_redundant_rows(t, u, lambda);
  const auto& of_gamma = blocks_.places[0];
  const auto &of_f = blocks_.places[1], &of_g = blocks_.places[2], &of_gamma_u = blocks_.places[3];
  f_->f_values(u, lambda, t, f_jacobian_);
  f_->g_values(u, t, g_jacobian_);
  if (has_gamma_) {
    f_->gamma_values(u, t, gamma_);
    f_->gamma_u_values(u, t, slope.subspan(0, n_), gamma_jacobian_);
  }
  std::ranges::fill(a0_, 0.0);
  std::ranges::fill(a1_, 0.0);
  for (std::size_t k = 0; k < of_gamma.size(); ++k) a0_[of_gamma[k]] = gamma_[k];
  for (std::size_t k = 0; k < of_g.size(); ++k) a0_[of_g[k]] = -g_jacobian_[k];
  for (std::size_t k = 0; k < of_gamma_u.size(); ++k) a1_[of_gamma_u[k]] = gamma_jacobian_[k];
  for (std::size_t k = 0; k < f_by_u_; ++k) a1_[of_f[k]] -= f_jacobian_[k];
  for (std::size_t k = f_by_u_; k < of_f.size(); ++k) a0_[of_f[k]] = -f_jacobian_[k];
  if (!redundant_.rows.empty()) leave_out_redundant_rows();
}

// By S where it is linearised first; later on the directions may turn, while the rows stay the same.
void Index2Stage::find_redundant_rows(double t, ConstSpan u, ConstSpan lambda) {
  const bool first = !normal_;
  if (first) normal_ = make_normal(f_, n_, m_, lambda_sizes_);
  if (normal_->set_gamma(t, u) != ManifoldStatus::ok) return;
  normal_->set_directions(t, u, lambda);
  normal_->set_gradients(t, u);
  if (normal_->factorise() != ManifoldStatus::ok || normal_->regular()) return;
  Redundancy found = normal_->redundancy();
  if (!first && found.rows != redundant_.rows) return;
  redundant_ = std::move(found);
  if (!first) return;
  std::vector<PlacedBlock> blocks{{blocks_.pattern}};
  for (const std::size_t row : redundant_.rows) blocks.push_back({full_pattern(1, m_), n_ + row, n_});
  BlockPattern wider = block_pattern(n_ + m_, n_ + m_, blocks);
  for (auto& places : blocks_.places)
    for (std::uint32_t& place : places) place = wider.places[0][place];
  blocks_.pattern = std::move(wider.pattern);
  a0_.assign(blocks_.pattern.count(), 0.0);
  a1_.assign(blocks_.pattern.count(), 0.0);
}

void Index2Stage::leave_out_redundant_rows() {
  const Pattern& all = blocks_.pattern;
  std::vector<std::size_t> number(m_, redundant_.rows.size());
  for (std::size_t k = 0; k < redundant_.rows.size(); ++k) number[redundant_.rows[k]] = k;
  for (std::size_t j = 0, e = 0; j < all.cols; ++j)
    for (; e < all.begin[j + 1]; ++e) {
      if (all.row[e] < n_ || number[all.row[e] - n_] == redundant_.rows.size()) continue;
      a0_[e] = j < n_ ? 0.0 : -redundant_.directions(number[all.row[e] - n_], j - n_);
    }
}

std::vector<std::uint32_t> Index2Stage::order() const {
  if (m_ == 0) return {};
  return saddle_order(blocks_.pattern, n_, a0_);
}

StageMatrices Index2Stage::matrices() const {
  spread(blocks_.pattern, a0_, whole0_);
  spread(blocks_.pattern, a1_, whole1_);
  const std::size_t marked = redundant_.rows.empty() ? 0 : n_ + m_;
  if (marked + marks_.rows() > 0) marks_ = Matrix(marked, 1);
  for (const std::size_t row : redundant_.rows) marks_(n_ + row, 0) = 1.0;
  return {whole0_, whole1_, marks_};
}

void Index2Stage::apply_leading(ConstSpan w, Span out) const {
  std::ranges::fill(out, 0.0);
  add_gamma(gamma_, w, out);
}

template <class S>
void Index2Stage::reduce_any(S c, std::span<const S> rho, std::span<S> out) const {
  const S p = reciprocal(c);
  for (std::size_t i = 0; i < n_; ++i) out[i] = times(rho[i], p);
  for (std::size_t i = 0; i < m_; ++i) out[n_ + i] = rho[n_ + i];
  for (const std::size_t row : redundant_.rows) out[n_ + row] = times(rho[n_ + row], p);
}

template <class S>
void Index2Stage::expand_any(S c, std::span<const S> x, std::span<S> rho) const {
  for (std::size_t i = 0; i < n_; ++i) rho[i] = x[i];
  for (std::size_t i = 0; i < m_; ++i) rho[n_ + i] = times(x[n_ + i], c);
}

template void Index1Stage::reduce_any(double, std::span<const double>, std::span<double>) const;
template void Index1Stage::reduce_any(Complex, std::span<const Complex>, std::span<Complex>) const;
template void Index1Stage::expand_any(double, std::span<const double>, std::span<double>) const;
template void Index1Stage::expand_any(Complex, std::span<const Complex>, std::span<Complex>) const;
template void Index2Stage::reduce_any(double, std::span<const double>, std::span<double>) const;
template void Index2Stage::reduce_any(Complex, std::span<const Complex>, std::span<Complex>) const;
template void Index2Stage::expand_any(double, std::span<const double>, std::span<double>) const;
template void Index2Stage::expand_any(Complex, std::span<const Complex>, std::span<Complex>) const;

}  // namespace driftless
