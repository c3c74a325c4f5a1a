// Results that leave the range between their `min` and `max` while a run goes on.
#pragma once

#include "driftless/simulate/model.h"

namespace driftless {

// One side of the range of one result, violated.
struct RangeViolation {
  std::string name;
  bool above = false;  // its max, or below its min
  double bound = 0.0;
  double first = 0.0;              // time at which it was seen first
  double value = 0.0, time = 0.0;  // farthest from the bound
};

std::string words_of(const RangeViolation& violation);

class RangeWatch {
 public:
  RangeWatch(const std::vector<ResultColumn>& results, const Tolerance& tolerance);

  bool has_bounds() const { return !bounded_.empty(); }
  void see(double t, ConstSpan values);            // of all results
  std::vector<RangeViolation> violations() const;  // in the order of the results

 private:
  struct Bounded {
    std::size_t result;
    RangeViolation seen;
    double margin;  // errors of the size of the tolerance are no violation
    bool violated = false;
  };

  std::vector<Bounded> bounded_;
};

}  // namespace driftless
