// The two examples of Schropp 2003, section 4: set-up and published counts.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "driftless/integrate/adaptive_options.h"

namespace reproduce {

struct Counts {
  std::size_t evaluations = 0, jacobians = 0;
};

struct PaperRow {
  double tol;                          // relative and absolute
  Counts without, with;                // as printed
  Counts radau5_without, radau5_with;  // of Hairer and Wanner's program itself, with the projection added to it
};

struct Experiment {
  std::string_view item, title;
  std::string_view problem;  // of the test set
  double end, first_step;
  driftless::ConstraintLevel level;
  std::vector<PaperRow> paper;
};

const Experiment& pendulum();
const Experiment& andrews();
std::span<const Experiment> experiments();

// RADAU5's strategies as in the paper, with or without the velocity projection (2.8).
driftless::AdaptiveOptions classic_options(const Experiment& experiment, bool projected);

}  // namespace reproduce
