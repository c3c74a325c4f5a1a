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
  return find_changed(definition, outer, {});
}

const ClassScope* ClassScopes::find_changed(const ClassDefinition& definition, const ClassScope* outer,
                                            const ScopeChanges& changes) {
  std::vector<const ClassScope*>& all = known_[{&definition, outer}];
  for (const ClassScope* one : all)
    if (one->changes == changes) return one;
  ClassScope& scope = scopes_.emplace_back();
  scope.definition = &definition;
  scope.outer = outer;
  scope.changes = changes;
  if (&definition != &tree_.root) {
    const std::string& own = tree_.names.text(definition.name);
    scope.name = outer == nullptr || outer->name.empty() ? own : outer->name + "." + own;
  }
  if (!changes.empty()) scope.name += "#" + std::to_string(scopes_.size());  // another one of this name
  all.push_back(&scope);
  return &scope;
}

ScopeChanges ClassScopes::changes_of(const std::vector<Modification>& modifications, const ClassScope* writer) {
  ScopeChanges changes;
  for (const Modification& one : modifications)
    if (one.name.size() == 1 && (one.is_class || one.value != no_node)) changes.push_back({&one, writer});
  return changes;
}

const ClassScope* ClassScopes::changed(const ClassScope* scope, const ScopeChanges& changes) {
  ScopeChanges all;
  const auto has = [&](std::uint32_t name) {
    return std::ranges::any_of(all, [&](const ScopeChange& known) { return known.what->name[0] == name; });
  };
  for (const ScopeChanges* list : {&changes, &scope->changes}) {
    for (const ScopeChange& change : *list) {
      const std::uint32_t name = change.what->name[0];
      if (has(name)) continue;
      const auto declared = change.what->is_class ? std::nullopt : find_declaration(name, scope);
      const bool constant = declared && declared->declaration->variability == Variability::constant;
      if (constant || (change.what->is_class && find_inside(name, scope) != nullptr)) all.push_back(change);
    }
  }
  return all.empty() || all == scope->changes ? scope : find_changed(*scope->definition, scope->outer, all);
}

const ClassScope* ClassScopes::find(std::span<const std::uint32_t> path, const ClassScope* from) {
  if (path.empty()) return nullptr;
  const ClassScope* found = find_first(path[0], from);
  for (std::size_t k = 1; found != nullptr && k < path.size(); ++k) found = find_inside(path[k], found);
  return found == nullptr && path.size() > 1 ? find_dotted(path) : found;
}

// Flat dumps of other tools define functions and types by their whole names.
const ClassScope* ClassScopes::find_dotted(std::span<const std::uint32_t> path) {
  std::string whole;
  for (const std::uint32_t part : path) whole += (whole.empty() ? "" : ".") + tree_.names.text(part);
  std::erase(whole, '\'');
  const std::uint32_t name = tree_.names.intern("'" + whole + "'");
  for (const ClassDefinition& definition : tree_.root.classes)
    if (definition.name == name) return scope_of(definition, root());
  return nullptr;
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
  if (const ClassScope* found = find_redeclared(name, scope)) return found;
  for (const ClassDefinition& definition : scope->definition->classes)
    if (definition.name == name) return scope_of(definition, scope);
  for (const Extends& extends : scope->definition->extends) {
    if (extends.base.parts[0] == name) continue;  // the base of a class is not looked for in the base
    if (const ClassScope* base = find_base(extends, scope))
      if (const ClassScope* found = find_inside(name, base)) return found;
  }
  return nullptr;
}

const ClassScope* ClassScopes::find_redeclared(std::uint32_t name, const ClassScope* scope) {
  for (const ScopeChange& change : scope->changes) {
    if (!change.what->is_class || change.what->name[0] != name) continue;
    const ClassScope* found = find(change.what->type.parts, change.writer);
    if (found != nullptr) return changed(found, changes_of(change.what->nested, change.writer));
  }
  return nullptr;
}

// What a class extends, changed as the clause says and as the class itself is.
const ClassScope* ClassScopes::find_base(const Extends& extends, const ClassScope* scope) {
  const ClassScope* base = find(extends.base.parts, scope);
  if (base == nullptr || base->definition == scope->definition) return nullptr;
  ScopeChanges changes = scope->changes;
  const ScopeChanges own = changes_of(extends.modifications, scope);
  changes.insert(changes.end(), own.begin(), own.end());
  return changes.empty() ? base : changed(base, changes);
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
    ScopeChanges changes = scope->changes;
    const ScopeChanges own = changes_of(definition.modifications, scope->outer);
    changes.insert(changes.end(), own.begin(), own.end());
    scope = changes.empty() ? next : changed(next, changes);
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
    if (const ClassScope* base = find_base(extends, scope))
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
