#include "driftless/modelfile/compiled/held_layout.h"

#include <fmt/format.h>

#include "driftless/modelfile/structure/sample_points.h"

namespace driftless {

HeldLayout::HeldLayout(const FlatModel& model)
    : variable(model.variables.size(), none), before(model.variables.size(), none) {
  const auto add = [&](std::uint32_t slot) {
    slots.push_back(slot);
    return slots.size() - 1;
  };
  if (model.initial_slot) initial = add(*model.initial_slot);
  if (model.terminal_slot) terminal = add(*model.terminal_slot);
  for (std::size_t k = 0; k < model.variables.size(); ++k) {
    const FlatVariable& one = model.variables[k];
    if (one.input) variable[k] = add(one.slot);
    if (one.discrete) before[k] = add(one.derivative);
    if (one.before) before[k] = add(*one.before);
  }
  for (const FlatWhen& when : model.whens)
    for (const FlatBranch& branch : when.branches)
      for (const FlatAction& action : branch.actions)
        if (action.kind == FlatAction::Kind::assign && variable[action.variable] == none)
          variable[action.variable] = add(model.variables[action.variable].slot);
  for (const FlatRelation& r : model.relations) relation.push_back(add(r.slot));
}

Vector HeldLayout::start(const FlatModel& model, double time) const {
  Vector values(slots.size(), 0.0);
  if (initial) values[*initial] = 1.0;
  for (std::size_t k = 0; k < model.variables.size(); ++k)
    for (const std::size_t place : {variable[k], before[k]})
      if (place != none) values[place] = start_value(model, model.variables[k], time).pinned();
  return values;
}

std::vector<std::string> HeldLayout::differences(const FlatModel& model, ConstSpan a, ConstSpan b) const {
  std::vector<std::string> names;
  const auto differs = [&](std::size_t place) { return place != none && a[place] != b[place]; };
  for (std::size_t k = 0; k < model.variables.size(); ++k)
    if (differs(variable[k]) || differs(before[k])) names.push_back(model.variables[k].name);
  for (std::size_t k = 0; k < model.relations.size(); ++k)
    if (differs(relation[k])) names.push_back(fmt::format("'{}'", model.relations[k].text));
  return names;
}

}  // namespace driftless
