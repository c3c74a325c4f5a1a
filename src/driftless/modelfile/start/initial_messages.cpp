// What is said about a start that cannot be found.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "driftless/modelfile/start/initial_system.h"
#include "driftless/modelfile/structure/expression_text.h"
#include "driftless/modelfile/structure/reduction_state.h"

namespace driftless {

std::string InitialSystem::quote(const InitialCondition& condition) const {
  const FlatModel& model = reduction_.model;
  switch (condition.kind) {
    case InitialCondition::Kind::initial_equation: {
      const FlatEquation& e = model.initial_equations[condition.source];
      return fmt::format("the initial equation '{}' (line {})", e.text, e.place.line);
    }
    case InitialCondition::Kind::fixed: {
      const FlatVariable& variable = model.variables[condition.source];
      return fmt::format("the fixed start value of {}", variable.name);
    }
    case InitialCondition::Kind::hidden:
      return fmt::format("the derivative of {}", driftless::quote(model, reduction_.rows[condition.source]));
    default: return driftless::quote(model, reduction_.rows[condition.source]);
  }
}

SourcePlace InitialSystem::place(const InitialCondition& condition) const {
  const FlatModel& model = reduction_.model;
  switch (condition.kind) {
    case InitialCondition::Kind::initial_equation: return model.initial_equations[condition.source].place;
    case InitialCondition::Kind::fixed: return model.variables[condition.source].place;
    default: return place_of(model, reduction_.rows[condition.source]);
  }
}

// The equation as written in which something is not finite, whatever was made of it since.
std::optional<Finding> InitialSystem::guilty_equation(std::span<const double> inputs) const {
  const FlatModel& model = reduction_.model;
  Vector all(inputs.begin(), inputs.end());
  for (const auto* known : {&rates_, &reduction_.values})
    for (const auto& [slot, value] : *known) {
      const double x = evaluate(model.graph, value, known == &rates_ ? inputs : ConstSpan(all));
      all[slot] = std::isfinite(x) ? x : 0.7;  // the equation that made it so is guilty, not those that read it
    }
  const SlotName name = [this](std::uint32_t slot) { return name_in_solver_unit(slot); };
  for (std::size_t e = 0; e < model.equations.size(); ++e) {
    const std::string why = explain_not_finite(model.graph, model.equations[e].residual, all, name);
    if (why.empty()) continue;
    return Finding{model.equations[e].place,
                   fmt::format("'{}' (line {}) cannot be evaluated at the start: {}", model.equations[e].text,
                               model.equations[e].place.line, why),
                   "give start values for which it is defined"};
  }
  return std::nullopt;
}

Finding InitialSystem::not_finite(const InitialCondition& condition, std::span<const double> inputs) const {
  if (auto finding = guilty_equation(inputs)) return *std::move(finding);
  const SlotName name = [this](std::uint32_t slot) { return name_in_solver_unit(slot); };
  std::string why = explain_not_finite(reduction_.model.graph, condition.residual, inputs, name);
  if (why.empty()) why = "its derivatives are not finite there";
  return {place(condition), fmt::format("{} cannot be evaluated at the start: {}", quote(condition), why),
          "give start values for which it is defined"};
}

namespace {

// The equation that gives a variable whose value no unknown is part of.
std::optional<std::size_t> equation_of_known(const Reduction& reduction, const InitialSystem& system,
                                             const InitialCondition& fixed) {
  const FlatModel& model = reduction.model;
  for (const std::uint32_t slot : inputs_of(model.graph, fixed.residual))
    if (std::ranges::find(system.unknowns(), slot, &InitialUnknown::slot) != system.unknowns().end())
      return std::nullopt;
  const std::uint32_t own = model.variables[fixed.source].slot;
  for (std::size_t e = 0; e < model.equations.size(); ++e)
    if (std::ranges::binary_search(inputs_of(model.graph, model.equations[e].residual), own)) return e;
  return std::nullopt;
}

}  // namespace

Finding InitialSystem::not_satisfied(const InitialCondition& condition, double residual) const {
  std::vector<std::string> fixed;
  for (const std::uint32_t slot : inputs_of(reduction_.model.graph, condition.residual))
    for (const InitialUnknown& u : unknowns_)
      if (u.slot == slot && u.fixed)
        fixed.push_back(fmt::format("{} = {:.6g}", name_of(slot), unit_of(slot) * u.guess));
  if (condition.kind == InitialCondition::Kind::fixed) {
    const FlatVariable& variable = reduction_.model.variables[condition.source];
    residual *= variable.solver_unit;
    if (const auto giver = equation_of_known(reduction_, *this, condition))
      return {place(condition),
              fmt::format("{} cannot be satisfied at the start: {} gives a value that is {:.6g} {}", quote(condition),
                          quote_equation(reduction_.model, *giver), std::abs(residual),
                          residual < 0.0 ? "smaller" : "larger"),
              "remove 'fixed', or the equation"};
  }
  return {place(condition),
          fmt::format("{} cannot be satisfied at the start: {:.3g} is left of it", quote(condition), residual),
          fixed.empty() ? "give start values closer to a solution, or check whether there is one"
                        : fmt::format("free one of the start values that are fixed: {}", fmt::join(fixed, ", "))};
}

double InitialSystem::unit_of(std::uint32_t slot) const {
  for (const FlatVariable& variable : reduction_.model.variables)
    if (variable.slot == slot || (variable.has_derivative && variable.derivative == slot)) return variable.solver_unit;
  return 1.0;
}

// As a formula has it that reads the slot.
std::string InitialSystem::name_in_solver_unit(std::uint32_t slot) const {
  const double unit = unit_of(slot);
  return unit == 1.0 ? name_of(slot) : fmt::format("({} / {:.6g})", name_of(slot), unit);
}

}  // namespace driftless
