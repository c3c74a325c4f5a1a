// A box of states and times, on which constants are sought.
#pragma once

#include <vector>

#include "driftless/core/interval.h"
#include "driftless/core/matrix.h"

namespace driftless {

struct Box {
  std::vector<Interval> x = {};
  Interval t = Interval(0.0);

  // Coordinate k of the box: a component of x, or time as the last one.
  std::size_t coordinates() const { return x.size() + 1; }
  Interval& side(std::size_t k) { return k < x.size() ? x[k] : t; }
  const Interval& side(std::size_t k) const { return k < x.size() ? x[k] : t; }

  Vector middle() const {
    Vector m(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) m[i] = x[i].middle();
    return m;
  }
  bool contains(ConstSpan point) const {
    for (std::size_t i = 0; i < x.size(); ++i)
      if (!x[i].contains(point[i])) return false;
    return true;
  }
};

// The box that consists of one point.
inline Box box_of(ConstSpan x, double t) {
  Box box{.t = Interval(t)};
  for (const double value : x) box.x.emplace_back(value);
  return box;
}

// centre +- half_widths.
inline Box box_around(ConstSpan centre, ConstSpan half_widths, Interval t = Interval(0.0)) {
  Box box{.t = t};
  for (std::size_t i = 0; i < centre.size(); ++i)
    box.x.push_back(Interval(centre[i]) + Interval(-half_widths[i], half_widths[i]));
  return box;
}

}  // namespace driftless
