#include "driftless/modelfile/flatten/model_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/expression/differentiate.h"

namespace driftless {

namespace {

constexpr std::uint64_t last_in_order = std::numeric_limits<std::uint64_t>::max();

}  // namespace

ModelBuilder::ModelBuilder() : arithmetic_(model_.graph) { model_.time_slot = add_slot(SlotKind::time); }

std::uint32_t ModelBuilder::add_slot(SlotKind kind, std::size_t variable) {
  slots_.push_back({kind, variable});
  return model_.slots++;
}

Expr ModelBuilder::initial_flag() {
  if (!model_.initial_slot) model_.initial_slot = add_slot(SlotKind::flag);
  return graph().input(*model_.initial_slot);
}

Expr ModelBuilder::terminal_flag() {
  if (!model_.terminal_slot) model_.terminal_slot = add_slot(SlotKind::flag);
  return graph().input(*model_.terminal_slot);
}

std::size_t ModelBuilder::add_variable(FlatVariable variable, std::uint64_t order) {
  const std::size_t index = model_.variables.size();
  variable.slot = add_slot(variable.discrete ? SlotKind::discrete : SlotKind::continuous, index);
  if (variable.discrete) variable.derivative = add_slot(SlotKind::pre, index);
  model_.variables.push_back(std::move(variable));
  orders_.push_back(order);
  return index;
}

std::optional<std::size_t> ModelBuilder::variable_of(const Scalar& scalar) const {
  if (!scalar.is_expression() || model_.graph.op(scalar.expr) != Op::input) return std::nullopt;
  const Slot& slot = slots_[model_.graph.slot(scalar.expr)];
  if (slot.kind != SlotKind::continuous && slot.kind != SlotKind::discrete) return std::nullopt;
  return slot.variable;
}

std::optional<std::size_t> ModelBuilder::variable_before(const Scalar& scalar) const {
  if (!scalar.is_expression() || model_.graph.op(scalar.expr) != Op::input) return std::nullopt;
  const Slot& slot = slots_[model_.graph.slot(scalar.expr)];
  if (slot.kind != SlotKind::pre || !model_.variables[slot.variable].discrete) return std::nullopt;
  return slot.variable;
}

// Of a continuous variable: its value before the event, which what the event assigns may change.
Expr ModelBuilder::pre_of(std::size_t index) {
  if (model_.variables[index].discrete) return graph().input(model_.variables[index].derivative);
  if (!model_.variables[index].before) model_.variables[index].before = add_slot(SlotKind::pre, index);
  return graph().input(*model_.variables[index].before);
}

Expr ModelBuilder::derivative_of(std::size_t variable) {
  if (!model_.variables[variable].has_derivative) {
    const std::uint32_t slot = add_slot(SlotKind::derivative, variable);
    model_.variables[variable].derivative = slot;
    model_.variables[variable].has_derivative = true;
  }
  return graph().input(model_.variables[variable].derivative);
}

std::size_t ModelBuilder::second_order_variable(std::size_t variable) {
  const auto found = second_order_.find(variable);
  if (found != second_order_.end()) return found->second;
  FlatVariable first;
  first.name = fmt::format("der({})", model_.variables[variable].name);
  first.place = model_.variables[variable].place;
  first.introduced = true;
  const std::size_t index = add_variable(std::move(first), last_in_order);
  second_order_.emplace(variable, index);
  FlatEquation equation;
  equation.residual = graph().subtract(derivative_of(variable), value_of(index));
  equation.text = fmt::format("der({0}) is differentiated: a variable for der({0})", model_.variables[variable].name);
  equation.place = model_.variables[variable].place;
  model_.equations.push_back(std::move(equation));
  return index;
}

Scalar ModelBuilder::total_derivative(Scalar value) {
  if (value.is_constant()) return Scalar::of(0.0);
  if (const auto variable = variable_of(value); variable && !model_.variables[*variable].discrete) {
    return Scalar::of(derivative_of(*variable));
  }
  std::unordered_map<std::uint32_t, Expr> direction;
  for (const std::uint32_t slot : inputs_of(graph(), value.expr)) {
    const Slot what = slots_[slot];
    if (what.kind == SlotKind::time) direction.emplace(slot, graph().constant(1.0));
    if (what.kind == SlotKind::continuous) direction.emplace(slot, derivative_of(what.variable));
    if (what.kind == SlotKind::derivative) {
      direction.emplace(slot, derivative_of(second_order_variable(what.variable)));
    }
  }
  return arithmetic_.wrap(derivative_along(graph(), value.expr, direction));
}

// Children come before their parents, so one pass over the new nodes answers for all.
void ModelBuilder::determine_inputs() {
  for (const FlatEquation& equation : model_.equations) {
    FlatVariable* input = nullptr;
    bool unknown = false;
    for (const std::uint32_t slot : inputs_of(model_.graph, equation.residual)) {
      const SlotKind kind = slots_[slot].kind;
      if (kind != SlotKind::continuous && kind != SlotKind::discrete && kind != SlotKind::derivative) continue;
      FlatVariable& variable = model_.variables[slots_[slot].variable];
      if (variable.input && kind != SlotKind::derivative)
        input = &variable;
      else
        unknown = true;
    }
    if (input != nullptr && !unknown) input->input = false;
  }
}

bool ModelBuilder::has_unknown(const Scalar& scalar) const {
  if (!scalar.is_expression()) return false;
  return std::ranges::any_of(inputs_of(model_.graph, scalar.expr), [&](std::uint32_t slot) {
    return slots_[slot].kind == SlotKind::continuous || slots_[slot].kind == SlotKind::derivative;
  });
}

bool ModelBuilder::is_continuous(const Scalar& scalar) {
  if (!scalar.is_expression()) return false;
  const Graph& nodes = model_.graph;
  for (std::size_t id = continuous_.size(); id < nodes.size(); ++id) {
    const Expr e{static_cast<std::uint32_t>(id)};
    bool moves = false;
    if (nodes.op(e) == Op::input) {
      const std::uint32_t slot = nodes.slot(e);
      const SlotKind kind = slots_[slot].kind;
      moves = kind == SlotKind::time || kind == SlotKind::continuous || kind == SlotKind::derivative;
    } else if (nodes.op(e) != Op::constant) {
      for (int k = 0; k < arity(nodes.op(e)); ++k) moves = moves || continuous_[nodes.child(e, k).id];
    }
    continuous_.push_back(moves);
  }
  return continuous_[scalar.expr.id];
}

Scalar ModelBuilder::relation(FlatRelation relation) {
  const auto key = std::tuple(relation.root.id, relation.holds_if_negative, relation.at_zero);
  const auto found = relations_.find(key);
  if (found != relations_.end()) return Scalar::of(found->second);
  relation.slot = add_slot(SlotKind::relation);
  const Expr flag = graph().input(relation.slot);
  relations_.emplace(key, flag);
  model_.relations.push_back(std::move(relation));
  return Scalar::of(flag);
}

std::size_t ModelBuilder::add_held_integer(std::string name, std::optional<Expr> start, SourcePlace place) {
  FlatVariable held;
  held.name = std::move(name);
  held.discrete = held.integer = held.introduced = true;
  held.start = start;
  held.fixed = start.has_value();
  held.place = place;
  return add_variable(std::move(held), last_in_order);
}

// n with n <= argument < n + 1: moved by an event wherever the argument leaves that interval. The new value is beyond
// the old one even if rounding has the argument still inside.
Scalar ModelBuilder::held_floor(Scalar argument, const std::string& name, SourcePlace place) {
  const auto found = floors_.find(argument.expr.id);
  if (found != floors_.end()) return Scalar::of(found->second);
  Graph& g = graph();
  const std::size_t index = add_held_integer(name, std::nullopt, place);
  const Expr n = value_of(index), before = pre_of(index), one = g.constant(1.0);
  const Expr floor = g.apply(Op::floor, argument.expr);
  const Scalar below = relation({g.subtract(argument.expr, before), 0, true, false, name, place});
  const Scalar above = relation({g.subtract(argument.expr, g.add(before, one)), 0, false, true, name, place});
  const auto branch = [&](Expr condition, Expr value, bool at_initial) {
    FlatAction action;
    action.variable = index;
    action.value = value;
    action.place = place;
    return FlatBranch{condition, at_initial, {action}};
  };
  FlatWhen when;
  when.at_initial = true;
  when.place = place;
  when.branches.push_back(branch(g.constant(0.0), floor, true));
  when.branches.push_back(branch(below.expr, g.apply(Op::min, floor, g.subtract(before, one)), false));
  when.branches.push_back(branch(above.expr, g.apply(Op::max, floor, g.add(before, one)), false));
  model_.whens.push_back(std::move(when));
  floors_.emplace(argument.expr.id, n);
  return Scalar::of(n);
}

// k counts the ticks so far; the next one is at start + pre(k) * interval. Counting on ends the tick.
Scalar ModelBuilder::sample(Number start, Number interval, const std::string& text, SourcePlace place) {
  for (const Sampling& known : samplings_) {
    if (known.start == start && known.interval == interval) return Scalar::of(known.flag);
  }
  Graph& g = graph();
  const Expr elapsed = g.divide(g.subtract(time(), g.constant(start)), g.constant(interval));
  const Expr passed = g.apply(Op::ceil, g.subtract(elapsed, g.constant(1e-9)));
  const std::size_t index = add_held_integer(text, g.apply(Op::max, g.constant(0.0), passed), place);
  const Expr next = g.add(g.constant(start), g.multiply(g.constant(interval), pre_of(index)));
  const Scalar reached = relation({g.subtract(time(), next), 0, false, true, text, place, true});
  FlatAction count;
  count.variable = index;
  count.value = g.add(pre_of(index), g.constant(1.0));
  count.place = place;
  FlatWhen when;
  when.place = place;
  when.branches.push_back({reached.expr, false, {count}});
  model_.whens.push_back(std::move(when));
  samplings_.push_back({start, interval, reached.expr});
  return reached;
}

}  // namespace driftless
