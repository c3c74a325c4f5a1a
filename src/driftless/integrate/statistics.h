// What a run did and why, counted by cause.
#pragma once

#include <cstddef>
#include <iterator>
#include <string>

#include "driftless/step/work.h"

namespace driftless {

struct Statistics {
  std::size_t steps = 0;              // accepted
  std::size_t newton_iterations = 0;  // summed over all attempts; of stages that are solved in turn, the most of any
  // What counts is told in step/work.h; the same for fixed and for adaptive steps, rejected attempts included.
  std::size_t evaluations = 0;
  std::size_t jacobians = 0;
  std::size_t factorisations = 0;
  std::size_t rejected_by_error = 0;
  std::size_t rejected_by_newton = 0;
  std::size_t rejected_by_projection = 0;
  std::size_t order_raised = 0;
  std::size_t order_lowered = 0;
  // Jacobians by cause
  std::size_t jacobians_slow_newton = 0;  // contraction above its limit
  std::size_t jacobians_after_failure = 0;
  // The automatic choice of the method
  std::size_t explicit_steps = 0;  // of the accepted ones
  std::size_t turned_implicit = 0, turned_explicit = 0;
};

// What an attempt cost.
inline Statistics& operator+=(Statistics& total, const Work& work) {
  total.evaluations += work.evaluations;
  total.jacobians += work.jacobians;
  total.factorisations += work.factorisations;
  return total;
}

// The automatic choice went from one method to another.
struct MethodChange {
  double time;
  std::string to, why;
};

// Every count, for whoever adds them up or writes them down.
inline constexpr std::size_t Statistics::*all_counts[] = {
    &Statistics::steps,
    &Statistics::newton_iterations,
    &Statistics::evaluations,
    &Statistics::jacobians,
    &Statistics::factorisations,
    &Statistics::rejected_by_error,
    &Statistics::rejected_by_newton,
    &Statistics::rejected_by_projection,
    &Statistics::order_raised,
    &Statistics::order_lowered,
    &Statistics::jacobians_slow_newton,
    &Statistics::jacobians_after_failure,
    &Statistics::explicit_steps,
    &Statistics::turned_implicit,
    &Statistics::turned_explicit,
};
static_assert(sizeof(Statistics) == std::size(all_counts) * sizeof(std::size_t), "a count is missing in the list");

template <class SomeStatistics, class Visitor>
void visit_counts(SomeStatistics& s, Visitor&& visit) {
  for (const auto count : all_counts) visit(s.*count);
}

inline Statistics& operator+=(Statistics& total, const Statistics& more) {
  for (const auto count : all_counts) total.*count += more.*count;
  return total;
}

}  // namespace driftless
