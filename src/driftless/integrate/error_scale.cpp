#include "driftless/integrate/error_scale.h"

#include <algorithm>
#include <limits>

namespace driftless {

// The estimate has order s, the method 2 s - 1. RADAU therefore transforms the tolerance to 0.1 tol^((s+1)/(2s)), which
// is right where the solution is smooth on the scale of the step and far too generous where it is not; only the classic
// norm does so.
Accuracy accuracy_of(double tolerance, const RadauOptions& options, const Calibration& calibration, int stages) {
  constexpr double rounding = std::numeric_limits<double>::epsilon();
  const bool classic = options.norm == ErrorNorm::classic;
  const double relative = classic ? 0.1 * std::pow(tolerance, (stages + 1.0) / (2.0 * stages)) : tolerance;
  const double calibrated =
      options.newton_share > 0.0 ? options.newton_share : calibration.newton_share[calibrated::row_of(stages)];
  return {.relative = relative,
          .scale = relative / tolerance,
          .newton_tolerance =
              std::max(10.0 * rounding / relative, classic ? std::min(0.03, std::sqrt(relative)) : calibrated),
          .exponent = classic ? 1.0 / (stages + 1.0) : 1.0 / (2.0 * stages - 1.0)};
}

// 1 / (absolute + relative |x|). The classic norm weights components of higher index by h and h^2, as RADAU5 does; on
// acceleration level there are none, and auxiliary unknowns do not count.
void ErrorScale::set(ConstSpan x, double step, const Accuracy& accuracy) {
  const double h = std::abs(step);
  const double power_of_h[] = {1.0, h, h * h};
  // The position constraint gives the velocities of a stage as differences of positions over h: where their rounding
  // reaches what Newton's iteration has to, no more is asked of them.
  constexpr double rounding = 100.0 * std::numeric_limits<double>::epsilon();
  const double of_velocities = std::max(h, std::min(1.0, h * accuracy.newton_tolerance * accuracy.relative / rounding));
  const bool classic = form_.is_classic(), accelerations = form_.on_acceleration_level;
  const bool in_full = form_.velocities_count_in_full;
  const std::vector<int>& power = form_.stage_equations->power();
  for (std::size_t i = 0; i < form_.extended; ++i) {
    const double weight = 1.0 / (form_.tolerance.absolute_of(i) * accuracy.scale + accuracy.relative * std::abs(x[i]));
    const double scaled = power_of_h[power[i]] * weight;
    if (classic) {
      weights_[i] = newton_weights_[i] = scaled;
    } else if (form_.is_multiplier(i)) {
      weights_[i] = calibrated::multiplier_share * (accelerations || in_full ? weight : scaled);
      newton_weights_[i] = accelerations ? calibrated::multiplier_share * weight : scaled;
    } else {
      weights_[i] = newton_weights_[i] = i < form_.size ? scaled : 0.0;
      if (power[i] == 1 && i < form_.size && in_full) {
        weights_[i] = of_velocities * weight;
        newton_weights_[i] = std::sqrt(weights_[i] * scaled);
      }
    }
  }
}

double ErrorScale::norm(ConstSpan error) const {
  double sum = 0.0;
  std::size_t counted = 0;
  for (std::size_t i = 0; i < form_.extended; ++i) {
    sum += weighted_square(error[i], weights_[i]);
    counted += weights_[i] > 0.0;
  }
  return std::max(std::sqrt(sum / static_cast<double>(std::max<std::size_t>(1, counted))), 1e-10);
}

}  // namespace driftless
