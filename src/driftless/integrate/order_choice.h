// When steps of Radau get more stages, and when fewer.
#pragma once

#include <algorithm>

#include "driftless/integrate/adaptive_options.h"
#include "driftless/integrate/calibration.h"

namespace driftless {

// RADAU's rule: more while Newton contracts fast and the step size is steady, fewer when Newton is slow or fails again
// and again. The functions return the number of stages to go on with.
class OrderChoice {
 public:
  explicit OrderChoice(const RadauOptions& options) : least_(options.least_stages), most_(options.most_stages) {}

  // Work per unit of time is about s tol^(-1/(2 s)): more stages pay at tighter tolerances.
  int first(double relative_tolerance, const Calibration& calibration) const {
    const int wanted = relative_tolerance > calibration.five_stages_from    ? 3
                       : relative_tolerance > calibration.seven_stages_from ? 5
                                                                            : 7;
    return std::clamp(wanted, least_, most_);
  }
  // `limited`: Newton keeps steps short, not the error; a higher order would be of no use.
  int accepted(int stages, double contraction, double step_ratio, bool limited) {
    const bool steady = step_ratio > calibrated::steady_from && step_ratio < calibrated::steady_to;
    const bool fast = contraction <= (stages == 3 ? calibrated::raise_below_3 : calibrated::raise_below_5);
    ++since_change_;
    if (stages < most_ && !limited && fast && steady && since_change_ >= calibrated::steps_before_raising)
      return raise(stages);
    return stages > least_ && contraction >= calibrated::lower_above ? lower(stages) : stages;
  }
  int newton_failed(int stages) {
    if (++failures_ < calibrated::failures_before_lowering || stages <= least_) return stages;
    return lower(stages);
  }
  void forget_failures() { failures_ = 0; }
  std::size_t raised() const { return raised_; }
  std::size_t lowered() const { return lowered_; }

  template <class Visitor>
  void visit(Visitor&& visitor) {
    visitor(since_change_, failures_, raised_, lowered_);
  }

 private:
  int raise(int stages) {
    ++raised_;
    since_change_ = 0;
    return stages + 2;
  }
  int lower(int stages) {
    ++lowered_;
    since_change_ = failures_ = 0;
    return stages - 2;
  }

  int least_, most_;
  int since_change_ = 0, failures_ = 0;  // steps; of Newton since the last step
  std::size_t raised_ = 0, lowered_ = 0;
};

}  // namespace driftless
