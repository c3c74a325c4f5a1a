// Where the Jacobian of a Radau step is taken.
#pragma once

#include "driftless/integrate/clock.h"
#include "driftless/integrate/radau_attempt.h"

namespace driftless {

class Linearisation {
 public:
  explicit Linearisation(RadauForm& form) : form_(form), x_(form.extended), slope_(form.extended) {}

  double time() const { return t_; }
  // Chooses a point. Inside the coming step, where the polynomial of the last one continued predicts it, the Jacobian
  // differs least from those of the stages; another may lie on the other side of a kink, which no Jacobian of this side
  // leads across, however small the step.
  void go_inside(const Clock& clock, const AcceptedStep& last);
  void go_to(double t, ConstSpan x);
  // The Jacobian there, unless the model has no value.
  ManifoldStatus linearise(double begin);
  // The same as before, after a checkpoint.
  void repeat() { form_.stage_equations->linearise(t_, x_, slope_); }

  template <class Visitor>
  void visit(Visitor&& visitor) {
    visitor(t_, x_, slope_);
  }

 private:
  ManifoldStatus prepare(double begin);

  RadauForm& form_;
  double t_ = 0.0;
  Vector x_, slope_;
};

}  // namespace driftless
