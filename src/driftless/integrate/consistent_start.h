// From approximate values to values that satisfy every constraint, hidden ones included. Multipliers are computed,
// never asked for.
#pragma once

#include "driftless/core/result.h"
#include "driftless/equations/equations.h"
#include "driftless/integrate/state_move.h"

namespace driftless {

struct StartOptions {
  // Components that must keep the value given, by name.
  std::vector<std::string> fixed = {};
  // The values are those of a run at an event, where `fixed` has new ones: states keep theirs, algebraic unknowns and
  // multipliers follow, and constraints that do not hold any more are met by the impulse of their multipliers (see
  // jump_directions.h). Other states move only where this is not enough, as little as possible.
  bool after_event = false;
};

struct ConsistentStart {
  Vector state;  // in the layout of the equations, multipliers included
  using Move = StateMove;
  // What had to be changed. Multipliers are not listed, nor after an event the algebraic part of index 1.
  std::vector<Move> moves = {};
  double largest_move = 0.0;
  std::vector<double> residuals_before = {};  // max norm of the constraints of each level in the values given
  std::string summary() const;                // in words
};

// `approximate` holds the components of the layout without the multipliers (q, v, s; or u, v; u; x), or all of them, in
// which case the multipliers serve as a guess; velocities may be left out and are then guessed as 0. The change is the
// smallest in the Euclidean norm among the components that are free. For index 1 P x is kept if nothing is fixed by
// name. Sizes and names that do not fit throw Misuse; a start that cannot be made consistent is a Failure that names
// the constraint.
Result<ConsistentStart> make_consistent(const Equations& equations, double t, ConstSpan approximate,
                                        const StartOptions& options = {});

}  // namespace driftless
