#include "driftless/simulate/chatter_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace driftless {

void ChatterWatch::changes(const std::string& relation, double t, double farthest, double rounding) {
  const auto [place, is_new] = trails_.try_emplace(relation);
  auto& [name, trail] = *place;
  if (is_new || !(farthest <= nearby * rounding)) {
    trail.begin = t;
    trail.changes = 0;
    return;
  }
  const auto changes = static_cast<double>(++trail.changes);
  const double share = std::abs((t - trail.begin) / length_);
  if (trail.changes >= limit_ && changes >= many * static_cast<double>(limit_) * share) chattering_ = &name;
}

void ChatterWatch::is_away(const std::string& relation, double distance, double rounding) {
  if (!(distance <= nearby * rounding)) trails_.erase(relation);
}

void ChatterWatch::see(const Stretch& stretch, const std::vector<EventRecord>& events, double t, ConstSpan state) {
  const auto fires = [&](const std::string& name) {
    return std::ranges::any_of(events, [&](const auto& record) { return stretch.events[record.event].name == name; });
  };
  for (auto place = trails_.begin(); place != trails_.end();) {
    auto& [name, trail] = *place++;  // before it may go
    if (fires(name)) continue;
    if (trail.event >= stretch.events.size() || stretch.events[trail.event].name != name)
      trail.event =
          static_cast<std::size_t>(std::ranges::find(stretch.events, name, &Event::name) - stretch.events.begin());
    if (trail.event >= stretch.events.size()) continue;  // not in this mode
    const Event& event = stretch.events[trail.event];
    is_away(name, std::abs(event.root(t, {state, layout_of(stretch.equations).names()})), event.rounding);
  }
  for (const EventRecord& record : events) {
    const Event& event = stretch.events[record.event];
    if (event.rounding > 0.0) changes(event.name, t, record.farthest, event.rounding);
  }
}

Failure ChatterWatch::failure(double t) const {
  return {.kind = FailureKind::too_many_steps,
          .time = t,
          .what_happened = fmt::format("events accumulate: {} of them changed this relation, one after the other, "
                                       "before its root had left zero by more than rounding",
                                       trails_.at(*chattering_).changes),
          .what_to_try =
              "the solution slides along the switching condition in a way that the model does not determine, or that "
              "cannot be computed: give it hysteresis, or a state of rest; or raise event_limit (--event-limit)",
          .where = *chattering_};
}

}  // namespace driftless
