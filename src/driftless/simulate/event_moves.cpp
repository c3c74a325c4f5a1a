#include "driftless/simulate/event_moves.h"

#include <algorithm>
#include <cmath>

#include "driftless/simulate/text_model.h"

namespace driftless {

void add_moves(std::vector<MovesAtEvent>& all, const Model& model, const Stretch& stretch,
               const std::vector<StateMove>& start, double absolute) {
  if (!stretch.after_event) return;
  const Layout& layout = layout_of(stretch.equations);
  const auto add = [&](MovesAtEvent& event, const StateMove& move, double unit) {
    const double size = std::max(std::abs(move.from), std::abs(move.to)), change = std::abs(move.to - move.from);
    if (model.is_state(move.name) && change > 1e-10 * size && change > 1e-3 * absolute)
      event.moves.push_back({unquoted(move.name), unit * move.from, unit * move.to});
  };
  const auto keep = [&](MovesAtEvent event) {
    if (!event.moves.empty()) all.push_back(std::move(event));
  };
  for (const BranchSwitch& change : stretch.switches) {
    MovesAtEvent event{stretch.begin, {}};
    for (const StateMove& move : change.moves) add(event, move, 1.0);
    for (const Impulse& impulse : change.impulses) event.impulses.push_back({unquoted(impulse.name), impulse.size});
    keep(std::move(event));
  }
  MovesAtEvent event{stretch.begin, {}};
  for (const StateMove& move : start)
    add(event, move, stretch.unit.empty() ? 1.0 : stretch.unit[layout.find(move.name)]);
  keep(std::move(event));
}

Failure failure_of(const ModelEnd& end, double t) {
  if (end.why) return *end.why;
  return {.kind = *end.failure, .time = t, .what_happened = end.message, .what_to_try = "", .where = ""};
}

}  // namespace driftless
