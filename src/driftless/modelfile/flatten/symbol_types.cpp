// Names of types.
#include <fmt/format.h>

#include <algorithm>

#include "driftless/modelfile/flatten/evaluator.h"
#include "driftless/modelfile/text/suggest.h"

namespace driftless {

ResolvedType Symbols::resolve(const TypeName& name) {
  const std::string& text = context_.tree.names.text(name.parts.back());
  const bool qualified = name.parts.size() == 2 && name.parts[0] == context_.tree.root.name;
  if (name.parts.size() == 1 || qualified) {
    const auto found = context_.classes.find(name.parts.back());
    if (found != context_.classes.end()) {
      const ClassDefinition* definition = found->second;
      if (std::find(resolving_.begin(), resolving_.end(), definition) != resolving_.end()) {
        Context::fail(name.range, fmt::format("the type {} is defined by itself", quoted(text)));
      }
      if (resolving_.size() > 100) Context::fail(name.range, "types are defined by each other too deeply");
      resolving_.push_back(definition);
      struct Resolved {
        std::vector<const ClassDefinition*>& list;
        ~Resolved() { list.pop_back(); }
      } const resolved{resolving_};
      return resolve_class(*definition);
    }
    if (text == "Real") return {Type{BaseType::real}, 1, {}, {}};
    if (text == "Integer") return {Type{BaseType::integer}, 1, {}, {}};
    if (text == "Boolean") return {Type{BaseType::boolean}, 1, {}, {}};
    if (text == "String") return {Type{BaseType::string}, 1, {}, {}};
    if (text == "StateSelect") return {Type{BaseType::enumeration, Context::state_select}, 1, {}, {}};
    if (text == "AssertionLevel") return {Type{BaseType::enumeration, Context::assertion_level}, 1, {}, {}};
  }
  fail_unknown_type(name);
}

void Symbols::fail_unknown_type(const TypeName& name) {
  const std::string text(context_.tree.text(name.range));
  std::vector<std::string_view> known{"Real", "Integer", "Boolean", "String"};
  for (const auto& [class_name, definition] : context_.classes) {
    if (definition->kind != ClassDefinition::Kind::function) known.push_back(context_.tree.names.text(class_name));
  }
  std::sort(known.begin() + 4, known.end());
  std::string suggestion = did_you_mean(text, known);
  if (text == "Clock") suggestion = "clocks are not covered; use when sample(start, interval) then ... end when";
  if (suggestion.empty() && text.rfind("Modelica.", 0) == 0) suggestion = "write: Real x(unit = \"...\")";
  if (suggestion.empty()) {
    suggestion =
        "a flat model has variables of Real, Integer, Boolean, and of types, records and enumerations of its file";
  }
  Context::fail(name.range, fmt::format("the type {} is not known", quoted(text)), suggestion);
}

ResolvedType Symbols::resolve_class(const ClassDefinition& definition) {
  switch (definition.kind) {
    case ClassDefinition::Kind::record: return resolve_record(definition);
    case ClassDefinition::Kind::enumeration: {
      const auto known = enumerations_.find(&definition);
      if (known != enumerations_.end()) return {Type{BaseType::enumeration, known->second}, 1, {}, {}};
      EnumerationType enumeration;
      enumeration.name = context_.tree.names.text(definition.name);
      for (const std::uint32_t literal : definition.literals) {
        enumeration.literals.push_back(context_.tree.names.text(literal));
      }
      const auto index = static_cast<std::uint32_t>(context_.enumerations.size());
      context_.enumerations.push_back(std::move(enumeration));
      enumerations_.emplace(&definition, index);
      return {Type{BaseType::enumeration, index}, 1, {}, {}};
    }
    case ClassDefinition::Kind::type: {
      ResolvedType base = resolve(definition.base);
      const Evaluator::Isolation isolation(
          evaluator_, Mode{.events = false, .constant_only = true, .purpose = "the size of a type"});
      Dims dims = evaluate_sizes(definition.sizes);
      if (std::find(dims.begin(), dims.end(), -1) != dims.end()) {
        Context::fail(definition.name_range, "types with open sizes are not covered", "write numbers instead of ':'");
      }
      base.dims.insert(base.dims.begin(), dims.begin(), dims.end());
      base.modifications.push_back(&definition.modifications);
      return base;
    }
    default: break;
  }
  Context::fail(definition.name_range,
                fmt::format("{} is not a type of variables", quoted(context_.tree.names.text(definition.name))));
}

ResolvedType Symbols::resolve_record(const ClassDefinition& definition) {
  const auto known = records_.find(&definition);
  if (known != records_.end())
    return {Type{BaseType::record, known->second}, context_.records[known->second].width, {}, {}};
  const Evaluator::Isolation isolation(evaluator_,
                                       Mode{.events = false, .constant_only = true, .purpose = "the size of a field"});
  ResolvedType resolved = add_record(describe_record(definition, {}));
  records_.emplace(&definition, resolved.type.definition);
  return resolved;
}

ResolvedType Symbols::closed_record(const ClassDefinition& definition, const FieldValue& value_of, SourceRange range) {
  RecordType record = describe_record(definition, value_of);
  const auto is_open = [](const RecordField& field) { return std::ranges::find(field.dims, -1) != field.dims.end(); };
  if (const auto open = std::ranges::find_if(record.fields, is_open); open != record.fields.end())
    Context::fail(range,
                  fmt::format("the size of the field {} is open, and there is no value that would tell it",
                              quoted(context_.tree.names.text(open->name))),
                  "give the field a value, or write a number instead of ':'");
  return add_record(std::move(record));
}

ResolvedType Symbols::add_record(RecordType record) {
  const auto same = std::ranges::find_if(context_.records, [&](const RecordType& known) {
    return known.definition == record.definition && known.is_open == record.is_open &&
           std::ranges::equal(known.fields, record.fields, {}, &RecordField::dims, &RecordField::dims);
  });
  const auto index = static_cast<std::uint32_t>(same - context_.records.begin());
  const std::uint32_t width = record.width;
  if (same == context_.records.end()) context_.records.push_back(std::move(record));
  return {Type{BaseType::record, index}, width, {}, {}};
}

// Sizes may be those of values of the fields, or be told by fields above: Integer n; Real x[n].
RecordType Symbols::describe_record(const ClassDefinition& definition, const FieldValue& value_of) {
  RecordType record;
  record.name = context_.tree.names.text(definition.name);
  record.definition = &definition;
  std::deque<Evaluator::Iterating> known;
  std::vector<std::uint32_t> open_fields;  // whose values are not known
  for (const Declaration& declaration : definition.declarations) {
    const ResolvedType type = resolve(declaration.type);
    if (context_.is_open(type.type))
      Context::fail(declaration.name_range, "fields of open size in a record inside of a record are not covered",
                    "write numbers instead of ':'");
    const std::optional<Value> value = value_of ? value_of(declaration) : std::nullopt;
    RecordField field{declaration.name, &declaration, type.type, {}, type.width, record.width, type.modifications};
    field.dims = field_dims(declaration, open_fields, value);
    field.dims.insert(field.dims.end(), type.dims.begin(), type.dims.end());
    const bool open = std::ranges::find(field.dims, -1) != field.dims.end();
    record.is_open = record.is_open || open;
    const std::size_t count = open ? 0 : context_.checked_count(field.dims, declaration.range) * field.width;
    if (record.width + count > context_.limits.elements)
      Context::fail(declaration.range, "this record becomes too large");
    record.width += static_cast<std::uint32_t>(count);
    if (type.type.base == BaseType::integer && field.dims.empty() && (value || declaration.value != no_node))
      known.emplace_back(evaluator_, declaration.name, value ? *value : evaluator_.evaluate(declaration.value));
    else
      open_fields.push_back(declaration.name);
    record.fields.push_back(std::move(field));
  }
  return record;
}

namespace {

// Whether the size of a field is told by one of these fields.
bool reads_any(const SyntaxTree& tree, NodeId id, const std::vector<std::uint32_t>& fields) {
  const SyntaxNode& node = tree.node(id);
  if (node.kind == NodeKind::name) return std::ranges::find(fields, node.text) != fields.end();
  const bool operators = node.kind == NodeKind::sum || node.kind == NodeKind::product;
  for (std::size_t k = 0; k < node.children; k += operators ? 2 : 1)
    if (tree.child(id, k) != no_node && reads_any(tree, tree.child(id, k), fields)) return true;
  return false;
}

}  // namespace

// Of the declaration alone, without those of its type. -1 where nothing tells it.
Dims Symbols::field_dims(const Declaration& declaration, const std::vector<std::uint32_t>& open_fields,
                         const std::optional<Value>& value) {
  std::vector<NodeId> sizes = declaration.sizes;
  sizes.insert(sizes.end(), declaration.type_sizes.begin(), declaration.type_sizes.end());
  const bool open =
      std::ranges::any_of(sizes, [&](NodeId size) { return reads_any(context_.tree, size, open_fields); });
  Dims dims = open ? Dims(sizes.size(), -1) : evaluate_sizes(sizes);
  if (std::ranges::find(dims, -1) == dims.end()) return dims;
  std::optional<Dims> found;
  if (value)
    found = value->dims();
  else if (declaration.value != no_node)
    found = evaluator_.evaluate(declaration.value).dims();
  if (!found) return dims;
  bool fits = found->size() >= dims.size();
  for (std::size_t k = 0; fits && k < dims.size(); ++k) fits = dims[k] < 0 || dims[k] == (*found)[k];
  if (!fits)
    Context::fail(declaration.name_range,
                  fmt::format("the value of {} has size {}, which does not fit its declaration",
                              quoted(context_.tree.names.text(declaration.name)), to_text(*found)));
  found->resize(dims.size());
  return *found;
}

}  // namespace driftless
