// How far a run is, as a line of the watch.
#pragma once

#include <chrono>

#include "driftless/integrate/solve.h"

namespace driftless::cli {

class Progress {
 public:
  explicit Progress(TimeSpan span) : span_(span) {}

  void see(double t);  // after every step

 private:
  using Clock = std::chrono::steady_clock;

  TimeSpan span_;
  Clock::time_point begin_ = Clock::now();
  std::size_t steps_ = 0;
};

}  // namespace driftless::cli
