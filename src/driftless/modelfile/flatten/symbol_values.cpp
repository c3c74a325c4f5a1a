// Values of parameters, and the unknowns that stand for variables.
#include <fmt/format.h>

#include "driftless/expression/parameter_trace.h"
#include "driftless/modelfile/flatten/evaluator.h"
#include "driftless/modelfile/text/parse.h"
#include "driftless/modelfile/text/suggest.h"

namespace driftless {

void Symbols::find_value(Symbol& symbol) {
  const Declaration& declaration = *symbol.declaration;
  const std::size_t count = context_.checked_count(symbol.dims, declaration.range) * symbol.type.width;
  context_.claim_elements(count, declaration.range);
  if (!symbol.is_parameter() || symbol.is_computed) {
    make_variables(symbol);
    return;
  }
  const std::string purpose =
      fmt::format("the {} {}", symbol.role == Symbol::Role::constant ? "constant" : "parameter", quoted(symbol.name));
  const Evaluator::Isolation isolation(evaluator_, Mode{.events = false, .constant_only = true, .purpose = purpose});
  Value value = declared_value(symbol);
  if (value.dims() != symbol.dims) {
    const bool scalar = value.is_scalar();
    Context::fail(declaration.range,
                  fmt::format("{} has size {}, but its value has size {}", quoted(symbol.name), to_text(symbol.dims),
                              to_text(value.dims())),
                  scalar ? "fill(x, n) is an array of n times x" : "");
  }
  set_elements(symbol, value);
  for (const Scalar& scalar : value.elements()) {
    if (!scalar.is_constant())
      Context::fail(declaration.range, fmt::format("{} is not known before the run", quoted(symbol.name)));
  }
  symbol.values.assign(value.elements().begin(), value.elements().end());
  if (symbol.role == Symbol::Role::parameter && !declaration.is_final) make_settable(symbol);
}

// Whatever a parameter is computed from, it may be set to another value.
void Symbols::make_settable(Symbol& symbol) {
  ParameterTrace& trace = active_trace();
  symbol.first_setting = trace.parameters();
  for (Scalar& scalar : symbol.values) scalar = Scalar::of(trace.parameter(scalar.number));
}

Value Symbols::declared_value(Symbol& symbol) {
  const Declaration& declaration = *symbol.declaration;
  const NodeId value = symbol.new_value != no_node ? symbol.new_value : declaration.value;
  if (value != no_node) return evaluator_.evaluate_as(value, symbol.type.type, quoted(symbol.name));
  return value_of_leaves(symbol);
}

// Without a value of its own: from values of fields, and else from start values, as Modelica has it.
Value Symbols::value_of_leaves(Symbol& symbol) {
  std::vector<Scalar> numbers(static_cast<std::size_t>(count_elements(symbol.dims)) * symbol.type.width);
  for (const Leaf& leaf : leaves(symbol)) {
    NodeId from = leaf.value;
    if (from == no_node && symbol.new_elements.empty()) {
      from = start_of(leaf);
      if (from == no_node) fail_without_value(symbol, leaf.name);
      context_.diagnostics.warning(symbol.declaration->name_range,
                                   fmt::format("{} has no value; its start value is taken", quoted(leaf.name)),
                                   fmt::format("write: parameter ... {} = value", symbol.name));
    }
    if (from == no_node) continue;  // elements are set from outside
    const Value value = evaluator_.evaluate_as(from, leaf.type, quoted(leaf.name));
    const auto count = static_cast<std::size_t>(count_elements(leaf.dims));
    if (value.dims() != leaf.dims && !value.is_single()) {
      Context::fail(context_.tree.range(from),
                    fmt::format("{} has size {}, but its value has size {}", quoted(leaf.name), to_text(leaf.dims),
                                to_text(value.dims())));
    }
    for (std::size_t i = 0; i < count; ++i) numbers[leaf.offset + i] = value.is_single() ? value.scalar() : value[i];
  }
  return {symbol.type.type, symbol.dims, std::move(numbers), symbol.type.width};
}

NodeId Symbols::start_of(const Leaf& leaf) {
  const Modification* start = find_modification(context_.tree, leaf.layers, "start");
  return start == nullptr ? no_node : start->value;
}

void Symbols::fail_without_value(const Symbol& symbol, const std::string& name) {
  const char* const role = symbol.role == Symbol::Role::constant ? "constant" : "parameter";
  Context::fail(symbol.declaration->name_range, fmt::format("the {} {} has no value", role, quoted(name)),
                fmt::format("write: {} ... {} = value;", role, symbol.name));
}

// r[2] = 3 from outside
void Symbols::set_elements(Symbol& symbol, Value& value) {
  for (const auto& [target, from] : symbol.new_elements) {
    const Selection selection = evaluator_.select(target, symbol.type.type, symbol.type.width, symbol.dims);
    const Value part =
        evaluator_.evaluate_as(from, selection.type, quoted(context_.quote(context_.tree.range(target))));
    if (part.dims() != selection.dims) {
      Context::fail(context_.tree.range(from), fmt::format("this has size {}, but it should have {}",
                                                           to_text(part.dims()), to_text(selection.dims)));
    }
    for (std::size_t i = 0; i < selection.indices.size(); ++i) value[selection.indices[i]] = part[i];
  }
}

void Symbols::make_variables(Symbol& symbol) {
  const Declaration& declaration = *symbol.declaration;
  const SourcePlace place = context_.place(declaration.name_range);
  for (const Leaf& leaf : leaves(symbol)) {
    if (leaf.type.base == BaseType::string) {
      Context::fail(declaration.name_range, "variables of type String are not covered",
                    "make it a parameter, or put String(x) into the message where it is needed");
    }
    const auto count = static_cast<std::size_t>(count_elements(leaf.dims));
    for (std::size_t i = 0; i < count; ++i) {
      FlatVariable variable;
      variable.name = leaf.name + subscript_text(leaf.dims, i);
      variable.boolean = leaf.type.base == BaseType::boolean;
      variable.integer = leaf.type.base == BaseType::integer || leaf.type.base == BaseType::enumeration;
      variable.discrete = symbol.discrete || variable.boolean || variable.integer;
      variable.description = declaration.description;
      variable.output = declaration.causality == Causality::output;
      variable.input = declaration.causality == Causality::input && declaration.value == no_node;
      variable.place = place;
      const std::size_t index = context_.builder.add_variable(std::move(variable), symbol.order);
      symbol.values.push_back(Scalar::of(context_.builder.value_of(index)));
    }
  }
}

void Symbols::set_from_outside(const std::vector<std::pair<std::string, std::string>>& parameters) {
  for (const auto& [name, value] : parameters) {
    try {
      set_one_from_outside(name, value);
    } catch (const ModelError& error) {
      context_.report(error);
    }
  }
}

// On a command line no one writes quotes around strings, nor the type before the literal of an enumeration.
std::string Symbols::as_expression(const Symbol& symbol, const std::string& value) {
  const Type type = resolve(symbol.declaration->type).type;
  if (type.base == BaseType::string && value.find('"') == std::string::npos && value.find('\\') == std::string::npos) {
    return fmt::format("\"{}\"", value);
  }
  if (type.base == BaseType::enumeration) {
    const EnumerationType& enumeration = context_.enumerations[type.definition];
    for (const std::string& literal : enumeration.literals) {
      if (value == literal || fmt::format("'{}'", value) == literal)
        return fmt::format("{}.{}", enumeration.name, literal);
    }
  }
  return value;
}

// The name and the value become a little source of their own, so that messages about them have a place.
void Symbols::set_one_from_outside(const std::string& name, const std::string& value) {
  SyntaxTree& tree = context_.tree;
  if (tree.sources.size() > 60'000) Context::fail({}, "too many values are set from outside");
  const auto add_source = [&](const std::string& text) {
    tree.sources.emplace_back(fmt::format("{} = {}", name, value), text);
    return static_cast<std::uint16_t>(tree.sources.size() - 1);
  };
  const std::size_t errors = context_.diagnostics.errors();
  std::uint16_t name_source = add_source(name);
  const SourceRange whole{0, static_cast<std::uint32_t>(name.size()), name_source};
  Symbol* symbol = find(tree.names.intern(name));
  NodeId target = no_node;
  if (symbol == nullptr) symbol = find(tree.names.intern(fmt::format("'{}'", name)));
  if (symbol == nullptr) {
    target = parse_expression_text(tree, name_source, context_.diagnostics);
    if (context_.diagnostics.errors() > errors) return;
    const NodeKind kind = tree.node(target).kind;
    if (kind == NodeKind::reference) symbol = find(evaluator_.base_name(target));
    if (kind == NodeKind::name) target = no_node;
  }
  if (symbol == nullptr) {
    std::vector<std::string_view> known;
    for (const Symbol& each : symbols_) {
      if (each.role == Symbol::Role::parameter) known.push_back(each.name);
    }
    Context::fail(whole, fmt::format("the model has no parameter {}", quoted(name)), did_you_mean(name, known));
  }
  if (!symbol->is_parameter()) {
    Context::fail(whole, fmt::format("{} is a variable, and no parameter", quoted(symbol->name)),
                  "only parameters can be set");
  }
  if (symbol->role == Symbol::Role::constant || symbol->declaration->is_final) {
    const char* const kind = symbol->role == Symbol::Role::constant ? "a constant" : "final";
    Context::fail(whole, fmt::format("{} is {} and cannot be set", quoted(symbol->name), kind));
  }
  const NodeId node = parse_expression_text(tree, add_source(as_expression(*symbol, value)), context_.diagnostics);
  if (node == no_node) return;
  if (target == no_node) {
    symbol->new_value = node;
  } else {
    symbol->new_elements.emplace_back(target, node);
  }
}

}  // namespace driftless
