#include "driftless/integrate/adaptive_radau.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/core/scratch.h"
#include "driftless/equations/convert.h"
#include "driftless/nonlinear/convergence.h"

namespace driftless {

namespace {

// Parameters of RADAU5 and RADAU (Hairer and Wanner).
constexpr double safety = 0.9;
constexpr double most_shrinking = 5.0;  // h_new >= h / 5
constexpr double most_growing = 0.125;  // h_new <= 8 h
constexpr double keep_below = 1.2;      // a step ratio in [1, 1.2] is not worth a factorisation
constexpr double slow_contraction = 1e-3;
// Where inside the coming step the Jacobian is evaluated.
constexpr double linearisation_point = 0.7;
// Multipliers count little in the error norm, but not nothing: they are functions of u and v, and steep ones if the
// mechanism is.
constexpr double multiplier_share = 0.03;
// Calibrated on the reference problems, so that errors at the end are of the size of the tolerance, for 3, 5 and 7
// stages: the factor on the credited estimate, the share of the tolerance that the Newton iteration may use, and the
// relative tolerances from which 5 and 7 stages are worth their work. Stages on acceleration level solve for (a,
// lambda) exactly, which makes their Newton iteration the more accurate one.
struct Calibration {
  double error_factor[3];
  double newton_share[3];
  double five_stages_from, seven_stages_from;
};
constexpr Calibration on_acceleration_level{{3.0, 10.0, 60.0}, {0.05, 0.05, 0.04}, 1e-5, 1e-9};
constexpr Calibration on_other_levels{{4.0, 40.0, 400.0}, {0.15, 0.05, 0.01}, 3e-8, 1e-11};
int row_of(int stages) { return (stages - 3) / 2; }
const Calibration& calibration_for(bool acceleration_level) {
  return acceleration_level ? on_acceleration_level : on_other_levels;
}

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
      multipliers_(layout_of(equations).has("lambda") ? layout_of(equations).block("lambda").size : 0),
      x_(extended_, 0.0),
      next_(extended_),
      weights_(extended_),
      newton_weights_(extended_),
      error_(extended_),
      credited_(extended_),
      mu1_(manifold_->constraint_count()),
      mu2_(manifold_->constraint_count()),
      base_(extended_),
      last_increments_(extended_, static_cast<std::size_t>(options_.most_stages)),
      first_increments_(last_increments_),
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
                 options_.newton_share > 0.0 ? options_.newton_share
                                             : calibration_for(on_acceleration_level_).newton_share[row_of(stages)]);
    error_exponent_ = 1.0 / (2.0 * stages - 1.0);
  }
  scale_ = relative_ / tolerance_.relative;
}

// Work per unit of time is about s tol^(-1/(2 s)): more stages pay at tighter tolerances (see Calibration).
int AdaptiveRadau::first_stages() const {
  const Calibration& c = calibration_for(on_acceleration_level_);
  const int wanted = tolerance_.relative > c.five_stages_from ? 3 : tolerance_.relative > c.seven_stages_from ? 5 : 7;
  return std::clamp(wanted, options_.least_stages, options_.most_stages);
}

// 1 / (absolute + relative |x|). The classic norm weights components of higher index by h and h^2, as RADAU5 does; on
// acceleration level there are none, and auxiliary unknowns do not count.
void AdaptiveRadau::set_weights() {
  const double h = std::abs(h_);
  const double power_of_h[] = {1.0, h, h * h};
  const bool classic = options_.norm == ErrorNorm::classic;
  for (std::size_t i = 0; i < extended_; ++i) {
    const double absolute =
        i < tolerance_.absolute_by_component.size() ? tolerance_.absolute_by_component[i] : tolerance_.absolute;
    const double weight = 1.0 / (absolute * scale_ + relative_ * std::abs(x_[i]));
    const double scaled = power_of_h[stage_equations_->power()[i]] * weight;
    const bool multiplier = i + multipliers_ >= size_ && i < size_;
    if (classic) {
      weights_[i] = newton_weights_[i] = scaled;
    } else if (multiplier) {
      weights_[i] = multiplier_share * (on_acceleration_level_ ? weight : scaled);
      newton_weights_[i] = on_acceleration_level_ ? multiplier_share * weight : scaled;
    } else {
      weights_[i] = newton_weights_[i] = i < size_ ? scaled : 0.0;
    }
  }
}

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
  stage_equations_->linearise(jacobian_t_, jacobian_x_, jacobian_slope_);
  return radau_.factorise(h_);
}

bool AdaptiveRadau::linearise_at_beginning() {
  jacobian_t_ = t_;
  jacobian_x_ = x_;
  if (const auto status = prepare_linearisation(); status != ManifoldStatus::ok) {
    failure_ = explain(status, equations_, t_, state());
    return false;
  }
  stage_equations_->linearise(jacobian_t_, jacobian_x_, jacobian_slope_);
  return radau_.factorise(h_);
}

void AdaptiveRadau::refresh_matrices() {
  if (!need_jacobian_ && !need_factors_) return;
  bool regular = false;
  if (need_jacobian_) {
    regular = linearise_beyond() || linearise_inside() || linearise_at_beginning();
    if (failure_) return;
    ++statistics_.jacobians;
    jacobian_is_fresh_ = true;
  } else {
    regular = radau_.factorise(h_);
  }
  ++statistics_.factorisations;
  need_jacobian_ = need_factors_ = false;
  if (regular) return;
  failure_ = Failure{
      .kind = FailureKind::singular_matrix,
      .time = t_,
      .what_happened = fmt::format("the Newton matrix of a step of size {:.3g} is singular", h_),
      .what_to_try = "check that every unknown occurs in the equations, and the index at this point with check_index()",
      .where = layout_of(equations_).name(std::min(stage_equations_->undetermined(), size_ - 1))};
}

std::optional<Failure> AdaptiveRadau::step() {
  if (finished_) return std::nullopt;
  if (first_) ++statistics_.evaluations;  // f(x_0), which RADAU5 evaluates before the first step
  while (true) {
    if (++attempts_ > stepping_.limit) return too_many_attempts(t_, h_, stepping_.limit);
    if (step_is_too_small(t_, h_)) return too_small();
    refresh_matrices();
    if (failure_) return failure_;
    switch (attempt()) {
      case Verdict::accepted: return std::nullopt;
      case Verdict::failed: return failure_;
      case Verdict::retry: break;
    }
  }
}

// A singular matrix or NaN inside a trial step is a reason for a smaller one; the smallest will tell.
AdaptiveRadau::Verdict AdaptiveRadau::attempt() {
  set_weights();
  if (start_from_zero_)
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

RadauNewton AdaptiveRadau::iterate() {
  const RadauNewton newton =
      radau_.solve(t_, x_, h_, newton_weights_,
                   {.limit = 7 + (radau_.stages() - 3) / 2 * 2, .tolerance = newton_tolerance_}, faccon_);
  statistics_.evaluations += static_cast<std::size_t>(newton.iterations * radau_.stages());
  statistics_.newton_iterations += static_cast<std::size_t>(newton.iterations);
  if (newton.outcome == RadauNewton::Outcome::not_finite) blame(radau_.last_time(), radau_.last_point());
  return newton;
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
    first_increments_ = radau_.increments();
    faccon_ = 1.0;  // contraction has to be seen again
    if (iterate().outcome == RadauNewton::Outcome::converged && settle() == ManifoldStatus::ok) continue;
    radau_.set_increments(first_increments_);
    settle();
    return;
  }
}

AdaptiveRadau::Verdict AdaptiveRadau::retry_with(double factor) {
  h_ *= factor;
  rejected_ = true;
  last_ = false;
  need_factors_ = true;
  return Verdict::retry;
}

AdaptiveRadau::Verdict AdaptiveRadau::reject_error(double error) {
  const double usual = std::pow(error, rejection_exponent(error)) / safety;
  ++statistics_.rejected_by_error;
  note_rejection(t_, h_, RejectionCause::error);
  need_jacobian_ = !jacobian_is_fresh_;
  return retry_with(!std::isfinite(error) || first_ ? 0.1 : 1.0 / std::clamp(usual, most_growing, most_shrinking));
}

AdaptiveRadau::Verdict AdaptiveRadau::reject_projection(ManifoldStatus status) {
  if (status == ManifoldStatus::not_finite) blame(t_ + h_, next_);
  ++statistics_.rejected_by_projection;
  note_rejection(t_, h_, RejectionCause::projection);
  need_jacobian_ = !jacobian_is_fresh_;
  return retry_with(0.5);
}

// Remembers where the model was not finite last: if the step size collapses, this is why.
void AdaptiveRadau::blame(double t, ConstSpan point) {
  met_not_finite_ = true;
  blamed_t_ = t;
  std::copy(point.begin(), point.end(), blamed_.begin());
}

// The order that two rejections in a row show: where a stiff component has been stirred up, errors fall more slowly
// than the order of the method promises (Gustafsson 1994).
double AdaptiveRadau::rejection_exponent(double error) {
  double exponent = error_exponent_;
  if (rejected_error_ > 0.0)
    exponent = 1.0 / std::clamp(std::log(rejected_error_ / error) / std::log(rejected_h_ / h_), 1.0, 1.0 / exponent);
  rejected_error_ = error;
  rejected_h_ = h_;
  return exponent;
}

// Where the polynomial of the last step leads nowhere, perhaps across a kink, every other trial starts from x_n; on
// acceleration level later, since accelerations that are zero are far from those of a stiff mechanism. Later still, the
// Jacobian is that of the other side of the kink.
void AdaptiveRadau::choose_another_start() {
  ++failures_in_a_row_;
  const bool other = failures_in_a_row_ % 2 == 0, late = failures_in_a_row_ >= 4;
  start_from_zero_ = last_stages_ == 0 || (other && (late || !on_acceleration_level_));
  if (!other || !late || options_.norm == ErrorNorm::classic) return;
  std::ranges::copy(radau_.last_point(), jacobian_x_.begin());
  jacobian_t_ = radau_.last_time();
  beyond_ = need_jacobian_ = true;
}

AdaptiveRadau::Verdict AdaptiveRadau::reject_newton(const RadauNewton& newton) {
  ++statistics_.rejected_by_newton;
  note_rejection(t_, h_, RejectionCause::newton);
  failed_below_ = 0.9 * std::abs(h_);
  // Where a prediction was wrong, so is its Jacobian.
  if (!jacobian_is_fresh_ || jacobian_t_ != t_) {
    need_jacobian_ = true;
    ++statistics_.jacobians_after_failure;
  }
  choose_another_start();
  if (++newton_failures_ >= 3 && radau_.stages() > options_.least_stages) {
    newton_failures_ = 0;
    set_stages(radau_.stages() - 2);
    since_order_change_ = 0;
    ++statistics_.order_lowered;
  }
  return retry_with(newton.retry_factor);
}

// The last two divided differences of the increments over the nodes, through 0 at 0: for a smooth solution their ratio
// is O(h), across a kink it is not, however small the estimate. A tenth of it, to the power s - 1, is the least share
// of the estimate that is kept.
double AdaptiveRadau::least_share() const {
  constexpr double trust = 0.1;
  if (on_acceleration_level_) return 0.0;
  const Matrix& z = radau_.increments();
  const RadauConstants& radau = radau_constants(radau_.stages());
  const std::size_t s = radau.c.size();
  double last = 0.0, before = std::numeric_limits<double>::min();
  for (std::size_t i = 0; i < extended_; ++i) {
    double d = 0.0, e = 0.0;
    for (std::size_t j = 0; j < s; ++j) {
      const double term = radau.lagrange[j] * z(i, j);
      d += term;
      e += (radau.c[j] - radau.c[s - 1]) * term;
    }
    last += d * d * weights_[i] * weights_[i];
    before += e * e * weights_[i] * weights_[i];
  }
  return std::pow(std::min(1.0, trust * trust * last / before), 0.5 * static_cast<double>(s - 1));
}

// If the increments of a component decay like r^k with the degree k, the estimate is |Z| r^(s+1) and the error of the
// method |Z| r^(2 s): the gain r^(s-1) = (estimate/|Z|)^((s-1)/(s+1)) is credited component by component, where the
// step itself shows it. A component that oscillates faster than the step resolves gets no credit.
void AdaptiveRadau::credit_superconvergence(Span error) const {
  const Matrix& z = radau_.increments();
  const int s = radau_.stages();
  const double factor = calibration_for(on_acceleration_level_).error_factor[row_of(s)];
  // x^((s - 1)/(s + 1)) = x^(1/2), x^(2/3), x^(3/4), without the cost of a power.
  auto gain = [s](double x) {
    if (s == 3) return std::sqrt(x);
    return s == 5 ? std::cbrt(x * x) : std::sqrt(x * std::sqrt(x));
  };
  const double least = least_share();
  for (std::size_t i = 0; i < extended_; ++i) {
    double size = std::numeric_limits<double>::min();
    for (int j = 0; j < s; ++j) size = std::max(size, std::abs(z(i, static_cast<std::size_t>(j))));
    error[i] *= factor * std::max(least, gain(std::min(1.0, std::abs(error[i]) / size)));
  }
}

double AdaptiveRadau::error_norm(ConstSpan error) const {
  double sum = 0.0;
  std::size_t counted = 0;
  for (std::size_t i = 0; i < extended_; ++i) {
    sum += error[i] * error[i] * weights_[i] * weights_[i];
    counted += weights_[i] > 0.0;
  }
  return std::max(std::sqrt(sum / static_cast<double>(std::max<std::size_t>(1, counted))), 1e-10);
}

double AdaptiveRadau::estimate_error(double t) {
  auto measured = [&] {
    if (options_.norm == ErrorNorm::tangential && options_.projection != Projection::none)
      manifold_->remove_normal(t, state(), Span(error_).subspan(0, size_));
    if (options_.norm == ErrorNorm::classic) return error_norm(error_);
    credited_ = error_;
    credit_superconvergence(credited_);
    return error_norm(credited_);
  };
  radau_.error(t, x_, h_, error_);
  if (!first_) ++statistics_.evaluations;
  double error = measured();
  if (error >= 1.0 && (first_ || rejected_)) {
    for (std::size_t i = 0; i < extended_; ++i) next_[i] = x_[i] + error_[i];
    radau_.error(t, next_, h_, error_);
    ++statistics_.evaluations;
    error = measured();
  }
  return error;
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
  return error_norm(correction_) > std::max({1.0, error_norm(increment), share * error_norm(x_)});
}

// Newton's contraction grows with the square of the step, as the Jacobian is one of the step's inside: do not propose a
// step that is expected to fail, nor one as large as the one that failed last, until some more have gone well.
double AdaptiveRadau::largest_for_newton(double contraction) {
  constexpr double wanted_contraction = 0.1, patience = 1.03;
  const double expected =
      contraction > 0.0 ? std::max(0.5, std::sqrt(wanted_contraction / contraction)) : 1.0 / most_growing;
  const double largest = std::min(std::abs(h_) * expected, failed_below_);
  failed_below_ *= contraction <= slow_contraction ? 2.0 : patience;
  return largest;
}

void AdaptiveRadau::accept(double error, const RadauNewton& newton) {
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
  t_ = last_ ? end_ : t_ + h_;
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
  }
  if (stepping_.largest > 0.0) wanted = std::copysign(std::min(std::abs(wanted), stepping_.largest), h_);
  if (rejected_ && std::abs(wanted) > std::abs(h_)) wanted = h_;
  rejected_ = false;
  rejected_error_ = 0.0;
  const bool fast = newton.contraction <= slow_contraction;
  choose_order(newton, wanted / h_);
  if ((t_ + wanted * 1.0001 - end_) * wanted >= 0.0) {
    h_ = end_ - t_;
    last_ = true;
    need_factors_ = true;
  } else if (const double ratio = wanted / h_; !(fast && !need_factors_ && ratio >= 1.0 && ratio <= keep_below)) {
    h_ = wanted;
    need_factors_ = true;
  }
  need_jacobian_ = !fast;
  statistics_.jacobians_slow_newton += need_jacobian_;
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
