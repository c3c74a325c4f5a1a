// Equations, a start and options in; a Solution out.
#pragma once

#include "driftless/integrate/solution.h"
#include "driftless/step/stepper.h"

namespace driftless {

struct TimeSpan {
  double begin = 0.0;
  double end = 1.0;
};

struct SolveOptions {
  TimeSpan span = {};
  // Fixed steps: their number, or their size (the last one is shortened to meet the end).
  std::optional<std::size_t> steps = {};
  std::optional<double> step_size = {};
  Method method = {};
  StartOptions start = {};
  NewtonOptions newton = {};
  // Keep every k-th state besides the first and the last.
  std::size_t keep_every = 1;
};

// Makes the start consistent (see make_consistent for what it may leave out) and integrates. Throws Misuse for calls that
// cannot be right; numerical trouble is in the Solution, with everything computed until then.
Solution solve(const Equations& equations, ConstSpan start, const SolveOptions& options);

inline Solution solve(const Equations& equations, std::initializer_list<double> start, const SolveOptions& options) {
  return solve(equations, ConstSpan(start.begin(), start.size()), options);
}

}  // namespace driftless
