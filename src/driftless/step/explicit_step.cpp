#include "driftless/step/explicit_step.h"

#include <algorithm>

namespace driftless {

ExplicitStep::ExplicitStep(Manifold& manifold, const ExplicitPair& pair, std::size_t size, std::size_t algebraic)
    : manifold_(manifold),
      pair_(pair),
      size_(size),
      moving_(size - algebraic),
      slopes_(size, pair.all_stages()),
      point_(size) {
  for (std::size_t i = 0; i < pair.all_stages(); ++i) {
    row_begin_.push_back(row_stage_.size());
    for (std::size_t j = 0; j < i; ++j)
      if (pair.a(i, j) != 0.0) {
        row_stage_.push_back(j);
        row_weight_.push_back(pair.a(i, j));
      }
  }
  row_begin_.push_back(row_stage_.size());
}

// out = x + h sum_j a_ij k_j, three slopes at a time: what limits this is reading and writing `out`.
void ExplicitStep::add(std::size_t row, ConstSpan x, double h, Span out) const {
  std::copy(x.begin(), x.end(), out.begin());
  double* __restrict sum = out.data();
  std::size_t k = row_begin_[row];
  const std::size_t end = row_begin_[row + 1];
  auto column = [&](std::size_t entry) { return slopes_.data() + row_stage_[entry] * size_; };
  for (; k + 3 <= end; k += 3) {
    const double wa = h * row_weight_[k], wb = h * row_weight_[k + 1], wc = h * row_weight_[k + 2];
    const double* __restrict a = column(k), * __restrict b = column(k + 1), * __restrict c = column(k + 2);
    for (std::size_t i = 0; i < moving_; ++i) sum[i] += wa * a[i] + wb * b[i] + wc * c[i];
  }
  for (; k < end; ++k) {
    const double w = h * row_weight_[k];
    const double* __restrict a = column(k);
    for (std::size_t i = 0; i < moving_; ++i) sum[i] += w * a[i];
  }
}

// Multipliers of the last point are the first guess for those of this one, where they are found by iteration.
ManifoldStatus ExplicitStep::evaluate(std::size_t stage, double t, ConstSpan x, double h) {
  const std::size_t row = stage;
  point_time_ = t + pair_.c[stage] * h;
  add(row, x, h, point_);
  return manifold_.flow(point_time_, point_, slopes_.view().column(stage));
}

ManifoldStatus ExplicitStep::take(double t, ConstSpan x, double h, Span next) {
  for (std::size_t i = 1; i < pair_.stages; ++i)
    if (const auto status = evaluate(i, t, x, h); status != ManifoldStatus::ok) return status;
  add(pair_.stages, x, h, next);
  std::copy(point_.begin() + moving_, point_.end(), next.begin() + moving_);
  return ManifoldStatus::ok;
}

void ExplicitStep::error(std::size_t which, double h, Span out) const {
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t j = 0; j < pair_.errors.cols(); ++j) {
    const double w = h * pair_.errors(which, j);
    if (w == 0.0) continue;
    const double* __restrict k = slopes_.data() + j * size_;
    for (std::size_t i = 0; i < moving_; ++i) out[i] += w * k[i];
  }
}

ManifoldStatus ExplicitStep::extend(double t, ConstSpan x, double h) {
  for (std::size_t i = pair_.stages + 1; i < pair_.all_stages(); ++i)
    if (const auto status = evaluate(i, t, x, h); status != ManifoldStatus::ok) return status;
  return ManifoldStatus::ok;
}

void ExplicitStep::forget_extension() {
  for (std::size_t i = pair_.stages + 1; i < pair_.all_stages(); ++i) std::ranges::fill(slopes_.view().column(i), 0.0);
}

void ExplicitStep::combine(ConstSpan weights, double h, Span out) const {
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t j = 0; j < weights.size(); ++j) {
    const double w = h * weights[j];
    if (w == 0.0) continue;
    const double* __restrict k = slopes_.data() + j * size_;
    for (std::size_t i = 0; i < moving_; ++i) out[i] += w * k[i];
  }
}

}  // namespace driftless
