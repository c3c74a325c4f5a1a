// when: what happens at the moment at which a condition becomes true.
#include <fmt/format.h>

#include <algorithm>

#include "driftless/modelfile/flatten/flatten_model.h"
#include "driftless/modelfile/text/suggest.h"

namespace driftless {

void ModelFlattener::add_when(const Statement& statement) {
  if (part_ == Part::initial_equations) Context::fail(statement.range, "'when' is not allowed in initial equations");
  if (part_ == Part::when_body)
    Context::fail(statement.range, "'when' is not allowed inside 'when'", "use 'if' inside");
  if (open_choices_ > 0) {
    Context::fail(statement.range, "'when' is not allowed inside an 'if' whose condition changes",
                  "make the condition part of the one of 'when'");
  }
  FlatWhen when;
  when.place = context_.place(statement.range);
  for (const Statement::Branch& branch : statement.branches) {
    const std::vector<WhenCondition> conditions = when_conditions(branch.condition);
    const std::vector<FlatAction> actions = when_body(branch.body, statement.range);
    // when {a, b}: whichever becomes true, so one branch for each.
    for (const WhenCondition& each : conditions) {
      when.branches.push_back({context_.arithmetic.lift(each.condition), each.at_initial, actions});
      when.at_initial = when.at_initial || each.at_initial;
    }
  }
  claim_variables(when, statement.range);
  context_.builder.model().whens.push_back(std::move(when));
}

// Two whens may fire at once: only inside of one algorithm is it said which of them comes last.
void ModelFlattener::claim_variables(const FlatWhen& when, SourceRange range) {
  const std::size_t unit = when.section != 0 ? when.section : SIZE_MAX - equation_whens_++;
  for (const FlatBranch& branch : when.branches) {
    for (const FlatAction& action : branch.actions) {
      if (action.kind != FlatAction::Kind::assign) continue;
      const auto [owner, added] = when_owners_.try_emplace(action.variable, WhenOwner{unit, action.place});
      if (added || owner->second.unit == unit) continue;
      Context::fail(range,
                    fmt::format("{} gets a value in this 'when' and in another one",
                                quoted(context_.builder.variable(action.variable).name)),
                    fmt::format("the other one is in line {}; put them together by 'elsewhen', or in one algorithm",
                                owner->second.place.line));
    }
  }
}

std::vector<ModelFlattener::WhenCondition> ModelFlattener::when_conditions(NodeId id) {
  const auto is_initial = [&](NodeId node) {
    return tree_.node(node).kind == NodeKind::call && tree_.text(tree_.range(tree_.child(node, 0))) == "initial";
  };
  std::vector<NodeId> nodes{id};
  if (tree_.node(id).kind == NodeKind::array) {
    const auto children = tree_.children(id);
    nodes.assign(children.begin(), children.end());
  }
  std::vector<WhenCondition> conditions;
  for (const NodeId node : nodes) {
    if (is_initial(node)) {
      conditions.push_back({Scalar::of(0.0), true});
      continue;
    }
    const Value value = evaluator_.evaluate_as(node, Type{BaseType::boolean}, "the condition of 'when'");
    for (const Scalar& scalar : value.elements()) conditions.push_back(when_condition(scalar, node));
  }
  return conditions;
}

ModelFlattener::WhenCondition ModelFlattener::when_condition(const Scalar& condition, NodeId id) const {
  if (context_.builder.is_continuous(condition)) {
    Context::fail(tree_.range(id), "the condition of 'when' may change at events only",
                  "leave out noEvent and smooth here");
  }
  return {condition, false};
}

std::vector<FlatAction> ModelFlattener::when_body(const std::vector<Statement>& body, SourceRange range) {
  const Evaluator::Scope scope(evaluator_);
  evaluator_.mode() = Mode{.events = false, .in_when = true};
  const Part outer_part = std::exchange(part_, Part::when_body);
  std::vector<FlatAction> outer_actions = std::exchange(actions_, {});
  evaluator_.set_when_actions(&actions_);
  add_statements(body);
  part_ = outer_part;
  std::vector<FlatAction> actions = std::exchange(actions_, std::move(outer_actions));
  sort_assignments(actions, range);
  return actions;
}

// variable = value
void ModelFlattener::add_assignments(const Value& left, Value right, SourceRange range) {
  evaluator_.convert(right, left.type(), range, "the new value");
  if (left.dims() != right.dims()) {
    Context::fail(range, fmt::format("the left side has size {}, but the right side has size {}", to_text(left.dims()),
                                     to_text(right.dims())));
  }
  context_.claim_elements(left.size(), range);
  for (std::size_t i = 0; i < left.size(); ++i) {
    const auto index = context_.builder.variable_of(left[i]);
    if (!index || !context_.builder.variable(*index).discrete) {
      Context::fail(range, "inside 'when' an equation gives a variable its new value: variable = value");
    }
    FlatAction action;
    action.variable = *index;
    action.value = context_.arithmetic.lift(right[i]);
    action.place = context_.place(range);
    const auto reads = inputs_of(context_.builder.graph(), action.value);
    const FlatVariable& variable = context_.builder.variable(*index);
    if (std::binary_search(reads.begin(), reads.end(), variable.slot)) {
      Context::fail(range, fmt::format("the new value of {} depends on itself", quoted(variable.name)),
                    fmt::format("the value before the event is pre({})", variable.name));
    }
    actions_.push_back(std::move(action));
  }
}

// Equations have no order: what an assignment reads of the others comes first. Reinits and messages come last.
void ModelFlattener::sort_assignments(std::vector<FlatAction>& actions, SourceRange range) {
  std::unordered_map<std::uint32_t, std::size_t> assigned_by;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    if (actions[i].kind != FlatAction::Kind::assign) continue;
    const FlatVariable& variable = context_.builder.variable(actions[i].variable);
    if (!assigned_by.emplace(variable.slot, i).second) {
      Context::fail(range, fmt::format("{} gets two values in this 'when'", quoted(variable.name)),
                    fmt::format("the second one is in line {}", actions[i].place.line));
    }
  }
  std::vector<std::vector<std::size_t>> readers(actions.size());
  std::vector<std::size_t> waiting(actions.size(), 0);
  for (std::size_t i = 0; i < actions.size(); ++i) {
    if (actions[i].kind != FlatAction::Kind::assign) continue;
    for (const std::uint32_t slot : inputs_of(context_.builder.graph(), actions[i].value)) {
      const auto found = assigned_by.find(slot);
      if (found == assigned_by.end()) continue;
      readers[found->second].push_back(i);
      ++waiting[i];
    }
  }
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    if (actions[i].kind == FlatAction::Kind::assign && waiting[i] == 0) order.push_back(i);
  }
  for (std::size_t k = 0; k < order.size(); ++k) {
    for (const std::size_t reader : readers[order[k]]) {
      if (--waiting[reader] == 0) order.push_back(reader);
    }
  }
  if (order.size() != assigned_by.size()) {
    const auto stuck = std::find_if(waiting.begin(), waiting.end(), [](std::size_t count) { return count > 0; });
    const FlatAction& action = actions[static_cast<std::size_t>(stuck - waiting.begin())];
    Context::fail(range,
                  fmt::format("the new value of {} depends on itself through others of this 'when'",
                              quoted(context_.builder.variable(action.variable).name)),
                  "pre(x) is the value before the event");
  }
  for (std::size_t i = 0; i < actions.size(); ++i) {
    if (actions[i].kind != FlatAction::Kind::assign) order.push_back(i);
  }
  std::vector<FlatAction> sorted;
  for (const std::size_t i : order) sorted.push_back(std::move(actions[i]));
  actions = std::move(sorted);
}

// reinit(x, value)
void ModelFlattener::add_reinit(NodeId call) {
  const std::vector<NodeId> arguments = evaluator_.statement_arguments(call, "x,expr", 2);
  const SourceRange range = tree_.range(call);
  if (evaluator_.mode().in_when == false) Context::fail(range, "'reinit' belongs in a 'when'");
  const Value target = evaluator_.evaluate_as(arguments[0], Type{BaseType::real}, "the first argument of 'reinit'");
  const Value value = evaluator_.evaluate_as(arguments[1], Type{BaseType::real}, "the second argument of 'reinit'");
  if (target.dims() != value.dims()) {
    Context::fail(range, fmt::format("the variable has size {}, but its new value has size {}", to_text(target.dims()),
                                     to_text(value.dims())));
  }
  for (std::size_t i = 0; i < target.size(); ++i) {
    const auto index = context_.builder.variable_of(target[i]);
    if (!index) Context::fail(tree_.range(arguments[0]), "the first argument of 'reinit' must be a variable");
    if (context_.builder.variable(*index).discrete) {
      Context::fail(tree_.range(arguments[0]),
                    fmt::format("{} is discrete", quoted(context_.builder.variable(*index).name)),
                    "write an equation: variable = value");
    }
    FlatAction action;
    action.kind = FlatAction::Kind::reinit;
    action.variable = *index;
    action.value = context_.arithmetic.lift(value[i]);
    action.place = context_.place(range);
    actions_.push_back(std::move(action));
  }
}

// terminate(message)
void ModelFlattener::add_terminate(NodeId call) {
  const std::vector<NodeId> arguments = evaluator_.statement_arguments(call, "message", 1);
  Text message = evaluator_.evaluate_text(arguments[0], "the message of 'terminate'");
  FlatAction action;
  action.kind = FlatAction::Kind::terminate;
  action.value = context_.arithmetic.lift(evaluator_.path_condition(0));
  action.message = std::move(message.text);
  action.message_values = std::move(message.values);
  action.place = context_.place(tree_.range(call));
  if (evaluator_.mode().in_when) {
    actions_.push_back(std::move(action));
    return;
  }
  // Outside of when it ends the run as soon as it is reached, at the start as well.
  if (context_.builder.is_continuous(evaluator_.path_condition(0)))
    Context::fail(tree_.range(call), "the condition of 'terminate' may change at events only",
                  "leave out noEvent and smooth here");
  FlatWhen when;
  when.place = action.place;
  when.at_initial = true;
  when.branches.push_back({context_.builder.graph().constant(0.0), true, {action}});
  when.branches.push_back({action.value, false, {action}});
  context_.builder.model().whens.push_back(std::move(when));
}

// discrete Real a = x: what may change at events only would change all the time.
void ModelFlattener::check_discrete_reals() {
  const FlatModel& model = context_.builder.model();
  std::vector<char> assigned(model.variables.size(), 0);
  for (const FlatWhen& when : model.whens)
    for (const FlatBranch& branch : when.branches)
      for (const FlatAction& action : branch.actions)
        if (action.kind == FlatAction::Kind::assign) assigned[action.variable] = 1;
  for (const Symbol& symbol : symbols_.all()) {
    const Declaration& declaration = *symbol.declaration;
    if (symbol.valuing != Symbol::Progress::done || declaration.variability != Variability::discrete) continue;
    for (const Scalar& scalar : symbol.values) {
      const auto index = context_.builder.variable_of(scalar);
      if (!index || assigned[*index] || symbol.type.type.base != BaseType::real) continue;
      const FlatEquation* equation = continuous_equation(model.variables[*index].slot);
      if (equation == nullptr) continue;
      context_.diagnostics.error(
          declaration.name_range,
          fmt::format("{} is discrete, but '{}' (line {}) lets it change between events",
                      quoted(model.variables[*index].name), equation->text, equation->place.line),
          "give it its value in a 'when', or leave out 'discrete'");
      break;
    }
  }
}

// Of a discrete variable, if it has no equation that changes at events only.
const FlatEquation* ModelFlattener::continuous_equation(std::uint32_t slot) {
  const FlatModel& model = context_.builder.model();
  const FlatEquation* found = nullptr;
  for (const FlatEquation& equation : model.equations) {
    const auto reads = inputs_of(model.graph, equation.residual);
    if (std::ranges::find(reads, slot) == reads.end()) continue;
    if (!context_.builder.is_continuous(Scalar::of(equation.residual))) return nullptr;
    found = &equation;
  }
  return found;
}

}  // namespace driftless
