#include "driftless/integrate/adaptive_radau.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "driftless/core/stop.h"
#include "driftless/equations/convert.h"
#include "driftless/integrate/radau_calibration.h"
#include "driftless/nonlinear/convergence.h"

namespace driftless {

namespace {

std::unique_ptr<StageEquations> stage_equations_for(const Equations& equations, const RadauOptions& options) {
  if (const auto* mechanical = std::get_if<Mechanical>(&equations)) {
    switch (options.level) {
      case ConstraintLevel::acceleration: return make_acceleration_stage(*mechanical);
      case ConstraintLevel::velocity: return make_stage_equations(as_index2(*mechanical));
      case ConstraintLevel::position_with_accelerations: return make_paper_stage(*mechanical);
      case ConstraintLevel::ggl: return make_stage_equations(as_ggl(*mechanical));
      case ConstraintLevel::position: break;
    }
  }
  return make_stage_equations(equations);
}

}  // namespace

AdaptiveRadau::AdaptiveRadau(const Equations& equations, const AdaptiveOptions& options)
    : equations_(equations),
      options_(options.radau),
      stepping_(options.stepping),
      tolerance_(options.tolerance),
      manifold_(make_manifold(equations)),
      stage_equations_(stage_equations_for(equations, options_)),
      radau_(*stage_equations_, options_.most_stages),
      size_(layout_of(equations).size()),
      extended_(stage_equations_->size()),
      multipliers_(layout_of(equations).size_of("lambda")),
      x_(extended_, 0.0),
      next_(extended_),
      weights_(extended_),
      newton_weights_(extended_),
      error_(extended_),
      credited_(extended_),
      stiff_(extended_),
      mu1_(manifold_->constraint_count()),
      mu2_(manifold_->constraint_count()),
      base_(extended_),
      last_increments_(extended_, static_cast<std::size_t>(options_.most_stages)),
      kept_increments_(last_increments_),
      jacobian_x_(extended_),
      jacobian_slope_(extended_),
      correction_(extended_),
      blamed_(extended_) {
  on_acceleration_level_ =
      std::holds_alternative<Mechanical>(equations) && options_.level == ConstraintLevel::acceleration;
  with_accelerations_ =
      std::holds_alternative<Mechanical>(equations) && options_.level == ConstraintLevel::position_with_accelerations;
}

AdaptiveRadau::AdaptiveRadau(const Equations& equations, const AdaptiveOptions& options, double begin, double end,
                             ConstSpan state)
    : AdaptiveRadau(equations, options) {
  t_ = begin;
  end_ = end;
  std::copy(state.begin(), state.end(), x_.begin());
  set_accelerations(t_, x_);  // if that fails, so does the first step, with an explanation
  set_stages(first_stages());
  set_weights();
  h_ = first_step_size(equations_, *manifold_, options, t_, end_, this->state(), radau_.stages());
  if ((t_ + h_ * 1.0001 - end_) * h_ >= 0.0) {
    h_ = end_ - t_;
    last_ = true;
  }
}

// The unknowns w = v' that follow the state, where the stage equations have them.
ManifoldStatus AdaptiveRadau::set_accelerations(double t, Span x) {
  if (!with_accelerations_) return ManifoldStatus::ok;
  const auto status = manifold_->derivative(t, x.subspan(0, size_), Span(error_).subspan(0, size_));
  const std::size_t n = extended_ - size_;
  if (status == ManifoldStatus::ok) std::ranges::copy(ConstSpan(error_).subspan(n, n), x.subspan(size_, n).begin());
  return status;
}

// The estimate has order s, the method 2 s - 1. RADAU therefore transforms the tolerance to 0.1 tol^((s+1)/(2s)), which
// is right where the solution is smooth on the scale of the step and far too generous where it is not; only the classic
// norm does so.
void AdaptiveRadau::set_stages(int stages) {
  radau_.set_stages(stages);
  constexpr double rounding = std::numeric_limits<double>::epsilon();
  if (options_.norm == ErrorNorm::classic) {
    relative_ = 0.1 * std::pow(tolerance_.relative, (stages + 1.0) / (2.0 * stages));
    newton_tolerance_ = std::max(10.0 * rounding / relative_, std::min(0.03, std::sqrt(relative_)));
    error_exponent_ = 1.0 / (stages + 1.0);
  } else {
    relative_ = tolerance_.relative;
    newton_tolerance_ =
        std::max(10.0 * rounding / relative_,
                 options_.newton_share > 0.0 ? options_.newton_share : calibration().newton_share[row_of(stages)]);
    error_exponent_ = 1.0 / (2.0 * stages - 1.0);
  }
  scale_ = relative_ / tolerance_.relative;
}

const Calibration& AdaptiveRadau::calibration() const {
  if (radau_.is_coupled()) return on_acceleration_level_ ? coupled_on_acceleration_level : coupled_on_other_levels;
  return on_acceleration_level_ ? on_acceleration_level : on_other_levels;
}

// Work per unit of time is about s tol^(-1/(2 s)): more stages pay at tighter tolerances (see Calibration).
int AdaptiveRadau::first_stages() const {
  const Calibration& c = calibration();
  const int wanted = tolerance_.relative > c.five_stages_from ? 3 : tolerance_.relative > c.seven_stages_from ? 5 : 7;
  int stages = std::clamp(wanted, options_.least_stages, options_.most_stages);
  while (radau_.is_coupled() && !radau_.can_couple(stages)) stages -= 2;
  return stages;
}

std::optional<Failure> AdaptiveRadau::step() {
  if (finished_) return std::nullopt;
  probe();
  while (true) {
    check_stop();
    if (++attempts_ > stepping_.limit) return too_many_attempts(t_, h_, stepping_.limit);
    if (step_is_too_small(t_, h_)) return too_small();
    refresh_matrices();
    if (failure_) return failure_;
    if (attempt() == Verdict::accepted) return std::nullopt;
  }
}

// A singular matrix or NaN inside a trial step is a reason for a smaller one; the smallest will tell.
AdaptiveRadau::Verdict AdaptiveRadau::attempt() {
  set_weights();
  if (leaping_)
    start_beyond_kink();
  else if (start_from_zero_)
    radau_.start_from_zero();
  else
    radau_.continue_polynomial(last_increments_, last_stages_, h_ / last_h_);
  const RadauNewton newton = iterate();
  if (newton.outcome != RadauNewton::Outcome::converged) return reject_newton(newton);
  const double error = estimate_error(t_);
  if (error >= 1.0 || !std::isfinite(error)) return reject_error(error);
  if (const auto status = settle(); status != ManifoldStatus::ok) return reject_projection(status);
  if (iteration_ended_early()) go_on_iterating();
  accept(error, newton);
  return Verdict::accepted;
}

AdaptiveRadau::Verdict AdaptiveRadau::retry_with(double factor) {
  h_ *= factor;
  rejected_ = true;
  last_ = false;
  need_factors_ = true;
  return Verdict::retry;
}

AdaptiveRadau::Verdict AdaptiveRadau::reject_projection(ManifoldStatus status) {
  if (status == ManifoldStatus::not_finite) blame(t_ + h_, next_);
  ++statistics_.rejected_by_projection;
  note_rejection(t_, h_, RejectionCause::projection);
  need_jacobian_ = !jacobian_is_fresh_;
  return retry_with(0.5);
}

ManifoldStatus AdaptiveRadau::project_and_set_multipliers(double t) {
  const Span point = Span(next_).subspan(0, size_);
  const bool positions = options_.projection != Projection::none && options_.projection != Projection::hidden;
  const bool multipliers = options_.multiplier == MultiplierRule::hidden_constraint;
  if (positions && multipliers) {
    if (const auto status = manifold_->settle(t, point); status != ManifoldStatus::ok) return status;
    return set_accelerations(t, next_);
  }
  if (options_.projection != Projection::none)
    if (const auto status = manifold_->project(t, point, positions, mu1_, mu2_); status != ManifoldStatus::ok)
      return status;
  if (!multipliers) return ManifoldStatus::ok;
  const auto status = manifold_->set_multipliers(t, point);
  return status == ManifoldStatus::ok ? set_accelerations(t, next_) : status;
}

// x_{n+1} = x_n + Z_s, projected, with its multiplier; also remembers what the projection changed.
ManifoldStatus AdaptiveRadau::settle() {
  const Matrix& z = radau_.increments();
  const std::size_t last = static_cast<std::size_t>(radau_.stages() - 1);
  for (std::size_t i = 0; i < extended_; ++i) next_[i] = x_[i] + z(i, last);
  const Span point = Span(next_).subspan(0, size_);
  const double t = last_ ? end_ : t_ + h_;
  if (const auto status = project_and_set_multipliers(t); status != ManifoldStatus::ok) return status;
  for (std::size_t i = 0; i < extended_; ++i) correction_[i] = next_[i] - x_[i] - z(i, last);
  if (manifold_->levels() == 1 && moved_far(z.view().column(last))) return ManifoldStatus::not_converged;
  return std::isfinite(max_norm(point)) ? ManifoldStatus::ok : ManifoldStatus::not_finite;
}

// The stages satisfy the constraint of index 1 already, almost: what moves the point by more than the step has done,
// and by a share of the point itself, is another root.
bool AdaptiveRadau::moved_far(ConstSpan increment) const {
  constexpr double share = 0.1;
  const double moved = error_norm(correction_);
  return moved > 1.0 && moved > std::max(error_norm(increment), share * error_norm(x_));
}

void AdaptiveRadau::accept(double error, const RadauNewton& newton) {
  constexpr double keep_below = 1.2;  // a step ratio in [1, 1.2] is not worth a factorisation
  const int limit = 7;
  const double exponent = error_exponent_;
  const double newton_safety = std::min(safety, safety * (1.0 + 2.0 * limit) / (newton.iterations + 2.0 * limit));
  double quotient = std::clamp(std::pow(error, exponent) / newton_safety, most_growing, most_shrinking);
  // The predictive controller of Gustafsson.
  if (statistics_.steps > 0) {
    const double predicted = accepted_h_ / h_ * std::pow(error * error / accepted_error_, exponent) / safety;
    quotient = std::max(quotient, std::clamp(std::abs(predicted), most_growing, most_shrinking));
  }
  newton_failures_ = failures_in_a_row_ = 0;
  // Steps of rounding size up to the edge of a domain are no way out of it.
  met_not_finite_ = met_not_finite_ && std::abs(h_) < 1e-9 * (1.0 + std::abs(t_));
  accepted_h_ = h_;
  accepted_error_ = std::max(1e-2, error);
  ++statistics_.steps;
  last_increments_ = radau_.increments();
  last_stages_ = radau_.stages();
  last_h_ = h_;
  std::swap(base_, x_);
  std::swap(x_, next_);
  last_ = last_ || (t_ + h_ - end_) * h_ >= 0.0;  // a shorter step may end there by rounding
  t_ = last_ ? end_ : t_ + h_;
  kink_.accepted(t_);
  if (std::exchange(leaping_, false)) failed_below_ = std::numeric_limits<double>::infinity();
  first_ = start_from_zero_ = jacobian_is_fresh_ = false;
  if (last_) {
    finished_ = true;
    return;
  }
  double wanted = h_ / quotient;
  if (options_.norm == ErrorNorm::tangential) {
    const double largest = largest_for_newton(newton.contraction);
    limited_by_newton_ = largest < std::abs(wanted);
    if (limited_by_newton_) wanted = std::copysign(largest, h_);
    watch_coupling();
  }
  if (stepping_.largest > 0.0) wanted = std::copysign(std::min(std::abs(wanted), stepping_.largest), h_);
  if (rejected_ && std::abs(wanted) > std::abs(h_)) wanted = h_;
  rejected_ = false;
  rejected_error_ = 0.0;
  const bool fast = newton.contraction <= slow_contraction && !radau_.is_coupled();
  if (!radau_.is_coupled()) choose_order(newton, wanted / h_);
  if ((t_ + wanted * 1.0001 - end_) * wanted >= 0.0) {
    h_ = end_ - t_;
    last_ = true;
    need_factors_ = true;
  } else if (const double ratio = wanted / h_; !(fast && !need_factors_ && ratio >= 1.0 && ratio <= keep_below)) {
    h_ = wanted;
    need_factors_ = true;
  }
  need_jacobian_ = !fast;
  statistics_.jacobians_slow_newton += need_jacobian_ && !radau_.is_coupled();
}

// RADAU's rule: raise the order while Newton contracts fast and the step size is steady, lower it when Newton is slow.
void AdaptiveRadau::choose_order(const RadauNewton& newton, double ratio) {
  ++since_order_change_;
  const int stages = radau_.stages();
  const bool steady = ratio > 0.8 && ratio < 1.2;
  if (stages < options_.most_stages && !limited_by_newton_ && newton.contraction <= (stages == 3 ? 0.002 : 0.0005) &&
      steady && since_order_change_ >= 10) {
    set_stages(stages + 2);
    ++statistics_.order_raised;
  } else if (stages > options_.least_stages && newton.contraction >= 0.8) {
    set_stages(stages - 2);
    ++statistics_.order_lowered;
  } else {
    return;
  }
  since_order_change_ = 0;
  need_factors_ = true;
}

// Where the end of a step asks for no matrices of the manifold, they are those of another point.
void AdaptiveRadau::regularity(Regularity& out) const {
  if (options_.multiplier == MultiplierRule::hidden_constraint)
    manifold_->regularity_nearby(out);
  else
    manifold_->regularity(t_, state(), out);
}

Failure AdaptiveRadau::too_small() const {
  return explain_collapse(equations_, tolerance_, statistics_,
                          {.t = t_,
                           .h = h_,
                           .last_h = last_h_,
                           .state = state(),
                           .worst_component = std::min(radau_.worst_component(), size_ - 1),
                           .not_finite_at = met_not_finite_ ? std::optional(blamed_t_) : std::nullopt,
                           .not_finite_state = ConstSpan(blamed_).subspan(0, size_)});
}

DenseStep AdaptiveRadau::dense() {
  DenseStep dense{.begin = t_ - last_h_,
                  .h = last_h_,
                  .valid_until = t_,
                  .stages = last_stages_,
                  .multipliers = multipliers_,
                  .base = Vector(base_.begin(), base_.begin() + static_cast<std::ptrdiff_t>(size_)),
                  .increments = {}};
  const Vector& c = radau_constants(last_stages_).c;
  for (std::size_t j = 0; j < c.size(); ++j)
    for (std::size_t i = 0; i < size_; ++i) dense.increments.push_back(last_increments_(i, j) + c[j] * correction_[i]);
  return dense;
}

}  // namespace driftless
