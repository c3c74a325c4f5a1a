// Events of one relation that come in ever shorter intervals, as the bounces of a ball do, and end because the last
// ones are too short to be seen. What comes behind that point is no solution, unless another event of the same states
// catches it: a ball would go on through the floor.
#pragma once

#include <deque>
#include <optional>
#include <unordered_map>

#include "driftless/core/failure.h"
#include "driftless/simulate/stretch.h"

namespace driftless {

class AccumulationPoint {
 public:
  struct Passed {
    double time = 0.0;
    std::string relation;
    Stretch stretch;  // that begins there
    Failure failure() const;
  };

  AccumulationPoint(double length, double absolute) : length_(length), absolute_(absolute) {}

  // Events of a stretch, by their numbers in it, and the stretch that they lead to.
  void see_events(const Stretch& before, const std::vector<std::size_t>& events, const Stretch& after);
  // After an accepted step.
  void see(const Stretch& stretch, double t, ConstSpan state);
  // The point that was passed, if the run went on behind one.
  const Passed* passed() const { return point_ && gone_ ? &*point_ : nullptr; }

 private:
  // Shorter ten times in a row, to a thousandth in all, with all that could come still within a ten thousandth of the
  // run. To have gone on means that a hundred times the time that was left is over, and that the root has left zero.
  static constexpr int in_a_row = 10;
  static constexpr double shorter = 1e-3, rest = 1e-4, patience = 100.0, away = 1000.0;

  struct Trail {
    std::deque<double> times;  // the last five
    int shrinking = 0;
    double first = 0.0;  // interval of those that shrink
  };
  std::optional<double> time_left(Trail& trail, double t) const;

  double length_, absolute_;
  std::unordered_map<std::size_t, Trail> trails_;
  std::optional<Passed> point_;
  std::size_t event_ = 0;  // that accumulates
  double deadline_ = 0.0, root_ = 0.0;
  bool gone_ = false;
};

}  // namespace driftless
