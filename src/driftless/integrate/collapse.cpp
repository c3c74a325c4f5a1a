#include <fmt/format.h>

#include <algorithm>

#include "driftless/equations/index_check.h"
#include "driftless/integrate/adaptive_radau.h"

namespace driftless {

// What a collapsing step size means here, the likeliest cause first.
Failure AdaptiveRadau::too_small() const {
  const ConstSpan x = state();
  if (!find_not_finite(equations_, t_, x).empty()) return explain(ManifoldStatus::not_finite, equations_, t_, x);
  const ConstSpan blamed = ConstSpan(blamed_).subspan(0, size_);
  if (met_not_finite_ && !find_not_finite(equations_, blamed_t_, blamed).empty())
    return explain(ManifoldStatus::not_finite, equations_, blamed_t_, blamed);
  std::vector<std::string> causes;
  const IndexReport index = check_index(equations_, t_, x);
  // Accepted steps show that the index was right before.
  if (index.index > 0 && (!index.redundant.empty() || (!index.satisfied && statistics_.steps > 0)))
    causes.push_back(fmt::format("a singular configuration: {}; change the model or end the run there with an event",
                                 index.verdict));
  else if (index.index > 0 && !index.satisfied)
    causes.push_back(fmt::format("the index is higher than assumed: {}", index.verdict));
  else if (index.condition > 1e6)
    causes.push_back(
        fmt::format("a configuration close to a singular one (condition {:.1e} of the matrix that decides the index)",
                    index.condition));
  if (tolerance_.relative < 1e-12)
    causes.push_back(
        fmt::format("a tolerance near rounding ({:.0e}); try 1e-12 or more, or give absolute tolerances by component",
                    tolerance_.relative));
  const bool newton = statistics_.rejected_by_newton > statistics_.rejected_by_error;
  causes.push_back(newton ? "a discontinuity or a pole that the Newton iteration cannot cross; state it as an event"
                          : "a discontinuity in the equations; state it as an event with a jump, or smooth it");
  std::string ranked;
  for (std::size_t i = 0; i < causes.size(); ++i)
    ranked += fmt::format("{}({}) {}", i > 0 ? "; " : "", i + 1, causes[i]);
  return {.kind = FailureKind::step_size_too_small,
          .time = t_,
          .what_happened = fmt::format(
              "the step size fell to {:.3g} (the last accepted step was {:.3g}) after {} steps; rejected: {} by the "
              "error test, {} by Newton, {} by the projection",
              h_, last_h_, statistics_.steps, statistics_.rejected_by_error, statistics_.rejected_by_newton,
              statistics_.rejected_by_projection),
          .what_to_try = ranked,
          .where = fmt::format("the largest correction was in {}",
                               layout_of(equations_).name(std::min(radau_.worst_component(), size_ - 1)))};
}

}  // namespace driftless
