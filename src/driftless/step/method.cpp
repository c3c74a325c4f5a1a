#include "driftless/step/method.h"

#include <fmt/format.h>

#include "driftless/core/failure.h"
#include "driftless/tableau/conditions.h"
#include "driftless/tableau/properties.h"

namespace driftless {

namespace {

bool is_explicit(const Tableau& tableau) {
  for (std::size_t i = 0; i < tableau.stages(); ++i)
    for (std::size_t j = i; j < tableau.stages(); ++j)
      if (tableau.a(i, j) != 0.0) return false;
  return true;
}

ConditionVerdicts verdicts_for(const Tableau& tableau, int index) {
  if (is_explicit(tableau)) return conditions_half_explicit(tableau);
  return index == 3 ? conditions_projected_index3(tableau) : conditions_projected_index2(tableau);
}

}  // namespace

const Tableau& default_tableau() {
  static const Tableau tableau = radau_iia(3);
  return tableau;
}

void require_conditions(const Method& method, const Equations& equations) {
  const Tableau& tableau = method.tableau;
  const int index = index_of(equations);
  const ConditionVerdicts verdicts = verdicts_for(tableau, index);
  // Without an invertible A (or its half-explicit counterpart) the steps are not even defined.
  if (!verdicts.b1.holds) throw Misuse(fmt::format("cannot be used here: {}", verdicts.overall.reason));
  if (index < 2 || verdicts.overall.holds || method.despite_conditions) return;
  if (method.multiplier == MultiplierRule::hidden_constraint) return;
  throw Misuse(
      fmt::format("refused for index {}: {}. Choose MultiplierRule::hidden_constraint, or set despite_conditions to "
                  "use it anyway",
                  index, verdicts.overall.reason));
}

Projection projection_of(const Method& method) {
  if (method.projection != Projection::automatic) return method.projection;
  return shape_of(method.tableau).stiffly_accurate ? Projection::hidden : Projection::full;
}

}  // namespace driftless
