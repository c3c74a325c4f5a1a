// The data behind figures 1 to 5: solutions and constraint residuals at every accepted step, tol = 1e-8.
#pragma once

#include <string>
#include <vector>

#include "apps/driftless/reproduce/run.h"

namespace reproduce {

struct Column {
  std::string name;
  std::vector<double> values;
};

// One run: t, the position coordinates, and d1, d2, d3 (pendulum, with their signs: figures 1 to 3) or the largest
// components of d1, d2 (Andrews: figures 4 and 5).
struct Trace {
  const Experiment& experiment;
  bool projected;
  double error;  // of u and v at the end, against the reference
  std::vector<Column> columns;
};

constexpr double figure_tolerance = 1e-8;

Trace compute_trace(const Experiment& experiment, bool projected);

}  // namespace reproduce
