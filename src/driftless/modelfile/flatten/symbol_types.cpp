// Names of types.
#include <fmt/format.h>

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
  RecordType record;
  record.name = context_.tree.names.text(definition.name);
  for (const Declaration& declaration : definition.declarations) {
    const ResolvedType type = resolve(declaration.type);
    RecordField field;
    field.name = declaration.name;
    field.declaration = &declaration;
    field.type = type.type;
    field.width = type.width;
    field.modifications = type.modifications;
    std::vector<NodeId> sizes = declaration.sizes;
    sizes.insert(sizes.end(), declaration.type_sizes.begin(), declaration.type_sizes.end());
    field.dims = evaluate_sizes(sizes);
    field.dims.insert(field.dims.end(), type.dims.begin(), type.dims.end());
    if (std::find(field.dims.begin(), field.dims.end(), -1) != field.dims.end()) {
      if (declaration.value == no_node)
        Context::fail(declaration.name_range, "fields of open size without a value are not covered",
                      "write numbers instead of ':', or give the field a value in its record");
      field.dims = evaluator_.evaluate(declaration.value).dims();
    }
    field.offset = record.width;
    const std::size_t count = context_.checked_count(field.dims, declaration.range) * field.width;
    if (record.width + count > context_.limits.elements)
      Context::fail(declaration.range, "this record becomes too large");
    record.width += static_cast<std::uint32_t>(count);
    record.fields.push_back(std::move(field));
  }
  const auto index = static_cast<std::uint32_t>(context_.records.size());
  const std::uint32_t width = record.width;
  context_.records.push_back(std::move(record));
  records_.emplace(&definition, index);
  return {Type{BaseType::record, index}, width, {}, {}};
}

}  // namespace driftless
