// The error estimate of an adaptive Radau step, its norm, and what becomes of a step whose error is too large.
#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "driftless/integrate/adaptive_radau.h"
#include "driftless/integrate/radau_calibration.h"

namespace driftless {

namespace {

// (x w)^2. Squares of large numbers alone overflow, and only those are weighed first: the order of operations is part
// of results that are compared to the last bit.
double weighted_square(double x, double w) {
  const double usual = x * x * w * w;
  return std::isfinite(usual) ? usual : (x * w) * (x * w);
}

}  // namespace

// 1 / (absolute + relative |x|). The classic norm weights components of higher index by h and h^2, as RADAU5 does; on
// acceleration level there are none, and auxiliary unknowns do not count.
void AdaptiveRadau::set_weights() {
  // Multipliers count little, but not nothing: they are functions of u and v, and steep ones if the mechanism is.
  constexpr double multiplier_share = 0.03;
  const double h = std::abs(h_);
  const double power_of_h[] = {1.0, h, h * h};
  // The position constraint gives the velocities of a stage as differences of positions over h: where their rounding
  // reaches what Newton's iteration has to, no more is asked of them.
  constexpr double rounding = 100.0 * std::numeric_limits<double>::epsilon();
  const double of_velocities = std::max(h, std::min(1.0, h * newton_tolerance_ * relative_ / rounding));
  const bool classic = options_.norm == ErrorNorm::classic;
  for (std::size_t i = 0; i < extended_; ++i) {
    const double weight = 1.0 / (tolerance_.absolute_of(i) * scale_ + relative_ * std::abs(x_[i]));
    const double scaled = power_of_h[stage_equations_->power()[i]] * weight;
    const bool multiplier = i + multipliers_ >= size_ && i < size_;
    const bool velocity = stage_equations_->power()[i] == 1;
    if (classic) {
      weights_[i] = newton_weights_[i] = scaled;
    } else if (multiplier) {
      weights_[i] = multiplier_share * (on_acceleration_level_ || velocities_count_in_full() ? weight : scaled);
      newton_weights_[i] = on_acceleration_level_ ? multiplier_share * weight : scaled;
    } else {
      weights_[i] = newton_weights_[i] = i < size_ ? scaled : 0.0;
      if (velocity && i < size_ && velocities_count_in_full()) {
        weights_[i] = of_velocities * weight;
        newton_weights_[i] = std::sqrt(weights_[i] * scaled);
      }
    }
  }
}

AdaptiveRadau::Verdict AdaptiveRadau::reject_error(double error) {
  const double usual = std::pow(error, rejection_exponent(error)) / safety;
  ++statistics_.rejected_by_error;
  note_rejection(t_, h_, RejectionCause::error);
  need_jacobian_ = !jacobian_is_fresh_;
  return retry_with(!std::isfinite(error) || first_ ? 0.1 : 1.0 / std::clamp(usual, most_growing, most_shrinking));
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

// Squares of the last two divided differences of the increments over the nodes, through 0 at 0, weighted.
AdaptiveRadau::Differences AdaptiveRadau::last_differences(std::size_t components) const {
  const Matrix& z = radau_.increments();
  const RadauConstants& radau = radau_.constants();
  const std::size_t s = radau.c.size();
  Differences found{0.0, std::numeric_limits<double>::min()};
  for (std::size_t i = 0; i < components; ++i) {
    double d = 0.0, e = 0.0;
    for (std::size_t j = 0; j < s; ++j) {
      const double term = radau.lagrange[j] * z(i, j);
      d += term;
      e += (radau.c[j] - radau.c[s - 1]) * term;
    }
    found.last += weighted_square(d, weights_[i]);
    found.before += weighted_square(e, weights_[i]);
  }
  return found;
}

// For a smooth solution the ratio of the last two divided differences is O(h), across a kink it is not, however small
// the estimate. A tenth of it, to the power s - 1, is the least share of the estimate that is kept.
double AdaptiveRadau::least_share() const {
  constexpr double trust = 0.1;
  if (on_acceleration_level_) return 0.0;
  const auto [last, before] = last_differences(extended_);
  return std::pow(std::min(1.0, trust * trust * last / before), 0.5 * static_cast<double>(radau_.stages() - 1));
}

// If the increments of a component decay like r^k with the degree k, the estimate is |Z| r^(s+1) and the error of the
// method |Z| r^(2 s): the gain r^(s-1) = (estimate/|Z|)^((s-1)/(s+1)) is credited component by component, where the
// step itself shows it. A component that oscillates faster than the step resolves gets no credit.
void AdaptiveRadau::credit_superconvergence(Span error) const {
  const Matrix& z = radau_.increments();
  const int s = radau_.stages();
  const double factor = calibration().error_factor[row_of(s)];
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

constexpr double largest_product[] = {0.0183, 0.00115, 0.0000699};  // of |tau - c_k|, with 3, 5, 7 stages

// The collocation polynomial has degree s: between the steps it may be off by far more than at their ends, above all in
// stiff components, which the filtered estimate does not see. If its last two coefficients are e and d, the next one of
// the solution is about d^2/e, and multiplies prod |tau - c_k|.
double AdaptiveRadau::error_between_steps() const {
  const std::size_t states = size_ - multipliers_;
  const auto [last, before] = last_differences(states);
  return largest_product[row_of(radau_.stages())] * std::min(1.0, std::sqrt(last / before)) *
         std::sqrt(last / static_cast<double>(std::max<std::size_t>(1, states)));
}

// Index 2 and general forms of index 3: multipliers are those of the hidden constraint at the end of a step, whatever
// the stages say.
bool AdaptiveRadau::multipliers_follow() const {
  return options_.norm == ErrorNorm::tangential && options_.projection != Projection::none &&
         options_.multiplier == MultiplierRule::hidden_constraint &&
         (std::holds_alternative<Index3>(equations_) || std::holds_alternative<Index2>(equations_));
}

bool AdaptiveRadau::velocities_count_in_full() const {
  return multipliers_follow() && std::holds_alternative<Index3>(equations_);
}

// What the error of u and v does to lambda = psi_0(u, v), which may be steep: a stiff unknown in a constraint comes in
// with the square of its rate. With index 2, whose weights have a factor h, what the stages say of lambda counts as
// well.
void AdaptiveRadau::carry_to_multipliers(double t, Span error) {
  for (std::size_t i = 0; i < extended_; ++i) next_[i] = x_[i] + (i + multipliers_ < size_ ? error[i] : 0.0);
  if (manifold_->set_multipliers(t, Span(next_).subspan(0, size_)) != ManifoldStatus::ok) return;
  const bool in_full = velocities_count_in_full();
  for (std::size_t i = size_ - multipliers_; i < size_; ++i) {
    const double carried = std::abs(next_[i] - x_[i]), by_h = std::pow(std::abs(h_), stage_equations_->power()[i]);
    error[i] = in_full ? carried : std::fmax(std::abs(error[i]), carried / by_h);
  }
}

// The same for multipliers that follow, from the differences themselves: at the end of a step, too, stiff unknowns are
// off by what the filtered estimate does not see. In shares of the tolerance as the weights have them.
double AdaptiveRadau::multiplier_error_inside(double t) {
  const Matrix& z = radau_.increments();
  const RadauConstants& radau = radau_.constants();
  const auto [last, before] = last_differences(size_ - multipliers_);
  // How fast all differences fall says little about the few that matter here.
  const double share = largest_product[row_of(radau_.stages())] * std::clamp(std::sqrt(last / before), 0.1, 1.0);
  std::ranges::fill(error_, 0.0);
  for (std::size_t i = 0; i + multipliers_ < size_; ++i)
    for (std::size_t j = 0; j < radau.c.size(); ++j) error_[i] += share * radau.lagrange[j] * z(i, j);
  manifold_->remove_normal(t, state(), Span(error_).subspan(0, size_));
  carry_to_multipliers(t, error_);
  double largest = 0.0;
  for (std::size_t i = size_ - multipliers_; i < size_; ++i)
    largest = std::fmax(largest, std::abs(error_[i]) * weights_[i]);
  return largest;
}

double AdaptiveRadau::error_norm(ConstSpan error) const {
  double sum = 0.0;
  std::size_t counted = 0;
  for (std::size_t i = 0; i < extended_; ++i) {
    sum += weighted_square(error[i], weights_[i]);
    counted += weights_[i] > 0.0;
  }
  return std::max(std::sqrt(sum / static_cast<double>(std::max<std::size_t>(1, counted))), 1e-10);
}

// Stiff modes have the order of the stages, and no more: what the estimate says of them is not credited. The long steps
// of coupled stages would otherwise end with velocities off by a hundred tolerances, which the next step damps; a tenth
// of the estimate keeps them near twenty.
double AdaptiveRadau::estimate_error(double t) {
  constexpr double stiff_share = 0.1;
  constexpr double most_between_steps = 30.0;  // tolerances, where errors at the steps stay below a hundred
  constexpr double most_of_multipliers = 3.0;  // a hundred tolerances, with their share
  auto measured = [&] {
    if (options_.norm == ErrorNorm::tangential && options_.projection != Projection::none)
      manifold_->remove_normal(t, state(), Span(error_).subspan(0, size_));
    if (options_.norm == ErrorNorm::classic) return error_norm(error_);
    credited_ = error_;
    if (radau_.is_coupled()) {
      radau_.split_stiff(h_, credited_, stiff_);
      credit_superconvergence(credited_);
      for (std::size_t i = 0; i < extended_; ++i)
        credited_[i] = std::abs(credited_[i]) + stiff_share * std::abs(stiff_[i]);
    } else {
      credit_superconvergence(credited_);
    }
    if (multipliers_follow()) carry_to_multipliers(t, credited_);
    return error_norm(credited_);
  };
  radau_.error(t, x_, h_, error_);
  double error = measured();
  if (error >= 1.0 && (first_ || rejected_)) {
    for (std::size_t i = 0; i < extended_; ++i) next_[i] = x_[i] + error_[i];
    radau_.error(t, next_, h_, error_);
    error = measured();
  }
  if (multipliers_follow()) error = std::max(error, multiplier_error_inside(t) / most_of_multipliers);
  count_work();
  return options_.between_steps ? std::max(error, error_between_steps() / most_between_steps) : error;
}

}  // namespace driftless
