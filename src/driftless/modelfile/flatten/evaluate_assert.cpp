// Assertions and the strings that they show.
#include <fmt/format.h>

#include "driftless/modelfile/flatten/evaluator.h"

namespace driftless {

Scalar Evaluator::path_condition(std::size_t from) const {
  Scalar all = Scalar::of(1.0);
  for (std::size_t k = from; k < path_.size(); ++k) {
    all = arithmetic_.logical_and(all, path_[k].negated ? arithmetic_.logical_not(path_[k].truth) : path_[k].truth);
  }
  return all;
}

Text Evaluator::evaluate_text(NodeId id, std::string_view what) {
  const Value value = evaluate_as(id, Type{BaseType::string}, what);
  if (!value.is_single()) fail(id, fmt::format("{} must be one string", what));
  return context_.text_of(value.scalar());
}

// Arguments of assert, terminate, reinit; `names` separated by commas.
std::vector<NodeId> Evaluator::statement_arguments(NodeId call, std::string_view names, std::size_t required) {
  return bind_arguments(call, tree_.text(tree_.range(tree_.child(call, 0))), split_at_commas(names), required);
}

// If it says the same all the time.
std::optional<std::string> Evaluator::known_text(const Text& text) const {
  const Graph& graph = context_.builder.graph();
  std::vector<double> numbers;
  for (const FlatMessageValue& one : text.values) {
    if (!graph.is_constant(one.value)) return std::nullopt;
    numbers.push_back(graph.number(one.value).at_compilation());
  }
  return fill_in(text.text, text.values, numbers);
}

// Its condition is looked at all the time, and makes no events.
FlatAssert Evaluator::evaluate_assertion(NodeId call) {
  const std::vector<NodeId> arguments = statement_arguments(call, "condition,message,level", 2);
  const Scope scope(*this);
  mode_.events = false;
  FlatAssert assertion;
  assertion.place = context_.place(tree_.range(call));
  if (arguments[2] != no_node) {
    const Value level = evaluate(arguments[2]);
    if (!(level.type() == Type{BaseType::enumeration, Context::assertion_level}) || !level.is_constant()) {
      fail(arguments[2], "the level must be AssertionLevel.error or AssertionLevel.warning");
    }
    assertion.warning = level.scalar().is_constant(1.0);
  }
  Scalar condition = evaluate_scalar(arguments[0], BaseType::boolean, "the condition of 'assert'");
  condition = arithmetic_.logical_or(condition, arithmetic_.logical_not(path_condition(0)));
  if (mode_.in_initial) {
    condition = arithmetic_.logical_or(condition, arithmetic_.logical_not(Scalar::of(context_.builder.initial_flag())));
  }
  Text message = evaluate_text(arguments[1], "the message of 'assert'");
  if (const auto known = known_text(message); known && condition.is_constant(0.0)) {
    const std::string text = fmt::format("the assertion does not hold: {}", *known);
    if (!assertion.warning) fail(call, text);
    context_.diagnostics.warning(tree_.range(call), text);
  }
  assertion.condition = arithmetic_.lift(condition);
  assertion.message = std::move(message.text);
  assertion.message_values = std::move(message.values);
  return assertion;
}

void Evaluator::require(Scalar condition, std::string message, SourceRange range) {
  const Scalar holds = arithmetic_.logical_or(condition, arithmetic_.logical_not(path_condition(0)));
  if (holds.is_constant(1.0)) return;
  FlatAssert assertion;
  assertion.condition = arithmetic_.lift(holds);
  assertion.message = std::move(message);
  assertion.place = context_.place(range);
  keep_assertion(std::move(assertion));
}

void Evaluator::add_assertion(NodeId call) { keep_assertion(evaluate_assertion(call)); }

void Evaluator::keep_assertion(FlatAssert assertion) {
  const Graph& graph = context_.builder.graph();
  if (graph.is_constant(assertion.condition) && !graph.vanishes(assertion.condition)) return;
  if (apart_ != nullptr) {
    keep_apart(std::move(assertion));
    return;
  }
  if (when_actions_ == nullptr) {
    context_.builder.model().asserts.push_back(std::move(assertion));
    return;
  }
  FlatAction action;
  action.kind = FlatAction::Kind::assert_;
  action.value = assertion.condition;
  action.message = std::move(assertion.message);
  action.message_values = std::move(assertion.message_values);
  action.warning = assertion.warning;
  action.place = assertion.place;
  when_actions_->push_back(std::move(action));
}

}  // namespace driftless
