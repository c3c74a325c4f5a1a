#include "driftless/integrate/radau_controller.h"

#include "driftless/core/failure.h"

namespace driftless {

RadauController::RadauController(const AdaptiveOptions& options, bool on_acceleration_level, int most_coupled_stages,
                                 bool may_leap)
    : options_(options.radau),
      relative_tolerance_(options.tolerance.relative),
      on_acceleration_level_(on_acceleration_level),
      most_coupled_stages_(most_coupled_stages),
      order_(options_),
      coupling_(options_.norm == ErrorNorm::tangential && most_coupled_stages >= options_.least_stages),
      refresh_(on_acceleration_level, options_.norm == ErrorNorm::classic),
      kink_(may_leap && options_.norm != ErrorNorm::classic) {
  set_stages(order_.first(relative_tolerance_, calibration()));
}

void RadauController::set_stages(int stages) {
  stages_ = stages;
  accuracy_ = accuracy_of(relative_tolerance_, options_, calibration(), stages);
}

RadauProposal RadauController::propose(const Clock& clock) {
  const bool continues = !refresh_.due().from_zero && !step_size_.rejected();
  if (continues && coupling_.begins_probe()) begin_with_first_stages();
  const bool coupled = coupling_.coupled();
  RefreshOrder refresh = coupled ? refresh_.due() : refresh_.take();
  if (kink_.leaping()) refresh.jacobian = refresh.factors = refresh.beyond = true;
  return {.stages = stages_,
          .coupled = coupled,
          .refresh = refresh,
          .predicted = continues && options_.norm != ErrorNorm::classic,
          .across_kink = kink_.leaping(),
          .estimate_twice = clock.at_beginning() || step_size_.rejected(),
          .accuracy = accuracy_,
          .error_factor = calibration().error_factor[calibrated::row_of(stages_)]};
}

// A singular matrix or NaN inside a trial step is a reason for a smaller one; the smallest will tell.
RadauController::Verdict RadauController::judge(const RadauAttempt& attempt, Clock& clock) {
  if (attempt.newton.outcome != RadauNewton::Outcome::converged) return newton_failed(attempt, clock);
  if (!(attempt.error < 1.0)) {
    refresh_.because(RefreshCause::error);
    return reject(RejectionCause::error,
                  step_size_.too_large(clock.h(), attempt.error, accuracy_.exponent, clock.at_beginning()), clock);
  }
  if (attempt.settled != ManifoldStatus::ok) {
    refresh_.because(RefreshCause::projection);
    return reject(RejectionCause::projection, calibrated::cut_after_projection, clock);
  }
  accept(attempt, clock);
  return {.accepted = true};
}

RadauController::Verdict RadauController::reject(RejectionCause cause, double factor, Clock& clock) {
  step_size_.reject();
  clock.retry(factor);
  return {.cause = cause};
}

RadauController::Verdict RadauController::newton_failed(const RadauAttempt& attempt, Clock& clock) {
  if (coupling_.probing()) {
    coupling_.end_probe(false);
    begin_with_first_stages();
    return {};
  }
  if (!kink_.leaping()) newton_limit_.failed(clock.h());
  const bool beyond = refresh_.because(RefreshCause::newton, attempt.jacobian_at_beginning);
  const bool was_coupled = coupling_.coupled();
  const bool finite = attempt.newton.outcome != RadauNewton::Outcome::not_finite;
  double factor = attempt.newton.retry_factor;
  if (!was_coupled && finite && coupling_.limited()) {
    newton_limit_.forget();
    begin_with_first_stages();
    factor = 1.0;
  } else {
    if (was_coupled && refresh_.failures() >= calibrated::late_failures) {
      coupling_.uncouple();  // the other iteration has more starts to try
      begin_with_first_stages();
    }
    set_stages(order_.newton_failed(stages_));
    const double first_node = radau_constants(stages_).c.front();
    if (const auto other = kink_.failed(clock.time(), clock.h(), first_node, clock.room())) factor = *other / clock.h();
  }
  Verdict verdict = reject(RejectionCause::newton, factor, clock);
  verdict.remember_point = beyond;
  return verdict;
}

void RadauController::accept(const RadauAttempt& attempt, Clock& clock) {
  const double h = clock.h(), contraction = attempt.newton.contraction;
  double wanted = step_size_.accepted(h, clock.last_h(), attempt.error, accuracy_.exponent, attempt.newton.iterations);
  refresh_.because(RefreshCause::step_accepted);
  order_.forget_failures();
  clock.advance();
  if (kink_.accepted(clock.time())) newton_limit_.forget();
  if (clock.finished()) return;
  bool limited = false;
  if (options_.norm == ErrorNorm::tangential) wanted = limit_for_newton(wanted, h, contraction, limited);
  wanted = step_size_.after_rejection(clock.limited(wanted), h);
  const Keeping& keeping = calibrated::keeping_for(attempt.factor_cost);
  // A Jacobian that was kept may be all that limits the step.
  const bool hindered = limited && contraction > calibrated::usual_keeping.slow_contraction;
  const bool coupled = coupling_.coupled(), fast = contraction <= keeping.slow_contraction && !hindered && !coupled;
  const double ratio = wanted / h;
  if (const int stages = coupled ? stages_ : order_.accepted(stages_, contraction, ratio, limited); stages != stages_) {
    set_stages(stages);
    refresh_.because(RefreshCause::other_order);
  }
  const bool keep = fast && !refresh_.due().factors && ratio >= keeping.from && ratio <= keeping.to;
  if (clock.propose(wanted, keep)) refresh_.because(RefreshCause::other_size);
  if (!fast) refresh_.because(coupled ? RefreshCause::coupling : RefreshCause::slow_newton);
}

// The step that Newton allows; `limited` if that is less than what is wanted, which may couple the stages.
double RadauController::limit_for_newton(double wanted, double h, double contraction, bool& limited) {
  const bool was_coupled = coupling_.coupled();
  const double largest = newton_limit_.largest(h, contraction, was_coupled);
  limited = largest < std::abs(wanted);
  if (coupling_.accepted(limited)) newton_limit_.forget();
  if (coupling_.coupled() != was_coupled) begin_with_first_stages();
  return limited ? std::copysign(largest, h) : wanted;
}

// Stages are coupled from now on, or uncoupled.
void RadauController::begin_with_first_stages() {
  const int wanted = order_.first(relative_tolerance_, calibration());
  set_stages(coupling_.coupled() ? std::min(wanted, most_coupled_stages_) : wanted);
  refresh_.because(RefreshCause::coupling);
}

void RadauController::count(Statistics& statistics) const {
  statistics.order_raised = order_.raised();
  statistics.order_lowered = order_.lowered();
  statistics.jacobians_slow_newton = refresh_.asked(RefreshCause::slow_newton);
  statistics.jacobians_after_failure = refresh_.asked(RefreshCause::newton);
}

void RadauController::restore() {
  const int most = coupling_.coupled() ? most_coupled_stages_ : options_.most_stages;
  if (stages_ < options_.least_stages || stages_ > most || stages_ % 2 == 0)
    throw Misuse("the checkpoint was made with other options");
  set_stages(stages_);
}

}  // namespace driftless
