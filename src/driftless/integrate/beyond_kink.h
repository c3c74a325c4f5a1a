// The other side of a kink, for a step that leaps across it (kink_leap.h).
#pragma once

#include <optional>

#include "driftless/integrate/clock.h"
#include "driftless/integrate/radau_attempt.h"

namespace driftless {

class BeyondKink {
 public:
  BeyondKink(RadauForm& form, const Clock& clock, const AcceptedStep& last);

  // The point at the end of the step, if the way there is continuous.
  std::optional<Vector> point(const ErrorScale& scale);
  // From x_n, an iteration would have to find the other side by itself.
  void start_stages(const Vector& nodes, Matrix& increments);

 private:
  bool is_continuous_until(Vector there, const ErrorScale& scale);
  bool settle_ahead(double h, Span out);

  RadauForm& form_;
  double t_, h_;
  const Vector& x_;
  Vector slope_;
};

}  // namespace driftless
