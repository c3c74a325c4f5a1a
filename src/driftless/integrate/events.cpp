#include "driftless/integrate/events.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless {

namespace {

// Samples per step: enough to separate roots a tenth of a step apart; closer pairs are found by the extremum between them.
constexpr int samples = 12;
// Below this share of the largest value seen, a function counts as zero.
constexpr double zero_share = 1e-12;

double sign_of(double x) { return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0; }

}  // namespace

EventWatch::EventWatch(const std::vector<Event>& events, std::size_t state_size)
    : events_(events), state_(state_size), scale_(events.size(), 0.0), last_(events.size(), 0.0) {}

void EventWatch::restart(double t, ConstSpan state) {
  for (std::size_t e = 0; e < events_.size(); ++e) {
    const double x = events_[e].root(t, state);
    scale_[e] = std::max(scale_[e], std::abs(x));
    last_[e] = std::abs(x) <= 1e-9 * scale_[e] ? 0.0 : x;
  }
}

double EventWatch::value(std::size_t event, double t, const Interpolant& at) {
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

void EventWatch::find_roots(std::size_t event, double begin, double end, const Interpolant& at, std::vector<EventRecord>& found) {
  const double width = (end - begin) / samples;
  auto report = [&](double t) { found.push_back({event, t, {}}); };
  auto cross = [&](double low, double value_low, double high) {
    if (accepts(event, value_low < 0.0)) report(bisect(event, low, value_low, high, at));
  };
  double before = last_[event], middle = last_[event];
  double t_before = begin, t_middle = begin;
  for (int i = 1; i <= samples; ++i) {
    const double t = i == samples ? end : begin + i * width;
    const double x = value(event, t, at);
    if (!std::isfinite(x)) continue;
    if (middle == 0.0) {  // not armed yet: away from zero?
      if (std::abs(x) > 1e-9 * scale_[event]) middle = x;
      t_middle = t;
      before = 0.0;
      continue;
    }
    if (sign_of(x) != sign_of(middle) && sign_of(x) != 0.0) {
      cross(t_middle, middle, t);
      before = 0.0;
    } else {
      // A dip towards zero between three samples of one sign: two roots close together, or one that only touches.
      const bool dip = before != 0.0 && std::abs(middle) <= std::abs(before) && std::abs(middle) <= std::abs(x);
      if (dip) {
        constexpr double golden = 0.3819660112501051;
        double low = t_before, high = t, best = t_middle, best_value = middle;
        for (int k = 0; k < 100 && std::abs(high - low) > 4.0 * std::numeric_limits<double>::epsilon() * std::abs(high); ++k) {
          const double probe = std::abs(high - best) > std::abs(best - low) ? best + golden * (high - best) : best - golden * (best - low);
          const double y = value(event, probe, at);
          const bool lower = sign_of(y) != sign_of(middle) || std::abs(y) < std::abs(best_value);
          if (lower) {
            ((probe - best) * (end - begin) > 0.0 ? low : high) = best;
            best = probe;
            best_value = y;
            if (sign_of(y) != sign_of(middle)) break;
          } else {
            ((probe - best) * (end - begin) > 0.0 ? high : low) = probe;
          }
        }
        if (sign_of(best_value) == -sign_of(middle)) {
          cross(t_before, before, best);
          cross(best, best_value, t);
        } else if (std::abs(best_value) <= zero_share * scale_[event] && events_[event].direction == Direction::any) {
          report(best);
        }
        before = 0.0;
        middle = x;
        t_middle = t;
        continue;
      }
      before = middle;
      t_before = t_middle;
    }
    middle = x == 0.0 ? middle : x;
    t_middle = t;
  }
  last_[event] = middle;
}

}  // namespace driftless
