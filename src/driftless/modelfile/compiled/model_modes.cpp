#include "driftless/modelfile/compiled/model_modes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/expression/subgraph.h"
#include "driftless/modelfile/structure/reduction_state.h"

namespace driftless {

namespace {

// Constrained states count as often as constraints of their level take away from them.
std::size_t freedom_of(const FormPlan& plan) {
  if (solves_nothing(plan)) return 0;
  struct Visitor {
    std::size_t operator()(const Index1Plan& p) const {
      double rank = 0.0;
      for (const auto& [row, column, value] : p.projector) rank += row == column ? value : 0.0;
      return static_cast<std::size_t>(std::lround(rank));
    }
    std::size_t operator()(const Index2Plan& p) const { return p.u.size() - p.g.size(); }
    std::size_t operator()(const Index3Plan& p) const { return p.u.size() + p.v.size() - 2 * p.g.size(); }
    std::size_t operator()(const MechanicalPlan& p) const { return 2 * p.q.size() + p.s.size() - 2 * p.g.size(); }
    std::size_t operator()(const WidePlan& p) const {
      return p.q.size() + p.v.size() + p.s.size() - 2 * p.g.size() - p.h.size();
    }
  };
  return std::visit(Visitor{}, plan.form);
}

// Before anything is eliminated.
int written_index(const ReductionState& state) {
  constexpr int most = 8;
  std::vector<std::vector<Occurrence>> rows(state.rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) rows[r] = state.rows[r].unknowns;
  return structural_index(state.unknowns.size(), rows, most).index;
}

bool has_selects(const Graph& graph) {
  for (std::uint32_t id = 0; id < graph.size(); ++id)
    if (graph.op(Expr{id}) == Op::select) return true;
  return false;
}

}  // namespace

ModelModes::ModelModes(Reduction& reduction, const HeldLayout& held)
    : reduction_(reduction), held_(held), is_held_(reduction.model.slots, 0), is_unknown_(reduction.model.slots, 0) {
  if (!has_selects(reduction.model.graph)) return;
  for (const std::uint32_t slot : held.slots) is_held_[slot] = 1;
  for (const FlatVariable& variable : reduction.model.variables) {
    if (variable.discrete || variable.input) continue;
    is_unknown_[variable.slot] = 1;
    if (variable.has_derivative) is_unknown_[variable.derivative] = 1;
  }
  for (std::size_t k = 0; k < reduction.model.equations.size(); ++k) find_choices(k);
  for (const Choice& choice : choices_)
    for (std::size_t link = choice.path; choice.own_unknowns && link != no_path; link = paths_[link].before)
      choices_[paths_[link].choice].leads_on = true;
}

// Nodes of an expression that read what changes between events, aliases of what is held left aside.
std::unordered_set<std::uint32_t> ModelModes::moving_nodes(Expr e) const {
  const Graph& graph = reduction_.model.graph;
  const Subgraph all(graph, std::span(&e, 1));
  std::unordered_set<std::uint32_t> moving;
  for (const auto& [node, children, child] : all) {
    bool moves = false;
    if (graph.op(node) == Op::input) {
      const std::uint32_t slot = graph.slot(node);
      moves = slot < is_unknown_.size() && is_unknown_[slot] && !reduction_.values.contains(slot);
    }
    for (int k = 0; k < children; ++k) moves = moves || moving.contains(all[child[k]].node.id);
    if (moves) moving.insert(node.id);
  }
  return moving;
}

// Each node is looked at once, on the first path that leads to it.
void ModelModes::find_choices(std::size_t equation) {
  const Graph& graph = reduction_.model.graph;
  const Expr residual = reduction_.model.equations[equation].residual;
  if (unknowns_in(residual).empty()) return;  // of discrete variables alone
  const std::unordered_set<std::uint32_t> moving = moving_nodes(residual);
  struct Visit {
    Expr node;
    std::size_t path;
  };
  std::vector<Visit> open{{residual, no_path}};
  std::unordered_set<std::uint32_t> seen;
  while (!open.empty()) {
    const auto [node, path] = open.back();
    open.pop_back();
    if (!seen.insert(node.id).second) continue;
    const Op op = graph.op(node);
    const bool may_be_held = op == Op::select && !moving.contains(graph.child(node, 0).id);
    const auto condition = may_be_held ? resolved(graph.child(node, 0)) : std::nullopt;
    for (int k = condition ? 1 : 0; k < arity(op); ++k) {
      std::size_t below = path;
      if (condition) {
        below = paths_.size();
        paths_.push_back({path, *condition, k == 1, choices_.size()});
      }
      open.push_back({graph.child(node, k), below});
    }
    if (condition) add_choice(equation, node, *condition, path);
  }
}

void ModelModes::add_choice(std::size_t equation, Expr select, Expr condition, std::size_t path) {
  const Graph& graph = reduction_.model.graph;
  const FlatEquation& flat = reduction_.model.equations[equation];
  const bool own = unknowns_in(graph.child(select, 1)) != unknowns_in(graph.child(select, 2));
  Choice choice{select, condition, path, own, flat.place, flat.place};
  for (const FlatChoice& written : flat.choices) {
    const bool negated = graph.op(written.condition) == Op::logical_not;
    const Expr plain = negated ? graph.child(written.condition, 0) : written.condition;
    if (plain != graph.child(select, 0)) continue;
    choice.yes = negated ? written.no : written.yes;
    choice.no = negated ? written.yes : written.no;
  }
  choices_.push_back(choice);
}

// In terms of what is held; none if it changes between events, as inside noEvent.
std::optional<Expr> ModelModes::resolved(Expr condition) const {
  Graph& graph = reduction_.model.graph;
  const Expr result = substitute(graph, condition, reduction_.values);
  for (const std::uint32_t slot : inputs_of(graph, result))
    if (slot >= is_held_.size() || !is_held_[slot]) return std::nullopt;
  return result;
}

std::vector<std::uint32_t> ModelModes::unknowns_in(Expr e) const {
  std::vector<std::uint32_t> slots = inputs_of(reduction_.model.graph, e);
  std::erase_if(slots, [&](std::uint32_t slot) { return slot >= is_unknown_.size() || !is_unknown_[slot]; });
  return slots;
}

Vector ModelModes::inputs_for(ConstSpan held) const {
  Vector inputs(reduction_.model.slots, 0.0);
  for (std::size_t k = 0; k < held.size(); ++k) inputs[held_.slots[k]] = held[k];
  return inputs;
}

bool ModelModes::differ(ConstSpan a, ConstSpan b, const ParameterValues* parameters) const {
  if (choices_.empty() || std::ranges::equal(a, b)) return false;
  const Graph& graph = reduction_.model.graph;
  const Vector inputs_a = inputs_for(a), inputs_b = inputs_for(b);
  return std::ranges::any_of(choices_, [&](const Choice& choice) {
    return (evaluate(graph, choice.condition, inputs_a, parameters) != 0.0) !=
           (evaluate(graph, choice.condition, inputs_b, parameters) != 0.0);
  });
}

bool ModelModes::reached(const Choice& choice, ConstSpan inputs, const ParameterValues* parameters) const {
  for (std::size_t link = choice.path; link != no_path; link = paths_[link].before)
    if ((evaluate(reduction_.model.graph, paths_[link].condition, inputs, parameters) != 0.0) != paths_[link].yes)
      return false;
  return true;
}

ModeBranches ModelModes::branches(ConstSpan inputs, const ModeBranches& before,
                                  const ParameterValues* parameters) const {
  const Graph& graph = reduction_.model.graph;
  ModeBranches active;
  for (std::uint32_t k = 0; k < choices_.size(); ++k) {
    const Choice& choice = choices_[k];
    if (!choice.own_unknowns && !choice.leads_on) continue;
    const auto known = [&](std::uint32_t slot) { return !std::isnan(inputs[slot]); };
    if (std::ranges::all_of(inputs_of(graph, choice.condition), known)) {
      if (reached(choice, inputs, parameters))
        active.push_back(2 * k + (evaluate(graph, choice.condition, inputs, parameters) != 0.0 ? 1 : 0));
      continue;
    }
    for (const std::uint32_t branch : {2 * k, 2 * k + 1})
      if (std::ranges::find(before, branch) != before.end()) active.push_back(branch);
  }
  return active;
}

std::vector<FixedBranch> ModelModes::fixed(const ModeBranches& branches) const {
  std::vector<FixedBranch> all;
  for (const std::uint32_t branch : branches) all.push_back({choices_[branch / 2].select, branch % 2 == 1});
  return all;
}

std::optional<SourcePlace> ModelModes::active(ConstSpan held, ConstSpan before) const {
  const Graph& graph = reduction_.model.graph;
  const Vector now = inputs_for(held), then = inputs_for(before);
  std::optional<SourcePlace> other;
  for (const Choice& choice : choices_) {
    if (!reached(choice, now)) continue;
    const bool yes = evaluate(graph, choice.condition, now) != 0.0;
    const bool was = evaluate(graph, choice.condition, then) != 0.0;
    if (!before.empty() && yes == was && reached(choice, then)) continue;
    const SourcePlace branch = yes ? choice.yes : choice.no;
    if (choice.own_unknowns) return branch;
    if (!before.empty() && !other) other = branch;
  }
  return other;
}

// The model with numbers in place of relations, Booleans and Integers, analysed like any other.
ModeStructure ModelModes::structure(ConstSpan held) const {
  FlatModel model = reduction_.model;
  Graph& graph = model.graph;
  const Vector inputs = inputs_for(held);
  std::unordered_map<std::uint32_t, Expr> known;
  const auto set = [&](std::uint32_t slot, double value) { known[slot] = graph.constant(value); };
  for (const FlatRelation& relation : model.relations) set(relation.slot, inputs[relation.slot]);
  for (const auto& flag : {model.initial_slot, model.terminal_slot})
    if (flag) set(*flag, 0.0);
  for (FlatVariable& variable : model.variables) {
    if (!variable.boolean && !variable.integer) continue;
    const auto value = reduction_.values.find(variable.slot);
    set(variable.slot,
        value == reduction_.values.end() ? inputs[variable.slot] : evaluate(graph, value->second, inputs));
    set(variable.derivative, inputs[variable.derivative]);
    variable.input = true;  // no unknown any more
  }
  for (FlatEquation& equation : model.equations) equation.residual = substitute(graph, equation.residual, known);
  std::erase_if(model.equations, [&](const FlatEquation& equation) { return graph.is_constant(equation.residual); });
  ModeStructure result;
  try {
    int index = 0;
    {
      ReductionState written(std::move(model));
      require_well_posed(written);
      index = written_index(written);
      model = std::move(written.model);
    }
    Reduction reduction = reduce(std::move(model));
    result = structure_of(plan_form(reduction));
    result.index = index;
  } catch (Refusal& refusal) {
    result.fault = std::move(refusal.findings);
  }
  return result;
}

ModeStructure ModelModes::structure_of(const FormPlan& plan) {
  return {.index = plan.index, .reduced_index = plan.index, .freedom = freedom_of(plan), .fault = {}};
}

std::string ModelModes::difference(const ModeStructure& from, const ModeStructure& to) {
  if (!to.fault.empty()) return to.fault[0].message;
  const auto words = [](const ModeStructure& mode) {
    return fmt::format("index {} with {} degree{} of freedom", mode.index, mode.freedom, mode.freedom == 1 ? "" : "s");
  };
  return fmt::format("{} instead of {}", words(to), words(from));
}

}  // namespace driftless
