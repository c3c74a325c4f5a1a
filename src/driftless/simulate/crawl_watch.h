// A solution that crosses the root of a relation inside noEvent again and again, within a vanishing time: the steps
// have become so short that each side is left within one of them.
#pragma once

#include <deque>

#include "driftless/core/failure.h"
#include "driftless/simulate/stretch.h"

namespace driftless {

class CrawlWatch {
 public:
  explicit CrawlWatch(double length) : window_(share * length) {}

  void begin_stretch();
  // After an accepted step.
  void see(const Stretch& stretch, double t, ConstSpan state);
  bool crawls() const { return crawls_; }
  static Failure failure(double t);

 private:
  // A hundred crossings within a hundred thousandth of the run. Oscillations as fast as this are rare, and lose nothing
  // when their relations become events.
  static constexpr double share = 1e-5;
  static constexpr std::size_t limit = 100;
  double window_;
  std::deque<double> crossings_;
  Vector last_, now_;
  bool crawls_ = false;
};

}  // namespace driftless
