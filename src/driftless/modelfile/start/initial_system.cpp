#include "driftless/modelfile/start/initial_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "driftless/expression/differentiate.h"
#include "driftless/modelfile/structure/expression_text.h"
#include "driftless/modelfile/structure/linear_row.h"
#include "driftless/modelfile/structure/sample_points.h"

namespace driftless {

InitialSystem::InitialSystem(Reduction& reduction, double time) : reduction_(reduction) {
  differentiate_rows(reduction);
  find_slots();
  read_stated_values(reduction, time);
  guess_starts();
  add_conditions(reduction, time);
  compile(reduction);
}

// x' = f, where no other row contains x': f takes the place of x', if the row is differentiated as often as x' is.
// Where it is not, x'' comes from another row, and f' has derivatives in it that are none of the start's unknowns.
void InitialSystem::find_explicit_rates(Reduction& reduction, const StructuralIndex& levels) {
  Graph& graph = reduction.model.graph;
  std::vector<std::size_t> rows_with(reduction.unknowns.size(), 0);
  for (const Row& row : reduction.rows)
    for (const Occurrence& o : row.unknowns) rows_with[o.unknown] += o.order == 1;
  defines_rate_.assign(reduction.rows.size(), 0);
  for (std::size_t i = 0; i < reduction.rows.size(); ++i) {
    const Row& row = reduction.rows[i];
    const auto is_rate = [](const Occurrence& o) { return o.order == 1; };
    if (std::ranges::count_if(row.unknowns, is_rate) != 1) continue;
    const std::uint32_t k = std::ranges::find_if(row.unknowns, is_rate)->unknown;
    if (rows_with[k] != 1 || levels.differentiations[i] + 1 != levels.orders[k]) continue;
    const Expr rate = graph.input(reduction.unknowns[k].derivative);
    const LinearRow linear = linear_row(graph, row.residual);
    const Number factor = linear.factor_of(rate);
    const Expr value = to_expr(graph, scale(without(linear, rate), Number(-1.0) / factor));
    if (factor == 0.0 || std::ranges::binary_search(inputs_of(graph, value), graph.slot(rate))) continue;
    rates_[reduction.unknowns[k].derivative] = value;
    defines_rate_[i] = 1;
  }
}

// F, F', ... F^(c) for the unknowns x, x', ... x^(d) (Pantelides), but for derivatives with a formula.
void InitialSystem::differentiate_rows(Reduction& reduction) {
  Graph& graph = reduction.model.graph;
  std::vector<std::vector<Occurrence>> rows;
  for (const Row& row : reduction.rows) rows.push_back(row.unknowns);
  const StructuralIndex levels = structural_index(reduction.unknowns.size(), rows, 4);
  find_explicit_rates(reduction, levels);
  along_ = {{reduction.model.time_slot, graph.constant(1.0)}};
  for (std::size_t k = 0; k < reduction.unknowns.size(); ++k) {
    auto& slots = slots_.emplace_back();
    slots = {reduction.unknowns[k].slot, reduction.unknowns[k].derivative};
    const auto formula = rates_.find(slots[1]);
    const int orders = formula != rates_.end() ? 0 : levels.orders[k];
    while (static_cast<int>(slots.size()) <= orders) slots.push_back(reduction.new_slot());
    for (int order = 0; order <= orders; ++order)
      unknowns_.push_back({.slot = slots[static_cast<std::size_t>(order)],
                           .unknown = k,
                           .order = order,
                           .top = order == levels.orders[k]});
    for (std::size_t order = 1; order < slots.size(); ++order)
      along_[slots[order - 1]] = formula != rates_.end() ? formula->second : graph.input(slots[order]);
  }
  for (std::size_t i = 0; i < reduction.rows.size(); ++i) {
    if (defines_rate_[i]) continue;
    Expr residual = reduction.rows[i].residual;
    for (int order = 0; order <= levels.differentiations[i]; ++order) {
      if (order > 0) residual = derivative_along(graph, residual, along_);
      conditions_.push_back({.kind = order == 0 ? InitialCondition::Kind::model : InitialCondition::Kind::hidden,
                             .residual = residual,
                             .source = i});
    }
  }
}

// Initial equations in terms of the unknowns: eliminated variables and their derivatives replaced.
std::vector<Expr> InitialSystem::resolved_initial_equations(Reduction& reduction) const {
  std::vector<Expr> residuals;
  for (const FlatEquation& equation : reduction.model.initial_equations) residuals.push_back(equation.residual);
  if (residuals.empty()) return residuals;
  Graph& graph = reduction.model.graph;
  std::unordered_map<std::uint32_t, Expr> by_slot = reduction.values;
  for (const FlatVariable& variable : reduction.model.variables) {
    const auto value = reduction.values.find(variable.slot);
    if (value == reduction.values.end() || variable.discrete || !variable.has_derivative) continue;
    if (!by_slot.contains(variable.derivative))
      by_slot[variable.derivative] = derivative_along(graph, value->second, along_);
  }
  for (Expr& e : residuals) e = substitute(graph, substitute(graph, e, by_slot), rates_);
  return residuals;
}

void InitialSystem::add_conditions(Reduction& reduction, double time) {
  Graph& graph = reduction.model.graph;
  const FlatModel& model = reduction.model;
  const std::vector<Expr> residuals = resolved_initial_equations(reduction);
  for (std::size_t k = 0; k < residuals.size(); ++k)
    if (!graph.vanishes(residuals[k]))
      conditions_.push_back({InitialCondition::Kind::initial_equation, residuals[k], k});
  for (std::size_t k = 0; k < model.variables.size(); ++k) {
    const FlatVariable& variable = model.variables[k];
    if (!variable.fixed || variable.discrete || variable.input) continue;
    const double start = start_value(model, variable, time).pinned();
    const auto value = reduction.values.find(variable.slot);
    const Expr e =
        value == reduction.values.end() ? graph.input(variable.slot) : substitute(graph, value->second, rates_);
    const std::size_t own = unknown_of_slot_[variable.slot];
    if (own != SIZE_MAX && unknowns_[own].fixed && unknowns_[own].guess == start) continue;
    conditions_.push_back({InitialCondition::Kind::fixed, graph.subtract(e, graph.constant(start)), k});
  }
}

std::string InitialSystem::name_of(std::uint32_t slot) const {
  const FlatModel& model = reduction_.model;
  if (slot == model.time_slot) return "time";
  for (std::size_t k = 0; k < slots_.size(); ++k)
    for (std::size_t order = 0; order < slots_[k].size(); ++order)
      if (slots_[k][order] == slot) {
        std::string name = reduction_.unknowns[k].name;
        for (std::size_t i = 0; i < order; ++i) name = fmt::format("der({})", name);
        return name;
      }
  for (const FlatVariable& variable : model.variables) {
    if (variable.slot == slot) return variable.name;
    if (variable.discrete && variable.derivative == slot) return fmt::format("pre({})", variable.name);
  }
  for (const FlatRelation& relation : model.relations)
    if (relation.slot == slot) return fmt::format("({})", relation.text);
  return "?";
}

}  // namespace driftless
