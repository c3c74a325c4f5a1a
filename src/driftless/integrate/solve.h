// Equations, a start and options in; a Solution out.
#pragma once

#include <functional>

#include "driftless/core/stop_request.h"
#include "driftless/equations/written_constraint.h"
#include "driftless/integrate/adaptive_options.h"
#include "driftless/integrate/solution.h"
#include "driftless/step/newton_options.h"

namespace driftless {

struct TimeSpan {
  double begin = 0.0;
  double end = 1.0;
};

struct SolveOptions {
  TimeSpan span = {};

  // Adaptive steps, the default.
  AdaptiveMethod adaptive = AdaptiveMethod::automatic;
  Tolerance tolerance = {};
  Stepping stepping = {};
  RadauOptions radau = {};

  // Fixed steps instead: their number, or their size (the last one is shortened to meet the end), with this method.
  std::optional<std::size_t> steps = {};
  std::optional<double> step_size = {};
  Method method = {};
  NewtonOptions newton = {};

  StartOptions start = {};

  // What is kept: every k-th step besides the first and the last, or the states at these times.
  std::size_t keep_every = 1;
  Vector output_times = {};
  // Keep the polynomials for Solution::at(); of fixed steps only if all are kept. Unset: up to 20 000 unknowns.
  std::optional<bool> dense = {};
  bool project_output = true;  // states between the steps are projected on the manifold
  bool certificate = true;     // watch the constraints at every step, and in every state that is kept
  bool history = false;        // keep size, order, residuals of every step, and the attempts that were rejected

  // The constraints of the equations against those that the user wrote, one by one; empty: they are the same.
  std::vector<WrittenConstraint> written = {};

  // Index 1: an error bound beside the solution, found after the run by this rule. All steps must be kept.
  ErrorBoundRule error_bound = {};

  std::vector<Event> events = {};
  // So many accumulate, and end the run: within a ten millionth of the span, or, in simulate(), of one relation in a
  // row that stays at its root.
  std::size_t event_limit = 1000;

  // Sees every accepted step; may take the state as a ConstSpan as well.
  std::function<void(double t, NamedState state)> observer = {};
  StopRequest stop = {};  // a std::stop_token; seen within a step, too; the run ends with what was accepted before
};

// The failure of a run that was stopped.
Failure stopped(double t);

// Makes the start consistent (see make_consistent for what it may leave out) and integrates. Throws Misuse for calls
// that cannot be right; numerical trouble is in the Solution, with everything computed until then.
Solution solve(const Equations& equations, ConstSpan start, const SolveOptions& options);

inline Solution solve(const Equations& equations, std::initializer_list<double> start, const SolveOptions& options) {
  return solve(equations, ConstSpan(start.begin(), start.size()), options);
}

}  // namespace driftless
