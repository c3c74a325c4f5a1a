// What algorithms assign, and the calls that are statements.
#include <fmt/format.h>

#include <algorithm>

#include "driftless/modelfile/flatten/algorithm.h"
#include "driftless/modelfile/text/suggest.h"

namespace driftless {

void AlgorithmRun::run_assignment(const Statement& statement) {
  if (tree_.node(statement.left).kind != NodeKind::tuple) {
    assign(statement.left, evaluator_.evaluate(statement.right), statement.range);
    return;
  }
  const auto targets = tree_.children(statement.left);
  std::vector<Value> results = evaluator_.evaluate_results(statement.right);
  if (targets.size() > results.size()) {
    Context::fail(tree_.range(statement.left), fmt::format("there are {} targets, but {} result{}", targets.size(),
                                                           results.size(), results.size() == 1 ? "" : "s"));
  }
  for (std::size_t k = 0; k < targets.size(); ++k) {
    if (targets[k] != no_node) assign(targets[k], std::move(results[k]), statement.range);
  }
}

void AlgorithmRun::assign(NodeId target, Value value, SourceRange range) {
  const NodeKind kind = tree_.node(target).kind;
  if (kind != NodeKind::name && kind != NodeKind::reference) {
    Context::fail(tree_.range(target), "only variables can be assigned");
  }
  const std::uint32_t name = evaluator_.base_name(target);
  Local* local = frame_.find(name);
  if (local == nullptr) {
    if (host_ == nullptr) evaluator_.fail_unknown_name(name, tree_.range(target));
    Context::fail(tree_.range(target), fmt::format("{} cannot be assigned here", quoted(tree_.names.text(name))),
                  "an algorithm assigns variables of its model");
  }
  const std::string what = quoted(tree_.names.text(name));
  if (local->is_input) Context::fail(tree_.range(target), fmt::format("the input {} may not be assigned", what));
  local->last_assignment = range;
  if (kind == NodeKind::name)
    local->pending = false;
  else if (local->pending)  // what is not assigned here keeps its declared value
    evaluator_.evaluate_pending(*local, local->declaration->value);
  if (kind == NodeKind::name && local->is_flexible) {
    if (!context_.is_same_record(value.type(), local->value.type()))
      evaluator_.convert(value, local->value.type(), tree_.range(target), what);
    local->value = std::move(value);
    local->assigned.assign(local->value.size(), true);
    return;
  }
  const auto selections = evaluator_.possible_selections(target, local->value);
  evaluator_.convert(value, selections[0].selection.type, tree_.range(target), what);
  local->assigned.resize(local->value.size(), false);
  for (const auto& [condition, selection] : selections) {
    if (selection.dims != value.dims()) {
      Context::fail(range, fmt::format("{} has size {}, but what is assigned has size {}",
                                       quoted(context_.quote(tree_.range(target))), to_text(selection.dims),
                                       to_text(value.dims())));
    }
    context_.charge(selection.indices.size(), range);
    for (std::size_t i = 0; i < selection.indices.size(); ++i) {
      Scalar& element = local->value[selection.indices[i]];
      element = context_.arithmetic.select(condition, value[i], element);
      local->assigned[selection.indices[i]] = true;
    }
  }
  // By the rules of the language x[i] := ... with a variable i is an assignment to the whole of x.
  if (host_ != nullptr && reads_local(target)) local->assigned.assign(local->assigned.size(), true);
}

// Whether variables that the algorithm assigns are among the subscripts.
bool AlgorithmRun::reads_local(NodeId target) const {
  const std::function<bool(NodeId)> reads = [&](NodeId id) {
    if (id == no_node) return false;
    const SyntaxNode& node = tree_.node(id);
    const bool is_name = node.kind == NodeKind::name || node.kind == NodeKind::reference;
    if (is_name && frame_.by_name.contains(evaluator_.base_name(id))) return true;
    const bool operators = node.kind == NodeKind::sum || node.kind == NodeKind::product;  // between the operands
    const auto children = tree_.children(id);
    for (std::size_t k = 0; k < children.size(); k += operators ? 2 : 1)
      if (reads(children[k])) return true;
    return false;
  };
  if (tree_.node(target).kind != NodeKind::reference) return false;
  return std::ranges::any_of(tree_.children(target),
                             [&](NodeId part) { return std::ranges::any_of(tree_.children(part), reads); });
}

void AlgorithmRun::run_call(const Statement& statement) {
  const NodeId callee = tree_.child(statement.left, 0);
  const std::string name(tree_.text(tree_.range(callee)));
  if (name == "assert") {
    evaluator_.add_assertion(statement.left);
  } else if (name == "terminate" || name == "reinit") {
    if (host_ == nullptr) Context::fail(statement.range, fmt::format("a function may not use '{}'", name));
    if (name == "reinit") {
      host_->run_reinit(statement.left);
    } else {
      host_->run_terminate(statement.left);
    }
  } else {
    evaluator_.evaluate_results(statement.left);  // for its assertions
  }
}

std::vector<std::size_t> AlgorithmRun::assigned_locals(const std::vector<Statement>& statements) const {
  std::vector<std::size_t> locals;
  collect_assigned(statements, locals);
  return locals;
}

void AlgorithmRun::collect_assigned(const std::vector<Statement>& statements, std::vector<std::size_t>& locals) const {
  for (const Statement& statement : statements) {
    if (statement.kind == Statement::Kind::assignment) collect_target(statement.left, locals);
    for (const Statement::Branch& branch : statement.branches) collect_assigned(branch.body, locals);
  }
}

void AlgorithmRun::collect_target(NodeId target, std::vector<std::size_t>& locals) const {
  if (target == no_node) return;
  if (tree_.node(target).kind == NodeKind::tuple) {
    for (const NodeId each : tree_.children(target)) collect_target(each, locals);
    return;
  }
  const NodeKind kind = tree_.node(target).kind;
  if (kind != NodeKind::name && kind != NodeKind::reference) return;
  const auto found = frame_.by_name.find(evaluator_.base_name(target));
  if (found != frame_.by_name.end()) locals.push_back(found->second);
}

}  // namespace driftless
