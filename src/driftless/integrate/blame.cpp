#include "driftless/integrate/blame.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "driftless/equations/index_check.h"
#include "driftless/equations/manifold.h"

namespace driftless {

namespace {

// A pole: the component grows by as much as it is within steps that have no size left. At a jump of the equations, or
// where a root meets the edge of its domain, nothing grows in this way.
bool grows_without_bound(const Equations& equations, const Tolerance& tolerance, const Clock& clock, ConstSpan state,
                         std::size_t component) {
  constexpr double many = 1e4;  // of the last steps; those near a pole are about 1/100 of the distance to it
  Vector rates(state.size());
  if (make_manifold(equations)->derivative(clock.time(), state, rates) != ManifoldStatus::ok) return false;
  const double value = state[component], growth = many * clock.h() * rates[component];
  const bool is_small = tolerance.relative * std::abs(value) <= tolerance.absolute_of(component);
  return !is_small && value * growth > 0.0 && std::abs(growth) > std::abs(value);
}

// What rounding of the larger components makes of a smaller one can be more than is asked of it.
std::optional<std::string> tolerance_near_rounding(const Tolerance& tolerance, const Layout& layout, ConstSpan state) {
  if (tolerance.relative < 1e-12)
    return fmt::format(
        "a tolerance near rounding ({:.0e}); try 1e-12 or more, or give absolute tolerances by component",
        tolerance.relative);
  constexpr double many = 1000.0;  // times rounding
  double largest = 0.0, least = std::numeric_limits<double>::infinity();
  std::size_t component = 0;
  for (std::size_t i = 0; i < state.size(); ++i) {
    largest = std::max(largest, std::abs(state[i]));
    const double asked = tolerance.relative * std::abs(state[i]) + tolerance.absolute_of(i);
    if (asked < least) component = i;
    least = std::min(least, asked);
  }
  if (!(least < many * std::numeric_limits<double>::epsilon() * largest)) return std::nullopt;
  return fmt::format("a tolerance near rounding: {} is asked to {:.0e}, beside values of {:.2g}; raise atol",
                     layout.name(component), least, largest);
}

}  // namespace

void Blame::not_finite(double t, ConstSpan point) {
  met_ = true;
  t_ = t;
  std::ranges::copy(point.first(std::min(point.size(), point_.size())), point_.begin());
}

Failure Blame::explain_collapse(const Equations& equations, const Tolerance& tolerance, const Statistics& statistics,
                                const Clock& clock, ConstSpan state, std::size_t worst_component) const {
  const double t = clock.time();
  const std::string worst = layout_of(equations).name(worst_component);
  if (!find_not_finite(equations, t, state).empty()) return explain(ManifoldStatus::not_finite, equations, t, state);
  if (met_ && !find_not_finite(equations, t_, point_).empty())
    return explain(ManifoldStatus::not_finite, equations, t_, point_);
  std::vector<std::string> causes;
  const IndexReport index = check_index(equations, t, state);
  // Accepted steps show that the index was right before.
  if (index.index > 0 && (!index.redundant.empty() || (!index.satisfied && statistics.steps > 0)))
    causes.push_back(fmt::format("a singular configuration: {}; change the model or end the run there with an event",
                                 index.verdict));
  else if (index.index > 0 && !index.satisfied)
    causes.push_back(fmt::format("the index is higher than assumed: {}", index.verdict));
  else if (index.condition > 1e6)
    causes.push_back(
        fmt::format("a configuration close to a singular one (condition {:.1e} of the matrix that decides the index)",
                    index.condition));
  if (grows_without_bound(equations, tolerance, clock, state, worst_component))
    causes.push_back(
        fmt::format("a pole: {0} grows without bound; end the run before it, or state 1/{0} instead", worst));
  else if (const auto cause = tolerance_near_rounding(tolerance, layout_of(equations), state))
    causes.push_back(*cause);
  const bool newton = statistics.rejected_by_newton > statistics.rejected_by_error;
  causes.push_back(newton ? "a discontinuity or a pole that the Newton iteration cannot cross; state it as an event"
                          : "a discontinuity in the equations; state it as an event with a jump, or smooth it");
  std::string ranked;
  for (std::size_t i = 0; i < causes.size(); ++i)
    ranked += fmt::format("{}({}) {}", i > 0 ? "; " : "", i + 1, causes[i]);
  return {.kind = FailureKind::step_size_too_small,
          .time = t,
          .what_happened = fmt::format(
              "the step size fell to {:.3g} (the last accepted step was {:.3g}) after {} steps; rejected: {} by the "
              "error test, {} by Newton, {} by the projection",
              clock.h(), clock.last_h(), statistics.steps, statistics.rejected_by_error, statistics.rejected_by_newton,
              statistics.rejected_by_projection),
          .what_to_try = ranked,
          .where = fmt::format("the largest correction was in {}", worst)};
}

Failure too_many_attempts(const Clock& clock) {
  return {
      .kind = FailureKind::too_many_steps,
      .time = clock.time(),
      .what_happened = fmt::format("{} attempts, step size now {:.3g}", clock.limit(), clock.h()),
      .what_to_try = "raise stepping.limit, loosen the tolerance, or look for oscillations that need not be resolved",
      .where = ""};
}

}  // namespace driftless
