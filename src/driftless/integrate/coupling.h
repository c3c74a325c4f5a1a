// When the stages of Radau get a Jacobian each, and when they go back to one for all.
#pragma once

#include <algorithm>

#include "driftless/integrate/calibration.h"

namespace driftless {

// If it is Newton that limits the steps again and again, the stages are coupled. Now and then a step is tried without:
// if that goes well, it takes more limits to couple them the next time; if not, it is longer until the next try.
class Coupling {
 public:
  explicit Coupling(bool possible) : possible_(possible) {}

  bool coupled() const { return coupled_; }
  bool probing() const { return probing_; }

  // Before a step that continues the last one: true if it is tried uncoupled.
  bool begins_probe() {
    if (!coupled_ || steps_ < next_probe_) return false;
    uncouple();
    return probing_ = true;
  }
  // Newton limited the step, or failed: true if the stages are coupled from now on.
  bool limited() {
    if (++limits_ < limits_wanted_ || !possible_) return false;
    coupled_ = true;
    steps_ = 0;
    next_probe_ = calibrated::first_probe;
    return true;
  }
  // A step was accepted: true if the stages are coupled because of it.
  bool accepted(bool was_limited) {
    if (probing_) {
      end_probe(!was_limited);
      return false;
    }
    if (coupled_) {
      ++steps_;
      return false;
    }
    if (was_limited) return limited();
    limits_ = 0;
    return false;
  }
  // The step that was tried uncoupled failed, or the next one would have to be shorter: coupled as before.
  void end_probe(bool well) {
    probing_ = false;
    if (well) {
      limits_wanted_ = std::min(2 * limits_wanted_, calibrated::most_limits_wanted);
      return;
    }
    coupled_ = true;
    next_probe_ *= 2;
  }
  void uncouple() {
    coupled_ = false;
    limits_ = 0;
  }

  template <class Visitor>
  void visit(Visitor&& visitor) {
    visitor(coupled_, probing_, limits_, limits_wanted_, steps_, next_probe_);
  }

 private:
  bool possible_, coupled_ = false, probing_ = false;
  int limits_ = 0, limits_wanted_ = calibrated::first_limits_wanted;  // one time after the other; how many it takes
  std::size_t steps_ = 0, next_probe_ = calibrated::first_probe;  // coupled ones; after how many it is tried without
};

}  // namespace driftless
