#include "driftless/modelfile/instance/class_scope.h"

#include <algorithm>

namespace driftless {

namespace {

constexpr int deepest = 50;

struct Deeper {
  explicit Deeper(int& depth) : depth_(depth) { ++depth_; }
  ~Deeper() { --depth_; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;
  bool too_deep() const { return depth_ > deepest; }
  int& depth_;
};

}  // namespace

const ClassScope* ClassScopes::root() { return scope_of(tree_.root, nullptr); }

void ClassScopes::add_standard(ClassDefinition standard) { standard_.push_back(std::move(standard)); }

const ClassScope* ClassScopes::scope_of(const ClassDefinition& definition, const ClassScope* outer) {
  const auto [known, added] = by_definition_.try_emplace(&definition);
  if (!added) return known->second;
  ClassScope& scope = scopes_.emplace_back();
  scope.definition = &definition;
  scope.outer = outer;
  if (&definition != &tree_.root) {
    const std::string& own = tree_.names.text(definition.name);
    scope.name = outer == nullptr || outer->name.empty() ? own : outer->name + "." + own;
  }
  return by_definition_[&definition] = &scope;
}

const ClassScope* ClassScopes::find(std::span<const std::uint32_t> path, const ClassScope* from) {
  if (path.empty()) return nullptr;
  const ClassScope* found = find_first(path[0], from);
  for (std::size_t k = 1; found != nullptr && k < path.size(); ++k) found = find_inside(path[k], found);
  return found;
}

const ClassScope* ClassScopes::find_first(std::uint32_t name, const ClassScope* from) {
  const Deeper deeper(depth_);
  if (deeper.too_deep()) return nullptr;
  for (const ClassScope* scope = from; scope != nullptr; scope = scope->outer) {
    if (scope->definition->name == name && scope->definition != &tree_.root) return scope;
    if (const ClassScope* found = find_inside(name, scope)) return found;
    if (const ClassScope* found = find_imported(name, scope)) return found;
  }
  if (std::ranges::find(tree_.packages, name) != tree_.packages.end()) return root();
  for (const ClassDefinition& standard : standard_)
    if (standard.name == name) return scope_of(standard, nullptr);
  return nullptr;
}

const ClassScope* ClassScopes::find_inside(std::uint32_t name, const ClassScope* scope) {
  const Deeper deeper(depth_);
  if (deeper.too_deep()) return nullptr;
  scope = behind_alias(scope);
  if (scope == nullptr) return nullptr;
  for (const ClassDefinition& definition : scope->definition->classes)
    if (definition.name == name) return scope_of(definition, scope);
  for (const Extends& extends : scope->definition->extends) {
    if (extends.base.parts[0] == name) continue;  // the base of a class is not looked for in the base
    if (const ClassScope* base = find(extends.base.parts, scope))
      if (const ClassScope* found = base == scope ? nullptr : find_inside(name, base)) return found;
  }
  return nullptr;
}

const ClassScope* ClassScopes::find_imported(std::uint32_t name, const ClassScope* scope) {
  for (const Import& import : scope->definition->imports) {
    if (!import.all && import.name != name) continue;
    const ClassScope* found = find(import.path, root());
    if (found != nullptr && import.all) found = find_inside(name, found);
    if (found != nullptr) return found;
  }
  return nullptr;
}

const ClassScope* ClassScopes::behind_alias(const ClassScope* scope) {
  for (int k = 0; k < deepest && scope != nullptr; ++k) {
    const ClassDefinition& definition = *scope->definition;
    using Kind = ClassDefinition::Kind;
    if (definition.base.parts.empty() || definition.kind == Kind::type || definition.kind == Kind::enumeration)
      return scope;
    const ClassScope* next = find(definition.base.parts, scope->outer);
    if (next == nullptr || next == scope) return scope;
    scope = next;
  }
  return scope;
}

std::optional<ScopedDeclaration> ClassScopes::find_declaration(std::uint32_t name, const ClassScope* scope) {
  const Deeper deeper(depth_);
  if (deeper.too_deep()) return std::nullopt;
  scope = behind_alias(scope);
  for (const Declaration& declaration : scope->definition->declarations)
    if (declaration.name == name) return ScopedDeclaration{scope, &declaration};
  for (const Extends& extends : scope->definition->extends)
    if (const ClassScope* base = find(extends.base.parts, scope))
      if (base != scope)
        if (const auto found = find_declaration(name, base)) return found;
  return std::nullopt;
}

std::optional<ScopedDeclaration> ClassScopes::find_constant(std::span<const std::uint32_t> path,
                                                            const ClassScope* from) {
  const Deeper deeper(depth_);
  if (deeper.too_deep()) return std::nullopt;
  if (path.size() > 1) {
    const ClassScope* owner = find(path.first(path.size() - 1), from);
    return owner == nullptr ? std::nullopt : find_declaration(path.back(), owner);
  }
  for (const ClassScope* scope = from; scope != nullptr; scope = scope->outer) {
    if (const auto found = find_declaration(path[0], scope)) return found;
    for (const Import& import : scope->definition->imports) {
      std::vector<std::uint32_t> whole = import.path;
      if (import.all) whole.push_back(path[0]);
      if (!import.all && import.name != path[0]) continue;
      if (const auto found = find_constant(whole, root())) return found;
    }
  }
  return std::nullopt;
}

}  // namespace driftless
