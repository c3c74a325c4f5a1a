// Mechanical equations in the wide form (wide_mechanical.h) from a model: any object with
//     force(q, v, t, f)               or, with first-order states,  force(q, v, s, t, f)  and  states(q, v, s, t, ds)
// and any of
//     rates(q, v, t, dq)              q' = T v + k, linear in v; q' = v without it
//     constraint(q, t, g)             0 = g
//     velocity_constraint(q, v, t, h) 0 = A v + b, linear in v: rolling, skates, prescribed speeds
//     mass(q, t, M)                   the identity without it; it may be singular where constraints leave no freedom
//     position_invariants(q, t, i), velocity_invariants(q, v, t, j)
//                                     what the equations keep at zero by themselves: projected on, without a force
//     energy(q, v, t) -> double
// written once for any scalar type (outputs are zero on entry). mechanical() makes this form of a model that has rates,
// velocity_constraint or invariants; wide_mechanical() of every model, which a singular mass matrix asks for.
#pragma once

#include "driftless/equations/mechanical_model.h"
#include "driftless/equations/wide_automatic.h"

namespace driftless {

namespace detail {

template <class Model>
struct WideFunctions {
  using X = SweepDual;
  using Rates = FunctionOf<name_rates, Model, In<X>, In<X>, const X&, Out<X>>;
  using VelocityConstraint = FunctionOf<name_velocity_constraint, Model, In<X>, In<X>, const X&, Out<X>>;
  using PositionInvariants = FunctionOf<name_position_invariants, Model, In<X>, const X&, Out<X>>;
  using VelocityInvariants = FunctionOf<name_velocity_invariants, Model, In<X>, In<X>, const X&, Out<X>>;
};

// Names of velocities as for the plain form where they are derivatives of coordinates.
inline WideMechanical::Shape with_velocity_names(WideMechanical::Shape shape, bool with_rates) {
  shape = shape.resolved();
  if (!with_rates && shape.v_names.empty())
    for (const auto& name : shape.q_names) shape.v_names.push_back(name + "'");
  return shape;
}

template <class Model>
WideMechanical make_wide(const Model& model, const WideMechanical::Shape& given) {
  const WideMechanical::Shape shape = with_velocity_names(given, WideParts<Model>::rates);
  return {shape, std::make_shared<const AutomaticWide<Model>>(model, shape)};
}

// What every mechanical model has.
template <class Model>
inline constexpr bool formulas_are_fine =
    MechanicalFunctions<Model>::States::fine&& MechanicalFunctions<Model>::Force::fine&&
        MechanicalFunctions<Model>::Constraint::fine&& MechanicalFunctions<Model>::Mass::fine;

template <class Model>
void require_formulas() {
  using F = MechanicalFunctions<Model>;
  if constexpr (!F::States::fine)
    static_assert(is_fine<F::States::found, F::States::arguments>,
                  "write `void states(auto q, auto v, auto s, auto t, auto ds) const`, all arguments auto, as "
                  "derivatives do not come through double or double*");
  else if constexpr (!F::Force::fine)
    static_assert(is_fine<F::Force::found, F::Force::arguments>,
                  "write `void force(auto q, auto v, auto t, auto f) const`, all arguments auto, as derivatives do not "
                  "come through double or double*; if there are states: (q, v, s, t, f)");
  else if constexpr (!F::Constraint::fine)
    static_assert(is_fine<F::Constraint::found, F::Constraint::arguments>,
                  "write `void constraint(auto q, auto t, auto g) const`, all arguments auto, as derivatives do not "
                  "come through double or double*");
  else if constexpr (!F::Mass::fine)
    static_assert(is_fine<F::Mass::found, F::Mass::arguments>,
                  "write `void mass(auto q, auto t, auto M) const`, all arguments auto, as derivatives do not come "
                  "through double or double*");
}

}  // namespace detail

// Of models that have functions of the wide form; others make the plain one (mechanical_model.h).
template <class Model>
requires(detail::is_wide<Model>) WideMechanical mechanical(Model model, const WideMechanical::Shape& shape) {
  using W = detail::WideFunctions<Model>;
  if constexpr (!W::Rates::fine)
    static_assert(
        detail::is_fine<W::Rates::found, W::Rates::arguments>,
        "write `void rates(auto q, auto v, auto t, auto dq) const`, all arguments auto, as derivatives do not "
        "come through double or double*");
  else if constexpr (!W::VelocityConstraint::fine)
    static_assert(detail::is_fine<W::VelocityConstraint::found, W::VelocityConstraint::arguments>,
                  "write `void velocity_constraint(auto q, auto v, auto t, auto h) const`, all arguments auto, as "
                  "derivatives do not come through double or double*");
  else if constexpr (!W::PositionInvariants::fine)
    static_assert(detail::is_fine<W::PositionInvariants::found, W::PositionInvariants::arguments>,
                  "write `void position_invariants(auto q, auto t, auto i) const`, all arguments auto, as derivatives "
                  "do not come through double or double*");
  else if constexpr (!W::VelocityInvariants::fine)
    static_assert(detail::is_fine<W::VelocityInvariants::found, W::VelocityInvariants::arguments>,
                  "write `void velocity_invariants(auto q, auto v, auto t, auto j) const`, all arguments auto, as "
                  "derivatives do not come through double or double*");
  else if constexpr (!detail::formulas_are_fine<Model>)
    detail::require_formulas<Model>();
  else
    return detail::make_wide(model, shape);
  detail::refused_by_the_compiler();
}

// The wide form of any mechanical model: of one whose mass matrix is singular, for instance.
template <class Model>
WideMechanical wide_mechanical(Model model, const WideMechanical::Shape& shape) {
  if constexpr (detail::is_wide<Model>)
    return mechanical(std::move(model), shape);
  else if constexpr (!detail::formulas_are_fine<Model>)
    detail::require_formulas<Model>();
  else
    return detail::make_wide(model, shape);
  detail::refused_by_the_compiler();
}

}  // namespace driftless
