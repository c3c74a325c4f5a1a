// Newton's iteration of an adaptive Radau step: where its Jacobian is taken, and what becomes of a step when it fails.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "driftless/integrate/adaptive_radau.h"
#include "driftless/integrate/radau_calibration.h"
#include "driftless/nonlinear/convergence.h"

namespace driftless {

// What the Jacobian at this point needs: a slope, and on acceleration level multipliers that belong to it.
ManifoldStatus AdaptiveRadau::prepare_linearisation() {
  const Span x = Span(jacobian_x_).subspan(0, size_), slope = Span(jacobian_slope_).subspan(0, size_);
  std::fill(jacobian_slope_.begin(), jacobian_slope_.end(), 0.0);
  if (manifold_->levels() == 1) return ManifoldStatus::ok;  // P is constant
  if (on_acceleration_level_ && jacobian_t_ != t_)
    if (const auto status = manifold_->set_multipliers(jacobian_t_, x); status != ManifoldStatus::ok) return status;
  return manifold_->derivative(jacobian_t_, x, slope);
}

// Inside the coming step, where the polynomial of the last one continued predicts it, the Jacobian differs least from
// those of the stages. False without a prediction, after a failure, or where the prediction leaves the model's domain.
bool AdaptiveRadau::linearise_inside() {
  constexpr double linearisation_point = 0.7;
  if (options_.norm == ErrorNorm::classic || start_from_zero_ || rejected_) return false;
  jacobian_x_ = x_;
  RadauStep::continue_to(last_increments_, last_stages_, 1.0 + linearisation_point * h_ / last_h_, jacobian_x_);
  jacobian_t_ = t_ + linearisation_point * h_;
  return linearise_here();
}

// Where the iteration that failed was when it failed: on the other side of a kink, perhaps, which no Jacobian of this
// side leads across, however small the step.
bool AdaptiveRadau::linearise_beyond() {
  if (!beyond_) return false;
  beyond_ = false;
  return linearise_here();
}

bool AdaptiveRadau::linearise_here() {
  if (!std::isfinite(max_norm(jacobian_x_)) || prepare_linearisation() != ManifoldStatus::ok) return false;
  return evaluate_jacobian();
}

bool AdaptiveRadau::evaluate_jacobian() {
  stage_equations_->linearise(jacobian_t_, jacobian_x_, jacobian_slope_);
  ++statistics_.jacobians;
  return factorise();
}

bool AdaptiveRadau::factorise() {
  ++statistics_.factorisations;
  return radau_.factorise(h_);
}

bool AdaptiveRadau::linearise_at_beginning() {
  jacobian_t_ = t_;
  jacobian_x_ = x_;
  if (const auto status = prepare_linearisation(); status != ManifoldStatus::ok) {
    failure_ = explain(status, equations_, t_, state());
    return false;
  }
  return evaluate_jacobian();
}

void AdaptiveRadau::refresh_matrices() {
  if (radau_.is_coupled() || (!need_jacobian_ && !need_factors_)) return;
  bool regular = false;
  if (need_jacobian_) {
    regular = linearise_beyond() || linearise_inside() || linearise_at_beginning();
    if (failure_) return;
    jacobian_is_fresh_ = true;
  } else {
    regular = factorise();
  }
  need_jacobian_ = need_factors_ = false;
  if (regular) return;
  // A model may be finite where its derivative is not.
  if (!find_not_finite(equations_, t_, state()).empty()) {
    failure_ = explain(ManifoldStatus::not_finite, equations_, t_, state());
    return;
  }
  failure_ = Failure{
      .kind = FailureKind::singular_matrix,
      .time = t_,
      .what_happened = fmt::format("the Newton matrix of a step of size {:.3g} is singular", h_),
      .what_to_try = "check that every unknown occurs in the equations, and the index at this point with check_index()",
      .where = layout_of(equations_).name(std::min(stage_equations_->undetermined(), size_ - 1))};
}

// The contraction that was seen last tells when to stop; it grows like the square of the step.
RadauNewton AdaptiveRadau::iterate() {
  if (options_.norm != ErrorNorm::classic && !start_from_zero_ && std::abs(h_) > std::abs(last_h_))
    faccon_ *= (h_ / last_h_) * (h_ / last_h_);
  const RadauNewton newton =
      radau_.solve(t_, x_, h_, newton_weights_,
                   {.limit = 7 + (radau_.stages() - 3) / 2 * 2, .tolerance = newton_tolerance_}, faccon_);
  count_work();
  statistics_.newton_iterations += static_cast<std::size_t>(newton.iterations);
  if (newton.outcome == RadauNewton::Outcome::not_finite) blame(radau_.last_time(), radau_.last_point());
  return newton;
}

void AdaptiveRadau::count_work() {
  const Work work = radau_.take_work();
  statistics_.evaluations += work.evaluations;
  statistics_.jacobians += work.jacobians;
  statistics_.factorisations += work.factorisations;
}

// The constraint of index 1 is among the stage equations, and the projection shows what the iteration left of it: where
// the algebraic part is a steep function of the rest, more than it believed.
bool AdaptiveRadau::iteration_ended_early() const {
  constexpr double visible = 0.1;
  return manifold_->levels() == 1 && error_norm(correction_) > visible;
}

// A second time, or a third; if that leads nowhere, as across a kink, what there was is good enough.
void AdaptiveRadau::go_on_iterating() {
  constexpr int most_passes = 2;
  for (int pass = 0; pass < most_passes && iteration_ended_early(); ++pass) {
    kept_increments_ = radau_.increments();
    faccon_ = 1.0;  // contraction has to be seen again
    if (iterate().outcome == RadauNewton::Outcome::converged && settle() == ManifoldStatus::ok) continue;
    radau_.set_increments(kept_increments_);
    settle();
    return;
  }
}

// Remembers where the model was not finite last: if the step size collapses, this is why.
void AdaptiveRadau::blame(double t, ConstSpan point) {
  met_not_finite_ = true;
  blamed_t_ = t;
  std::copy(point.begin(), point.end(), blamed_.begin());
}

// Where the polynomial of the last step leads nowhere, perhaps across a kink, every other trial starts from x_n; on
// acceleration level later, since accelerations that are zero are far from those of a stiff mechanism. Later still, the
// Jacobian is that of the other side of the kink.
void AdaptiveRadau::choose_another_start() {
  ++failures_in_a_row_;
  // RADAU5 goes on with the polynomial whatever happens.
  const bool other = failures_in_a_row_ % 2 == 0 && options_.norm != ErrorNorm::classic, late = failures_in_a_row_ >= 4;
  start_from_zero_ = last_stages_ == 0 || (other && (late || !on_acceleration_level_));
  if (!other || !late) return;
  std::ranges::copy(radau_.last_point(), jacobian_x_.begin());
  jacobian_t_ = radau_.last_time();
  beyond_ = need_jacobian_ = true;
}

AdaptiveRadau::Verdict AdaptiveRadau::reject_newton(const RadauNewton& newton) {
  if (probing_) {
    end_probe(false);
    return Verdict::retry;
  }
  ++statistics_.rejected_by_newton;
  note_rejection(t_, h_, RejectionCause::newton);
  failed_below_ = 0.9 * std::abs(h_);
  // Where a prediction was wrong, so is its Jacobian.
  if (!jacobian_is_fresh_ || jacobian_t_ != t_) {
    need_jacobian_ = true;
    ++statistics_.jacobians_after_failure;
  }
  choose_another_start();
  if (radau_.is_coupled()) {
    constexpr int hopeless = 4;  // a kink, perhaps: the other iteration has more starts to try
    if (failures_in_a_row_ >= hopeless) uncouple();
  } else if (newton.outcome != RadauNewton::Outcome::not_finite && couple_after_another_limit()) {
    return retry_with(1.0);
  }
  if (++newton_failures_ >= 3 && radau_.stages() > options_.least_stages) {
    newton_failures_ = 0;
    set_stages(radau_.stages() - 2);
    since_order_change_ = 0;
    ++statistics_.order_lowered;
  }
  if (const double h = step_across_kink(); h != 0.0) return retry_with(h / h_);
  return retry_with(newton.retry_factor);
}

// 0: no kink is suspected, or nothing is found behind it.
double AdaptiveRadau::step_across_kink() {
  if (manifold_->levels() > 2 || options_.norm == ErrorNorm::classic) return 0.0;
  if (std::exchange(leaping_, false)) return kink_.step_back();
  const auto across = kink_.failed(t_, h_, radau_.constants().c.front());
  if (!across || (t_ + *across - end_) * *across >= 0.0 || !look_beyond_kink(*across)) return 0.0;
  jacobian_t_ = t_ + *across;
  beyond_ = need_jacobian_ = start_from_zero_ = leaping_ = true;
  return *across;
}

// The point at t_n + h, for the Jacobian.
bool AdaptiveRadau::look_beyond_kink(double h) {
  Vector there(extended_);
  if (settle_ahead(h, there) != ManifoldStatus::ok || !is_continuous_until(h, there)) return false;
  jacobian_x_ = std::move(there);
  return true;
}

// What changes most is in one half of the way, and in one half of that. At a kink it gets less and less; another root
// stays as far away as it is. Multipliers may jump.
bool AdaptiveRadau::is_continuous_until(double h, Vector there) {
  constexpr int most_halves = 30;
  constexpr double less = 0.1;
  const auto distance = [&](const Vector& a, const Vector& b) {
    for (std::size_t i = 0; i < extended_; ++i) error_[i] = i + multipliers_ < size_ ? b[i] - a[i] : 0.0;
    return error_norm(error_);
  };
  Vector here = x_, middle(extended_);
  const double enough = std::max(1.0, less * distance(here, there));
  for (double begin = 0.0, size = h; distance(here, there) > enough;) {
    size *= 0.5;
    if (std::abs(size) < std::ldexp(std::abs(h), -most_halves)) return false;
    if (settle_ahead(begin + size, middle) != ManifoldStatus::ok) return false;
    const bool first = distance(here, middle) > distance(middle, there);
    (first ? there : here) = middle;
    begin += first ? 0.0 : size;
  }
  return true;
}

// From x_n, the iteration would have to find the other side by itself.
void AdaptiveRadau::start_beyond_kink() {
  const Vector& c = radau_.constants().c;
  for (std::size_t j = 0; j < c.size(); ++j) {
    const bool found = settle_ahead(c[j] * h_, next_) == ManifoldStatus::ok;
    for (std::size_t i = 0; i < extended_; ++i) kept_increments_(i, j) = found ? next_[i] - x_[i] : 0.0;
  }
  radau_.set_increments(kept_increments_);
}

// x_n + h x', as far as the equations state x', and the algebraic part or the multipliers that belong to it.
ManifoldStatus AdaptiveRadau::settle_ahead(double h, Span out) {
  manifold_->derivative(t_, state(), jacobian_slope_);
  for (std::size_t i = 0; i < size_; ++i) out[i] = x_[i] + h * jacobian_slope_[i];
  return manifold_->settle(t_ + h, out);
}

// Newton's contraction grows with the square of the step, as the Jacobian is one of the step's inside: do not propose a
// step that is expected to fail, nor one as large as the one that failed last, until some more have gone well.
double AdaptiveRadau::largest_for_newton(double contraction) {
  constexpr double wanted_contraction = 0.1, patience = 1.03;
  constexpr double coupled_growth = 2.5;  // its Jacobians are only as good as the prediction
  const double expected =
      contraction > 0.0 ? std::max(0.5, std::sqrt(wanted_contraction / contraction)) : 1.0 / most_growing;
  double largest = std::min(std::abs(h_) * expected, failed_below_);
  if (radau_.is_coupled()) largest = std::min(largest, coupled_growth * std::abs(h_));
  failed_below_ *= contraction <= slow_contraction ? 2.0 : patience;
  return largest;
}

// If it is Newton that limits the steps again and again, each stage gets a Jacobian of its own.
bool AdaptiveRadau::couple_after_another_limit() {
  if (++newton_limits_ < limits_wanted_ || options_.norm != ErrorNorm::tangential ||
      !radau_.can_couple(options_.least_stages))
    return false;
  couple();
  failed_below_ = std::numeric_limits<double>::infinity();
  steps_coupled_ = 0;
  next_probe_ = first_probe;
  return true;
}

void AdaptiveRadau::couple() {
  radau_.couple(true);
  set_stages(first_stages());
  need_jacobian_ = true;  // of whatever comes next
}

void AdaptiveRadau::uncouple() {
  radau_.couple(false);
  set_stages(first_stages());
  need_jacobian_ = true;
  faccon_ = 1.0;  // contraction has to be seen again
  newton_limits_ = 0;
}

// Now and then a coupled step is tried with one Jacobian for all stages.
void AdaptiveRadau::probe() {
  if (!radau_.is_coupled() || steps_coupled_ < next_probe_ || start_from_zero_ || rejected_) return;
  uncouple();
  probing_ = true;
}

// The step it was tried with failed, or the next one would have to be shorter: coupled as before, less often tried.
void AdaptiveRadau::end_probe(bool well) {
  probing_ = false;
  if (well) {
    limits_wanted_ = std::min(2 * limits_wanted_, most_limits_wanted);
    return;
  }
  couple();
  next_probe_ *= 2;
}

// After a step.
void AdaptiveRadau::watch_coupling() {
  if (probing_) {
    end_probe(!limited_by_newton_);
  } else if (radau_.is_coupled()) {
    ++steps_coupled_;
  } else if (!limited_by_newton_) {
    newton_limits_ = 0;
  } else {
    couple_after_another_limit();
  }
}

}  // namespace driftless
