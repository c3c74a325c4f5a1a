// The equations as a projected Radau step sees them: which unknowns its stages have, and the way back to the manifold.
#pragma once

#include <memory>

#include "driftless/equations/manifold.h"
#include "driftless/integrate/adaptive_options.h"
#include "driftless/step/stage_equations.h"

namespace driftless {

struct RadauForm {
  RadauForm(const Equations& equations, const AdaptiveOptions& options);

  // The unknowns w = v' that follow the state, where the stage equations have them.
  ManifoldStatus set_accelerations(double t, Span x);
  // What the options project, then the multipliers and accelerations there.
  ManifoldStatus settle(double t, Span x);

  bool is_multiplier(std::size_t i) const { return i + multipliers >= size && i < size; }
  bool is_classic() const { return options.norm == ErrorNorm::classic; }

  Equations equations;
  RadauOptions options;
  Tolerance tolerance;
  std::unique_ptr<Manifold> manifold;
  std::unique_ptr<StageEquations> stage_equations;
  std::size_t size, extended;  // of a state, and of the unknowns of a stage
  std::size_t multipliers;     // at the end of a state
  bool on_acceleration_level, with_accelerations;
  // Index 2 and general forms of index 3: multipliers are those of the hidden constraint at the end of a step, whatever
  // the stages say. Those of index 3 are as steep in the velocities as in the positions.
  bool multipliers_follow, velocities_count_in_full;
};

}  // namespace driftless
