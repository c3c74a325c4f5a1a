#include "driftless/integrate/outgrown.h"

#include <fmt/format.h>

#include <cmath>

namespace driftless {

namespace {

// Squares of larger numbers overflow, and norms with them.
constexpr double largest_that_works = 1e150;

}  // namespace

Failure blame_growth(Failure failure, const Layout& layout, double t, ConstSpan state) {
  if (failure.kind == FailureKind::stopped) return failure;
  std::size_t largest = 0;
  for (std::size_t i = 1; i < state.size(); ++i)
    if (std::abs(state[i]) > std::abs(state[largest])) largest = i;
  if (state.empty() || !(std::abs(state[largest]) > largest_that_works)) return failure;
  return {.kind = FailureKind::diverged,
          .time = t,
          .what_happened = fmt::format("the solution grew beyond what numbers of double precision hold, {} most of all",
                                       layout.name(largest)),
          .what_to_try = "end the run before, look for a wrong sign in what makes it grow, or state its logarithm",
          .where = layout.name(largest)};
}

}  // namespace driftless
