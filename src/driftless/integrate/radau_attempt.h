// One attempt of an adaptive Radau step as values: what is tried, what came of it, and what an accepted one leaves.
#pragma once

#include "driftless/integrate/error_scale.h"
#include "driftless/integrate/refresh.h"
#include "driftless/step/radau_step.h"

namespace driftless {

struct RadauProposal {
  int stages;
  bool coupled;
  RefreshOrder refresh;
  bool predicted;       // the Jacobian may be taken inside the step, where the last one predicts it
  bool across_kink;     // has all its stages behind a kink
  bool estimate_twice;  // an error that is too large is estimated again, as after a rejection
  Accuracy accuracy;
  double error_factor;  // on the credited estimate
};

struct RadauAttempt {
  explicit RadauAttempt(const RadauForm& form) : state(form.extended), correction(form.extended) {}

  RadauNewton newton;
  double error = 0.0;                           // in tolerances; of a converged iteration
  ManifoldStatus settled = ManifoldStatus::ok;  // of a step with an error below 1
  Vector state;                                 // the new point, projected, with its multipliers
  Vector correction;                            // what the projection changed
  bool jacobian_at_beginning = false;
  std::size_t newton_iterations = 0;  // in all
  double factor_cost = 0.0;           // of a factorisation, in solutions; 0 where systems are dense
  Work work;
};

// The polynomial of the last accepted step and where it led. Before the first one: the start.
struct AcceptedStep {
  explicit AcceptedStep(const RadauForm& form)
      : state(form.extended, 0.0),
        base(form.extended),
        correction(form.extended),
        increments(form.extended, static_cast<std::size_t>(form.options.most_stages)) {}

  template <class Visitor>
  void visit(Visitor&& visitor) {
    visitor(state, base, correction, increments, stages);
  }
  // May a checkpoint say so?
  bool is_possible(bool at_beginning, bool from_zero) const {
    if (at_beginning) return stages == 0 && from_zero;
    return stages >= 3 && stages % 2 == 1 && static_cast<std::size_t>(stages) <= increments.cols();
  }

  Vector state, base;  // at its end and at its beginning
  Vector correction;   // by the projection
  Matrix increments;
  int stages = 0;
};

}  // namespace driftless
