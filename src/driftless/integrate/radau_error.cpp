#include "driftless/integrate/radau_error.h"

#include <algorithm>
#include <cmath>

#include "driftless/integrate/superconvergence.h"

namespace driftless {

RadauError::RadauError(RadauForm& form)
    : form_(form),
      error_(form.extended),
      credited_(form.extended),
      stiff_(form.extended),
      inside_(form.multipliers_follow ? form.extended : 0),
      point_(form.extended) {}

double RadauError::estimate(RadauStep& radau, const Clock& clock, ConstSpan x, const ErrorScale& scale,
                            const RadauProposal& proposal) {
  const Step step{radau, clock.time(), clock.h(), x, scale, proposal};
  radau.error(step.t, x, step.h, error_);
  double error = measure(step);
  if (error >= 1.0 && proposal.estimate_twice) {
    for (std::size_t i = 0; i < form_.extended; ++i) point_[i] = x[i] + error_[i];
    radau.error(step.t, point_, step.h, error_);
    error = measure(step);
  }
  if (form_.multipliers_follow)
    error = std::max(error, multiplier_error_inside(step) / calibrated::most_of_multipliers);
  if (!form_.options.between_steps) return error;
  const double between = error_between_steps(radau.constants(), radau.increments(), state_weights(step));
  return std::max(error, between / calibrated::most_between_steps);
}

// Stiff modes have the order of the stages, and no more: what the estimate says of them is not credited. The long steps
// of coupled stages would otherwise end with velocities off by a hundred tolerances, which the next step damps.
double RadauError::measure(const Step& step) {
  if (form_.multipliers_follow) {
    find_inside(step);  // leaves matrices of this point
    form_.manifold->remove_normal_nearby(step.t, step.x.first(form_.size), Span(error_).first(form_.size));
  } else if (form_.options.norm == ErrorNorm::tangential && form_.options.projection != Projection::none) {
    form_.manifold->remove_normal(step.t, step.x.first(form_.size), Span(error_).first(form_.size));
  }
  if (form_.is_classic()) return step.scale.norm(error_);
  credited_ = error_;
  if (step.proposal.coupled) {
    step.radau.split_stiff(step.h, credited_, stiff_);
    credit(step, credited_);
    for (std::size_t i = 0; i < form_.extended; ++i)
      credited_[i] = std::abs(credited_[i]) + calibrated::stiff_share * std::abs(stiff_[i]);
  } else {
    credit(step, credited_);
  }
  if (form_.multipliers_follow) carry_to_multipliers(step, credited_);
  return step.scale.norm(credited_);
}

void RadauError::credit(const Step& step, Span error) const {
  const Matrix& z = step.radau.increments();
  const RadauConstants& radau = step.radau.constants();
  const bool by_differences = !form_.on_acceleration_level;
  const double least =
      by_differences ? least_share(last_differences(radau, z, step.scale.weights()), radau.stages) : 0.0;
  credit_superconvergence(radau, z, {step.proposal.error_factor, least, by_differences}, error);
}

// What the error of u and v does to lambda = psi_0(u, v), which may be steep: a stiff unknown in a constraint comes in
// with the square of its rate. With index 2, whose weights have a factor h, what the stages say of lambda counts as
// well.
void RadauError::carry_to_multipliers(const Step& step, Span error) {
  const std::size_t states = form_.size - form_.multipliers;
  const double power_of_h[] = {1.0, std::abs(step.h), step.h * step.h};
  for (std::size_t i = 0; i < form_.extended; ++i) point_[i] = step.x[i] + (i < states ? error[i] : 0.0);
  if (form_.manifold->set_multipliers_nearby(step.t, Span(point_).first(form_.size)) != ManifoldStatus::ok) return;
  for (std::size_t i = states; i < form_.size; ++i) {
    const double carried = std::abs(point_[i] - step.x[i]);
    const double by_h = form_.on_acceleration_level ? 1.0 : power_of_h[form_.stage_equations->power()[i]];
    error[i] = form_.velocities_count_in_full ? carried : std::fmax(std::abs(error[i]), carried / by_h);
  }
}

// For multipliers that follow, the differences themselves: at the end of a step, too, stiff unknowns are off by what
// the filtered estimate does not see.
void RadauError::find_inside(const Step& step) {
  const Matrix& z = step.radau.increments();
  const RadauConstants& radau = step.radau.constants();
  const auto [last, before] = last_differences(radau, z, state_weights(step));
  // How fast all differences fall says little about the few that matter here.
  const double share =
      calibrated::largest_product[calibrated::row_of(radau.stages)] * std::clamp(std::sqrt(last / before), 0.1, 1.0);
  std::ranges::fill(inside_, 0.0);
  for (std::size_t i = 0; i < form_.size - form_.multipliers; ++i)
    for (std::size_t j = 0; j < radau.c.size(); ++j) inside_[i] += share * radau.lagrange[j] * z(i, j);
  form_.manifold->remove_normal(step.t, step.x.first(form_.size), Span(inside_).first(form_.size));
}

// What they do to the multipliers, in shares of the tolerance as the weights have them.
double RadauError::multiplier_error_inside(const Step& step) {
  carry_to_multipliers(step, inside_);
  double largest = 0.0;
  for (std::size_t i = form_.size - form_.multipliers; i < form_.size; ++i)
    largest = std::fmax(largest, std::abs(inside_[i]) * step.scale.weights()[i]);
  return largest;
}

}  // namespace driftless
