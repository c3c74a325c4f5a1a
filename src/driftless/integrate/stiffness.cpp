#include "driftless/integrate/stiffness.h"

#include <algorithm>
#include <cmath>

namespace driftless {

SpectralRadius::SpectralRadius(const Equations& equations, const Tolerance& tolerance)
    : tolerance_(tolerance),
      manifold_(make_manifold(equations)),
      size_(layout_of(equations).size()),
      moving_(size_ - layout_of(equations).size_of("lambda")),
      direction_(size_),
      base_(size_),
      slope_(size_),
      moved_(size_),
      moved_slope_(size_),
      weights_(size_) {
  for (std::size_t i = 0; i < moving_; ++i) direction_[i] = 1.0 + 0.5 * std::sin(1.0 + 2.0 * static_cast<double>(i));
}

double SpectralRadius::norm(ConstSpan x) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < moving_; ++i) sum += x[i] * weights_[i] * (x[i] * weights_[i]);
  return std::sqrt(sum);
}

double SpectralRadius::estimate(double t, ConstSpan state) {
  std::copy(state.begin(), state.end(), base_.begin());
  for (std::size_t i = 0; i < moving_; ++i) {
    weights_[i] = 1.0 / (tolerance_.absolute_of(i) + tolerance_.relative * std::abs(state[i]));
  }
  if (manifold_->flow(t, base_, slope_) != ManifoldStatus::ok) return 0.0;
  manifold_->remove_normal_nearby(t, base_, direction_);
  const double length = norm(direction_), size = norm(state);
  if (!(length > 0.0)) return 0.0;
  // Far above rounding, far below what is not linear any more.
  const double step = 1e-7 * std::max(size, 1.0) / length;
  for (std::size_t i = 0; i < size_; ++i) moved_[i] = base_[i] + (i < moving_ ? step * direction_[i] : 0.0);
  if (manifold_->flow(t, moved_, moved_slope_) != ManifoldStatus::ok) return 0.0;
  for (std::size_t i = 0; i < moving_; ++i) moved_slope_[i] -= slope_[i];
  const double now = norm(moved_slope_) / (step * length);
  if (!std::isfinite(now) || now == 0.0) return 0.0;
  for (std::size_t i = 0; i < moving_; ++i) direction_[i] = moved_slope_[i] / now;
  const double mean = last_ > 0.0 ? std::sqrt(last_ * now) : now;
  last_ = now;
  return mean;
}

}  // namespace driftless
