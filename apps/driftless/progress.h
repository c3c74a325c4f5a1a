// A line that tells how far a run is, on a terminal, from the first second on.
#pragma once

#include <chrono>

#include "apps/driftless/terminal.h"
#include "driftless/integrate/solve.h"

namespace driftless::cli {

class Progress {
 public:
  Progress(TimeSpan span, When when);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void see(double t);  // after every step
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void show(double t, Clock::time_point now);

  TimeSpan span_;
  bool wanted_, shown_ = false;
  Clock::time_point begin_, due_;
  std::size_t steps_ = 0;
};

}  // namespace driftless::cli
