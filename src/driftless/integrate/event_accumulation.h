// Events that come ever faster: how many of them lie within a vanishing time. Any number may come in a whole run.
#pragma once

#include <deque>
#include <string>

namespace driftless {

class EventAccumulation {
 public:
  // `limit` events within a ten millionth of the length of the run accumulate.
  EventAccumulation(std::size_t limit, double length);

  // True if the events until t accumulate there.
  bool see(double t);
  std::string words() const;

 private:
  static constexpr double share = 1e-7;
  std::size_t limit_;
  double window_;
  std::deque<double> times_;  // the last ones
};

}  // namespace driftless
