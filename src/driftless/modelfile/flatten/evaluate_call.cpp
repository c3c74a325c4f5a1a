// Calls: who is called, and which argument is which.
#include <fmt/format.h>

#include "driftless/modelfile/flatten/evaluator.h"
#include "driftless/modelfile/text/suggest.h"

namespace driftless {

// The name as written; what the standard library only passes on is the function itself.
std::string Evaluator::callee_text(NodeId id) const {
  const NodeId callee = tree_.child(id, 0);
  if (tree_.node(callee).kind == NodeKind::name) return tree_.name_of(callee);
  const auto parts = tree_.children(callee);
  if (parts.size() == 3 && tree_.name_of(parts[0]) == "Modelica" && tree_.name_of(parts[1]) == "Math" &&
      find_builtin(tree_.name_of(parts[2])) != nullptr) {
    return tree_.name_of(parts[2]);
  }
  return std::string(tree_.text(tree_.range(callee)));
}

Value Evaluator::evaluate_call(NodeId id) {
  const NodeId callee = tree_.child(id, 0);
  if (tree_.node(id).op == 1)
    fail(id, "'function f(...)' is a function and not the value of one", "it may be an argument of another function");
  if (auto results = call_input(id)) {
    if (results->empty()) fail(callee, fmt::format("the function {} has no output", quoted(tree_.name_of(callee))));
    return std::move(results->front());
  }
  if (tree_.node(callee).kind == NodeKind::name) {
    const auto found = context_.classes.find(tree_.node(callee).text);
    if (found != context_.classes.end()) {
      const ClassDefinition& definition = *found->second;
      if (definition.kind == ClassDefinition::Kind::function) {
        std::vector<Value> results = call_function(definition, id);
        if (results.empty()) fail(callee, fmt::format("the function {} has no output", quoted(tree_.name_of(callee))));
        return std::move(results.front());
      }
      if (definition.kind == ClassDefinition::Kind::record) return construct_record(definition, id);
      fail(callee, fmt::format("{} is a type and cannot be called", quoted(tree_.name_of(callee))));
    }
  }
  const std::string name = callee_text(id);
  if (const BuiltinFunction* builtin = find_builtin(name)) return call_builtin(*builtin, id);
  if (const auto reason = refused_builtin(name)) {
    fail(callee, fmt::format("'{}' is not covered", name), std::string(*reason));
  }
  if (is_statement_function(name)) {
    fail(callee, fmt::format("'{}' has no value", name), "it is an equation or a statement of its own");
  }
  fail_unknown_function(id);
}

void Evaluator::fail_unknown_function(NodeId id) {
  const NodeId callee = tree_.child(id, 0);
  const std::string name = callee_text(id);
  if (symbols_->find(tree_.node(callee).text) != nullptr && tree_.node(callee).kind == NodeKind::name) {
    fail(callee, fmt::format("{} is a variable and cannot be called", quoted(name)),
         "subscripts are in brackets, and products need a '*'");
  }
  std::vector<std::string_view> known = builtin_names();
  for (const auto& [class_name, definition] : context_.classes) {
    if (definition->kind == ClassDefinition::Kind::function) known.push_back(tree_.names.text(class_name));
  }
  std::sort(known.begin(), known.end());
  fail(callee, fmt::format("the function {} is not known", quoted(name)), did_you_mean(name, known));
}

// Arguments by position, then by name; no_node where one is left out.
std::vector<NodeId> Evaluator::bind_arguments(NodeId id, std::string_view function,
                                              const std::vector<std::string_view>& names, std::size_t required) {
  const bool open = !names.empty() && names.back() == "...";
  const std::size_t named = names.size() - (open ? 1 : 0);
  std::vector<NodeId> bound(named, no_node);
  const auto arguments = tree_.children(id).subspan(1);
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const NodeId argument = arguments[k];
    if (tree_.node(argument).kind == NodeKind::named_argument) {
      const std::string& name = tree_.name_of(argument);
      const auto found = std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(named), name);
      if (found == names.begin() + static_cast<std::ptrdiff_t>(named)) {
        fail(argument, fmt::format("{} has no argument {}", quoted(function), quoted(name)), did_you_mean(name, names));
      }
      NodeId& target = bound[static_cast<std::size_t>(found - names.begin())];
      if (target != no_node) fail(argument, fmt::format("the argument {} is given twice", quoted(name)));
      target = tree_.child(argument, 0);
    } else if (k > 0 && tree_.node(arguments[k - 1]).kind == NodeKind::named_argument) {
      fail(argument, "arguments without names come before those with names");
    } else if (k < named) {
      bound[k] = argument;
    } else if (open) {
      bound.push_back(argument);
    } else {
      fail(argument, fmt::format("{} has {} argument{}, but {} are given", quoted(function), named,
                                 named == 1 ? "" : "s", arguments.size()));
    }
  }
  for (std::size_t k = 0; k < required; ++k) {
    if (k < bound.size() && bound[k] != no_node) continue;
    const std::string_view missing = k < named ? names[k] : "another one";
    fail(id, fmt::format("{} needs {}{} argument{}: {} is missing", quoted(function),
                         open || required < named ? "at least " : "", required, required == 1 ? "" : "s",
                         k < named ? quoted(missing) : std::string(missing)));
  }
  return bound;
}

Value Evaluator::call_builtin(const BuiltinFunction& builtin, NodeId id) {
  const Arguments arguments =
      bind_arguments(id, builtin.name, parameters_of(builtin), static_cast<std::size_t>(builtin.required));
  switch (builtin.which) {
    case Builtin::elementwise:
    case Builtin::absolute:
    case Builtin::sign: return builtin_elementwise(builtin, arguments, id);
    case Builtin::binary: return builtin_binary(builtin, arguments, id);
    case Builtin::parameter_equal: {
      const Scalar x = evaluate_scalar(arguments[0], BaseType::real, "an argument of 'realParameterEqual'");
      const Scalar y = evaluate_scalar(arguments[1], BaseType::real, "an argument of 'realParameterEqual'");
      return {Type{BaseType::boolean}, arithmetic_.apply(Op::equal, x, y)};
    }
    case Builtin::array:
      if (tree_.node(arguments[0]).kind == NodeKind::comprehension) return evaluate(arguments[0]);
      return builtin_array(builtin, arguments, id);
    case Builtin::div:
    case Builtin::mod:
    case Builtin::rem:
    case Builtin::ceil:
    case Builtin::floor:
    case Builtin::integer: return builtin_rounding(builtin, arguments, id);
    case Builtin::der: return builtin_der(arguments[0], id);
    case Builtin::pre:
    case Builtin::edge:
    case Builtin::change: return builtin_pre(builtin, arguments, id);
    case Builtin::no_event:
    case Builtin::smooth:
    case Builtin::sample:
    case Builtin::initial:
    case Builtin::terminal:
    case Builtin::semi_linear:
    case Builtin::homotopy:
    case Builtin::pure:
    case Builtin::instance_name: return builtin_event(builtin, arguments, id);
    case Builtin::min:
    case Builtin::max:
    case Builtin::sum:
    case Builtin::product: return builtin_reduction(builtin, arguments, id);
    case Builtin::size: return builtin_size(arguments);
    case Builtin::text: return builtin_text(arguments, id);
    case Builtin::zeros:
    case Builtin::ones:
    case Builtin::fill:
    case Builtin::identity:
    case Builtin::linspace: return builtin_fill(builtin, arguments, id);
    case Builtin::transpose:
    case Builtin::outer_product:
    case Builtin::symmetric:
    case Builtin::cross:
    case Builtin::skew:
    case Builtin::diagonal: return builtin_matrix(builtin, arguments, id);
    default: return builtin_array(builtin, arguments, id);
  }
}

// Record(field, field, name = field)
Value Evaluator::construct_record(const ClassDefinition& definition, NodeId id) {
  ResolvedType resolved = symbols_->resolve({{definition.name}, tree_.range(id)});
  std::vector<RecordField> fields = context_.records[resolved.type.definition].fields;
  std::vector<std::string_view> names;
  for (const RecordField& field : fields) names.push_back(tree_.names.text(field.name));
  const Arguments arguments = bind_arguments(id, tree_.names.text(definition.name), names, 0);
  if (context_.is_open(resolved.type)) {
    std::size_t next = 0;
    const auto given = [&](const Declaration&) {
      const NodeId argument = arguments[next++];
      return argument == no_node ? std::nullopt : std::optional(evaluate(argument));
    };
    resolved = symbols_->closed_record(definition, given, tree_.range(id));
    fields = context_.records[resolved.type.definition].fields;
  }
  std::vector<Scalar> elements;
  for (std::size_t k = 0; k < fields.size(); ++k) {
    NodeId value = arguments[k];
    if (value == no_node) value = fields[k].declaration->value;
    if (value == no_node) fail(id, fmt::format("the field {} has no value", quoted(names[k])));
    const Value field = evaluate_as(value, fields[k].type, quoted(names[k]));
    if (field.dims() != fields[k].dims) {
      fail(value, fmt::format("{} must have size {}, but this has size {}", quoted(names[k]), to_text(fields[k].dims),
                              to_text(field.dims())));
    }
    elements.insert(elements.end(), field.elements().begin(), field.elements().end());
  }
  return {resolved.type, {}, std::move(elements), resolved.width};
}

std::vector<Value> Evaluator::evaluate_results(NodeId id) {
  if (tree_.node(id).kind == NodeKind::call && tree_.node(id).op == 0) {
    const Depth depth(*this, tree_.range(id));
    if (auto results = call_input(id)) return *std::move(results);
  }
  if (tree_.node(id).kind == NodeKind::call && tree_.node(tree_.child(id, 0)).kind == NodeKind::name) {
    const auto found = context_.classes.find(tree_.node(tree_.child(id, 0)).text);
    if (found != context_.classes.end() && found->second->kind == ClassDefinition::Kind::function) {
      const Depth depth(*this, tree_.range(id));
      return call_function(*found->second, id);
    }
  }
  std::vector<Value> results;
  results.push_back(evaluate(id));
  return results;
}

}  // namespace driftless
