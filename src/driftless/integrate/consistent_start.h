// From approximate values to values that satisfy every constraint, hidden ones included. Multipliers are computed,
// never asked for.
#pragma once

#include "driftless/core/result.h"
#include "driftless/equations/manifold.h"

namespace driftless {

struct StartOptions {
  // Components that must keep the value given, by name.
  std::vector<std::string> fixed = {};
};

struct ConsistentStart {
  Vector state;  // in the layout of the equations, multipliers included
  struct Move {
    std::string name;
    double from, to;
  };
  std::vector<Move> moves = {};  // what had to be changed (multipliers are not listed)
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
