// When an iteration has arrived: below its tolerance, or where rounding stops it from getting any better.
#pragma once

#include <cmath>
#include <limits>

#include "driftless/core/matrix.h"
#include "driftless/core/stop.h"

namespace driftless {

// NaN if any component is.
inline double max_norm(ConstSpan x) {
  double norm = 0.0;
  bool all_numbers = true;
  for (double value : x) {
    const double size = std::abs(value);
    norm = size > norm ? size : norm;
    all_numbers &= size == size;
  }
  return all_numbers ? norm : std::numeric_limits<double>::quiet_NaN();
}

// Zero times what is not finite is not zero.
inline bool all_finite(ConstSpan x) {
  double zero = 0.0;
  for (double value : x) zero += 0.0 * value;
  return zero == 0.0;
}

enum class Convergence { go_on, arrived, diverged };

struct ConvergenceRule {
  double tolerance = 1.0;   // a correction of this norm is small enough
  double stagnation = 1e6;  // where the iteration no longer improves, this is still accepted: rounding, not divergence
  int limit = 30;
};

class ConvergenceMonitor {
 public:
  explicit ConvergenceMonitor(ConvergenceRule rule) : rule_(rule) {}

  // For small Newton iterations that are taken to the last bits: `see(correction / (epsilon * size))`.
  static ConvergenceMonitor to_rounding() {
    return ConvergenceMonitor({.tolerance = 2.0, .stagnation = 1e7, .limit = 30});
  }
  Convergence see_relative(double correction, double size) {
    return see(correction / (std::numeric_limits<double>::epsilon() * size + std::numeric_limits<double>::min()));
  }

  // Corrections of higher-index problems do not shrink monotonically (a correction of lambda shows in u one iteration
  // later), so progress is measured against the smallest so far.
  Convergence see(double norm) {
    check_stop();
    ++iterations_;
    if (!std::isfinite(norm)) return Convergence::diverged;
    if (iterations_ == 1) first_ = norm;
    last_ = norm;
    if (norm <= rule_.tolerance) return Convergence::arrived;
    const bool progress =
        norm < 0.5 * best_;  // best_ stays where it is otherwise: two steps of 0.7 are progress as well
    since_progress_ = progress ? 0 : since_progress_ + 1;
    if (progress) best_ = norm;
    if (norm <= rule_.stagnation && since_progress_ >= 2) return Convergence::arrived;
    if (norm > rule_.stagnation && (since_progress_ >= patience || norm > explosion * best_))
      return Convergence::diverged;
    if (iterations_ < rule_.limit) return Convergence::go_on;
    return norm <= rule_.stagnation ? Convergence::arrived : Convergence::diverged;
  }

  int iterations() const { return iterations_; }
  // Geometric mean over all iterations.
  double contraction() const {
    return iterations_ > 1 && first_ > 0.0 ? std::pow(last_ / first_, 1.0 / (iterations_ - 1)) : 0.0;
  }

 private:
  static constexpr int patience = 8;
  static constexpr double explosion = 1e5;

  ConvergenceRule rule_;
  int iterations_ = 0;
  int since_progress_ = 0;
  double first_ = 0.0;
  double last_ = std::numeric_limits<double>::infinity();
  double best_ = std::numeric_limits<double>::infinity();
};

}  // namespace driftless
