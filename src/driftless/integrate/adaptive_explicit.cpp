#include "driftless/integrate/adaptive_explicit.h"

#include <algorithm>
#include <cmath>

#include "driftless/core/scratch.h"
#include "driftless/core/stop.h"
#include "driftless/integrate/checkpoint.h"
#include "driftless/nonlinear/convergence.h"

namespace driftless {

namespace {

// Limits of DOP853 (Hairer and Wanner).
constexpr double least_factor = 1.0 / 3.0, largest_factor = 6.0;
// Calibrated on the reference problems, so that errors at the end are of the size of the tolerance and the work for an
// error is least: a factor on the estimate, and a smaller safety factor than the usual 0.9, since mechanisms keep
// changing their pace. `memory` is Gustafsson's stabilisation.
struct Control {
  double error_factor, share, memory;
};
Control control_for(int order) { return order < 8 ? Control{1.0, 0.8, 0.06} : Control{2.5, 0.77, 0.0}; }

}  // namespace

AdaptiveExplicit::AdaptiveExplicit(const Equations& equations, const AdaptiveOptions& options, const ExplicitPair& pair)
    : equations_(equations),
      stepping_(options.stepping),
      tolerance_(options.tolerance),
      between_steps_(options.radau.between_steps),
      manifold_(make_manifold(equations)),
      steep_(std::holds_alternative<Index3>(equations) || std::holds_alternative<Index2>(equations)
                 ? make_manifold(equations)
                 : nullptr),
      size_(layout_of(equations).size()),
      moving_(size_ - layout_of(equations).size_of("lambda")),
      stepper_(make_explicit_step(equations, *manifold_, pair, size_, size_ - moving_)),
      x_(size_),
      next_(size_),
      base_(size_),
      raw_(size_),
      error_(size_),
      weights_(moving_),
      blamed_(size_) {}

AdaptiveExplicit::AdaptiveExplicit(const Equations& equations, const AdaptiveOptions& options, const ExplicitPair& pair,
                                   double begin, double end, ConstSpan state)
    : AdaptiveExplicit(equations, options, pair) {
  t_ = begin;
  end_ = end;
  std::copy(state.begin(), state.end(), x_.begin());
  h_ = first_step_size(equations_, *manifold_, options, t_, end_, x_, pair.order);
  propose(h_);
}

std::optional<Failure> AdaptiveExplicit::step() {
  if (finished_) return std::nullopt;
  if (first_) {
    ++statistics_.evaluations;
    if (const auto status = manifold_->flow(t_, x_, stepper_->first_slope()); status != ManifoldStatus::ok)
      return explain(status, equations_, t_, x_);
  }
  if (ended_) std::ranges::copy(stepper_->end_slope(), stepper_->first_slope().begin());
  ended_ = false;
  tried_h_ = h_;
  while (true) {
    check_stop();
    if (++attempts_ > stepping_.limit) return too_many_attempts(t_, h_, stepping_.limit);
    if (step_is_too_small(t_, h_))
      return explain_collapse(equations_, tolerance_, statistics_,
                              {.t = t_,
                               .h = h_,
                               .last_h = last_h_,
                               .state = x_,
                               .worst_component = worst_,
                               .not_finite_at = met_not_finite_ ? std::optional(blamed_t_) : std::nullopt,
                               .not_finite_state = blamed_});
    if (attempt() == Verdict::accepted) return std::nullopt;
  }
}

// Where the estimate needs the slope at the end, the step is projected before it is judged.
AdaptiveExplicit::Verdict AdaptiveExplicit::attempt() {
  const double t = last_ ? end_ : t_ + h_;
  const auto taken = stepper_->take(t_, x_, h_, next_);
  statistics_.newton_iterations += static_cast<std::size_t>(stepper_->newton_iterations());
  count_work();
  if (taken != ManifoldStatus::ok) return reject_point(taken, stepper_->last_time(), stepper_->last_point());
  std::copy(next_.begin(), next_.end(), raw_.begin());
  const bool settle_first = stepper_->pair().error_needs_end();
  double error = 0.0;
  for (const bool settling : {settle_first, !settle_first}) {
    if (settling) {
      if (const auto status = settle(t); status != ManifoldStatus::ok) return reject_point(status, t, next_);
    } else {
      error = estimate_error();
      if (!std::isfinite(error) || error >= 1.0) {
        ++statistics_.rejected_by_error;
        note_rejection(t_, h_, RejectionCause::error);
        const int order = stepper_->pair().order;
        const double wanted = control_for(order).share / std::pow(error, 1.0 / order);
        return reject(std::isfinite(error) ? std::max(least_factor, wanted) : 0.1);
      }
    }
  }
  accept(estimates_.error);
  return Verdict::accepted;
}

void AdaptiveExplicit::count_work() {
  const Work work = stepper_->take_work();
  statistics_.evaluations += work.evaluations;
  statistics_.jacobians += work.jacobians;
  statistics_.factorisations += work.factorisations;
}

AdaptiveExplicit::Verdict AdaptiveExplicit::reject(double factor) {
  h_ *= factor;
  rejected_ = true;
  last_ = false;
  return Verdict::retry;
}

// Trouble inside a trial step is a reason for a smaller one; the smallest will tell.
AdaptiveExplicit::Verdict AdaptiveExplicit::reject_point(ManifoldStatus status, double t, ConstSpan point) {
  ++statistics_.rejected_by_projection;
  note_rejection(t_, h_, RejectionCause::projection);
  met_lost_point_ = met_lost_point_ || status == ManifoldStatus::not_converged;
  if (status == ManifoldStatus::not_finite) {
    met_not_finite_ = true;
    blamed_t_ = t;
    std::copy(x_.begin(), x_.end(), blamed_.begin());  // multipliers are a result of what went wrong
    std::copy(point.begin(), point.begin() + moving_, blamed_.begin());
  }
  return reject(0.3);
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
  stepper_->estimate(which, h_, error_);
  if (stepper_->pair().half_explicit)  // its stages leave no linearisation behind
    manifold_->remove_normal(t_ + h_, next_, error_);
  else
    manifold_->remove_normal_nearby(t_ + h_, next_, error_);
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
    stepper_->estimate(which, h_, rest.first(size_));
    manifold_->remove_normal_nearby(t_ + h_, next_, rest.first(size_));
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
  constexpr double share = 0.03;
  const double largest = largest_scaled(error_);
  if (!steep_ || !(largest > 0.0)) return 1.0;
  Scratch scratch;
  const Span point = scratch.take_raw<double>(size_);
  for (std::size_t i = 0; i < size_; ++i) point[i] = x_[i] + (i < moving_ ? error_[i] : 0.0);
  if (steep_->set_multipliers(t_, point) != ManifoldStatus::ok) return 1.0;
  double most = largest / share;
  for (std::size_t i = moving_; i < size_; ++i)
    most = std::fmax(most,
                     std::abs(point[i] - x_[i]) / (tolerance_.absolute_of(i) + tolerance_.relative * std::abs(x_[i])));
  return share * most / largest;
}

double AdaptiveExplicit::estimate_error() {
  using enum ExplicitStep::Estimate;
  const ExplicitPair& pair = stepper_->pair();
  set_weights();
  estimate_tangential(embedded);
  if (!pair.differences.empty()) add_quadrature_error();
  const double gain = multiplier_gain();
  const double error = gain * largest_scaled(error_), factor = control_for(pair.order).error_factor;
  estimates_ = {.error = error};
  if (pair.fine_error.empty()) return error;
  const double coarser = gain * tangential_norm(coarse);
  estimates_.error = factor * extrapolated(coarser, error, gain * tangential_norm(fine));
  // Nothing is known yet about a first step, and starts from rest hide fast modes: no credit for the order when it is
  // judged. The next step will show whether more was hoped of it than it can.
  if (first_) return error;
  estimates_.coarse = coarser;
  expect_growth();
  return estimates_.error;
}

// From e_3 ~ h^4, e_5 ~ h^6, e_6 ~ h^7 to h^8, the order of the error at the end, in two ways, as each of e_5 and e_6
// may be small by accident, and e_6 does not know the last stage. Where fast modes are not resolved, errors do not fall
// with the order, and both say so. With the factor 17 each is about the error of a step on the reference problems.
double AdaptiveExplicit::extrapolated(double coarse, double error, double fine) const {
  return coarse > 0.0 ? std::max(error * error / coarse, 17.0 * fine * std::cbrt(fine / coarse)) : 0.0;
}

// On the way to a (complex) singularity at distance d, e_3 ~ h^4 d^-5 and the error ~ h^9 d^-10 or so, while e_5 and
// e_6 change sign. If e_3 keeps growing, what the last step was estimated to lose tells what this one will; if it
// bursts, the estimates are too small about as much as it grew. Limits keep kinks, which the estimates see, from
// stopping a run.
void AdaptiveExplicit::expect_growth() {
  constexpr double noticeable = 1.3, most_steady = 10.0, burst = 12.0, most = 30.0;
  if (last_estimates_.coarse == 0.0) return;
  const double ratio = h_ / last_h_, square = ratio * ratio, fourth = square * square;
  const double growth = std::min(estimates_.coarse / (fourth * last_estimates_.coarse), most);
  if (growth > burst) estimates_.error *= growth;
  estimates_.growth = std::min(growth, most_steady);
  if (estimates_.growth < noticeable || last_estimates_.growth < noticeable) return;
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
  return manifold_->flow(t, next_, stepper_->end_slope());
}

void AdaptiveExplicit::accept(double error) {
  const int order = stepper_->pair().order;
  const auto [error_factor, share, memory] = control_for(order);
  const double quotient =
      std::pow(std::max(error, 1e-10), 1.0 / order - 0.75 * memory) * std::pow(accepted_error_, -memory) / share;
  double factor = std::clamp(1.0 / quotient, least_factor, largest_factor);
  if (rejected_) factor = std::min(factor, 1.0);
  accepted_error_ = std::max(error, 1e-4);
  met_not_finite_ = met_not_finite_ && std::abs(h_) < 1e-9 * (1.0 + std::abs(t_));
  last_estimates_ = estimates_;
  ++statistics_.steps;
  ++statistics_.explicit_steps;
  std::swap(base_, x_);
  std::swap(x_, next_);
  last_h_ = h_;
  last_ = last_ || (t_ + h_ - end_) * h_ >= 0.0;  // a shorter step may end there by rounding
  t_ = last_ ? end_ : t_ + h_;
  first_ = rejected_ = false;
  ended_ = true;
  finished_ = last_;
  if (!finished_) propose(h_ * factor);
}

void AdaptiveExplicit::propose(double wanted) {
  if (stepping_.largest > 0.0) wanted = std::copysign(std::min(std::abs(wanted), stepping_.largest), wanted);
  h_ = wanted;
  last_ = (t_ + 1.01 * wanted - end_) * wanted >= 0.0;
  if (last_) h_ = end_ - t_;
}

template <class Self, class Visitor>
void AdaptiveExplicit::visit_memory(Self& self, Visitor&& visit) {
  auto all = [&](auto&... member) { (visit(member), ...); };
  all(self.t_, self.end_, self.h_, self.last_h_, self.x_, self.base_, self.raw_, self.stepper_->slopes());
  all(self.finished_, self.first_, self.rejected_, self.last_, self.ended_, self.accepted_error_);
  all(self.last_estimates_.coarse, self.last_estimates_.error, self.last_estimates_.growth);
  all(self.attempts_, self.met_lost_point_, self.statistics_);
}

std::string AdaptiveExplicit::checkpoint() const {
  CheckpointWriter writer(stepper_->pair().name);
  visit_memory(*this, writer);
  return writer.text();
}

AdaptiveExplicit::AdaptiveExplicit(const Equations& equations, const AdaptiveOptions& options, const ExplicitPair& pair,
                                   const std::string& checkpoint)
    : AdaptiveExplicit(equations, options, pair) {
  CheckpointReader reader(checkpoint, pair.name);
  visit_memory(*this, reader);
}

}  // namespace driftless
