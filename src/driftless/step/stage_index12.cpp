// Stage equations of index 1 and index 2.
#include <algorithm>

#include "driftless/core/scratch.h"
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
}

void Index1Stage::residual(double t, ConstSpan x, ConstSpan slope, Span r) const {
  f_->f(x, t, r);
  for (double& value : r) value = -value;
  parts_->p.add_product(slope, r);
}

void Index1Stage::linearise(double t, ConstSpan x, ConstSpan) {
  f_->f_values(x, t, jacobian_);
  product_(jacobian_, along_);
  std::ranges::fill(a0_, 0.0);
  for (std::size_t k = 0; k < along_.size(); ++k) {
    a0_[place_of_product_[k]] = along_[k];
    a1_[place_of_product_[k]] = -along_[k];
  }
  for (std::size_t k = 0; k < jacobian_.size(); ++k) a0_[place_of_j_[k]] -= jacobian_[k];
  for (std::size_t k = 0; k < place_of_p_.size(); ++k) a0_[place_of_p_[k]] += parts_->p.entries()[k].value;
}

template <class S>
void Index1Stage::reduce_any(S c, std::span<const S> rho, std::span<S> out) const {
  const S p_factor = reciprocal(c);
  Scratch scratch;
  const auto p = scratch.take<S>(rho.size());
  parts_->p.add_product(rho, p);
  for (std::size_t i = 0; i < rho.size(); ++i) out[i] = times(p[i], p_factor) + (rho[i] - p[i]);
}

template <class S>
void Index1Stage::expand_any(S, std::span<const S> x, std::span<S> rho) const {
  std::copy(x.begin(), x.end(), rho.begin());
}

Index2Stage::Index2Stage(const Index2& form)
    : StageOf(powers({{form.u_size(), 0}, {form.lambda_size(), 1}}), form.u_size() + form.lambda_size()),
      f_(form.share()),
      n_(form.u_size()),
      m_(form.lambda_size()),
      f_jacobian_(n_, n_ + m_ + 1),
      g_jacobian_(m_, n_ + 1),
      gamma_jacobian_(n_, n_ + 1),
      gamma_(Matrix::identity(n_)) {}

void Index2Stage::residual(double t, ConstSpan x, ConstSpan slope, Span r) const {
  const ConstSpan u = x.subspan(0, n_), lambda = x.subspan(n_, m_);
  f_->f(u, lambda, t, r.subspan(0, n_));
  f_->g(u, t, r.subspan(n_, m_));
  for (double& value : r) value = -value;
  if (!f_->has_gamma()) {
    for (std::size_t i = 0; i < n_; ++i) r[i] += slope[i];
    return;
  }
  Scratch scratch;
  const MatrixView gamma{scratch.take<double>(n_ * n_).data(), n_, n_, n_};
  f_->gamma(u, t, gamma);
  for (std::size_t j = 0; j < n_; ++j)
    for (std::size_t i = 0; i < n_; ++i) r[i] += gamma(i, j) * slope[j];
}

void Index2Stage::linearise(double t, ConstSpan x, ConstSpan slope) {
  const ConstSpan u = x.subspan(0, n_), lambda = x.subspan(n_, m_);
  f_->f_jacobian(u, lambda, t, f_jacobian_);
  f_->g_jacobian(u, t, g_jacobian_);
  if (f_->has_gamma()) {
    f_->gamma(u, t, gamma_);
    f_->gamma_jacobian(u, t, slope.subspan(0, n_), gamma_jacobian_);
  }
  for (std::size_t j = 0; j < n_; ++j) {
    for (std::size_t i = 0; i < n_; ++i) {
      a0_(i, j) = gamma_(i, j);
      a1_(i, j) = gamma_jacobian_(i, j) - f_jacobian_(i, j);
    }
    for (std::size_t i = 0; i < m_; ++i) a0_(n_ + i, j) = -g_jacobian_(i, j);
  }
  for (std::size_t l = 0; l < m_; ++l)
    for (std::size_t i = 0; i < n_; ++i) a0_(i, n_ + l) = -f_jacobian_(i, n_ + l);
}

void Index2Stage::apply_leading(ConstSpan w, Span out) const {
  std::ranges::fill(out, 0.0);
  for (std::size_t j = 0; j < n_; ++j)
    for (std::size_t i = 0; i < n_; ++i) out[i] += gamma_(i, j) * w[j];
}

template <class S>
void Index2Stage::reduce_any(S c, std::span<const S> rho, std::span<S> out) const {
  const S p = reciprocal(c);
  for (std::size_t i = 0; i < n_; ++i) out[i] = times(rho[i], p);
  for (std::size_t i = 0; i < m_; ++i) out[n_ + i] = rho[n_ + i];
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
