#include "driftless/integrate/level_gradients.h"

#include <algorithm>
#include <cmath>

#include "driftless/linalg/rank.h"
#include "driftless/linalg/saddle_system.h"

namespace driftless {

ManifoldStatus LevelGradients::take(Manifold& manifold, int level, double t, ConstSpan state) {
  is_sparse_ = manifold.levels() > 1 && manifold.is_sparse();
  return is_sparse_ ? manifold.level_values(level, t, state, pattern_, values_)
                    : manifold.level_jacobian(level, t, state, whole_);
}

void LevelGradients::hold(const std::vector<char>& free, std::size_t begin) {
  const std::size_t cols = is_sparse_ ? pattern_.cols : whole_.cols();
  for (std::size_t j = 0; j < cols; ++j) {
    if (free[begin + j]) continue;
    const Span column = is_sparse_ ? Span(values_).subspan(pattern_.begin[j], pattern_.begin[j + 1] - pattern_.begin[j])
                                   : whole_.view().column(j);
    std::ranges::fill(column, 0.0);
  }
}

void LevelGradients::effect(ConstSpan sizes, Span out) const {
  std::ranges::fill(out, 0.0);
  if (is_sparse_) {
    for (std::size_t j = 0, k = 0; j < pattern_.cols; ++j)
      for (; k < pattern_.begin[j + 1]; ++k) out[pattern_.row[k]] += std::abs(values_[k]) * sizes[j];
    return;
  }
  for (std::size_t j = 0; j < whole_.cols(); ++j)
    for (std::size_t i = 0; i < whole_.rows(); ++i) out[i] += std::abs(whole_(i, j)) * sizes[j];
}

Vector LevelGradients::least_change(ConstSpan target, const SizeNorm& norm, std::size_t begin) const {
  if (is_sparse_) return least_change_sparse(target, norm, begin);
  if (norm.is_plain()) return least_norm_solution(whole_, target);
  Matrix scaled = whole_;
  Vector right(target.begin(), target.end());
  for (std::size_t i = 0; i < scaled.rows(); ++i) {
    double largest = 0.0;
    for (std::size_t j = 0; j < scaled.cols(); ++j)
      largest = std::max(largest, std::abs(scaled(i, j) *= norm.usual(begin + j)));
    const double factor = largest > 0.0 ? 1.0 / largest : 1.0;
    for (std::size_t j = 0; j < scaled.cols(); ++j) scaled(i, j) *= factor;
    right[i] *= factor;
  }
  Vector change = least_norm_solution(scaled, right);
  for (std::size_t j = 0; j < change.size(); ++j) change[j] *= norm.usual(begin + j);
  return change;
}

// min |w|^2 subject to J W w = target, change = W w:  [I, -(J W)^T; J W, 0] (w, mu) = (0, target).
Vector LevelGradients::least_change_sparse(ConstSpan target, const SizeNorm& norm, std::size_t begin) const {
  const std::size_t n = pattern_.cols, m = pattern_.rows;
  const auto [transposed, from] = transposed_pattern(pattern_);
  Vector scaled = values_, across(scaled.size());
  for (std::size_t j = 0, k = 0; j < n; ++j)
    for (; k < pattern_.begin[j + 1]; ++k) scaled[k] *= norm.usual(begin + j);
  for (std::size_t k = 0; k < across.size(); ++k) across[k] = scaled[from[k]];
  SaddleSystem saddle(diagonal_pattern(n), transposed, pattern_);
  saddle.set_a(Vector(n, 1.0));
  saddle.set_b(across);
  saddle.set_g(scaled);
  saddle.factorise();
  Vector x(n + m, 0.0);
  std::ranges::copy(target, x.begin() + static_cast<std::ptrdiff_t>(n));
  saddle.solve(x);
  x.resize(n);
  for (std::size_t j = 0; j < n; ++j) x[j] *= norm.usual(begin + j);
  return x;
}

}  // namespace driftless
