#include "driftless/modelfile/compiled/model_equations.h"

#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

#include "driftless/modelfile/compiled/compiled_forms.h"

namespace driftless {

Names names_of(const Components& components) {
  Names names;
  for (const Component& c : components) names.push_back(c.name);
  return distinct_names(std::move(names));
}

Names names_of(const std::vector<Constraint>& constraints) {
  Names names;
  for (const Constraint& c : constraints) names.push_back(c.name);
  return distinct_names(std::move(names));
}

Names distinct_names(Names names) {
  std::unordered_set<std::string> seen;
  std::unordered_map<std::string, int> last;  // number of each name that occurs again
  for (std::string& name : names)
    if (!seen.insert(name).second) {
      int& number = last.try_emplace(name, 1).first->second;
      do ++number;
      while (!seen.insert(fmt::format("{} #{}", name, number)).second);
      name = fmt::format("{} #{}", name, number);
    }
  return names;
}

std::vector<Expr> take_constraints(FormulaBook& book, const std::vector<Constraint>& constraints) {
  std::vector<Expr> values;
  for (const Constraint& c : constraints) values.push_back(c.value);
  return book.take(values);
}

std::shared_ptr<const ModelEquations> make_model_equations(const Reduction& reduction, const FormPlan& plan,
                                                           std::span<const std::uint32_t> held, Engine engine) {
  std::vector<std::uint32_t> slots;
  for (const Component& c : components_of(plan)) slots.push_back(c.slot);
  auto book = std::make_shared<FormulaBook>(reduction.model.graph, slots, reduction.model.time_slot, held, engine);
  return std::visit([&](const auto& form) { return make_form(std::move(book), form); }, plan.form);
}

}  // namespace driftless
