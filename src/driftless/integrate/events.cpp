#include "driftless/integrate/events.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/core/stop.h"

namespace driftless {

namespace {

// Samples per step: enough to separate roots a tenth of a step apart; closer pairs are found by the extremum between
// them.
constexpr int samples = 12;
// Below this share of the largest value seen, a function counts as zero.
constexpr double zero_share = 1e-12;

double sign_of(double x) { return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0; }

}  // namespace

EventWatch::EventWatch(const std::vector<Event>& events, std::size_t state_size)
    : events_(events), state_(state_size), scale_(events.size(), 0.0), last_(events.size(), 0.0) {}

void EventWatch::restart(double t, ConstSpan state, std::optional<std::size_t> jumped) {
  jumped_ = jumped;
  for (std::size_t e = 0; e < events_.size(); ++e) {
    const double x = events_[e].root(t, state);
    scale_[e] = std::max(scale_[e], std::abs(x));
    last_[e] = std::abs(x) <= 1e-9 * scale_[e] ? 0.0 : x;
  }
}

double EventWatch::value(std::size_t event, double t, const Interpolant& at) {
  check_stop();
  at(t, state_);
  const double x = events_[event].root(t, state_);
  if (std::isfinite(x)) scale_[event] = std::max(scale_[event], std::abs(x));
  return x;
}

bool EventWatch::accepts(std::size_t event, bool rising) const {
  const Direction direction = events_[event].direction;
  return direction == Direction::any || (direction == Direction::rising) == rising;
}

// Plain bisection to rounding: event functions may have kinks, and an evaluation is cheap against a step.
double EventWatch::bisect(std::size_t event, double low, double value_low, double high, const Interpolant& at) {
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    const double x = value(event, middle, at);
    if (sign_of(x) == sign_of(value_low)) {
      low = middle;
      value_low = x;
    } else {
      high = middle;
    }
  }
  return high;
}

std::vector<EventRecord> EventWatch::find(double begin, double end, const Interpolant& at) {
  std::vector<EventRecord> found;
  for (std::size_t e = 0; e < events_.size(); ++e) find_roots(e, begin, end, at, found);
  for (auto& record : found) {
    record.state.resize(state_.size());
    at(record.time, record.state);
  }
  const double direction = end >= begin ? 1.0 : -1.0;
  std::stable_sort(found.begin(), found.end(),
                   [&](const auto& a, const auto& b) { return direction * a.time < direction * b.time; });
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

void EventWatch::find_roots(std::size_t event, double begin, double end, const Interpolant& at,
                            std::vector<EventRecord>& found) {
  auto report = [&](double t) { found.push_back({event, t, {}}); };
  auto cross = [&](const Sample& from, double to) {
    if (accepts(event, from.x < 0.0)) report(bisect(event, from.t, from.x, to, at));
  };
  // The last two samples of the present sign; x = 0 means none yet.
  Sample before{begin, 0.0}, last{begin, last_[event]};
  for (int i = 1; i <= samples; ++i) {
    const double t = i == samples ? end : begin + i * (end - begin) / samples;
    const Sample now{t, value(event, t, at)};
    if (!std::isfinite(now.x) || now.x == 0.0) continue;
    if (last.x == 0.0 && jumped_ == event && events_[event].direction != Direction::any &&
        accepts(event, now.x > 0.0)) {
      // It left zero and came back before the first sample, or never left: look for the excursion, else fire where it
      // started.
      double inside = begin;
      for (double share = 0.5; share > 1e-12 && inside == begin; share *= 0.5)
        if (sign_of(value(event, begin + share * (now.t - begin), at)) == -sign_of(now.x))
          inside = begin + share * (now.t - begin);
      if (inside == begin)
        report(begin);
      else
        cross({inside, -now.x}, now.t);
      last = now;
      jumped_.reset();
      continue;
    }
    if (last.x == 0.0) {  // not armed yet: away from zero?
      last = {t, std::abs(now.x) > 1e-9 * scale_[event] ? now.x : 0.0};
      continue;
    }
    if (sign_of(now.x) != sign_of(last.x)) {
      cross(last, now.t);
      before.x = 0.0;
    } else if (before.x != 0.0 && std::abs(last.x) <= std::abs(before.x) && std::abs(last.x) <= std::abs(now.x)) {
      // A dip towards zero: two roots close together, or one that only touches.
      const Sample bottom = bottom_of_dip(event, before, last, now, at);
      if (sign_of(bottom.x) == -sign_of(last.x)) {
        cross(before, bottom.t);
        cross(bottom, now.t);
      } else if (std::abs(bottom.x) <= zero_share * scale_[event] && events_[event].direction == Direction::any) {
        report(bottom.t);
      }
      before.x = 0.0;
    } else {
      before = last;
    }
    last = now;
  }
  last_[event] = last.x;
}

}  // namespace driftless
