// algorithm sections of models: one equation for each variable that they assign.
#include <fmt/format.h>

#include <algorithm>

#include "driftless/modelfile/flatten/flatten_model.h"
#include "driftless/modelfile/text/suggest.h"

namespace driftless {

void ModelFlattener::add_algorithm(const std::vector<Statement>& statements, bool initial) {
  part_ = initial ? Part::initial_equations : Part::equations;
  open_choices_ = 0;
  equations_.clear();
  algorithm_ = {};
  ++section_;
  const Evaluator::Scope scope(evaluator_);
  evaluator_.mode() = Mode{.events = !initial, .in_initial = initial};
  Frame frame;
  add_algorithm_locals(frame, statements, false);
  for (Local& local : frame.locals) local.assigned.assign(local.value.size(), false);
  evaluator_.set_frame(&frame);
  AlgorithmRun(context_, evaluator_, frame, this).run(statements);
  for (Local& local : frame.locals) {
    const Symbol& symbol = *symbols_.find(local.name);
    if (local.value.base() != BaseType::real) check_discrete(local.value, local.last_assignment);
    for (std::size_t i = 0; i < local.value.size(); ++i) {
      if (!local.assigned[i]) continue;
      context_.claim_elements(1, local.last_assignment);
      equations_.push_back({symbol.values[i], local.value[i],
                            fmt::format("algorithm: {}", context_.quote(local.last_assignment)), local.last_assignment,
                            context_.place(local.last_assignment)});
    }
  }
  keep_equations(initial);
}

void ModelFlattener::add_algorithm_locals(Frame& frame, const std::vector<Statement>& statements, bool in_when) {
  for (const Statement& statement : statements) {
    const bool when = in_when || statement.kind == Statement::Kind::when;
    if (statement.kind == Statement::Kind::assignment) add_algorithm_local(frame, statement.left, in_when);
    for (const Statement::Branch& branch : statement.branches) add_algorithm_locals(frame, branch.body, when);
  }
}

// What is read before it is assigned: the value before the event, or the start value of a continuous variable.
void ModelFlattener::add_algorithm_local(Frame& frame, NodeId target, bool in_when) {
  if (target == no_node) return;
  const NodeKind kind = tree_.node(target).kind;
  if (kind == NodeKind::tuple) {
    for (const NodeId each : tree_.children(target)) add_algorithm_local(frame, each, in_when);
    return;
  }
  if (kind != NodeKind::name && kind != NodeKind::reference) return;  // refused when it is assigned
  const std::uint32_t name = evaluator_.base_name(target);
  Symbol* symbol = symbols_.find(name);
  if (symbol == nullptr) evaluator_.fail_unknown_name(name, tree_.range(target));
  if (symbol->is_parameter() && !(symbol->is_computed && part_ == Part::initial_equations)) {
    Context::fail(tree_.range(target), fmt::format("the parameter {} cannot be assigned", quoted(symbol->name)),
                  "give it its value where it is declared");
  }
  auto& mine = in_when ? algorithm_.in_when : algorithm_.outside;
  auto& other = in_when ? algorithm_.outside : algorithm_.in_when;
  if (std::find(other.begin(), other.end(), name) != other.end()) {
    Context::fail(tree_.range(target), fmt::format("{} is assigned inside and outside of 'when'", quoted(symbol->name)),
                  "use two variables");
  }
  if (std::find(mine.begin(), mine.end(), name) != mine.end()) return;
  mine.push_back(name);
  symbols_.valued(*symbol, tree_.range(target));
  std::vector<Scalar> values = symbol->values;
  if (!in_when) {
    const std::vector<Scalar> starts = start_values(*symbol);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t index = *context_.builder.variable_of(values[i]);
      const bool discrete = context_.builder.variable(index).discrete;
      values[i] = discrete ? Scalar::of(context_.builder.pre_of(index)) : starts[i];
    }
  }
  Local& local = frame.add(name);
  local.declaration = symbol->declaration;
  local.value = Value(symbol->type.type, symbol->dims, std::move(values), symbol->type.width);
}

// Where it is not reached, the variable keeps its value.
void ModelFlattener::run_reinit(NodeId call) {
  const std::size_t before = actions_.size();
  add_reinit(call);
  const Scalar reached = evaluator_.path_condition(0);
  for (std::size_t i = before; i < actions_.size(); ++i) {
    const Scalar unchanged = Scalar::of(context_.builder.value_of(actions_[i].variable));
    const Scalar value = context_.arithmetic.select(reached, context_.arithmetic.wrap(actions_[i].value), unchanged);
    actions_[i].value = context_.arithmetic.lift(value);
  }
}

void ModelFlattener::run_when(const Statement& statement) {
  if (part_ == Part::initial_equations) Context::fail(statement.range, "'when' is not allowed in initial algorithms");
  if (evaluator_.mode().in_when)
    Context::fail(statement.range, "'when' is not allowed inside 'when'", "use 'if' inside");
  if (!evaluator_.path().empty()) {
    Context::fail(statement.range, "'when' is not allowed inside an 'if' whose condition changes",
                  "make the condition part of the one of 'when'");
  }
  FlatWhen when;
  when.place = context_.place(statement.range);
  when.section = section_;
  for (const Statement::Branch& branch : statement.branches) {
    const std::vector<WhenCondition> conditions = when_conditions(branch.condition);
    const std::vector<FlatAction> actions = when_algorithm(branch.body);
    for (const WhenCondition& each : conditions) {
      when.branches.push_back({context_.arithmetic.lift(each.condition), each.at_initial, actions});
      when.at_initial = when.at_initial || each.at_initial;
    }
  }
  claim_variables(when, statement.range);
  context_.builder.model().whens.push_back(std::move(when));
}

// Runs the body; the assigned variables go back to what they are outside, which is what the event will make of them.
std::vector<FlatAction> ModelFlattener::when_algorithm(const std::vector<Statement>& body) {
  const Evaluator::Scope scope(evaluator_);
  evaluator_.mode() = Mode{.events = false, .in_when = true};
  Frame& frame = *evaluator_.frame();
  AlgorithmRun run(context_, evaluator_, frame, this);
  std::vector<std::size_t> assigned = run.assigned_locals(body);
  std::sort(assigned.begin(), assigned.end());
  assigned.erase(std::unique(assigned.begin(), assigned.end()), assigned.end());
  const AlgorithmRun::State before = run.save(assigned);
  std::vector<FlatAction> outer_actions = std::exchange(actions_, {});
  evaluator_.set_when_actions(&actions_);
  run.run(body);
  std::vector<FlatAction> actions;
  for (const std::size_t index : assigned) {
    Local& local = frame.locals[index];
    const Symbol& symbol = *symbols_.find(local.name);
    for (std::size_t i = 0; i < local.value.size(); ++i) {
      if (!local.assigned[i]) continue;
      local.assigned[i] = false;
      FlatAction action;
      action.variable = *context_.builder.variable_of(symbol.values[i]);
      action.value = context_.arithmetic.lift(local.value[i]);
      action.place = context_.place(local.last_assignment);
      actions.push_back(std::move(action));
    }
  }
  run.restore(before);
  std::vector<FlatAction> others = std::exchange(actions_, std::move(outer_actions));
  std::move(others.begin(), others.end(), std::back_inserter(actions));
  return actions;
}

}  // namespace driftless
