// Which class of a file is the model, and whether it has to be instantiated.
#include <algorithm>

#include "driftless/modelfile/instance/instantiate.h"

namespace driftless {

namespace {

using Kind = ClassDefinition::Kind;

bool is_named(const ClassScope& scope, const SyntaxTree& tree, const std::string& wanted) {
  std::string own = tree.names.text(scope.definition->name);
  std::erase(own, '\'');
  return wanted.empty() || own == wanted || scope.name == wanted;
}

const ClassScope* last_model(ClassScopes& scopes, const SyntaxTree& tree, const ClassScope* inside,
                             const std::string& wanted) {
  const auto& classes = inside->definition->classes;
  for (auto one = classes.rbegin(); one != classes.rend(); ++one) {
    const ClassScope* scope = scopes.scope_of(*one, inside);
    if (one->kind == Kind::model && !one->is_partial && is_named(*scope, tree, wanted)) return scope;
  }
  for (auto one = classes.rbegin(); one != classes.rend(); ++one)
    if (one->kind == Kind::package)
      if (const ClassScope* found = last_model(scopes, tree, scopes.scope_of(*one, inside), wanted)) return found;
  return nullptr;
}

}  // namespace

const ClassScope* choose_class(ClassScopes& scopes, const SyntaxTree& tree, const std::string& wanted) {
  return last_model(scopes, tree, scopes.root(), wanted);
}

bool needs_instantiation(const SyntaxTree& tree) {
  if (tree.hierarchical) return true;
  const auto is_component = [&](const Declaration& declaration) {
    return std::ranges::any_of(tree.root.classes, [&](const ClassDefinition& definition) {
      return definition.name == declaration.type.parts[0] && definition.kind == Kind::model;
    });
  };
  return tree.root.classes.size() > 1 && std::ranges::any_of(tree.root.classes, [&](const ClassDefinition& definition) {
           return definition.kind == Kind::model && std::ranges::any_of(definition.declarations, is_component);
         });
}

}  // namespace driftless
