// What an event works on while it is iterated.
#pragma once

#include "driftless/modelfile/compiled/model_events.h"

namespace driftless {

struct ModelEvents::Iteration {
  double t = 0.0;
  const ResolveState& resolve_state;
  Vector kept = {};   // as the event leaves it: states, with new values where a reinit says so
  Vector state = {};  // the same, with what follows from the states
  HeldValues held = {};
  HeldValues begin = {};                // what was held before the event, or its round that is gone on from here
  bool at_start = false;                // initial values are sought: branches with initial() act, and no others
  Vector judged_at = {};                // the roots at which the relations were judged last
  std::vector<char> to_judge = {};      // relations that have not been judged at all
  std::vector<char> was = {}, is = {};  // conditions before the round and now, one after another
  struct Active {
    const Branch* branch;
    Vector before;  // values of all expressions that a simultaneous branch reads
  };
  std::vector<Active> active = {};  // in this round
  Names named = {};                 // components that a reinit set
  bool reinitialised = false;       // in this round
  bool after_impulse = false;       // in the rounds behind a change of branches: what is zero is so but for rounding
  const LeavesBranches* leaves = nullptr;  // as the moment has it
  bool in_mode = false;                    // of another model, which is left at a reinit: these are its reinits
  std::vector<EventRound::Reinit> reinits = {};
  Vector all = {};  // values of all expressions, if fresh
  bool fresh = false;
  Vector resolved_for = {};  // what was held when the state was resolved last
  EventOutcome outcome = {};
};

}  // namespace driftless
