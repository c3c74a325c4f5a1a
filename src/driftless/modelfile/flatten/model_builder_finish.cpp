// The order of what the finished model holds.
#include <algorithm>
#include <numeric>

#include "driftless/modelfile/flatten/model_builder.h"

namespace driftless {

namespace {

// An order in which whatever is needed comes first; as given where that leaves a choice, and around cycles.
std::vector<std::size_t> order_by_needs(const std::vector<std::vector<std::size_t>>& needs) {
  std::vector<std::size_t> order;
  std::vector<char> state(needs.size(), 0);  // 0 new, 1 open, 2 done
  struct Visit {
    std::size_t item, next;
  };
  std::vector<Visit> stack;
  for (std::size_t root = 0; root < needs.size(); ++root) {
    if (state[root] == 0) stack.push_back({root, 0});
    while (!stack.empty()) {
      auto& [item, next] = stack.back();
      state[item] = std::max<char>(state[item], 1);
      if (next < needs[item].size()) {
        const std::size_t other = needs[item][next++];
        if (state[other] == 0) stack.push_back({other, 0});
      } else {
        if (state[item] == 1) order.push_back(item);
        state[item] = 2;
        stack.pop_back();
      }
    }
  }
  return order;
}

}  // namespace

void ModelBuilder::sort_variables() {
  model_.variables.shrink_to_fit();
  if (std::is_sorted(orders_.begin(), orders_.end())) return;
  std::vector<std::size_t> order(model_.variables.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return orders_[a] < orders_[b]; });
  std::vector<std::size_t> place(order.size());
  std::vector<FlatVariable> sorted(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    sorted[i] = std::move(model_.variables[order[i]]);
  }
  model_.variables = std::move(sorted);
  for (FlatInitialAssignment& one : model_.initial_assignments) one.variable = place[one.variable];
  for (FlatWhen& when : model_.whens) {
    for (FlatBranch& branch : when.branches) {
      for (FlatAction& action : branch.actions) {
        if (action.variable < place.size()) action.variable = place[action.variable];
      }
    }
  }
}

namespace {

// Whens that are sorted together: one of its own, or all of an algorithm, in the order in which they are written.
std::vector<std::vector<std::size_t>> units_of(const std::vector<FlatWhen>& whens) {
  std::vector<std::vector<std::size_t>> units;
  std::unordered_map<std::size_t, std::size_t> unit_of;  // section -> unit
  for (std::size_t i = 0; i < whens.size(); ++i) {
    const auto [known, added] = unit_of.try_emplace(whens[i].section, units.size());
    if (whens[i].section == 0 || added) {
      if (whens[i].section == 0) unit_of.erase(known);
      units.emplace_back();
      units.back().push_back(i);
    } else {
      units[known->second].push_back(i);
    }
  }
  return units;
}

}  // namespace

// What a `when` reads of others, in its conditions or its actions, is assigned before it.
void ModelBuilder::sort_whens() {
  if (model_.whens.size() < 2) return;
  const auto units = units_of(model_.whens);
  std::unordered_map<std::uint32_t, std::vector<std::size_t>> assigned_by;  // slot -> units
  const auto for_each_branch = [&](std::size_t unit, const auto& visit) {
    for (const std::size_t i : units[unit])
      for (const FlatBranch& branch : model_.whens[i].branches) visit(branch);
  };
  for (std::size_t u = 0; u < units.size(); ++u) {
    for_each_branch(u, [&](const FlatBranch& branch) {
      for (const FlatAction& action : branch.actions) {
        if (action.kind != FlatAction::Kind::assign) continue;
        auto& list = assigned_by[model_.variables[action.variable].slot];
        if (list.empty() || list.back() != u) list.push_back(u);
      }
    });
  }
  const auto values = equation_values();
  std::vector<std::vector<std::size_t>> needs(units.size());
  for (std::size_t u = 0; u < units.size(); ++u) {
    std::vector<Expr> read;
    for_each_branch(u, [&](const FlatBranch& branch) {
      read.push_back(branch.condition);
      for (const FlatAction& action : branch.actions) read.push_back(action.value);
    });
    for (const std::uint32_t slot : slots_behind(std::move(read), values)) {
      const auto found = assigned_by.find(slot);
      if (found == assigned_by.end()) continue;
      for (const std::size_t other : found->second) {
        if (other != u) needs[u].push_back(other);
      }
    }
  }
  std::vector<FlatWhen> sorted;
  for (const std::size_t u : order_by_needs(needs))
    for (const std::size_t i : units[u]) sorted.push_back(std::move(model_.whens[i]));
  model_.whens = std::move(sorted);
}

// By slot of a discrete variable or a relation: the equations, and the roots, that its value depends on.
std::unordered_map<std::uint32_t, std::vector<Expr>> ModelBuilder::equation_values() const {
  std::unordered_map<std::uint32_t, std::vector<Expr>> values;
  for (const FlatRelation& relation : model_.relations) values[relation.slot].push_back(relation.root);
  for (const FlatEquation& equation : model_.equations) {
    for (const std::uint32_t slot : inputs_of(model_.graph, equation.residual))
      if (slots_[slot].kind == SlotKind::discrete) values[slot].push_back(equation.residual);
  }
  return values;
}

// All slots that the expressions read, also through equations of discrete variables and through relations.
std::vector<std::uint32_t> ModelBuilder::slots_behind(
    std::vector<Expr> read, const std::unordered_map<std::uint32_t, std::vector<Expr>>& values) const {
  std::vector<std::uint32_t> all;
  std::vector<bool> seen(model_.slots, false);
  while (!read.empty()) {
    std::vector<Expr> next;
    for (const std::uint32_t slot : inputs_of(model_.graph, read)) {
      if (seen[slot]) continue;
      seen[slot] = true;
      all.push_back(slot);
      const auto found = values.find(slot);
      if (found != values.end()) next.insert(next.end(), found->second.begin(), found->second.end());
    }
    read = std::move(next);
  }
  return all;
}

FlatModel ModelBuilder::finish() {
  sort_whens();
  sort_variables();
  return std::move(model_);
}

}  // namespace driftless
