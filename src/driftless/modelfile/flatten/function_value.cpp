// Functions as arguments of functions: by their name, or with some of their inputs given, function f(k = 2).
#include <fmt/format.h>

#include <algorithm>

#include "driftless/modelfile/flatten/evaluator.h"
#include "driftless/modelfile/text/suggest.h"

namespace driftless {

ResolvedType Evaluator::input_type(const Declaration& declaration) {
  const auto known =
      declaration.type.parts.size() == 1 ? context_.classes.find(declaration.type.parts[0]) : context_.classes.end();
  if (known == context_.classes.end() || known->second->kind != ClassDefinition::Kind::function)
    return symbols_->resolve(declaration.type);
  if (!declaration.sizes.empty() || !declaration.type_sizes.empty())
    Context::fail(declaration.name_range, "arrays of functions are not covered");
  return {Type{BaseType::function}, 1, {}, {}};
}

Value Evaluator::evaluate_input(NodeId id, const FunctionInput& input, const std::string& what) {
  if (input.type.type.base == BaseType::function) return evaluate_function(id, what);
  return evaluate_as(id, input.type.type, what);
}

Value Evaluator::evaluate_function(NodeId id, const std::string& what) {
  const bool applied = tree_.node(id).kind == NodeKind::call && tree_.node(id).op == 1;
  auto found = applied ? partial_application(id, what) : named_function(id);
  if (!found)
    fail(id, fmt::format("{} must be a function", what),
         "give the name of one, or function f(k = 2) with values for some of its inputs");
  function_values_.push_back(*std::move(found));
  return {Type{BaseType::function}, Scalar::of(static_cast<double>(function_values_.size() - 1))};
}

// A function of the file, an input of this one that is a function, or one of a number that is built in.
std::optional<Evaluator::FunctionValue> Evaluator::named_function(NodeId id) {
  const SyntaxNode& node = tree_.node(id);
  if (node.kind != NodeKind::name) return std::nullopt;
  if (Local* local = frame_ == nullptr ? nullptr : frame_->find(node.text)) {
    if (local->value.base() != BaseType::function) return std::nullopt;
    return function_values_[static_cast<std::size_t>(local->value.scalar().number.pinned())];
  }
  if (symbols_->find(node.text) != nullptr) return std::nullopt;
  const auto known = context_.classes.find(node.text);
  if (known != context_.classes.end() && known->second->kind == ClassDefinition::Kind::function)
    return FunctionValue{.definition = known->second};
  const BuiltinFunction* builtin = find_builtin(tree_.name_of(id));
  if (builtin == nullptr || builtin->which != Builtin::elementwise) return std::nullopt;
  return FunctionValue{.builtin = builtin};
}

Evaluator::FunctionValue Evaluator::partial_application(NodeId id, const std::string& what) {
  const NodeId callee = tree_.child(id, 0);
  auto found = named_function(callee);
  if (!found || found->definition == nullptr)
    fail(callee, fmt::format("{}: {} is no function of this file", what, quoted(context_.quote(tree_.range(callee)))));
  const FunctionInfo& info = function_info(*found->definition);
  found->bound.resize(info.inputs.size());
  for (const NodeId argument : std::vector<NodeId>(tree_.children(id).begin() + 1, tree_.children(id).end())) {
    if (tree_.node(argument).kind != NodeKind::named_argument)
      fail(argument, "inputs are given by their names here", "write function f(k = 2)");
    const std::string& name = tree_.name_of(argument);
    const auto own = std::find(info.input_names.begin(), info.input_names.end(), name);
    if (own == info.input_names.end())
      fail(argument,
           fmt::format("{} has no argument {}", quoted(tree_.names.text(found->definition->name)), quoted(name)),
           did_you_mean(name, info.input_names));
    const auto k = static_cast<std::size_t>(own - info.input_names.begin());
    if (found->bound[k]) fail(argument, fmt::format("the argument {} is given twice", quoted(name)));
    found->bound[k] =
        evaluate_input(tree_.child(argument, 0), info.inputs[k], fmt::format("the argument {}", quoted(name)));
  }
  return *std::move(found);
}

std::optional<std::vector<Value>> Evaluator::call_input(NodeId call) {
  const NodeId callee = tree_.child(call, 0);
  if (frame_ == nullptr || tree_.node(callee).kind != NodeKind::name) return std::nullopt;
  const Local* local = frame_->find(tree_.node(callee).text);
  if (local == nullptr || local->value.base() != BaseType::function) return std::nullopt;
  const FunctionValue function = function_values_[static_cast<std::size_t>(local->value.scalar().number.pinned())];
  if (function.definition != nullptr) return call_function(*function.definition, call, function.bound);
  std::vector<Value> results;
  results.push_back(call_builtin(*function.builtin, call));
  return results;
}

}  // namespace driftless
