// Functions, records, types and constants of packages: each is copied once, under its whole name.
#include <fmt/format.h>

#include <algorithm>

#include "driftless/modelfile/instance/instantiate.h"
#include "driftless/modelfile/text/suggest.h"

namespace driftless {

std::uint32_t Instantiation::intern_quoted(const std::string& path) {
  std::string plain;  // names in quotes may be part of it
  std::ranges::copy_if(path, std::back_inserter(plain), [](char c) { return c != '\''; });
  return tree_.names.intern("'" + plain + "'");
}

std::uint32_t Instantiation::flat_class(const ClassScope* scope) {
  scope = scopes_.behind_alias(scope);
  if (const auto known = flat_classes_.find(scope); known != flat_classes_.end()) return known->second;
  const ClassDefinition& definition = *scope->definition;
  const bool outermost = scope->name == tree_.names.text(definition.name);
  const std::uint32_t name = flat_classes_[scope] = outermost ? definition.name : intern_quoted(scope->name);
  ClassDefinition flat;
  flat.kind = definition.kind;
  flat.name = name;
  flat.name_range = definition.name_range;
  flat.description = definition.description;
  flat.literals = definition.literals;
  flat.is_external = definition.is_external;
  flat.external_range = definition.external_range;
  const Writer outside{nullptr, scope->outer};
  if (definition.kind == ClassDefinition::Kind::type) {
    flat.base = flat_type(definition.base, outside);
    flat.sizes = rewrite(definition.sizes, outside);
    flat.modifications = merged(own_modifiers(definition.modifications, outside));
  } else if (definition.kind != ClassDefinition::Kind::enumeration) {
    Instance names;
    names.scope = scope;
    name_elements(scope, names);
    add_elements(flat, scope, names);
  }
  root_.classes.push_back(std::move(flat));
  return name;
}

TypeName Instantiation::flat_type(const TypeName& name, const Writer& writer) {
  const Type type = find_type(name, writer);
  return {{type.builtin ? *type.builtin : flat_class(type.scope)}, name.range};
}

void Instantiation::name_elements(const ClassScope* scope, Instance& names) {
  if (is_filling(scope)) fail(scope->definition->name_range, fmt::format("{} extends itself", quoted(scope->name)));
  filling_.push_back(scope);
  for (const Extends& extends : scope->definition->extends)
    if (const ClassScope* base = scopes_.find(extends.base.parts, scope)) name_elements(base, names);
  filling_.pop_back();
  for (const Declaration& declaration : scope->definition->declarations) {
    if (names.by_name.contains(declaration.name)) continue;
    Member& member = names.members.emplace_back();
    member.kind = Member::Kind::variable;
    member.name = member.flat_name = declaration.name;
    member.declaration = &declaration;
    names.by_name[declaration.name] = &member;
  }
}

void Instantiation::add_elements(ClassDefinition& flat, const ClassScope* scope, const Instance& names) {
  for (const Extends& extends : scope->definition->extends) {
    const ClassScope* base = scopes_.find(extends.base.parts, scope);
    if (base == nullptr)
      fail(extends.base.range,
           fmt::format("the class {} is not known", quoted(std::string(tree_.text(extends.base.range)))));
    add_elements(flat, base, names);
  }
  const Writer writer{&names, scope};
  for (const Declaration& declaration : scope->definition->declarations)
    flat.declarations.push_back(flat_declaration(declaration, writer));
  for (const auto& section : scope->definition->algorithms) flat.algorithms.push_back(copies(section, writer));
}

Declaration Instantiation::flat_declaration(const Declaration& declaration, const Writer& writer) {
  Declaration flat = declaration;
  flat.type = flat_type(declaration.type, writer);
  flat.sizes = rewrite(declaration.sizes, writer);
  flat.type_sizes = rewrite(declaration.type_sizes, writer);
  flat.modifications = merged(own_modifiers(declaration.modifications, writer));
  if (flat.value != no_node) flat.value = rewrite(flat.value, writer);
  return flat;
}

std::uint32_t Instantiation::flat_constant(const ScopedDeclaration& constant) {
  const Declaration& declaration = *constant.declaration;
  const std::pair key{constant.scope, &declaration};
  if (const auto known = flat_constants_.find(key); known != flat_constants_.end()) return known->second;
  const std::string& own = tree_.names.text(declaration.name);
  const std::uint32_t name = flat_constants_[key] =
      constant.scope->name.empty() ? declaration.name : intern_quoted(constant.scope->name + "." + own);
  const Writer writer{nullptr, constant.scope};
  Declaration flat = flat_declaration(declaration, writer);
  for (const ScopeChange& change : constant.scope->changes) {
    if (change.what->is_class || change.what->name[0] != declaration.name) continue;
    flat.value = rewrite(change.what->value, {nullptr, change.writer});
    break;
  }
  flat.name = name;
  root_.declarations.push_back(std::move(flat));
  return name;
}

}  // namespace driftless
