// The largest value of a function on a box, between certain bounds, by bisection of the box.
#pragma once

#include <functional>
#include <optional>

#include "driftless/analysis/stability/box.h"

namespace driftless {

struct Refinement {
  double relative = 1e-6, absolute = 1e-9;  // wanted width of the enclosure
  std::size_t boxes = 2000;                 // at most so many are looked at
};

struct Supremum {
  double lower, upper;  // certain bounds
  Vector where;         // a point at which `lower` is attained
  double time = 0.0;
  std::size_t boxes = 0;   // looked at
  bool undecided = false;  // a formula branches inside the box in a way that no bisection resolved
  double width() const { return upper - lower; }
};

// `over(box)` contains all values on the box, or is nothing if the box holds no point that counts. `at(box)` contains
// the value at one point that counts and replaces `box` by it, or is nothing. UndecidedComparison makes a box
// unbounded.
struct BoxFunction {
  std::function<std::optional<Interval>(const Box&)> over;
  std::function<std::optional<Interval>(Box&)> at;
};

Supremum supremum_on(const Box& box, const BoxFunction& function, const Refinement& refinement);

}  // namespace driftless
