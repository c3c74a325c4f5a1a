// How large a step may be so that Newton's iteration is expected to converge.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/integrate/calibration.h"

namespace driftless {

// The contraction grows with the square of the step, as the Jacobian is one of the step's inside. No step is proposed
// that is expected to fail, nor one as large as the one that failed last, until some more have gone well.
class NewtonLimit {
 public:
  void failed(double h) { failed_below_ = calibrated::failed_margin * std::abs(h); }
  // After a step of this size.
  double largest(double h, double contraction, bool coupled) {
    const double expected = contraction > 0.0 ? std::max(0.5, std::sqrt(calibrated::wanted_contraction / contraction))
                                              : 1.0 / calibrated::most_growing;
    double size = std::min(std::abs(h) * expected, failed_below_);
    if (coupled) size = std::min(size, calibrated::coupled_growth * std::abs(h));
    failed_below_ *=
        contraction <= calibrated::usual_keeping.slow_contraction ? calibrated::fast_patience : calibrated::patience;
    return size;
  }
  void forget() { failed_below_ = std::numeric_limits<double>::infinity(); }

  template <class Visitor>
  void visit(Visitor&& visitor) {
    visitor(failed_below_);
  }

 private:
  double failed_below_ = std::numeric_limits<double>::infinity();
};

}  // namespace driftless
