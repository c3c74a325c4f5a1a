// The stage of stage_paper.cpp with many unknowns: its matrix [M, G^T; G, 0] has no other derivatives in it.
#include <algorithm>

#include "driftless/step/sparse_mechanical.h"

namespace driftless {

namespace {

Mechanical::Functions::Derivatives no_derivatives(std::size_t n, std::size_t r) {
  const auto empty = [](std::size_t rows, std::size_t cols) {
    return Pattern{.rows = rows, .cols = cols, .begin = std::vector<std::uint32_t>(cols + 1, 0), .row = {}};
  };
  return {
      .force = empty(n, 2 * n + r), .states = empty(r, 2 * n + r), .momentum = empty(n, n), .reaction = empty(n, n)};
}

}  // namespace

SparsePaperStage::SparsePaperStage(const Mechanical& form)
    : StageOf(
          form,
          powers({{form.q_size(), 0}, {form.q_size(), 1}, {form.s_size(), 0}, {form.lambda_size() + form.q_size(), 2}}),
          no_derivatives(form.q_size(), form.s_size())) {}

void SparsePaperStage::residual(double t, ConstSpan x, ConstSpan slope, Span r) const {
  const std::size_t first = 2 * n_ + r_ + m_;
  const ConstSpan v = x.subspan(n_, n_), w = x.subspan(first, n_);
  const Span states = r.subspan(2 * n_, r_), constraint = r.subspan(2 * n_ + r_, m_);
  residual_of(t, x, w, r.subspan(first, n_), states, constraint);
  for (std::size_t i = 0; i < n_; ++i) {
    r[i] = slope[i] - v[i];
    r[n_ + i] = slope[n_ + i] - w[i];
  }
  for (std::size_t i = 0; i < r_; ++i) states[i] = slope[2 * n_ + i] - states[i];
  for (double& value : constraint) value = -value;
}

void SparsePaperStage::linearise(double t, ConstSpan x, ConstSpan) {
  evaluate_gradients(t, x.first(n_));
  set_saddle();
  leave_out_redundant_rows();
}

template <class S>
void SparsePaperStage::reduce_any(S c, std::span<const S> rho, std::span<S> out) const {
  const S p = reciprocal(c), p2 = times(p, p);
  const std::size_t accelerations = 2 * n_ + r_ + m_;
  std::ranges::fill(out, S(0.0));
  add_product(a0_, p, rho.first(n_), out);
  add_product(a0_, p2, rho.subspan(n_, n_), out);
  for (std::size_t i = 0; i < n_; ++i) out[i] += times(rho[accelerations + i], p2);
  for (std::size_t i = 0; i < r_; ++i) out[n_ + i] = times(rho[2 * n_ + i], p);
  for (std::size_t k = 0; k < m_; ++k) out[n_ + r_ + k] = is_redundant(k) ? S(0.0) : -rho[2 * n_ + r_ + k];
}

template <class S>
void SparsePaperStage::expand_any(S c, std::span<const S> x, std::span<S> rho) const {
  const S c2 = times(c, c);
  for (std::size_t i = 0; i < n_; ++i) {
    const S dv = times(c, x[i]) - rho[i], dw = times(c, dv) - rho[n_ + i];
    rho[i] = x[i];
    rho[n_ + i] = dv;
    rho[2 * n_ + r_ + m_ + i] = dw;
  }
  for (std::size_t i = 0; i < r_; ++i) rho[2 * n_ + i] = x[n_ + i];
  for (std::size_t k = 0; k < m_; ++k) rho[2 * n_ + r_ + k] = times(x[n_ + r_ + k], c2);
}

template void SparsePaperStage::reduce_any(double, std::span<const double>, std::span<double>) const;
template void SparsePaperStage::reduce_any(Complex, std::span<const Complex>, std::span<Complex>) const;
template void SparsePaperStage::expand_any(double, std::span<const double>, std::span<double>) const;
template void SparsePaperStage::expand_any(Complex, std::span<const Complex>, std::span<Complex>) const;

}  // namespace driftless
