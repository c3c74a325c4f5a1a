// The error of a Radau step: the embedded estimate, what of it counts, and what it does not see.
#pragma once

#include "driftless/integrate/clock.h"
#include "driftless/integrate/radau_attempt.h"

namespace driftless {

class RadauError {
 public:
  explicit RadauError(RadauForm& form);

  // In tolerances, as `scale` has them, of the step from x that `radau` has solved.
  double estimate(RadauStep& radau, const Clock& clock, ConstSpan x, const ErrorScale& scale,
                  const RadauProposal& proposal);

 private:
  // The step at hand.
  struct Step {
    RadauStep& radau;
    double t, h;
    ConstSpan x;
    const ErrorScale& scale;
    const RadauProposal& proposal;
  };
  double measure(const Step& step);
  void credit(const Step& step, Span error) const;
  void carry_to_multipliers(const Step& step, Span error);
  void find_inside(const Step& step);
  double multiplier_error_inside(const Step& step);
  ConstSpan state_weights(const Step& step) const { return step.scale.weights().first(form_.size - form_.multipliers); }

  RadauForm& form_;
  Vector error_, credited_, stiff_, inside_, point_;
};

}  // namespace driftless
