// Functions that call themselves, as often as the run decides: their formulas are written down for a limited number of
// levels, and a run that needs more of them fails.
#include <fmt/format.h>

#include "driftless/modelfile/flatten/evaluator.h"
#include "driftless/modelfile/text/suggest.h"

namespace driftless {

// None if there is more to it than single formulas.
std::optional<std::vector<std::uint32_t>> Evaluator::formulas_of(const Inputs& inputs) {
  std::vector<std::uint32_t> formulas;
  for (const auto& input : inputs) {
    if (!input || !input->is_single() || !input->scalar().is_expression()) return std::nullopt;
    formulas.push_back(input->scalar().expr.id);
  }
  return formulas;
}

// f(n - 1) + f(n - 2) meets f(n - 2) again inside of f(n - 1): what is called with the same formulas is the same.
std::vector<Value> Evaluator::run_recursive(const ClassDefinition& definition, const FunctionInfo& info, Inputs inputs,
                                            NodeId call) {
  const bool deep = depth_ > deepest / 4 * 3 && !path_condition(0).is_constant();
  if (deep || static_cast<int>(called_.size()) >= context_.limits.calls) return end_recursion(info, call);
  auto formulas = formulas_of(inputs);
  if (!formulas) {
    in_recursion_ = true;
    return run_function(definition, info, std::move(inputs), call);
  }
  const RecursiveCall key{&definition, mode_.in_initial, *std::move(formulas)};
  auto known = recursions_.find(key);
  if (known == recursions_.end())
    known = recursions_.emplace(key, run_apart(definition, info, std::move(inputs), call)).first;
  const Scalar elsewhere = arithmetic_.logical_not(path_condition(0));
  for (FlatAssert assertion : known->second.asserts) {
    assertion.condition = arithmetic_.lift(arithmetic_.logical_or(arithmetic_.wrap(assertion.condition), elsewhere));
    keep_assertion(std::move(assertion));
  }
  return known->second.values;
}

// What is asserted inside is kept as if the path began with the call.
Evaluator::RecursiveResult Evaluator::run_apart(const ClassDefinition& definition, const FunctionInfo& info,
                                                Inputs inputs, NodeId call) {
  struct Apart {
    Evaluator& evaluator;
    std::vector<Condition> path = std::exchange(evaluator.path_, {});
    std::vector<FlatAssert>* outer = evaluator.apart_;
    ~Apart() {
      evaluator.path_ = std::move(path);
      evaluator.apart_ = outer;
    }
  };
  RecursiveResult result;
  const Apart apart{*this};
  apart_ = &result.asserts;
  in_recursion_ = true;
  result.values = run_function(definition, info, std::move(inputs), call);
  return result;
}

// Each level has those of all levels below it: what says the same at the same place is one assertion.
void Evaluator::keep_apart(FlatAssert assertion) {
  for (FlatAssert& known : *apart_) {
    const bool same = known.place == assertion.place && known.message == assertion.message &&
                      known.warning == assertion.warning && known.message_values.empty() &&
                      assertion.message_values.empty();
    if (!same) continue;
    known.condition = arithmetic_.lift(
        arithmetic_.logical_and(arithmetic_.wrap(known.condition), arithmetic_.wrap(assertion.condition)));
    return;
  }
  apart_->push_back(std::move(assertion));
}

// The path that leads here may not be taken.
std::vector<Value> Evaluator::end_recursion(const FunctionInfo& info, NodeId call) {
  const std::string message = fmt::format("functions call each other more than {} levels deep", called_.size());
  if (path_condition(0).is_constant()) fail(call, message, "does the recursion end?");
  std::vector<Value> nothing;
  for (const Declaration* other : info.others) {
    if (other->causality != Causality::output) continue;
    const ResolvedType type = symbols_->resolve(other->type);
    if (!other->sizes.empty() || !other->type_sizes.empty() || !type.dims.empty() || type.width != 1)
      fail(call, message, "arrays and records need a recursion that ends by a condition known before the run");
    nothing.emplace_back(type.type, Scalar::of(0.0));
  }
  require(Scalar::of(0.0), message, tree_.range(call));
  return nothing;
}

}  // namespace driftless
