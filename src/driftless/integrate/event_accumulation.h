// Events that come ever faster: how many of them lie within a vanishing time. Any number may come in a whole run.
#pragma once

#include <deque>
#include <string>

#include "driftless/core/failure.h"

namespace driftless {

class EventAccumulation {
 public:
  // `limit` events within a ten millionth of the length of the run accumulate, and ten times as many within a hundred
  // thousandth: at this rate a run would have a thousand million of them.
  EventAccumulation(std::size_t limit, double length);

  // True if the events until t accumulate there.
  bool see(double t);
  Failure failure(double t, std::string relation, std::string advice) const;

 private:
  static constexpr double share = 1e-7, long_share = 1e-5;
  std::size_t close(std::size_t count, double window) const;  // as many as that, if the last `count` are within it
  std::size_t limit_;
  double window_, long_window_;
  std::size_t seen_ = 0;      // close to each other
  std::deque<double> times_;  // the last ones
};

}  // namespace driftless
