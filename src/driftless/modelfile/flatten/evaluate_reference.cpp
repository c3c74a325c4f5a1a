// What a name means.
#include <fmt/format.h>

#include "driftless/modelfile/flatten/evaluator.h"
#include "driftless/modelfile/text/suggest.h"

namespace driftless {

std::uint32_t Evaluator::base_name(NodeId reference) const {
  const SyntaxNode& node = tree_.node(reference);
  return node.kind == NodeKind::reference ? tree_.node(tree_.child(reference, 0)).text : node.text;
}

void Evaluator::check_defined(std::span<const Scalar> scalars, NodeId id) const {
  for (const Scalar& scalar : scalars) {
    if (scalar.is_undefined()) {
      fail(id, fmt::format("{} may be used here before it has a value", quoted(context_.quote(tree_.range(id)))),
           "assign it on every path that leads here");
    }
  }
}

// The declared value of a local variable, when it is first needed.
void Evaluator::evaluate_pending(Local& local, NodeId id) {
  const std::string name = quoted(tree_.names.text(local.name));
  if (local.busy) fail(id, fmt::format("the declared value of {} depends on itself", name));
  local.busy = true;
  Value value = evaluate_as(local.declaration->value, local.value.type(), name);
  local.busy = local.pending = false;
  if (value.dims() != local.value.dims()) {
    fail(local.declaration->value, fmt::format("{} has size {}, but its value has size {}", name,
                                               to_text(local.value.dims()), to_text(value.dims())));
  }
  local.value = std::move(value);
}

Evaluator::Storage Evaluator::local_storage(Local& local, NodeId id) {
  if (local.pending) evaluate_pending(local, id);
  return {local.value.type(), local.value.width(), &local.value.dims(), local.value.elements()};
}

Evaluator::Storage Evaluator::symbol_storage(Symbol& symbol, NodeId id) {
  if (mode_.in_function && symbol.role != Symbol::Role::constant) {
    fail(id, fmt::format("a function does not see {}, which belongs to the model", quoted(symbol.name)),
         "hand it over as an input, or make it a constant");
  }
  if (mode_.constant_only && (!symbol.is_parameter() || symbol.is_computed)) {
    fail(id,
         fmt::format("{} may not depend on the {} {}", mode_.purpose,
                     symbol.is_parameter() ? "computed parameter" : "variable", quoted(symbol.name)),
         "it must be known before the run: use numbers, constants and parameters");
  }
  const Symbol& valued = symbols_->valued(symbol, tree_.range(id));
  return {valued.type.type, valued.type.width, &valued.dims, valued.values};
}

std::optional<Evaluator::Storage> Evaluator::find_storage(std::uint32_t name, NodeId id) {
  for (std::size_t i = iterations_.size(); i-- > hidden_;) {
    if (iterations_[i].name != name) continue;
    const Value& value = iterations_[i].value;
    return Storage{value.type(), value.width(), &value.dims(), value.elements()};
  }
  if (frame_ != nullptr && !behind_frame_) {
    if (Local* local = frame_->find(name)) return local_storage(*local, id);
  }
  if (Symbol* symbol = symbols_->find(name)) return symbol_storage(*symbol, id);
  return std::nullopt;
}

Value Evaluator::evaluate_name(NodeId id) {
  const std::uint32_t name = tree_.node(id).text;
  if (const auto storage = find_storage(name, id)) {
    if (storage->type.base == BaseType::function)
      fail(id, fmt::format("{} is a function and has no value of its own", quoted(tree_.names.text(name))), "call it");
    check_defined(storage->values, id);
    if (storage->dims->empty() && storage->width == 1) return {storage->type, storage->values[0]};
    context_.charge(storage->values.size(), tree_.range(id));
    return {storage->type, *storage->dims, {storage->values.begin(), storage->values.end()}, storage->width};
  }
  if (tree_.names.text(name) == "time") {
    if (mode_.in_function) fail(id, "a function does not see 'time'", "hand it over as an input");
    if (mode_.constant_only) fail(id, fmt::format("{} may not depend on 'time'", mode_.purpose));
    return Value::real(Scalar::of(context_.builder.time()));
  }
  fail_unknown_name(name, tree_.range(id));
}

void Evaluator::fail_unknown_name(std::uint32_t name, SourceRange range) {
  const std::string& text = tree_.names.text(name);
  std::vector<std::string_view> known{"time"};
  for (std::size_t i = hidden_; i < iterations_.size(); ++i) known.push_back(tree_.names.text(iterations_[i].name));
  if (frame_ != nullptr) {
    for (const Local& local : frame_->locals) known.push_back(tree_.names.text(local.name));
  }
  for (const Symbol& symbol : symbols_->all()) known.push_back(symbol.name);
  std::string suggestion = did_you_mean(text, known);
  if (suggestion.empty()) {
    suggestion = find_builtin(text) != nullptr ? fmt::format("the function is called as {}(...)", text)
                                               : fmt::format("declare it: Real {};", text);
  }
  Context::fail(range, fmt::format("the name {} is not known", quoted(text)), suggestion);
}

// E.a of an enumeration, and Modelica.Constants.pi.
std::optional<Value> Evaluator::evaluate_special(NodeId id) {
  const auto parts = tree_.children(id);
  if (auto literal = evaluate_literal_of_enumeration(id)) return literal;
  if (parts.size() == 3 && tree_.name_of(parts[0]) == "Modelica" && tree_.name_of(parts[1]) == "Constants") {
    const auto number = library_constant(tree_.name_of(parts[2]));
    if (!number) fail(id, fmt::format("Modelica.Constants has no {}", quoted(tree_.name_of(parts[2]))));
    const bool integer = tree_.name_of(parts[2]) == "Integer_inf";
    return Value(Type{integer ? BaseType::integer : BaseType::real}, Scalar::of(*number));
  }
  return std::nullopt;
}

std::optional<Value> Evaluator::evaluate_literal_of_enumeration(NodeId id) {
  const auto parts = tree_.children(id);
  if (parts.size() < 2) return std::nullopt;
  const std::uint32_t type_name = tree_.node(parts[parts.size() - 2]).text;
  const std::string& type_text = tree_.names.text(type_name);
  const auto found = context_.classes.find(type_name);
  Type type{BaseType::enumeration, Context::state_select};
  if (found != context_.classes.end() && found->second->kind == ClassDefinition::Kind::enumeration) {
    type = symbols_->resolve({{type_name}, tree_.range(id)}).type;
  } else if (type_text == "AssertionLevel") {
    type.definition = Context::assertion_level;
  } else if (type_text != "StateSelect") {
    return std::nullopt;
  }
  const auto& literals = context_.enumerations[type.definition].literals;
  const std::string& literal = tree_.name_of(parts.back());
  for (std::size_t i = 0; i < literals.size(); ++i) {
    if (literals[i] == literal) return Value(type, Scalar::of(static_cast<double>(i + 1)));
  }
  const std::vector<std::string_view> known(literals.begin(), literals.end());
  fail(parts.back(), fmt::format("{} has no literal {}", context_.type_name(type), quoted(literal)),
       did_you_mean(literal, known));
}

Value Evaluator::evaluate_reference(NodeId id) {
  const std::uint32_t name = base_name(id);
  const auto storage = find_storage(name, tree_.child(id, 0));
  if (!storage) {
    if (auto special = evaluate_special(id)) return *std::move(special);
    const std::string whole = fmt::format("'{}'", tree_.text(tree_.range(id)));
    for (const Symbol& symbol : symbols_->all()) {
      if (symbol.name == whole) {
        fail(id, fmt::format("the name {} is not known without its quotes", whole), fmt::format("write: {}", whole));
      }
    }
    fail_unknown_name(name, tree_.range(tree_.child(id, 0)));
  }
  return evaluate_varying(id, [&] { return evaluate_elements(id, *storage); });
}

// x[k] with a k that changes: x[1] if k = 1, x[2] if k = 2, ...
Value Evaluator::evaluate_varying(NodeId id, const std::function<Value()>& with_fixed) {
  if (mode_.constant_only) return with_fixed();
  std::optional<VaryingSubscript> varying;
  try {
    const Varying scope(*this);
    return with_fixed();
  } catch (const VaryingSubscript& found) {
    varying = found;
  }
  if (varying->size == 0) fail(varying->id, "the array is empty");
  Value chosen;
  const bool guarded = std::exchange(mode_.guarded, true);
  for (std::int64_t k = varying->size; k >= 1; --k) {
    const FixedSubscript fixed(*this, varying->id, k);
    Value one = evaluate_varying(id, with_fixed);
    const Scalar is = arithmetic_.apply(Op::equal, varying->value, Scalar::of(static_cast<double>(k)));
    chosen = k == varying->size ? std::move(one) : choose(is, one, chosen, tree_.range(id));
  }
  mode_.guarded = guarded;
  require_in_range(*varying);
  return chosen;
}

// An element that does not exist has no value: the run ends there.
void Evaluator::require_in_range(const VaryingSubscript& varying) {
  const Scalar low = arithmetic_.apply(Op::less_equal, Scalar::of(1.0), varying.value);
  const Scalar high = arithmetic_.apply(Op::less_equal, varying.value, Scalar::of(static_cast<double>(varying.size)));
  require(
      arithmetic_.logical_and(low, high),
      fmt::format("the subscript {} is out of range: 1 to {}", context_.quote(tree_.range(varying.id)), varying.size),
      tree_.range(varying.id));
}

// x[k] := ... with a k that changes: any of x[1], x[2], ...
std::vector<Evaluator::PossibleSelection> Evaluator::possible_selections(NodeId reference, const Value& whole) {
  std::optional<VaryingSubscript> varying;
  std::vector<PossibleSelection> all;
  try {
    const Varying scope(*this);
    all.push_back({Scalar::of(1.0), select(reference, whole.type(), whole.width(), whole.dims())});
    return all;
  } catch (const VaryingSubscript& found) {
    varying = found;
  }
  if (varying->size == 0) fail(varying->id, "the array is empty");
  for (std::int64_t k = 1; k <= varying->size; ++k) {
    const FixedSubscript fixed(*this, varying->id, k);
    const Scalar is = arithmetic_.apply(Op::equal, varying->value, Scalar::of(static_cast<double>(k)));
    for (PossibleSelection& one : possible_selections(reference, whole))
      all.push_back({arithmetic_.logical_and(is, one.condition), std::move(one.selection)});
  }
  require_in_range(*varying);
  return all;
}

Value Evaluator::evaluate_elements(NodeId id, const Storage& known) {
  const Storage* storage = &known;
  // The common case, x[i], without detours.
  if (tree_.node(id).children == 1 && storage->width == 1) {
    if (const auto index = single_index(tree_.child(id, 0), *storage->dims)) {
      check_defined(storage->values.subspan(*index, 1), id);
      return {storage->type, storage->values[*index]};
    }
  }
  return pick(*storage, select(id, storage->type, storage->width, *storage->dims), id);
}

Value Evaluator::pick(const Storage& storage, const Selection& selection, NodeId id) const {
  std::vector<Scalar> elements;
  elements.reserve(selection.indices.size());
  for (const std::size_t index : selection.indices) elements.push_back(storage.values[index]);
  check_defined(elements, id);
  return {selection.type, selection.dims, std::move(elements), selection.width};
}

Value Evaluator::evaluate_subscripted(NodeId id) {
  const Value whole = evaluate(tree_.child(id, 0));
  const Storage storage{whole.type(), whole.width(), &whole.dims(), whole.elements()};
  Selection selection;
  select_elements(selection, tree_.children(id).subspan(1), whole.type(), whole.width(), whole.dims(), 0, id);
  return pick(storage, selection, id);
}

}  // namespace driftless
