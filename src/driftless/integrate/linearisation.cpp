#include "driftless/integrate/linearisation.h"

#include <algorithm>
#include <cmath>

#include "driftless/nonlinear/convergence.h"

namespace driftless {

void Linearisation::go_inside(const Clock& clock, const AcceptedStep& last) {
  const double h = clock.h();
  go_to(clock.time() + calibrated::linearisation_point * h, last.state);
  RadauStep::continue_to(last.increments, last.stages, 1.0 + calibrated::linearisation_point * h / clock.last_h(), x_);
}

void Linearisation::go_to(double t, ConstSpan x) {
  t_ = t;
  std::ranges::copy(x, x_.begin());
}

// What the Jacobian at this point needs: a slope, and on acceleration level multipliers that belong to it.
ManifoldStatus Linearisation::prepare(double begin) {
  const Span x = Span(x_).first(form_.size), slope = Span(slope_).first(form_.size);
  std::ranges::fill(slope_, 0.0);
  if (form_.manifold->levels() == 1) return ManifoldStatus::ok;  // P is constant
  if (form_.on_acceleration_level && t_ != begin)
    if (const auto status = form_.manifold->set_multipliers(t_, x); status != ManifoldStatus::ok) return status;
  return form_.manifold->derivative(t_, x, slope);
}

ManifoldStatus Linearisation::linearise(double begin) {
  if (!all_finite(x_)) return ManifoldStatus::not_finite;
  const auto status = prepare(begin);
  if (status == ManifoldStatus::ok) repeat();
  return status;
}

}  // namespace driftless
