// What events moved beyond what they say, for the result of a run.
#pragma once

#include "driftless/integrate/state_move.h"
#include "driftless/simulate/simulation.h"

namespace driftless {

// Moves before the begin of a stretch, by more than rounding: those that `start` made so that its constraints hold, and
// those of branches that took turns.
void add_moves(std::vector<MovesAtEvent>& all, const Model& model, const Stretch& stretch,
               const std::vector<StateMove>& start, double absolute);

// Why the model itself ended the run.
Failure failure_of(const ModelEnd& end, double t);

}  // namespace driftless
