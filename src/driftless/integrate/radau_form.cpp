#include "driftless/integrate/radau_form.h"

#include <algorithm>

#include "driftless/core/scratch.h"
#include "driftless/equations/convert.h"

namespace driftless {

namespace {

std::unique_ptr<StageEquations> stage_equations_for(const Equations& equations, const RadauOptions& options) {
  if (const auto* mechanical = std::get_if<Mechanical>(&equations)) {
    switch (options.level) {
      case ConstraintLevel::acceleration: return make_acceleration_stage(*mechanical);
      case ConstraintLevel::velocity: return make_stage_equations(as_index2(*mechanical));
      case ConstraintLevel::position_with_accelerations: return make_paper_stage(*mechanical);
      case ConstraintLevel::ggl: return make_stage_equations(as_ggl(*mechanical));
      case ConstraintLevel::position: break;
    }
  }
  if (const auto* wide = std::get_if<WideMechanical>(&equations)) {
    switch (options.level) {
      case ConstraintLevel::acceleration: return make_acceleration_stage(*wide);
      case ConstraintLevel::velocity: return make_velocity_stage(*wide);
      case ConstraintLevel::ggl: return make_ggl_stage(*wide);
      case ConstraintLevel::position_with_accelerations:
        throw Misuse(
            "the constraint level with accelerations among the unknowns is for the plain mechanical form q' = v with "
            "constraints on positions alone; take the level of positions, velocities or accelerations");
      case ConstraintLevel::position: break;
    }
  }
  return make_stage_equations(equations);
}

}  // namespace

RadauForm::RadauForm(const Equations& given, const AdaptiveOptions& all)
    : equations(given),
      options(all.radau),
      tolerance(all.tolerance),
      manifold(make_manifold(given)),
      stage_equations(stage_equations_for(given, all.radau)),
      size(layout_of(given).size()),
      extended(stage_equations->size()),
      multipliers(layout_of(given).size_of("lambda")) {
  const bool mechanical = std::holds_alternative<Mechanical>(equations);
  const bool wide = std::holds_alternative<WideMechanical>(equations);
  on_acceleration_level = (mechanical || wide) && options.level == ConstraintLevel::acceleration;
  with_accelerations = mechanical && options.level == ConstraintLevel::position_with_accelerations;
  const bool by_constraint = options.norm == ErrorNorm::tangential && options.projection != Projection::none &&
                             options.multiplier == MultiplierRule::hidden_constraint;
  const bool plain = mechanical && on_acceleration_level;
  multipliers_follow = by_constraint && !plain && !std::holds_alternative<Index1>(equations);
  velocities_count_in_full = multipliers_follow && (std::holds_alternative<Index3>(equations) || with_accelerations ||
                                                    (wide && options.level == ConstraintLevel::position));
}

ManifoldStatus RadauForm::set_accelerations(double t, Span x) {
  if (!with_accelerations) return ManifoldStatus::ok;
  Scratch scratch;
  const Span slope = scratch.take<double>(size);
  const auto status = manifold->derivative(t, x.first(size), slope);
  const std::size_t n = extended - size;
  if (status == ManifoldStatus::ok) std::ranges::copy(slope.subspan(n, n), x.subspan(size, n).begin());
  return status;
}

ManifoldStatus RadauForm::settle(double t, Span x) {
  const Span point = x.first(size);
  const bool positions = options.projection != Projection::none && options.projection != Projection::hidden;
  const bool by_constraint = options.multiplier == MultiplierRule::hidden_constraint;
  auto status = ManifoldStatus::ok;
  if (positions && by_constraint) {
    status = manifold->settle(t, point);
  } else {
    Scratch scratch;
    const std::size_t m = manifold->constraint_count();
    if (options.projection != Projection::none)
      status = manifold->project(t, point, positions, scratch.take<double>(m), scratch.take<double>(m));
    if (status != ManifoldStatus::ok || !by_constraint) return status;
    status = manifold->set_multipliers(t, point);
  }
  return status == ManifoldStatus::ok ? set_accelerations(t, x) : status;
}

}  // namespace driftless
