// What the tolerance asks of each component, for the error estimate and for Newton's iteration.
#pragma once

#include <cmath>

#include "driftless/integrate/calibration.h"
#include "driftless/integrate/radau_form.h"

namespace driftless {

// What a tolerance means with this number of stages.
struct Accuracy {
  double relative, scale;   // the tolerance of the norm, and its share of the user's
  double newton_tolerance;  // of the same norm
  double exponent;          // errors fall like h^(1/exponent)
};
Accuracy accuracy_of(double tolerance, const RadauOptions& options, const Calibration& calibration, int stages);

// (x w)^2. Squares of large numbers alone overflow, and only those are weighed first: the order of operations is part
// of results that are compared to the last bit.
inline double weighted_square(double x, double w) {
  const double usual = x * x * w * w;
  return std::isfinite(usual) ? usual : (x * w) * (x * w);
}

class ErrorScale {
 public:
  explicit ErrorScale(const RadauForm& form) : form_(form), weights_(form.extended), newton_weights_(form.extended) {}

  // For a step of size h from x.
  void set(ConstSpan x, double h, const Accuracy& accuracy);
  ConstSpan weights() const { return weights_; }
  ConstSpan newton_weights() const { return newton_weights_; }
  // In tolerances: the root mean square over the components that count, never 0.
  double norm(ConstSpan error) const;

 private:
  const RadauForm& form_;
  Vector weights_, newton_weights_;
};

}  // namespace driftless
