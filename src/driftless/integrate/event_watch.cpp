#include "driftless/integrate/event_watch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "driftless/core/infinity.h"
#include "driftless/core/stop.h"

namespace driftless {

namespace {

// Samples per step: enough to separate roots a tenth of a step apart; closer pairs are found by the extremum between
// them.
constexpr int samples = 12;
// Below this share of the largest value seen, a function counts as zero.
constexpr double zero_share = 1e-12;
// From so many functions on, those that are far from zero at states that are cheap to have are left out.
constexpr std::size_t many_events = 16;
constexpr double quiet_share = 0.1;
// A convex |f| with f(-1), f(0) = x, f(1) is above 2 x - max(f(-1), f(1)) in between: no root if x is above half of it.
constexpr double deep_share = 0.5;
double sign_of(double x) { return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0; }

}  // namespace

EventWatch::EventWatch(const std::vector<Event>& events, const Names& components)
    : events_(events),
      names_(components),
      state_(components.size()),
      scale_(events.size(), 0.0),
      last_(events.size(), 0.0) {
  std::unordered_map<const RootGroup*, std::size_t> known;
  for (std::size_t e = 0; e < events.size(); ++e) {
    const RootGroup* const roots = events[e].group.get();
    if (roots == nullptr) {
      alone_.push_back(e);
      continue;
    }
    const auto [found, is_new] = known.try_emplace(roots, groups_.size());
    if (is_new) groups_.push_back({roots, {}, Vector(roots->size)});
    groups_[found->second].events.push_back(e);
  }
}

void EventWatch::restart(double t, ConstSpan state, std::optional<std::size_t> jumped) {
  jumped_ = jumped;
  undefined_.reset();
  Vector values(events_.size());
  values_at(t, state, values);
  for (std::size_t e = 0; e < events_.size(); ++e) {
    const double x = known_sign(e, t, values[e]);
    if (std::isfinite(x)) scale_[e] = std::max(scale_[e], std::abs(x));
    last_[e] = std::abs(x) <= 1e-9 * scale_[e] ? 0.0 : x;
  }
}

// What stands for a value that is not a number; infinite, so that nothing takes it for a dip towards zero.
double EventWatch::known_sign(std::size_t event, double t, double x) {
  if (!std::isnan(x)) return x;
  if (events_[event].where_undefined) return std::copysign(infinity, *events_[event].where_undefined);
  if (!undefined_ || direction_ * (t - undefined_->time) < 0.0) undefined_ = {event, t};
  return 0.0;
}

// The last time at which the function is a number, between one where it is and one where it is not.
double EventWatch::edge_of_numbers(std::size_t event, double number, double none, const Interpolant& at) {
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (number + none);
    if (middle == number || middle == none) break;
    (std::isnan(raw_value(event, middle, at)) ? none : number) = middle;
  }
  return number;
}

double EventWatch::raw_value(std::size_t event, double t, const Interpolant& at) {
  check_stop();
  at(t, state_);
  const double x = events_[event].root(t, {state_, names_});
  see(event, x);
  return x;
}

void EventWatch::see(std::size_t event, double x) {
  if (std::isfinite(x)) scale_[event] = std::max(scale_[event], std::abs(x));
}

void EventWatch::values_at(double t, ConstSpan state, Span values) {
  for (Group& group : groups_) {
    group.roots->values(t, state, group.values);
    for (const std::size_t e : group.events) values[e] = group.values[events_[e].place];
  }
  for (const std::size_t e : alone_) values[e] = events_[e].root(t, {state, names_});
}

void EventWatch::take_samples(double begin, double end, const Interpolant& at, Samples& values) {
  values.resize(samples);
  for (int i = 1; i <= samples; ++i) {
    check_stop();
    const double t = i == samples ? end : begin + i * (end - begin) / samples;
    at(t, state_);
    Vector& row = values[static_cast<std::size_t>(i - 1)];
    row.resize(events_.size());
    values_at(t, state_, row);
  }
}

// Those that keep their sign and more than a tenth of their size: a state that is a little off cannot hide a root.
std::vector<char> EventWatch::quiet_events(double begin, double end, const Interpolant& nearby) {
  std::vector<char> quiet(events_.size(), 0);
  if (events_.size() < many_events || !nearby) return quiet;
  take_samples(begin, end, nearby, samples_);
  for (std::size_t e = 0; e < events_.size(); ++e) {
    double least = std::abs(last_[e]), most = least;
    bool same = std::isfinite(last_[e]) && last_[e] != 0.0 && jumped_ != e;
    for (const Vector& row : samples_) {
      same &= std::isfinite(row[e]) && sign_of(row[e]) == sign_of(last_[e]);
      least = std::min(least, std::abs(row[e]));
      most = std::max(most, std::abs(row[e]));
    }
    if (!same || least < quiet_share * most) continue;
    quiet[e] = 1;
    see(e, most);
    last_[e] = samples_.back()[e];
  }
  return quiet;
}

double EventWatch::value(std::size_t event, double t, const Interpolant& at) {
  return known_sign(event, t, raw_value(event, t, at));
}

bool EventWatch::accepts(std::size_t event, bool rising) const {
  const Direction direction = events_[event].direction;
  return direction == Direction::any || (direction == Direction::rising) == rising;
}

// To rounding. Each value costs a projection, so secants are tried inside what bisection would leave (the ITP method of
// Oliveira and Takahashi, ACM TOMS 47, 2020): never more values than bisection and one, and few where it is smooth.
double EventWatch::root_between(std::size_t event, Sample low, Sample high, const Interpolant& at) {
  constexpr double truncation = 0.2;
  const double whole = std::abs(high.t - low.t);
  const double fine = 4.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(low.t), std::abs(high.t));
  double allowed = std::exp2(std::ceil(std::log2(std::max(whole / fine, 1.0)))) * fine;  // width of bisection, doubled
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low.t + high.t), width = std::abs(high.t - low.t);
    if (middle == low.t || middle == high.t) break;
    double t = (low.t * high.x - high.t * low.x) / (high.x - low.x);
    if (width > fine && std::isfinite(t)) {
      const double towards = middle >= t ? 1.0 : -1.0, shift = truncation * width * width / whole;
      const double radius = std::max(allowed - 0.5 * width, 0.0);
      t = shift <= std::abs(middle - t) ? t + towards * shift : middle;
      if (std::abs(t - middle) > radius) t = middle - towards * radius;
    } else {
      t = middle;
    }
    if (t == low.t || t == high.t) t = middle;
    const Sample inside{t, value(event, t, at)};
    (sign_of(inside.x) == sign_of(low.x) ? low : high) = inside;
    allowed = std::max(0.5 * allowed, fine);
  }
  return high.t;
}

std::vector<EventRecord> EventWatch::find(double begin, double end, const Interpolant& at, const Interpolant& nearby) {
  std::vector<EventRecord> found;
  direction_ = end >= begin ? 1.0 : -1.0;
  const std::vector<char> quiet = quiet_events(begin, end, nearby);
  if (std::ranges::find(quiet, 0) == quiet.end()) return found;
  take_samples(begin, end, at, samples_);
  for (std::size_t e = 0; e < events_.size(); ++e)
    if (!quiet[e]) find_roots(e, begin, end, at, found);
  for (auto& record : found) {
    record.state.resize(state_.size());
    at(record.time, record.state);
  }
  std::stable_sort(found.begin(), found.end(),
                   [&](const auto& a, const auto& b) { return direction_ * a.time < direction_ * b.time; });
  return found;
}

// The smallest |value| of a dip between three samples of one sign, by golden section; stops as soon as the sign
// changes.
EventWatch::Sample EventWatch::bottom_of_dip(std::size_t event, const Sample& left, const Sample& middle,
                                             const Sample& right, const Interpolant& at) {
  constexpr double golden = 0.3819660112501051, rounding = 4.0 * std::numeric_limits<double>::epsilon();
  double low = left.t, high = right.t;
  Sample best = middle;
  for (int k = 0; k < 100 && std::abs(high - low) > rounding * std::abs(high); ++k) {
    const bool upper = std::abs(high - best.t) > std::abs(best.t - low);
    const double t = upper ? best.t + golden * (high - best.t) : best.t - golden * (best.t - low);
    const Sample probe{t, value(event, t, at)};
    const bool crossed = sign_of(probe.x) != sign_of(middle.x);
    if (crossed || std::abs(probe.x) < std::abs(best.x)) {
      (upper ? low : high) = best.t;
      best = probe;
      if (crossed) break;
    } else {
      (upper ? high : low) = probe.t;
    }
  }
  return best;
}

void EventWatch::cross(std::size_t event, const Sample& from, const Sample& to, const Interpolant& at,
                       std::vector<EventRecord>& found) {
  if (accepts(event, from.x < 0.0)) found.push_back({event, root_between(event, from, to, at), {}});
}

// One sample more: what happened since the last one?
void EventWatch::follow(std::size_t event, Track& track, const Sample& now, double begin, const Interpolant& at,
                        std::vector<EventRecord>& found) {
  auto& [before, last] = track;
  if (now.x == 0.0) return;
  if (last.x == 0.0 && jumped_ == event && events_[event].direction != Direction::any && accepts(event, now.x > 0.0)) {
    // It left zero and came back before the first sample, or never left: look for the excursion, else fire where it
    // started.
    Sample inside{begin, 0.0};
    for (double share = 0.5; share > 1e-12 && inside.t == begin; share *= 0.5) {
      const Sample probe{begin + share * (now.t - begin), value(event, begin + share * (now.t - begin), at)};
      if (sign_of(probe.x) == -sign_of(now.x)) inside = probe;
    }
    if (inside.t == begin)
      found.push_back({event, begin, {}});
    else
      cross(event, inside, now, at, found);
    last = now;
    jumped_.reset();
    return;
  }
  if (last.x == 0.0) {  // not armed yet: away from zero?
    last = {now.t, std::abs(now.x) > 1e-9 * scale_[event] ? now.x : 0.0};
    return;
  }
  if (sign_of(now.x) != sign_of(last.x)) {
    cross(event, last, now, at, found);
    before.x = 0.0;
  } else if (before.x != 0.0 && std::isfinite(last.x) && std::abs(last.x) <= std::abs(before.x) &&
             std::abs(last.x) <= std::abs(now.x) &&
             std::abs(last.x) <= deep_share * std::max(std::abs(before.x), std::abs(now.x))) {
    // A dip towards zero: two roots close together, or one that only touches.
    const Sample bottom = bottom_of_dip(event, before, last, now, at);
    if (sign_of(bottom.x) == -sign_of(last.x)) {
      cross(event, before, bottom, at, found);
      cross(event, bottom, now, at, found);
    } else if (std::abs(bottom.x) <= zero_share * scale_[event] && events_[event].direction == Direction::any) {
      found.push_back({event, bottom.t, {}});
    }
    before.x = 0.0;
  } else {
    before = last;
  }
  last = now;
}

void EventWatch::find_roots(std::size_t event, double begin, double end, const Interpolant& at,
                            std::vector<EventRecord>& found) {
  Track track{{begin, 0.0}, {begin, last_[event]}};
  double previous = begin;
  bool number = std::isfinite(last_[event]);
  for (int i = 1; i <= samples; ++i) {
    const double t = i == samples ? end : begin + i * (end - begin) / samples;
    const double x = samples_[static_cast<std::size_t>(i - 1)][event];
    see(event, x);
    if (std::isnan(x) && number) {  // a root may lie between the last sample and where the numbers end
      const double edge = edge_of_numbers(event, previous, t, at);
      if (edge != previous) follow(event, track, {edge, raw_value(event, edge, at)}, begin, at, found);
    }
    const double known = known_sign(event, t, x);
    if (known != 0.0) follow(event, track, {t, known}, begin, at, found);
    number = !std::isnan(x);
    previous = t;
  }
  last_[event] = track.last.x;
}

}  // namespace driftless
