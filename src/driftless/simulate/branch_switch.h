// What happens to the states where an event makes branches with other constraints active: positions stay, velocities
// jump by an impulse of the multipliers.
//
// With M(q) v' = F - G^T lambda and lambda ~ Lambda delta(t - t*), F bounded, the jump is M (v+ - v-) = -G^T Lambda,
// with Lambda such that the constraints of the new branches hold for v+: G v+ + g_t = 0, an inelastic impact. The
// general forms jump in the same way along f_lambda (jump_directions.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driftless/core/failure.h"
#include "driftless/equations/equations.h"
#include "driftless/integrate/adaptive_options.h"
#include "driftless/integrate/state_move.h"

namespace driftless {

// The integral of a multiplier over an event.
struct Impulse {
  std::string name;
  double size;
};

struct BranchSwitch {
  Equations equations;            // of the new branches
  Vector before;                  // the state in their layout, as it came to the event
  std::vector<StateMove> moves;   // of states, in the units of the model, rounding left aside
  std::vector<Impulse> impulses;  // what moved them, in the units of the model
};

// The impulses that make `after` of `before`, one of each multiplier, those of least norm where they are redundant.
// None if no impulse does, or only one whose direction changes on the way: then what happens depends on more than the
// model says. Empty if nothing jumps.
std::optional<Vector> impulses_between(const Equations& equations, double t, ConstSpan before, ConstSpan after);

// A failure that names the constraint on positions which does not hold before the switch, by far more than the errors
// that the solution has by then: a hundred tolerances.
std::optional<Failure> contradicted_position(const BranchSwitch& change, double t, const Tolerance& tolerance);

}  // namespace driftless
