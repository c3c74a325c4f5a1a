#include "driftless/step/stepper.h"

#include <fmt/format.h>

#include "driftless/step/half_explicit_rk.h"
#include "driftless/step/implicit_rk.h"
#include "driftless/tableau/properties.h"

namespace driftless {

std::unique_ptr<Stepper> make_stepper(const Equations& equations, const Method& method, const NewtonOptions& newton) {
  require_conditions(method, equations);
  if (!shape_of(method.tableau).explicit_method) return std::make_unique<ImplicitRk>(equations, method, newton);
  if (newton.damped)
    throw Misuse(fmt::format("{} is half-explicit: there are no implicit stages for newton.damped; leave it out",
                             title_of(method.tableau)));
  if (const auto* form = std::get_if<Index2>(&equations))
    return std::make_unique<HalfExplicitIndex2>(*form, method, newton);
  if (const auto* form = std::get_if<Mechanical>(&equations))
    return std::make_unique<HalfExplicitMechanical>(*form, method);
  if (const auto* form = std::get_if<WideMechanical>(&equations))
    return std::make_unique<HalfExplicitWide>(*form, method);
  throw Misuse(
      fmt::format("{} is half-explicit, which is defined for index-2 and mechanical equations only; take an implicit "
                  "method such as radau_iia(3)",
                  title_of(method.tableau)));
}

}  // namespace driftless
