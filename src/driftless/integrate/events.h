// Events: roots of functions of the solution, and what happens there.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driftless/equations/named_state.h"
#include "driftless/integrate/state_move.h"

namespace driftless {

enum class Direction { any, rising, falling };

// Roots that are cheaper together than one by one.
struct RootGroup {
  std::size_t size = 0;
  std::function<void(double t, ConstSpan state, Span values)> values;
};

struct Event {
  std::string name;
  // The state has the layout of the equations and lies on the manifold, multipliers included: [](double, NamedState s)
  // { return s["x"]; }, or with a ConstSpan and numbers of components.
  std::function<double(double t, NamedState state)> root;
  Direction direction = Direction::any;
  bool terminal = false;  // ends the run at the root
  // Changes the state at the root; the run restarts from it. With index 1 the differential part P x stays what the jump
  // made it and the algebraic part follows. Constraints of a higher index that do not hold after the jump are met by
  // the impulse of their multipliers, which the record of the event reports; multipliers are computed.
  std::function<void(double t, ChangingState state)> jump = {};
  // What `root` counts as where it is NaN: its sign, 1 or -1. Not given: the run ends there with a failure.
  std::optional<double> where_undefined = {};
  // Where it is given, the root is number `place` of this group as well, with the same values but for rounding.
  std::shared_ptr<const RootGroup> group = {};
  std::size_t place = 0;
  // False: `root` depends on time and on what is integrated only. Inside explicit steps that is known without a
  // solution of the constraints, so that such roots are cheap to watch.
  bool reads_multipliers = true;
  // What of `root` is rounding, where that is known: a solution that comes back from there has not left the root.
  double rounding = 0.0;
};

struct EventRecord {
  std::size_t event = 0;  // index in the list given
  double time = 0.0;
  Vector state;                       // before the jump
  std::vector<StateMove> moves = {};  // of states, after the jump, so that the constraints hold
  double farthest = 0.0;              // |root| was no larger since the run (re)started; known where `rounding` is
};

}  // namespace driftless
