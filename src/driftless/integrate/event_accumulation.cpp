#include "driftless/integrate/event_accumulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace driftless {

EventAccumulation::EventAccumulation(std::size_t limit, double length)
    : limit_(limit), window_(share * std::abs(length)), long_window_(long_share * std::abs(length)) {}

std::size_t EventAccumulation::close(std::size_t count, double window) const {
  if (times_.size() < count || count == 0) return 0;
  return std::abs(times_.back() - times_[times_.size() - count]) <= window ? count : 0;
}

bool EventAccumulation::see(double t) {
  times_.push_back(t);
  if (times_.size() > 10 * limit_) times_.pop_front();
  seen_ = std::max(close(limit_, window_), close(10 * limit_, long_window_));
  return seen_ > 0;
}

Failure EventAccumulation::failure(double t, std::string relation, std::string advice) const {
  return {.kind = FailureKind::too_many_steps,
          .time = t,
          .what_happened = fmt::format("events accumulate: {} of them came within {:.2g}", seen_,
                                       std::abs(times_.back() - times_[times_.size() - seen_])),
          .what_to_try = std::move(advice),
          .where = std::move(relation)};
}

}  // namespace driftless
