// The modes of a text that its equations do not have by themselves: solutions that slide along the roots of relations,
// and relations inside noEvent that make events because a solution crawls along them.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "driftless/modelfile/compiled/sliding_modes.h"
#include "driftless/simulate/stretch.h"

namespace driftless {

class TextModes {
 public:
  // Compiles a mode when it is first asked for; null if the model cannot be in it. For any thread.
  std::shared_ptr<const SlidingModes> mode(const CompiledModel& model, const StretchMode& which);

  struct Move {
    StretchMode mode;
    EventOutcome outcome;
  };
  // An event in a mode, and the mode behind it: sliding begins where both sides of a relation push towards its root,
  // and ends where the weight of one side is used up, or where the event takes the solution off its surface.
  Move happen(const CompiledModel& model, const StretchMode& which, const EventMoment& moment, ConstSpan held,
              const ResolveState& resolve);
  // The same moment with relations inside noEvent as events; none if there are none.
  std::optional<Move> reveal(const CompiledModel& model, double t, ConstSpan state, ConstSpan held,
                             const ResolveState& resolve);

 private:
  Move move_on(const CompiledModel& model, const StretchMode& which, double t, EventOutcome outcome,
               const std::vector<std::size_t>& fired, const ResolveState& resolve);
  Move leave_surfaces(const CompiledModel& model, const StretchMode& which, double t, EventOutcome before,
                      const ResolveState& resolve, int depth);
  Move go_on(const CompiledModel& model, const StretchMode& which, double t, const EventOutcome& before,
             const ResolveState& resolve, int depth);
  std::uint32_t shared_slots(const CompiledModel& model, const StretchMode& which);
  using Key = std::pair<bool, std::vector<std::uint32_t>>;
  std::mutex mutex_;
  std::map<Key, std::shared_ptr<const SlidingModes>> modes_;
};

}  // namespace driftless
