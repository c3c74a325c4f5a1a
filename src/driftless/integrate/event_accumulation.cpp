#include "driftless/integrate/event_accumulation.h"

#include <fmt/format.h>

#include <cmath>

namespace driftless {

EventAccumulation::EventAccumulation(std::size_t limit, double length)
    : limit_(limit), window_(share * std::abs(length)) {}

bool EventAccumulation::see(double t) {
  times_.push_back(t);
  if (times_.size() > limit_) times_.pop_front();
  return times_.size() == limit_ && std::abs(t - times_.front()) <= window_;
}

std::string EventAccumulation::words() const {
  return fmt::format("events accumulate: {} of them came within {:.2g}", times_.size(),
                     std::abs(times_.back() - times_.front()));
}

}  // namespace driftless
