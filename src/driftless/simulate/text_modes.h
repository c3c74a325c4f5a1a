// The modes of a text that its equations do not have by themselves: branches that need a form of their own, solutions
// that slide along the roots of relations, and relations inside noEvent that make events because a solution crawls
// along them. A mode is data; what is compiled for it is kept.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <tuple>

#include "driftless/modelfile/compiled/sliding_modes.h"
#include "driftless/simulate/stretch.h"

namespace driftless {

// An event up to a round that does not belong to a mode that slides.
EventOutcome handle_sliding(const SlidingModes& now, EventMoment moment, ConstSpan held, const ResolveState& resolve);

struct ModeMove {
  StretchMode mode;
  EventOutcome outcome;
  std::vector<BranchSwitch> switches = {};
  std::optional<Failure> failure = {};  // of a switch: nothing else is valid then
};

// Where an event leads: the relations that slide from then on, and values of those that do not any longer.
struct ModeChange {
  StretchMode mode;
  std::vector<std::pair<std::uint32_t, double>> settled;
  std::optional<CompiledModel::Attraction> begins;  // along the last one of these
  std::uint32_t relation = 0;
};

class TextModes {
 public:
  // Compiles a mode when it is first asked for; null if the model cannot be in it. For any thread.
  std::shared_ptr<const SlidingModes> mode(const CompiledModel& model, const StretchMode& which);

  using Move = ModeMove;
  // An event in a mode, and the mode behind it. Branches take turns where the form of those before does not fit those
  // behind; sliding begins where both sides of a relation push towards its root, and ends where the weight of one side
  // is used up, or where the event takes the solution off its surface.
  Move happen(const CompiledModel& model, const StretchMode& which, const EventMoment& moment, ConstSpan held,
              const ResolveState& resolve);
  // The same moment with relations inside noEvent as events; none if there are none.
  std::optional<Move> reveal(const CompiledModel& model, double t, ConstSpan state, ConstSpan held,
                             const ResolveState& resolve);

  // When an event leaves a mode; `held` as it begins, empty at the start.
  LeavesBranches leaving(const CompiledModel& model, const StretchMode& which, double t, ConstSpan held,
                         const ResolveState& resolve);
  // The mode for these values of all slots: of the branches that are active, without surfaces. `like` is one whose
  // branches stay where a value is missing.
  StretchMode fitting(const CompiledModel& model, const StretchMode& like, double t, ConstSpan inputs,
                      const ResolveState& resolve);
  // Why there is no such mode.
  std::vector<Finding> trouble(const CompiledModel& model, const StretchMode& which);
  // The rest of an event that one mode leaves to others.
  Move follow(const CompiledModel& model, const StretchMode& which, double t, EventOutcome before,
              const ResolveState& resolve, int depth = 0);

 private:
  struct Place {
    double time;
    ConstSpan state, held;
  };
  EventOutcome handle_in(const CompiledModel& model, const StretchMode& which, EventMoment moment, ConstSpan held,
                         const ResolveState& resolve);
  Move enter_branches(const CompiledModel& model, const StretchMode& which, double t, EventOutcome before,
                      const ResolveState& resolve, int depth);
  Move jump_into(const CompiledModel& model, const StretchMode& next, double t, const EventOutcome& before,
                 const ResolveState& resolve, int depth);
  void see_branches(const CompiledModel& model, const StretchMode& which, double t, ConstSpan held, Move& move);
  Move move_on(const CompiledModel& model, const StretchMode& which, double t, EventOutcome outcome,
               const std::vector<std::size_t>& fired, const ResolveState& resolve);
  Move leave_surfaces(const CompiledModel& model, const StretchMode& which, double t, EventOutcome before,
                      const ResolveState& resolve, int depth);
  Move go_on(const CompiledModel& model, const StretchMode& which, double t, const EventOutcome& before,
             const ResolveState& resolve, int depth);
  std::optional<CompiledModel::Moment> enter(const CompiledModel& model, const StretchMode& which,
                                             const ModeChange& change, const Place& at, const ResolveState& resolve);
  std::uint32_t shared_slots(const CompiledModel& model, const StretchMode& which);
  bool fits(const CompiledModel& host, bool revealed, const ModeBranches& branches, const Place& at);

  using Key = std::tuple<bool, std::vector<std::uint32_t>, std::vector<std::uint32_t>>;
  struct Made {
    std::shared_ptr<const SlidingModes> modes;
    std::vector<Finding> trouble;
  };
  static Made make(const CompiledModel& model, const StretchMode& which);
  std::mutex mutex_;
  std::map<Key, Made> modes_;
  std::map<std::pair<bool, ModeBranches>, bool> fits_;  // whether the form of all branches together does
};

}  // namespace driftless
