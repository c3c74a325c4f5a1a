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
constexpr std::size_t samples = 12;
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
      last_(events.size(), 0.0),
      farthest_(events.size(), 0.0) {
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
    farthest_[e] = std::abs(x);
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

double EventWatch::root_value(std::size_t event, double t, const Interpolant& at) {
  check_stop();
  at(t, state_);
  return events_[event].root(t, {state_, names_});
}

double EventWatch::raw_value(std::size_t event, double t, const Interpolant& at) {
  const double x = root_value(event, t, at);
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

double EventWatch::Search::time(std::size_t sample) const {
  return sample == samples ? end : begin + static_cast<double>(sample) * (end - begin) / static_cast<double>(samples);
}

void EventWatch::sample(std::size_t i, double t, const Interpolant& at) {
  check_stop();
  at(t, state_);
  Vector& row = samples_[i - 1];
  row.resize(events_.size());
  values_at(t, state_, row);
}

bool EventWatch::can_be_nearby(std::size_t event, const Nearby& nearby) const {
  return nearby.at && !(nearby.rough_multipliers && events_[event].reads_multipliers);
}

// Those that keep their sign and more than a tenth of their size are quiet: a state that is a little off cannot hide a
// root. Of the others, `closely` gets the samples around those where they do not.
bool EventWatch::keeps_quiet(std::size_t event, bool known, std::vector<char>& closely) const {
  if (!known || !std::isfinite(last_[event]) || last_[event] == 0.0 || jumped_ == event) {
    std::ranges::fill(closely, 1);
    return false;
  }
  double most = std::abs(last_[event]), before = last_[event];
  for (const Vector& row : samples_) most = std::fmax(most, std::abs(row[event]));
  const auto is_small = [&](double x) { return !(std::abs(x) >= quiet_share * most && std::isfinite(x)); };
  bool quiet = !is_small(before);
  if (!quiet) closely[0] = 1;
  for (std::size_t i = 0; i < samples; ++i) {
    const double x = samples_[i][event];
    if (is_small(x) || sign_of(x) != sign_of(before)) {
      quiet = false;
      for (std::size_t k = std::max<std::size_t>(i, 1) - 1; k < std::min(i + 2, samples); ++k) closely[k] = 1;
    }
    before = x;
  }
  return quiet;
}

// Samples are taken nearby, where that serves.
std::vector<EventWatch::Watched> EventWatch::choose(const Search& search, std::vector<char>& closely) {
  const bool many = events_.size() >= many_events && search.nearby.at;
  samples_.resize(samples);
  for (std::size_t i = 1; many && i <= samples; ++i) sample(i, search.time(i), search.nearby.at);
  std::vector<Watched> chosen;
  for (std::size_t e = 0; e < events_.size(); ++e) {
    if (!keeps_quiet(e, many && can_be_nearby(e, search.nearby), closely)) {
      chosen.push_back({e, {{search.begin, 0.0}, {search.begin, last_[e]}}, std::isfinite(last_[e])});
      continue;
    }
    for (const Vector& row : samples_) see(e, row[e]);
    last_[e] = samples_.back()[e];
    farthest_[e] = std::fmax(farthest_[e], std::abs(last_[e]));
  }
  return chosen;
}

double EventWatch::value(std::size_t event, double t, const Interpolant& at) {
  return known_sign(event, t, raw_value(event, t, at));
}

bool EventWatch::accepts(std::size_t event, bool rising) const {
  const Direction direction = events_[event].direction;
  return direction == Direction::any || (direction == Direction::rising) == rising;
}

// To a bracket of the width `fine`, or to rounding. Values are dear, so secants are tried inside what bisection would
// leave (the ITP method of Oliveira and Takahashi, ACM TOMS 47, 2020): never more values than bisection and one, and
// few where it is smooth.
template <class Sample, class Value>
void refine(Sample& low, Sample& high, double fine, const Value& value) {
  constexpr double truncation = 0.2;
  const double whole = std::abs(high.t - low.t);
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
    const Sample inside{t, value(t)};
    (sign_of(inside.x) == sign_of(low.x) ? low : high) = inside;
    allowed = std::max(0.5 * allowed, fine);
  }
}

double rounding_at(double low, double high) {
  return 4.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(low), std::abs(high));
}

// The root nearby is close to the one meant: the bracket becomes as small as both are apart.
void EventWatch::narrow(std::size_t event, Sample& low, Sample& high, const Search& search) {
  const auto nearby = [&](double t) { return root_value(event, t, search.nearby.at); };
  Sample a{low.t, nearby(low.t)}, b{high.t, nearby(high.t)};
  if (sign_of(a.x) != sign_of(low.x) || sign_of(b.x) == sign_of(a.x) || !std::isfinite(b.x)) return;
  refine(a, b, rounding_at(low.t, high.t), nearby);
  const Sample there{b.t, value(event, b.t, search.at)};
  const bool is_low = sign_of(there.x) == sign_of(low.x);
  const double slope = (high.x - low.x) / (high.t - low.t), way = is_low ? high.t - there.t : low.t - there.t;
  (is_low ? low : high) = there;
  double reach = std::max(2.0 * std::abs(there.x / slope), 4.0 * rounding_at(low.t, high.t));
  for (; reach < 0.5 * std::abs(way); reach *= 8.0) {
    const double t = there.t + std::copysign(reach, way);
    const Sample probe{t, value(event, t, search.at)};
    const bool same = sign_of(probe.x) == sign_of(low.x);
    (same ? low : high) = probe;
    if (same != is_low) return;
  }
}

std::vector<EventRecord> EventWatch::find(double begin, double end, const Interpolant& at, const Nearby& nearby) {
  Search search{.begin = begin, .end = end, .at = at, .nearby = nearby};
  direction_ = search.direction();
  std::vector<char> closely(samples, 0);
  std::vector<Watched> chosen = choose(search, closely);
  if (chosen.empty()) return {};
  for (std::size_t i = 1; i <= samples; ++i) {
    const double from = search.time(i - 1), t = search.time(i);
    // A dip that the first sample behind a root shows may be before it.
    if (i > 1 && search.is_over(search.time(i - 2))) break;
    if (closely[i - 1]) sample(i, t, at);
    for (Watched& one : chosen) advance(one, from, t, samples_[i - 1][one.event], search);
  }
  for (const Watched& one : chosen) last_[one.event] = one.track.last.x;
  std::erase_if(search.found,
                [&](const auto& record) { return search.stop && direction_ * (record.time - *search.stop) > 0.0; });
  for (auto& record : search.found) {
    record.state.resize(state_.size());
    at(record.time, record.state);
  }
  std::stable_sort(search.found.begin(), search.found.end(), [&](const auto& a, const auto& b) {
    return direction_ * a.time < direction_ * b.time || (a.time == b.time && a.event < b.event);
  });
  return std::move(search.found);
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

// Up to a root, from the last sample before it: an arc between two roots may be shorter than a step.
void EventWatch::see_excursion(std::size_t event, double from, double to, const Interpolant& at) {
  constexpr double nearby = 100.0;  // beyond, nobody asks how far
  double& farthest = farthest_[event];
  if (events_[event].rounding > 0.0 && farthest <= nearby * events_[event].rounding)
    farthest = std::fmax(farthest, std::abs(root_value(event, 0.5 * (from + to), at)));
}

void EventWatch::add(std::size_t event, double t, Search& search) const {
  search.found.push_back({.event = event, .time = t, .state = {}, .farthest = farthest_[event]});
  const bool ends = events_[event].terminal || events_[event].jump;
  if (ends && !search.is_over(t)) search.stop = t;
}

void EventWatch::cross(std::size_t event, const Sample& from, const Sample& to, Search& search) {
  if (!accepts(event, from.x < 0.0) || search.is_over(from.t)) return;
  Sample low = from, high = to;
  if (search.stop && search.is_over(to.t)) {
    high = {*search.stop, value(event, *search.stop, search.at)};
    if (sign_of(high.x) == sign_of(low.x)) return;  // it comes later
  }
  if (events_.size() >= many_events && can_be_nearby(event, search.nearby)) narrow(event, low, high, search);
  refine(low, high, rounding_at(low.t, high.t), [&](double t) { return value(event, t, search.at); });
  see_excursion(event, from.t, high.t, search.at);
  add(event, high.t, search);
}

// One sample more: what happened since the last one?
void EventWatch::follow(std::size_t event, Track& track, const Sample& now, Search& search) {
  auto& [before, last] = track;
  const double begin = search.begin;
  if (now.x == 0.0) return;
  farthest_[event] = std::fmax(farthest_[event], std::abs(last.x));
  if (last.x == 0.0 && jumped_ == event && events_[event].direction != Direction::any && accepts(event, now.x > 0.0)) {
    // It left zero and came back before the first sample, or never left: look for the excursion, else fire where it
    // started.
    Sample inside{begin, 0.0};
    for (double share = 0.5; share > 1e-12 && inside.t == begin; share *= 0.5) {
      const Sample probe{begin + share * (now.t - begin), value(event, begin + share * (now.t - begin), search.at)};
      if (sign_of(probe.x) == -sign_of(now.x)) inside = probe;
    }
    if (inside.t == begin)
      add(event, begin, search);
    else
      cross(event, inside, now, search);
    last = now;
    jumped_.reset();
    return;
  }
  if (last.x == 0.0) {  // not armed yet: away from zero?
    last = {now.t, std::abs(now.x) > 1e-9 * scale_[event] ? now.x : 0.0};
    return;
  }
  if (sign_of(now.x) != sign_of(last.x)) {
    cross(event, last, now, search);
    before.x = 0.0;
  } else if (before.x != 0.0 && std::isfinite(last.x) && std::abs(last.x) <= std::abs(before.x) &&
             std::abs(last.x) <= std::abs(now.x) &&
             std::abs(last.x) <= deep_share * std::max(std::abs(before.x), std::abs(now.x))) {
    // A dip towards zero: two roots close together, or one that only touches.
    const Sample bottom = bottom_of_dip(event, before, last, now, search.at);
    if (sign_of(bottom.x) == -sign_of(last.x)) {
      cross(event, before, bottom, search);
      cross(event, bottom, now, search);
    } else if (std::abs(bottom.x) <= zero_share * scale_[event] && events_[event].direction == Direction::any) {
      add(event, bottom.t, search);
    }
    before.x = 0.0;
  } else {
    before = last;
  }
  last = now;
}

// One sample more of one function.
void EventWatch::advance(Watched& one, double from, double t, double x, Search& search) {
  see(one.event, x);
  if (std::isnan(x) && one.number) {  // a root may lie between the last sample and where the numbers end
    const double edge = edge_of_numbers(one.event, from, t, search.at);
    if (edge != from) follow(one.event, one.track, {edge, raw_value(one.event, edge, search.at)}, search);
  }
  const double known = known_sign(one.event, t, x);
  if (known != 0.0) follow(one.event, one.track, {t, known}, search);
  one.number = !std::isnan(x);
}

}  // namespace driftless
