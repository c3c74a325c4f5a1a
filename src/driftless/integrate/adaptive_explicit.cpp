#include "driftless/integrate/adaptive_explicit.h"

#include <algorithm>
#include <cmath>

#include "driftless/core/scratch.h"
#include "driftless/core/stop.h"
#include "driftless/integrate/checkpoint.h"
#include "driftless/nonlinear/convergence.h"

namespace driftless {

AdaptiveExplicit::AdaptiveExplicit(const Equations& equations, const AdaptiveOptions& options, const ExplicitPair& pair,
                                   double begin, double end)
    : equations_(equations),
      tolerance_(options.tolerance),
      between_steps_(options.radau.between_steps),
      manifold_(make_manifold(equations)),
      steep_(std::holds_alternative<Mechanical>(equations) || std::holds_alternative<Index1>(equations)
                 ? nullptr
                 : make_manifold(equations)),
      size_(layout_of(equations).size()),
      moving_(size_ - layout_of(equations).size_of("lambda")),
      stepper_(make_explicit_step(equations, *manifold_, pair, size_, size_ - moving_)),
      clock_(begin, end, options.stepping),
      x_(size_),
      next_(size_),
      base_(size_),
      raw_(size_),
      error_(size_),
      weights_(moving_),
      step_size_(pair.order),
      blame_(size_) {}

AdaptiveExplicit::AdaptiveExplicit(const Equations& equations, const AdaptiveOptions& options, const ExplicitPair& pair,
                                   double begin, double end, ConstSpan state)
    : AdaptiveExplicit(equations, options, pair, begin, end) {
  std::copy(state.begin(), state.end(), x_.begin());
  clock_.propose(first_step_size(equations_, *manifold_, options, begin, end, x_, pair.order));
}

std::optional<Failure> AdaptiveExplicit::step() {
  if (finished()) return std::nullopt;
  if (clock_.at_beginning()) {
    ++statistics_.evaluations;
    if (const auto status = manifold_->flow_of_all(time(), x_, stepper_->first_slope()); status != ManifoldStatus::ok)
      return explain(status, equations_, time(), x_);
  }
  if (ended_) std::ranges::copy(stepper_->end_slope(), stepper_->first_slope().begin());
  ended_ = false;
  tried_h_ = clock_.h();
  while (true) {
    check_stop();
    if (!clock_.count_attempt()) return too_many_attempts(clock_);
    if (clock_.collapsed()) return blame_.explain_collapse(equations_, tolerance_, statistics_, clock_, x_, worst_);
    if (attempt() == Verdict::accepted) return std::nullopt;
  }
}

// Where the estimate needs the slope at the end, the step is projected before it is judged.
AdaptiveExplicit::Verdict AdaptiveExplicit::attempt() {
  const double t = clock_.target();
  const auto taken = stepper_->take(time(), x_, clock_.h(), next_);
  statistics_.newton_iterations += static_cast<std::size_t>(stepper_->newton_iterations());
  statistics_ += stepper_->take_work();
  if (taken != ManifoldStatus::ok) return reject_point(taken, stepper_->last_time(), stepper_->last_point());
  std::copy(next_.begin(), next_.end(), raw_.begin());
  const bool settle_first = stepper_->pair().error_needs_end();
  for (const bool settling : {settle_first, !settle_first}) {
    if (settling) {
      if (const auto status = settle(t); status != ManifoldStatus::ok) return reject_point(status, t, next_);
    } else if (const double error = estimate_error(); !(error < 1.0)) {
      return reject(RejectionCause::error, step_size_.too_large(error));
    }
  }
  accept(estimates_.error);
  return Verdict::accepted;
}

AdaptiveExplicit::Verdict AdaptiveExplicit::reject(RejectionCause cause, double factor) {
  note_rejection(time(), clock_.h(), cause, statistics_);
  step_size_.reject();
  clock_.retry(factor);
  return Verdict::retry;
}

// Trouble inside a trial step is a reason for a smaller one; the smallest will tell.
AdaptiveExplicit::Verdict AdaptiveExplicit::reject_point(ManifoldStatus status, double t, ConstSpan point) {
  met_lost_point_ = met_lost_point_ || status == ManifoldStatus::not_converged;
  if (status == ManifoldStatus::not_finite) {
    blame_.not_finite(t, x_);  // multipliers are a result of what went wrong
    blame_.not_finite(t, point.first(moving_));
  }
  return reject(RejectionCause::projection, calibrated::explicit_cut);
}

void AdaptiveExplicit::set_weights() {
  for (std::size_t i = 0; i < moving_; ++i) {
    const double size = std::max(std::abs(x_[i]), std::abs(next_[i]));
    weights_[i] = 1.0 / (tolerance_.absolute_of(i) + tolerance_.relative * size);
  }
}

// The largest component counts, not the mean: errors of mechanisms sit in a few fast bodies.
double AdaptiveExplicit::largest_scaled(ConstSpan error) {
  double largest = 0.0;
  for (std::size_t i = 0; i < moving_; ++i) {
    const double scaled = std::abs(error[i]) * weights_[i];
    if (scaled > largest || std::isnan(scaled)) {
      largest = scaled;
      worst_ = i;
    }
  }
  return largest;
}

// The part normal to the manifold is taken out: the projection removes it from the step.
void AdaptiveExplicit::estimate_tangential(ExplicitStep::Estimate which) {
  stepper_->estimate(which, clock_.h(), error_);
  if (stepper_->pair().half_explicit)  // its stages leave no linearisation behind
    manifold_->remove_normal(time() + clock_.h(), next_, error_);
  else
    manifold_->remove_normal_nearby(time() + clock_.h(), next_, error_);
}

double AdaptiveExplicit::tangential_norm(ExplicitStep::Estimate which) {
  estimate_tangential(which);
  return largest_scaled(error_);
}

// From differences d_1 ~ h^2, d_2 ~ h^3, d_3 ~ h^4 to h^6, the order of the error of a step: d_3 (d_3/d_2)^2, for each
// component, as one may be resolved and another not. Each may pass through 0, but not its neighbours at once: sqrt(d_1
// d_3) can stand in for d_2, and d_4, which falls at least as fast, for d_3. Slopes that are not resolved have
// differences that do not fall, and d_3 counts in full.
void AdaptiveExplicit::add_quadrature_error() {
  using enum ExplicitStep::Estimate;
  Scratch scratch;
  const Span d = scratch.take_raw<double>(4 * size_);
  Span rest = d;
  for (const auto which : {difference_1, difference_2, difference_3, difference_4}) {
    stepper_->estimate(which, clock_.h(), rest.first(size_));
    manifold_->remove_normal_nearby(time() + clock_.h(), next_, rest.first(size_));
    rest = rest.subspan(size_);
  }
  for (std::size_t i = 0; i < moving_; ++i) {
    const auto difference = [&](std::size_t k) { return std::abs(d[(k - 1) * size_ + i]); };
    const double third = std::max(difference(3), difference(4));
    if (third == 0.0) continue;
    const double fall = third / std::max({difference(2), third, std::sqrt(difference(1) * third)});
    error_[i] = std::max(std::abs(error_[i]), third * fall * fall);
  }
}

// Index 2 and general forms of index 3: lambda = psi_0(u, v) may be steep, and an error of u and v within the tolerance
// a large one of lambda, which counts little, but not nothing. The ratio of both; 1 where u and v count more.
double AdaptiveExplicit::multiplier_gain() {
  const double largest = largest_scaled(error_);
  if (!steep_ || !(largest > 0.0)) return 1.0;
  Scratch scratch;
  const Span point = scratch.take_raw<double>(size_);
  for (std::size_t i = 0; i < size_; ++i) point[i] = x_[i] + (i < moving_ ? error_[i] : 0.0);
  if (steep_->set_multipliers(time(), point) != ManifoldStatus::ok) return 1.0;
  double most = largest / calibrated::multiplier_share;
  for (std::size_t i = moving_; i < size_; ++i)
    most = std::fmax(most,
                     std::abs(point[i] - x_[i]) / (tolerance_.absolute_of(i) + tolerance_.relative * std::abs(x_[i])));
  return calibrated::multiplier_share * most / largest;
}

double AdaptiveExplicit::estimate_error() {
  using enum ExplicitStep::Estimate;
  const ExplicitPair& pair = stepper_->pair();
  set_weights();
  estimate_tangential(embedded);
  if (!pair.differences.empty()) add_quadrature_error();
  const double gain = multiplier_gain();
  const double error = gain * largest_scaled(error_), factor = calibrated::explicit_control(pair.order).error_factor;
  estimates_ = {.error = error, .embedded = error};
  if (pair.fine_error.empty()) return error;
  const double coarser = gain * tangential_norm(coarse);
  estimates_.error = factor * extrapolated(coarser, error, gain * tangential_norm(fine));
  // Nothing is known yet about a first step, and starts from rest hide fast modes: no credit for the order when it is
  // judged. The next step will show whether more was hoped of it than it can.
  if (clock_.at_beginning()) return error;
  estimates_.coarse = coarser;
  expect_growth();
  return estimates_.error;
}

// From e_3 ~ h^4, e_5 ~ h^6, e_6 ~ h^7 to h^8, the order of the error at the end, in two ways, as each of e_5 and e_6
// may be small by accident, and e_6 does not know the last stage. Where fast modes are not resolved, errors do not fall
// with the order, and both say so. With the factor 17 each is about the error of a step on the reference problems.
double AdaptiveExplicit::extrapolated(double coarse, double error, double fine) const {
  return coarse > 0.0 ? std::max(error * error / coarse, calibrated::fine_factor * fine * std::cbrt(fine / coarse))
                      : 0.0;
}

// On the way to a (complex) singularity at distance d, e_3 ~ h^4 d^-5 and the error ~ h^9 d^-10 or so, while e_5 and
// e_6 change sign. If e_3 keeps growing, what the last step was estimated to lose tells what this one will; if it
// bursts, the estimates are too small about as much as it grew. Limits keep kinks, which the estimates see, from
// stopping a run.
void AdaptiveExplicit::expect_growth() {
  if (last_estimates_.coarse == 0.0) return;
  const double ratio = clock_.h() / clock_.last_h(), square = ratio * ratio, fourth = square * square;
  const double growth = std::min(estimates_.coarse / (fourth * last_estimates_.coarse), calibrated::most_growth);
  if (growth > calibrated::burst_growth) estimates_.error *= growth;
  estimates_.growth = std::min(growth, calibrated::most_steady_growth);
  if (estimates_.growth < calibrated::noticeable_growth || last_estimates_.growth < calibrated::noticeable_growth)
    return;
  const double grown = fourth * estimates_.growth;
  estimates_.error = std::max(estimates_.error, last_estimates_.error * grown * grown);
}

ManifoldStatus AdaptiveExplicit::project(double t) {
  Scratch scratch;
  const std::size_t m = manifold_->constraint_count();
  return manifold_->project(t, next_, true, scratch.take<double>(m), scratch.take<double>(m));
}

// x_{n+1} on the manifold, its multiplier and its slope.
ManifoldStatus AdaptiveExplicit::settle(double t) {
  const auto status = stepper_->pair().half_explicit ? project(t) : manifold_->project_nearby(t, next_);
  if (status != ManifoldStatus::ok) return status;
  ++statistics_.evaluations;
  return manifold_->flow_of_all(t, next_, stepper_->end_slope());
}

void AdaptiveExplicit::accept(double error) {
  const double wanted = clock_.h() * step_size_.accepted(error);
  blame_.accepted(time(), clock_.h());
  last_estimates_ = estimates_;
  ++statistics_.steps;
  ++statistics_.explicit_steps;
  std::swap(base_, x_);
  std::swap(x_, next_);
  clock_.advance();
  ended_ = true;
  if (!finished()) clock_.propose(clock_.limited(wanted));
}

// A first step is judged without credit for the order, and so it is chosen. The guess at a start knows a mean over all
// components only, which says little about a few of them that move in a large system at rest.
double AdaptiveExplicit::restart_size() const {
  const ExplicitPair& pair = stepper_->pair();
  constexpr double embedded_order = 6.0;  // h^6, of the pair that is credited
  const double exponent = 1.0 / (pair.fine_error.empty() ? pair.order : embedded_order);
  const double wanted =
      calibrated::explicit_control(pair.order).share / std::pow(std::max(last_estimates_.embedded, 1e-10), exponent);
  return std::abs(clock_.last_h()) * std::clamp(wanted, calibrated::explicit_shrinking, calibrated::explicit_growing);
}

std::string AdaptiveExplicit::checkpoint() const {
  CheckpointWriter writer(stepper_->pair().name);
  writer(*this);
  return writer.text();
}

AdaptiveExplicit::AdaptiveExplicit(const Equations& equations, const AdaptiveOptions& options, const ExplicitPair& pair,
                                   const std::string& checkpoint)
    : AdaptiveExplicit(equations, options, pair, 0.0, 0.0) {
  CheckpointReader reader(checkpoint, pair.name);
  reader(*this);
}

}  // namespace driftless
