// The (logarithmic) Lipschitz constants of an index-1 problem, Definition 3.1 of Higueras and Soderlind 2003, on a box.
#pragma once

#include <optional>

#include "driftless/analysis/stability/index1_split.h"
#include "driftless/analysis/stability/supremum.h"

namespace driftless {

// What is known about one constant. `sampled` is the largest value seen at points: a lower estimate, never a bound.
// `lower` and `upper` are certain, rounding included, if the model can be enclosed; else they are -+infinity.
struct LipschitzConstant {
  Quantity quantity = Quantity::whole;
  double sampled = 0.0;
  Vector sampled_at;
  double sampled_time = 0.0;
  double lower = 0.0, upper = 0.0;
  std::size_t boxes = 0;
  bool certain = false;
  bool undecided = false;  // a formula branches inside the box
  double width() const { return upper - lower; }
  // The certain upper bound if there is one, else the sample.
  double value() const { return certain ? upper : sampled; }
};

struct Sampling {
  std::size_t points = 400;
  bool climb = true;  // from the best point, by coordinates
  unsigned seed = 1;
};

struct LipschitzOptions {
  Norm norm = Norm::two();
  Refinement refinement = {};
  Sampling sampling = {};
  bool enclose = true;           // if the model can be
  double manifold_radius = 0.0;  // Theorem 3.5: the manifold is that of every |Qp| up to this
  double monotonicity = 0.0;     // an upper bound of M_Q+[Qf] on the box; below 0, parts are narrowed to the manifold
};

// One constant on a box of states and times. Misuse if the box does not fit the equations. The constants of Theorem 3.5
// are suprema over the manifold inside the box: they are Lipschitz constants only if it is a graph there
// (constraint_graph.h).
LipschitzConstant lipschitz_constant(const Index1& form, const Box& box, Quantity quantity,
                                     const LipschitzOptions& options = {});

// The same where the split is known already; its norm is used, not that of the options.
LipschitzConstant lipschitz_constant(const Index1& form, const Index1Split& split, const Box& box, Quantity quantity,
                                     const LipschitzOptions& options);

// The same by samples alone.
LipschitzConstant sampled_constant(const Index1& form, const Box& box, Quantity quantity,
                                   const LipschitzOptions& options = {});
LipschitzConstant sampled_constant(const Index1& form, const Index1Split& split, const Box& box, Quantity quantity,
                                   const LipschitzOptions& options);

// The value at one point, that is the constant of the linearisation there.
double value_at(const Index1& form, const Index1Split& split, Quantity quantity, ConstSpan x, double t);

}  // namespace driftless
