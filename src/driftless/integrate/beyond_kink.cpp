#include "driftless/integrate/beyond_kink.h"

#include <algorithm>
#include <cmath>

namespace driftless {

BeyondKink::BeyondKink(RadauForm& form, const Clock& clock, const AcceptedStep& last)
    : form_(form), t_(clock.time()), h_(clock.h()), x_(last.state), slope_(form.size) {
  if (form_.manifold->derivative(t_, ConstSpan(x_).first(form_.size), slope_) != ManifoldStatus::ok)
    std::ranges::fill(slope_, 0.0);
}

std::optional<Vector> BeyondKink::point(const ErrorScale& scale) {
  Vector there(form_.extended);
  if (!settle_ahead(h_, there) || !is_continuous_until(there, scale)) return std::nullopt;
  return there;
}

// What changes most is in one half of the way, and in one half of that. At a kink it gets less and less; another root
// stays as far away as it is. Multipliers may jump.
bool BeyondKink::is_continuous_until(Vector there, const ErrorScale& scale) {
  constexpr int most_halves = 30;
  constexpr double less = 0.1;
  Vector change(form_.extended), here = x_, middle(form_.extended);
  const auto distance = [&](const Vector& a, const Vector& b) {
    for (std::size_t i = 0; i < change.size(); ++i) change[i] = form_.is_multiplier(i) ? 0.0 : b[i] - a[i];
    return scale.norm(change);
  };
  const double enough = std::max(1.0, less * distance(here, there));
  for (double begin = 0.0, size = h_; distance(here, there) > enough;) {
    size *= 0.5;
    if (std::abs(size) < std::ldexp(std::abs(h_), -most_halves) || !settle_ahead(begin + size, middle)) return false;
    const bool first = distance(here, middle) > distance(middle, there);
    (first ? there : here) = middle;
    begin += first ? 0.0 : size;
  }
  return true;
}

void BeyondKink::start_stages(const Vector& nodes, Matrix& increments) {
  Vector stage(form_.extended);
  for (std::size_t j = 0; j < nodes.size(); ++j) {
    const bool found = settle_ahead(nodes[j] * h_, stage);
    for (std::size_t i = 0; i < stage.size(); ++i) increments(i, j) = found ? stage[i] - x_[i] : 0.0;
  }
}

// x_n + h x', as far as the equations state x', and the algebraic part or the multipliers that belong to it.
bool BeyondKink::settle_ahead(double h, Span out) {
  std::ranges::copy(x_, out.begin());
  for (std::size_t i = 0; i < form_.size; ++i) out[i] += h * slope_[i];
  return form_.manifold->settle(t_ + h, out.first(form_.size)) == ManifoldStatus::ok;
}

}  // namespace driftless
