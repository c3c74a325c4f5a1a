#include "driftless/integrate/residual_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace driftless {

namespace {

// How far off a component may be; sharper tolerances than rounding can keep in any constraint are not asked for.
double allowed_of(const Tolerance& tolerance, std::size_t component, double value) {
  const bool own = component < tolerance.absolute_by_component.size();
  const double absolute = own ? tolerance.absolute_by_component[component] : tolerance.absolute;
  return std::max(tolerance.relative, 1e-9) * std::abs(value) + std::max(absolute, 1e-12);
}

}  // namespace

std::optional<Failure> off_constraints(const Equations& equations, double t, ConstSpan state,
                                       const Tolerance& tolerance) {
  return off_constraints(equations, *make_manifold(equations), t, state, tolerance);
}

std::optional<Failure> off_constraints(const Equations& equations, Manifold& manifold, double t, ConstSpan state,
                                       const Tolerance& tolerance) {
  static const char* levels[] = {"", "constraint", "first derivative of the constraint"};
  Vector residual(manifold.constraint_count()), allowed(residual.size()), sizes;
  for (int level = 1; level <= std::clamp(manifold.levels() - 1, 1, 2); ++level) {
    const Manifold::Range range = manifold.determined_by(level);
    sizes.resize(range.size);
    for (std::size_t j = 0; j < range.size; ++j)
      sizes[j] = allowed_of(tolerance, range.begin + j, state[range.begin + j]);
    auto status = manifold.residual(level, t, state, residual);
    if (status == ManifoldStatus::ok) status = manifold.level_effect(level, t, state, sizes, allowed);
    if (status != ManifoldStatus::ok) return explain(status, equations, t, state);
    for (std::size_t i = 0; i < residual.size(); ++i) {
      if (std::abs(residual[i]) <= allowed[i]) continue;
      const std::string& name = constraint_names_of(equations)[i];
      return Failure{.kind = FailureKind::projection_failed,
                     .time = t,
                     .what_happened = fmt::format("the {} is off by {:.3g}, where the tolerance allows {:.3g}",
                                                  levels[level], std::abs(residual[i]), allowed[i]),
                     .what_to_try =
                         "look at what should enforce it: its multiplier does not act on it here, or a "
                         "branch of the model has another index",
                     .where = name};
    }
  }
  return std::nullopt;
}

}  // namespace driftless
