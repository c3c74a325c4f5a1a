// A part of a run between two events, during which the equations are the same.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "driftless/equations/equations.h"
#include "driftless/equations/written_constraint.h"
#include "driftless/integrate/adaptive_options.h"
#include "driftless/integrate/events.h"
#include "driftless/simulate/branch_switch.h"

namespace driftless {

class TimeSearches;

// How well the equations of a model hold at a state.
struct EquationState {
  std::string worst;  // as written, with its place; empty if all hold to rounding
  double residual = 0.0;
  bool evaluated = true;
  double ratio = 0.0;  // to what errors of the size of the tolerance could make of it
};

// Modes that a model does not have by itself.
struct StretchMode {
  bool revealed = false;                    // relations inside noEvent make events
  std::vector<std::uint32_t> sliding = {};  // relations at whose roots the solution stays
  // Branches that alone the form was made for; empty: all of them together, whose form fits those that are active.
  std::vector<std::uint32_t> branches = {};
  friend bool operator==(const StretchMode&, const StretchMode&) = default;
};

struct Stretch {
  double begin = 0.0;
  std::optional<double> end = {};  // where the model has to be asked how to go on, if not before at an event
  // What happens next that depends on time alone, at `until` at the latest: when, and the numbers of these events,
  // which follow those of `events`. The run has one `searches`.
  struct Due {
    double time = 0.0;
    std::vector<std::size_t> events = {};
    std::vector<std::string> names = {};
  };
  std::function<std::optional<Due>(double until, TimeSearches& searches)> next_due = {};
  Equations equations;
  Vector start = {};
  bool after_event = false;                     // the start is that of a run at an event: states keep their values
  Names fixed = {};                             // components that must keep their start
  Vector held = {};                             // the model's own memory: discrete variables and relations
  Vector nominal = {};                          // of every component: units of the absolute tolerance; empty: all 1
  Vector unit = {};                             // by component: what it counts in; empty: all 1
  std::vector<WrittenConstraint> written = {};  // how the constraints stand to those of the model
  std::vector<Event> events = {};
  // The results at a state, in their order.
  std::function<void(double t, ConstSpan state, Span out)> results = {};
  // Of all equations, or of those that the solver does not see: what does not hold at a state. None if there are none.
  using Check = std::function<EquationState(double t, ConstSpan state, const Tolerance& tolerance)>;
  Check equations_hold = {}, eliminated_hold = {};
  // Roots of relations that make no events: a solution that crosses them again and again crawls.
  std::size_t hidden = 0;
  std::function<void(double t, ConstSpan state, Span out)> hidden_roots = {};
  StretchMode mode = {};
  std::vector<BranchSwitch> switches = {};  // of the event before it
  Names happened = {};  // relations that changed exactly at the end of the run, as Model::finish() found
  // What the model asserts and does not hold at a state; empty: nothing.
  std::function<std::string(double t, ConstSpan state)> failed_assertion = {};
};

}  // namespace driftless
