#include "apps/driftless/reproduce/run.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "driftless/integrate/adaptive_radau.h"

namespace reproduce {

using namespace driftless;

namespace {

ConstSpan reference_at(const testset::Problem& problem, double end) {
  for (const auto& reference : problem.references)
    if (reference.time == end) return reference.state;
  throw std::logic_error("no reference at the end of " + problem.name);
}

// The multipliers come last and do not count.
double error_of(const Layout& layout, ConstSpan state, ConstSpan reference) {
  double largest = 0.0;
  for (std::size_t i = 0; i < layout.block("lambda").begin; ++i)
    largest = std::max(largest, std::abs(state[i] - reference[i]) / std::max(1.0, std::abs(reference[i])));
  return largest;
}

}  // namespace

Outcome run(const Experiment& experiment, AdaptiveOptions options, double tol, const Observer& observe) {
  const testset::Problem problem = testset::problem(experiment.problem);
  options.tolerance = {.relative = tol, .absolute = tol};
  AdaptiveRadau integrator(problem.equations, options, problem.begin, experiment.end, problem.start);
  if (observe) observe(problem.begin, problem.start);
  while (!integrator.finished()) {
    if (const auto failure = integrator.step()) throw FailedRun(*failure);
    if (observe) observe(integrator.time(), integrator.state());
  }
  const auto& statistics = integrator.statistics();
  const ConstSpan reference = reference_at(problem, experiment.end);
  return {.counts = {statistics.evaluations, statistics.jacobians},
          .error = error_of(layout_of(problem.equations), integrator.state(), reference)};
}

}  // namespace reproduce
