// Where a run stands between its beginning and its end, and the step that it tries: the same for all adaptive steps.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/integrate/adaptive_options.h"
#include "driftless/integrate/calibration.h"

namespace driftless {

class Clock {
 public:
  Clock(double begin, double end, const Stepping& stepping)
      : t_(begin), end_(end), largest_(stepping.largest), limit_(stepping.limit) {}

  double time() const { return t_; }
  double h() const { return h_; }            // of the step that is tried
  double last_h() const { return last_h_; }  // of the last one accepted
  bool at_beginning() const { return last_h_ == 0.0; }
  bool finished() const { return finished_; }
  double room() const { return end_ - t_; }  // until the end
  // Where the step ends: exactly at the end, if it is the last one.
  double target() const { return last_ ? end_ : t_ + h_; }

  double limited(double wanted) const {
    return largest_ > 0.0 ? std::copysign(std::min(std::abs(wanted), largest_), wanted) : wanted;
  }
  // The next step has this size, or goes to the end if hardly anything would be left before it. If `keep`, it has the
  // size of the last one unless it is the last: false.
  bool propose(double wanted, bool keep = false) {
    last_ = (t_ + calibrated::stretch_to_end * wanted - end_) * wanted >= 0.0;
    if (last_) h_ = end_ - t_;
    if (!last_ && !keep) h_ = wanted;
    return last_ || !keep;
  }
  void retry(double factor) {
    h_ *= factor;
    last_ = false;
  }
  void advance() {
    last_ = last_ || (t_ + h_ - end_) * h_ >= 0.0;  // a shorter step may end there by rounding
    t_ = target();
    last_h_ = h_;
    finished_ = last_;
  }

  // False if there have been too many attempts.
  bool count_attempt() { return ++attempts_ <= limit_; }
  std::size_t limit() const { return limit_; }
  // A step that rounding of the time swallows.
  bool collapsed() const {
    return 0.1 * std::abs(h_) <= std::abs(t_) * std::numeric_limits<double>::epsilon() || std::abs(h_) < 1e-300;
  }

  template <class Visitor>
  void visit(Visitor&& visitor) {
    visitor(t_, end_, h_, last_h_, last_, finished_, attempts_);
  }

 private:
  double t_, end_, h_ = 0.0, last_h_ = 0.0;
  double largest_;
  std::size_t limit_, attempts_ = 0;
  bool last_ = false, finished_ = false;
};

}  // namespace driftless
