// All constants of an index-1 problem on a box, what they say about its stability, and in which words.
#pragma once

#include "driftless/analysis/stability/altered_form.h"
#include "driftless/analysis/stability/constraint_graph.h"
#include "driftless/analysis/stability/lipschitz_constants.h"
#include "driftless/analysis/stability/majorant.h"

namespace driftless {

enum class ConstraintScaling {
  as_given,  // the constraint as the model states it
  newton,    // multiplied by -(Q f_x on Im Q)^-1 at the middle of the box, unless that is singular
};

struct StabilityOptions {
  Norm norm = Norm::two();
  Refinement refinement = {};
  Sampling sampling = {};
  ConstraintScaling scaling = ConstraintScaling::as_given;
  double manifold_radius = 0.0;  // of |Qp|, for Theorem 3.5
};

struct StabilityReport {
  std::string norm;
  Box box;
  bool scaled = false;    // the constraint, by Newton's matrix
  bool singular = false;  // Q f_x on Im Q is singular in the middle of the box: no scaling makes it monotone
  bool proved = false;    // every constant, and the hypotheses of both theorems: all that stands here
  LipschitzConstant whole, differential, differential_from_algebraic, algebraic_from_differential, algebraic;
  // Theorem 3.5. On the manifold if it is a graph over the box, else between any two states (mean_value_bound.h).
  LipschitzConstant reduced, reduced_gain, implicit_slope, implicit_gain;

  Verdict index_1 = Verdict::open;  // M_Q+[Qf] < 0
  ConstraintGraph graph;            // whether the constraint can be solved inside the box for all of P x

  // Upper bounds where they are proved; else samples, which bound nothing and are said to be samples.
  SplitConstants split;
  double schur = 0.0;       // S[P, f]
  Majorant product, sharp;  // Theorems 3.4 and 3.5; `sharp` is the smaller of both, number by number
  bool product_proved = false, sharp_proved = false;
  double rate = 0.0;  // of `sharp`: deviations grow at most like exp(rate t) while solutions stay in the box
  bool rate_proved = false;

  Verdict exponentially_stable = Verdict::open;  // rate < 0
  double euler_step_limit = 0.0;  // h rate < 1 (Theorem 4.3): infinity if there is no limit, 0 if nothing is proved
  std::vector<std::string> sentences;  // all of this in words

  std::vector<const LipschitzConstant*> constants() const {
    return {&whole,
            &differential,
            &differential_from_algebraic,
            &algebraic_from_differential,
            &algebraic,
            &reduced,
            &reduced_gain,
            &implicit_slope,
            &implicit_gain};
  }
};

StabilityReport analyse_stability(const Index1& form, const Box& box, const StabilityOptions& options = {});

}  // namespace driftless
