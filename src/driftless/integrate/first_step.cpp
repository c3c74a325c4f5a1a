#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/integrate/integrator.h"

namespace driftless {

namespace {

// Hairer, Norsett and Wanner I, II.4.
double euler_guess(const Equations& equations, Manifold& manifold, const Tolerance& tolerance, double t, double length,
                   double direction, ConstSpan x, int order) {
  const Layout& layout = layout_of(equations);
  const std::size_t size = layout.size(), multipliers = layout.size_of("lambda");
  Vector slope(size), moved(size), moved_slope(size);
  auto norm = [&](auto&& value) {
    double sum = 0.0;
    std::size_t count = 0;
    for (std::size_t i = 0; i + multipliers < size; ++i, ++count) {
      const double scaled = value(i) / (tolerance.absolute_of(i) + tolerance.relative * std::abs(x[i]));
      sum += scaled * scaled;
    }
    return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(1, count)));
  };
  if (manifold.derivative(t, x, slope) != ManifoldStatus::ok) return length;
  const double d0 = norm([&](std::size_t i) { return x[i]; }), d1 = norm([&](std::size_t i) { return slope[i]; });
  double trial = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 * length : 0.01 * d0 / d1;
  // Below rounding of t nothing moves; values near zero with large slopes would ask for that.
  const double least = std::max(1e-12 * length, 1e3 * std::numeric_limits<double>::epsilon() * std::abs(t));
  trial = std::min(std::max(trial, least), 0.1 * length);
  for (std::size_t i = 0; i < size; ++i) moved[i] = x[i] + direction * trial * slope[i];
  double d2 = 0.0;
  if (manifold.flow(t + direction * trial, moved, moved_slope) == ManifoldStatus::ok)
    d2 = norm([&](std::size_t i) { return moved_slope[i] - slope[i]; }) / trial;
  const double larger = std::max(d1, d2);
  const double wanted =
      larger <= 1e-15 ? std::max(1e-6 * length, 1e-3 * trial) : std::pow(0.01 / larger, 1.0 / (order + 1.0));
  return std::isfinite(wanted) ? std::max(least, std::min(100.0 * trial, wanted)) : trial;
}

}  // namespace

double first_step_size(const Equations& equations, Manifold& manifold, const AdaptiveOptions& options, double begin,
                       double end, ConstSpan state, int order) {
  const double direction = end >= begin ? 1.0 : -1.0, length = std::abs(end - begin);
  const Stepping& stepping = options.stepping;
  double h = stepping.first
                 ? *stepping.first
                 : euler_guess(equations, manifold, options.tolerance, begin, length, direction, state, order);
  if (!stepping.first && stepping.first_at_most > 0.0) h = std::min(h, stepping.first_at_most);
  h = std::min(h, length);
  if (stepping.largest > 0.0) h = std::min(h, stepping.largest);
  return direction * h;
}

}  // namespace driftless
