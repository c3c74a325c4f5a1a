// start, fixed, min, max, nominal, units: what declarations say about variables and parameters.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "driftless/modelfile/flatten/flatten_model.h"
#include "driftless/modelfile/text/suggest.h"

namespace driftless {

namespace {

constexpr std::array attributes{std::string_view("start"),       std::string_view("fixed"),
                                std::string_view("min"),         std::string_view("max"),
                                std::string_view("nominal"),     std::string_view("unit"),
                                std::string_view("displayUnit"), std::string_view("quantity"),
                                std::string_view("stateSelect"), std::string_view("unbounded")};

constexpr Type truth{BaseType::boolean}, string{BaseType::string};

}  // namespace

void ModelFlattener::check_attribute_names(const Leaf& leaf) {
  for (const auto* layer : leaf.layers) {
    for (const Modification& modification : *layer) {
      const std::string name(tree_.text(modification.name_range));
      if (std::find(attributes.begin(), attributes.end(), name) != attributes.end()) continue;
      Context::fail(modification.name_range,
                    fmt::format("{} has no attribute {}", context_.type_name(leaf.type), quoted(name)),
                    did_you_mean(name, attributes));
    }
  }
}

// The outermost modification counts. One number for an array should say `each`.
std::optional<Value> ModelFlattener::evaluate_attribute(const Leaf& leaf, std::string_view name, Type type) {
  const Modification* modification = find_modification(tree_, leaf.layers, name);
  if (modification == nullptr || modification->value == no_node) return std::nullopt;
  const std::string purpose = fmt::format("'{}' of {}", name, quoted(leaf.name));
  const Evaluator::Isolation isolation(evaluator_, Mode{.events = false, .constant_only = true, .purpose = purpose});
  Value value = evaluator_.evaluate_as(modification->value, type, purpose);
  if (value.is_single()) {
    // Only the declaration itself has the dimensions; its type describes one element.
    const bool own = find_modification(tree_, {leaf.layers.front()}, name) == modification;
    if (own && !leaf.dims.empty() && !modification->each && !tree_.base_modelica && type.base != BaseType::string) {
      context_.diagnostics.warning(
          modification->range,
          fmt::format("one value for all of {}, which has size {}", quoted(leaf.name), to_text(leaf.dims)),
          fmt::format("write: each {} = ...", name));
    }
    return value;
  }
  // The last dimensions must fit; the others repeat it.
  const Dims& dims = value.dims();
  const bool fits = dims.size() <= leaf.dims.size() && std::equal(dims.rbegin(), dims.rend(), leaf.dims.rbegin()) &&
                    (dims.size() == leaf.dims.size() || modification->each);
  if (!fits || value.width() != 1) {
    Context::fail(tree_.range(modification->value), fmt::format("{} must have size {}, but this has size {}", purpose,
                                                                to_text(leaf.dims), to_text(dims)));
  }
  return value;
}

const Scalar& ModelFlattener::attribute_at(const Value& value, std::size_t index) const {
  return value.is_single() ? value.scalar() : value[index % value.size()];
}

std::string ModelFlattener::text_attribute(const Leaf& leaf, std::string_view name) {
  const auto value = evaluate_attribute(leaf, name, string);
  return value && value->size() > 0 ? context_.text_of((*value)[0]).text : std::string{};
}

void ModelFlattener::describe_variables(Symbol& symbol) {
  const ModelBuilder& builder = context_.builder;
  for (const Leaf& leaf : symbols_.leaves(symbol)) {
    check_attribute_names(leaf);
    const bool later = starts_from_computed(symbol, leaf);
    const auto start = later ? std::nullopt : evaluate_attribute(leaf, "start", leaf.type);
    const auto fixed = later ? std::nullopt : evaluate_attribute(leaf, "fixed", truth);
    const bool ordered = leaf.type.base != BaseType::boolean;
    const auto min = ordered ? evaluate_attribute(leaf, "min", leaf.type) : std::nullopt;
    const auto max = ordered ? evaluate_attribute(leaf, "max", leaf.type) : std::nullopt;
    const auto nominal = ordered ? evaluate_attribute(leaf, "nominal", leaf.type) : std::nullopt;
    const auto select = evaluate_attribute(leaf, "stateSelect", Type{BaseType::enumeration, Context::state_select});
    const std::string unit = text_attribute(leaf, "unit"), display = text_attribute(leaf, "displayUnit");
    const std::string quantity = text_attribute(leaf, "quantity");
    const auto count = static_cast<std::size_t>(count_elements(leaf.dims));
    for (std::size_t i = 0; i < count; ++i) {
      FlatVariable& variable = context_.builder.variable(*builder.variable_of(symbol.values[leaf.offset + i]));
      if (start) variable.start = context_.arithmetic.lift(attribute_at(*start, i));
      if (fixed && !symbol.is_computed) variable.fixed = !attribute_at(*fixed, i).is_constant(0.0);
      if (min) variable.min = attribute_at(*min, i).number;
      if (max) variable.max = attribute_at(*max, i).number;
      if (nominal) variable.nominal = attribute_at(*nominal, i).number.pinned();
      if (select) {
        const auto literal = static_cast<std::size_t>(attribute_at(*select, i).number.pinned());
        variable.state_select = context_.enumerations[Context::state_select].literals.at(literal - 1);
      }
      variable.unit = unit;
      variable.display_unit = display;
      variable.quantity = quantity;
    }
  }
}

// A fixed start that follows from a parameter which the start has to find is an initial equation.
bool ModelFlattener::starts_from_computed(const Symbol& symbol, const Leaf& leaf) {
  const Modification* start = find_modification(tree_, leaf.layers, "start");
  const auto fixed = evaluate_attribute(leaf, "fixed", truth);
  const bool all = fixed && std::ranges::none_of(fixed->elements(), [](const Scalar& s) { return s.is_constant(0.0); });
  if (start == nullptr || leaf.type.base != BaseType::real || !all || !symbols_.reads_computed(start->value))
    return false;
  const Evaluator::Isolation isolation(evaluator_, Mode{.events = false, .in_initial = true});
  const Value value = evaluator_.evaluate_as(start->value, leaf.type, fmt::format("'start' of {}", quoted(leaf.name)));
  const auto count = static_cast<std::size_t>(count_elements(leaf.dims));
  if (!value.is_single() && value.dims() != leaf.dims)
    Context::fail(tree_.range(start->value), fmt::format("'start' of {} must have size {}, but this has size {}",
                                                         quoted(leaf.name), to_text(leaf.dims), to_text(value.dims())));
  for (std::size_t i = 0; i < count; ++i)
    context_.builder.model().initial_equations.push_back(
        {context_.arithmetic.lift(context_.arithmetic.subtract(symbol.values[leaf.offset + i], attribute_at(value, i))),
         fmt::format("{}{} = {}", leaf.name, subscript_text(leaf.dims, i), context_.quote(tree_.range(start->value))),
         context_.place(tree_.range(start->value))});
  return true;
}

void ModelFlattener::describe_parameters(Symbol& symbol) {
  for (const Leaf& leaf : symbols_.leaves(symbol)) {
    check_attribute_names(leaf);
    FlatParameter parameter;
    parameter.is_constant = symbol.role == Symbol::Role::constant || symbol.declaration->is_final;
    parameter.unit = text_attribute(leaf, "unit");
    parameter.display_unit = text_attribute(leaf, "displayUnit");
    parameter.description = symbol.declaration->description;
    parameter.place = context_.place(symbol.declaration->name_range);
    const bool numeric = leaf.type.is_numeric();
    const auto min = numeric ? evaluate_attribute(leaf, "min", leaf.type) : std::nullopt;
    const auto max = numeric ? evaluate_attribute(leaf, "max", leaf.type) : std::nullopt;
    const auto count = static_cast<std::size_t>(count_elements(leaf.dims));
    for (std::size_t i = 0; i < count; ++i) {
      const Scalar& scalar = symbol.values[leaf.offset + i];
      parameter.name = leaf.name + subscript_text(leaf.dims, i);
      parameter.value = scalar.number.at_compilation();
      parameter.number = scalar.number;
      parameter.setting = symbol.first_setting && leaf.type.base <= BaseType::boolean
                              ? std::optional(*symbol.first_setting + leaf.offset + i)
                              : std::nullopt;
      parameter.type = static_cast<FlatParameter::Type>(leaf.type.base);
      if (leaf.type.base == BaseType::string) {
        parameter.text = context_.text_of(scalar).text;
        parameter.value = 0.0;
      } else if (leaf.type.base == BaseType::enumeration) {
        const auto& literals = context_.enumerations[leaf.type.definition].literals;
        parameter.text = literals.at(static_cast<std::size_t>(scalar.number.pinned()) - 1);
      }
      const bool below = min && scalar.number < attribute_at(*min, i).number;
      if (below || (max && scalar.number > attribute_at(*max, i).number)) {
        context_.diagnostics.warning(symbol.declaration->name_range,
                                     fmt::format("{} = {} is {} {}", quoted(parameter.name), scalar.number.pinned(),
                                                 below ? "below its minimum" : "above its maximum",
                                                 attribute_at(below ? *min : *max, i).number.pinned()));
      }
      context_.builder.model().parameters.push_back(parameter);
    }
  }
}

// What an algorithm finds in a variable that it reads before it assigns it.
std::vector<Scalar> ModelFlattener::start_values(Symbol& symbol) {
  std::vector<Scalar> values(symbol.values.size(), Scalar::of(0.0));
  for (const Leaf& leaf : symbols_.leaves(symbol)) {
    const auto start = evaluate_attribute(leaf, "start", leaf.type);
    const auto count = static_cast<std::size_t>(count_elements(leaf.dims));
    for (std::size_t i = 0; i < count; ++i) {
      if (start) values[leaf.offset + i] = attribute_at(*start, i);
    }
  }
  return values;
}

}  // namespace driftless
