// Clouds of consistent starts.
#pragma once

#include <cstdint>

#include "driftless/analysis/geometric/index2_problem.h"
#include "driftless/core/execution.h"

namespace driftless {

struct CloudOptions {
  Vector center = {};       // u, on the constraint or near it
  Vector half_widths = {};  // of the box around it, one per component, or one for all
  std::size_t count = 64;
  std::uint64_t seed = 1;
  double time = 0.0;
  bool leave_out_inconsistent = false;  // or fail if a start cannot be brought onto the constraint
  Execution execution = {};
};

// `count` states: points of the box, equally distributed, each moved to the nearest point of the constraint, with
// psi_0. The same for every number of threads. A Failure, with the number of starts concerned and the reason for the
// first, if the box reaches out of the domain of the constraint.
Result<std::vector<Vector>> make_cloud(const Index2& equations, const CloudOptions& options);

// Number k of a sequence that looks random, in [0, 1): the same on every machine.
double scattered(std::uint64_t seed, std::uint64_t k);

}  // namespace driftless
