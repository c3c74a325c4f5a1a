// The solution inside an explicit step: its interpolant, or what stands in where that is of no use.
#include <cmath>

#include "driftless/integrate/adaptive_explicit.h"
#include "driftless/step/collocation.h"

namespace driftless {

// The interpolant's values at the nodes of a collocation polynomial of the same or higher degree, which is the same
// polynomial; what the projection changed is spread linearly, so that the ends are met.
DenseStep AdaptiveExplicit::dense() {
  const ExplicitPair& pair = stepper_->pair();
  const double h = clock_.last_h(), begin = time() - h;
  const int nodes = pair.interpolant_degree <= 5 ? 5 : 7;
  DenseStep dense{.begin = begin,
                  .h = h,
                  .valid_until = time(),
                  .stages = nodes,
                  .multipliers = size_ - moving_,
                  .multipliers_by_constraint = true,
                  .base = base_,
                  .increments = Vector(size_ * static_cast<std::size_t>(nodes))};
  const Vector& c = radau_constants(nodes).c;
  const bool extended = stepper_->extend(begin, base_, h) == ManifoldStatus::ok;
  statistics_ += stepper_->take_work();
  if (!extended || (between_steps_ && !solves_equations_inside())) {
    if (!fill_by_steps(c, dense)) fill_by_ends(c, dense);
    return dense;
  }
  for (std::size_t j = 0; j < c.size(); ++j) {
    const Span out = Span(dense.increments).subspan(j * size_, size_);
    stepper_->combine(pair.interpolant_weights(c[j]), h, out);
    for (std::size_t i = 0; i < moving_; ++i) out[i] += c[j] * (x_[i] - raw_[i]);
    for (std::size_t i = moving_; i < size_; ++i) out[i] = c[j] * (x_[i] - base_[i]);
  }
  return dense;
}

// h |p' - f(p)| at a point inside the step, in tolerances, and what it makes of multipliers. Stiff components that
// explicit steps just carry along leave noise in the slopes, which the step damps and its interpolant does not.
bool AdaptiveExplicit::solves_equations_inside() {
  constexpr double inside = 0.4, apart = 1e-4, most = 1000.0;
  const double h = clock_.last_h();
  const ExplicitPair& pair = stepper_->pair();
  Vector low(size_), high(size_), slope(size_);
  stepper_->combine(pair.interpolant_weights(inside - apart), h, low);
  stepper_->combine(pair.interpolant_weights(inside + apart), h, high);
  for (std::size_t i = 0; i < size_; ++i)
    next_[i] =
        base_[i] + (i < moving_ ? 0.5 * (low[i] + high[i]) + inside * (x_[i] - raw_[i]) : inside * (x_[i] - base_[i]));
  ++statistics_.evaluations;
  if (manifold_->flow_of_all(time() - (1.0 - inside) * h, next_, slope) != ManifoldStatus::ok) return false;
  double worst = 0.0;
  const auto see = [&](std::size_t i, double off, double size) {
    worst = std::fmax(worst, std::abs(off) / (tolerance_.absolute_of(i) + tolerance_.relative * std::abs(size)));
  };
  for (std::size_t i = 0; i < moving_; ++i) {
    low[i] = (high[i] - low[i]) / (2.0 * apart) + x_[i] - raw_[i] - h * slope[i];
    see(i, low[i], x_[i]);
  }
  if (!steep_ || worst > most) return worst <= most;
  // What such a defect does to multipliers.
  high = next_;
  for (std::size_t i = 0; i < moving_; ++i) high[i] += low[i];
  const double t = time() - (1.0 - inside) * h;
  for (Vector* point : {&next_, &high})
    if (steep_->set_multipliers(t, *point) != ManifoldStatus::ok) return false;
  for (std::size_t i = moving_; i < size_; ++i) see(i, high[i] - next_[i], next_[i]);
  return worst <= most;
}

// Where the interpolant is of no use, or met a point where the model has no value: short steps from node to node.
bool AdaptiveExplicit::fill_by_steps(const Vector& c, DenseStep& dense) {
  const auto stepper = make_explicit_step(equations_, *manifold_, stepper_->pair(), size_, size_ - moving_);
  std::ranges::copy(stepper_->first_slope(), stepper->first_slope().begin());
  Vector from = base_;
  const double h = dense.h;
  double before = 0.0;
  for (std::size_t j = 0; j < c.size(); ++j) {
    const double t = dense.begin + before * h;
    if (stepper->take(t, from, (c[j] - before) * h, next_) != ManifoldStatus::ok) return false;
    before = c[j];
    from = next_;
    if (manifold_->flow_of_all(dense.begin + before * h, from, stepper->first_slope()) != ManifoldStatus::ok)
      return false;
    statistics_.evaluations += stepper->take_work().evaluations + 1;
    const bool at_end = j + 1 == c.size();
    for (std::size_t i = 0; i < size_; ++i)
      dense.increments[j * size_ + i] = i >= moving_ ? c[j] * (x_[i] - base_[i]) : (at_end ? x_ : from)[i] - base_[i];
  }
  return true;
}

// The cubic through the states and slopes of both ends.
void AdaptiveExplicit::fill_by_ends(const Vector& c, DenseStep& dense) {
  const double h = dense.h;
  const ConstSpan first = stepper_->first_slope(), last = stepper_->end_slope();
  for (std::size_t j = 0; j < c.size(); ++j) {
    const double s = c[j], r = 1.0 - s;
    for (std::size_t i = 0; i < size_; ++i) {
      const double whole = x_[i] - base_[i];
      dense.increments[j * size_ + i] =
          i < moving_ ? s * s * (3.0 - 2.0 * s) * whole + h * s * r * (r * first[i] - s * last[i]) : s * whole;
    }
  }
}

}  // namespace driftless
