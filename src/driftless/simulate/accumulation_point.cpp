#include "driftless/simulate/accumulation_point.h"

#include <algorithm>
#include <cmath>

namespace driftless {

namespace {

bool have_common(const Names& a, const Names& b) {
  return std::ranges::any_of(a, [&](const std::string& name) { return std::ranges::find(b, name) != b.end(); });
}

double root_of(const Stretch& stretch, std::size_t event, double t, ConstSpan state) {
  return std::abs(stretch.events[event].root(t, {state, layout_of(stretch.equations).names()}));
}

}  // namespace

Failure AccumulationPoint::Passed::failure() const {
  return {.kind = FailureKind::too_many_steps,
          .time = time,
          .what_happened = "events accumulate: they come in ever shorter intervals, and the run would go through",
          .what_to_try = "say what holds when it comes to rest: a discrete state, or another reinit",
          .where = relation};
}

// Relations become true and false in turn: each second event is one of a kind. None if they do not close in.
std::optional<double> AccumulationPoint::time_left(Trail& trail, double t) const {
  auto& times = trail.times;
  times.push_back(t);
  if (times.size() > 5) times.pop_front();
  if (times.size() < 5) return std::nullopt;
  const double last = std::abs(times[4] - times[2]), before = std::abs(times[2] - times[0]);
  if (!(last < before)) {
    trail.shrinking = 0;
    return std::nullopt;
  }
  if (trail.shrinking++ == 0) trail.first = before;
  const double left = last * last / (before - last) + last;  // a geometric sum
  const bool closes_in = trail.shrinking >= in_a_row && last <= shorter * trail.first && left <= rest * length_;
  return closes_in ? std::optional(left) : std::nullopt;
}

void AccumulationPoint::see_events(const Stretch& before, const std::vector<std::size_t>& events,
                                   const Stretch& after) {
  if (!(after.mode == before.mode)) {  // it came to rest, or was released: its relations are not those before
    trails_.clear();
    point_.reset();
    return;
  }
  const double t = after.begin;
  bool other = false;
  for (const std::size_t event : events) {
    if (event >= before.events.size()) continue;  // of time alone
    const auto left = time_left(trails_[event], t);
    other |= !point_ || event != event_;
    if (!left || event >= after.events.size() || after.fixed.empty()) continue;
    event_ = event;
    point_ = Passed{t, before.events[event].name, after};
    deadline_ = t + std::copysign(patience * *left, length_);
    root_ = root_of(after, event, t, after.start);
    gone_ = false;
    return;
  }
  if (point_ && other && have_common(after.fixed, point_->stretch.fixed)) point_.reset();
}

void AccumulationPoint::see(const Stretch& stretch, double t, ConstSpan state) {
  if (!point_ || gone_ || event_ >= stretch.events.size() || t < deadline_) return;
  gone_ = root_of(stretch, event_, t, state) > away * root_ + absolute_;
}

}  // namespace driftless
