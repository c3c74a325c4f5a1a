// All constants of an index-1 problem on a box, what they say about its stability, and in which words.
#pragma once

#include "driftless/analysis/altered_form.h"
#include "driftless/analysis/lipschitz_constants.h"
#include "driftless/analysis/majorant.h"

namespace driftless {

enum class ConstraintScaling {
  as_given,  // the constraint as the model states it
  newton,    // multiplied by -(Q f_x on Im Q)^-1 at the middle of the box
};

struct StabilityOptions {
  Norm norm = Norm::two();
  Refinement refinement = {};
  Sampling sampling = {};
  ConstraintScaling scaling = ConstraintScaling::as_given;
  double manifold_radius = 0.0;  // of |Qp|, for Theorem 3.5
};

enum class Verdict { yes, no, open };  // proved, refuted at a point, neither
const char* name_of(Verdict verdict);

struct StabilityReport {
  std::string norm;
  Box box;
  bool certain = false;  // every constant has a certain upper bound
  LipschitzConstant whole, differential, differential_from_algebraic, algebraic_from_differential, algebraic;
  LipschitzConstant reduced, reduced_gain, implicit_slope, implicit_gain;

  SplitConstants split;     // upper bounds, or samples where there are none
  double schur = 0.0;       // S[P, f]
  Majorant product, sharp;  // Theorems 3.4 and 3.5
  double rate = 0.0;        // the smaller of the two: deviations grow at most like exp(rate t)

  Verdict index_1 = Verdict::open;               // M_Q+[Qf] < 0
  Verdict exponentially_stable = Verdict::open;  // rate < 0
  double euler_step_limit = 0.0;                 // h rate < 1 (Theorem 4.3); infinity if there is no limit
  std::vector<std::string> sentences;            // all of this in words

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
