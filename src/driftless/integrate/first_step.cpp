#include <algorithm>
#include <cmath>

#include "driftless/integrate/adaptive_radau.h"

namespace driftless {

// Hairer, Norsett and Wanner I, II.4: a step for which an Euler step of the underlying ODE would change little.
double AdaptiveRadau::first_step_size() {
  const double direction = end_ >= t_ ? 1.0 : -1.0, length = std::abs(end_ - t_);
  double h = length;
  if (options_.first_step) {
    h = *options_.first_step;
  } else {
    Vector slope(size_), moved(size_), moved_slope(size_);
    const ConstSpan x = state();
    auto norm = [&](auto&& value) {
      double sum = 0.0;
      std::size_t count = 0;
      for (std::size_t i = 0; i + multipliers_ < size_; ++i, ++count) {
        const double absolute =
            i < tolerance_.absolute_by_component.size() ? tolerance_.absolute_by_component[i] : tolerance_.absolute;
        const double scaled = value(i) / (absolute + tolerance_.relative * std::abs(x[i]));
        sum += scaled * scaled;
      }
      return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(1, count)));
    };
    if (manifold_->derivative(t_, x, slope) == ManifoldStatus::ok) {
      const double d0 = norm([&](std::size_t i) { return x[i]; }), d1 = norm([&](std::size_t i) { return slope[i]; });
      double trial = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 * length : 0.01 * d0 / d1;
      trial = std::min(trial, 0.1 * length);
      for (std::size_t i = 0; i < size_; ++i) moved[i] = x[i] + direction * trial * slope[i];
      double d2 = 0.0;
      if (manifold_->set_multipliers(t_ + direction * trial, moved) == ManifoldStatus::ok &&
          manifold_->derivative(t_ + direction * trial, moved, moved_slope) == ManifoldStatus::ok)
        d2 = norm([&](std::size_t i) { return moved_slope[i] - slope[i]; }) / trial;
      const double larger = std::max(d1, d2);
      const double wanted = larger <= 1e-15 ? std::max(1e-6 * length, 1e-3 * trial)
                                            : std::pow(0.01 / larger, 1.0 / (radau_.stages() + 1.0));
      h = std::isfinite(wanted) ? std::min(100.0 * trial, wanted) : trial;
    }
  }
  h = std::min(h, length);
  if (options_.largest_step > 0.0) h = std::min(h, options_.largest_step);
  return direction * h;
}

}  // namespace driftless
