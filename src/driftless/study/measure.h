// One number of a run: what a study shows of it.
#pragma once

#include <string>

#include "driftless/simulate/simulation.h"

namespace driftless {

struct Measure {
  enum class Kind { end, largest, smallest, mean, time_of_event };
  Kind kind = Kind::end;
  std::string name;  // of a result; of an event as the run calls it, without blanks
  std::string text;  // as written: the title of the column

  bool needs_path() const { return kind != Kind::end && kind != Kind::time_of_event; }
};

// "x", "end(x)", "max(x)", "min(x)", "mean(x)", "time(x < 0)". Misuse for anything else.
Measure measure_from(const std::string& text);

// Misuse if the run has no such result. The time of an event is that of the first one of this name; NaN if it did not
// come. Extremes are looked for between rows as well, around the extreme row; the mean is that over time. Both need a
// run with rows and polynomials.
double measured(const Measure& measure, const Simulation& run);

}  // namespace driftless
