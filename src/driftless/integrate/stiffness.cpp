#include "driftless/integrate/stiffness.h"

#include <algorithm>
#include <cmath>

#include "driftless/core/scratch.h"

namespace driftless {

SpectralRadius::SpectralRadius(const Equations& equations, const Tolerance& tolerance)
    : equations_(equations),
      tolerance_(tolerance),
      moving_(layout_of(equations).size() - layout_of(equations).size_of("lambda")),
      direction_(layout_of(equations).size()) {
  for (std::size_t i = 0; i < moving_; ++i) direction_[i] = 1.0 + 0.5 * std::sin(1.0 + 2.0 * static_cast<double>(i));
}

void SpectralRadius::prepare() {
  if (!manifold_) manifold_ = make_manifold(equations_);
}

double SpectralRadius::norm(ConstSpan x, ConstSpan weights) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < moving_; ++i) sum += x[i] * weights[i] * (x[i] * weights[i]);
  return std::sqrt(sum);
}

double SpectralRadius::estimate(double t, ConstSpan state) {
  prepare();
  const std::size_t size = state.size();
  Scratch scratch;
  const Span base = scratch.take_raw<double>(size), slope = scratch.take<double>(size);
  const Span moved = scratch.take_raw<double>(size), moved_slope = scratch.take<double>(size);
  const Span weights = scratch.take_raw<double>(moving_);
  std::copy(state.begin(), state.end(), base.begin());
  for (std::size_t i = 0; i < moving_; ++i) {
    weights[i] = 1.0 / (tolerance_.absolute_of(i) + tolerance_.relative * std::abs(state[i]));
  }
  if (manifold_->flow(t, base, slope) != ManifoldStatus::ok) return 0.0;
  manifold_->remove_normal_nearby(t, base, direction_);
  const double length = norm(direction_, weights), reach = norm(state, weights);
  if (!(length > 0.0)) return 0.0;
  // Far above rounding, far below what is not linear any more.
  const double step = 1e-7 * std::max(reach, 1.0) / length;
  for (std::size_t i = 0; i < size; ++i) moved[i] = base[i] + (i < moving_ ? step * direction_[i] : 0.0);
  if (manifold_->flow(t, moved, moved_slope) != ManifoldStatus::ok) return 0.0;
  for (std::size_t i = 0; i < moving_; ++i) moved_slope[i] -= slope[i];
  const double now = norm(moved_slope, weights) / (step * length);
  if (!std::isfinite(now) || now == 0.0) return 0.0;
  for (std::size_t i = 0; i < moving_; ++i) direction_[i] = moved_slope[i] / now;
  const double mean = last_ > 0.0 ? std::sqrt(last_ * now) : now;
  last_ = now;
  return mean;
}

}  // namespace driftless
