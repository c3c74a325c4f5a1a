// The next step size from the errors of the last steps.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "driftless/integrate/calibration.h"

namespace driftless {

// Radau: the predictive controller of Gustafsson (1994). Errors are in tolerances and fall like h^(1/exponent).
class StepSize {
 public:
  // The size wanted after a step of size h; the one before it had last_h, or 0 if there was none.
  double accepted(double h, double last_h, double error, double exponent, int newton_iterations) {
    constexpr double limit = 2.0 * calibrated::newton_limit(3);
    const double cautious =
        std::min(calibrated::safety, calibrated::safety * (1.0 + limit) / (newton_iterations + limit));
    double quotient =
        std::clamp(std::pow(error, exponent) / cautious, calibrated::most_growing, calibrated::most_shrinking);
    if (last_h != 0.0) {
      const double predicted = last_h / h * std::pow(error * error / accepted_error_, exponent) / calibrated::safety;
      quotient =
          std::max(quotient, std::clamp(std::abs(predicted), calibrated::most_growing, calibrated::most_shrinking));
    }
    accepted_error_ = std::max(calibrated::least_remembered_error, error);
    return h / quotient;
  }
  // The step after a rejected one does not grow, whatever is wanted; with that the rejection is forgotten.
  double after_rejection(double wanted, double h) {
    if (rejected_ && std::abs(wanted) > std::abs(h)) wanted = h;
    rejected_ = false;
    rejected_error_ = 0.0;
    return wanted;
  }

  // The factor on h after an error that was too large.
  double too_large(double h, double error, double exponent, bool first) {
    const double usual = std::pow(error, observed(h, error, exponent)) / calibrated::safety;
    rejected_ = true;
    if (!std::isfinite(error) || first) return calibrated::cut_at_first;
    return 1.0 / std::clamp(usual, calibrated::most_growing, calibrated::most_shrinking);
  }
  // After anything else.
  void reject() { rejected_ = true; }
  bool rejected() const { return rejected_; }

  template <class Visitor>
  void visit(Visitor&& visitor) {
    visitor(accepted_error_, rejected_, rejected_error_, rejected_h_);
  }

 private:
  // The order that two rejections in a row show: where a stiff component has been stirred up, errors fall more slowly
  // than the order of the method promises.
  double observed(double h, double error, double exponent) {
    if (rejected_error_ > 0.0)
      exponent = 1.0 / std::clamp(std::log(rejected_error_ / error) / std::log(rejected_h_ / h), 1.0, 1.0 / exponent);
    rejected_error_ = error;
    rejected_h_ = h;
    return exponent;
  }

  double accepted_error_ = 0.0;
  bool rejected_ = false;
  double rejected_error_ = 0.0, rejected_h_ = 0.0;  // of the last attempt, if its error was too large
};

// Explicit pairs: a controller with memory (Hairer and Wanner), which mechanisms that keep changing their pace need.
class ExplicitStepSize {
 public:
  explicit ExplicitStepSize(int order) : order_(order), control_(calibrated::explicit_control(order)) {}

  // The factor on h after a step with this error.
  double accepted(double error) {
    const double quotient = std::pow(std::max(error, 1e-10), 1.0 / order_ - 0.75 * control_.memory) *
                            std::pow(accepted_error_, -control_.memory) / control_.share;
    const double factor = std::clamp(1.0 / quotient, calibrated::explicit_shrinking, calibrated::explicit_growing);
    accepted_error_ = std::max(error, 1e-4);
    return std::exchange(rejected_, false) ? std::min(factor, 1.0) : factor;
  }
  // The same after an error that was too large.
  double too_large(double error) {
    rejected_ = true;
    return std::isfinite(error)
               ? std::max(calibrated::explicit_shrinking, control_.share / std::pow(error, 1.0 / order_))
               : calibrated::cut_at_first;
  }
  void reject() { rejected_ = true; }

  template <class Visitor>
  void visit(Visitor&& visitor) {
    visitor(accepted_error_, rejected_);
  }

 private:
  int order_;
  ExplicitControl control_;
  double accepted_error_ = 1e-4;
  bool rejected_ = false;
};

}  // namespace driftless
