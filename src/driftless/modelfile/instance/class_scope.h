// Classes and where the names in them are looked up: inside, in what they extend, in what they import, then outside.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <unordered_map>

#include "driftless/modelfile/text/diagnostic.h"
#include "driftless/modelfile/text/syntax.h"

namespace driftless {

struct ClassScope;

// What an extends clause, a short definition or a component changes in a class: constants get other values, and classes
// in it are redeclared.
struct ScopeChange {
  const Modification* what = nullptr;
  const ClassScope* writer = nullptr;  // where it is written
  friend bool operator==(const ScopeChange&, const ScopeChange&) = default;
};
using ScopeChanges = std::vector<ScopeChange>;  // the first of several wins

struct ClassScope {
  const ClassDefinition* definition = nullptr;
  const ClassScope* outer = nullptr;
  std::string name;  // from the outermost package on: A.B.C; empty for the file
  ScopeChanges changes = {};
};

// A constant of a package, or a literal of an enumeration.
struct ScopedDeclaration {
  const ClassScope* scope = nullptr;
  const Declaration* declaration = nullptr;
};

class ClassScopes {
 public:
  explicit ClassScopes(SyntaxTree& tree) : tree_(tree) {}

  // The whole file, and the packages that are always there.
  const ClassScope* root();
  void add_standard(ClassDefinition standard);
  const ClassScope* scope_of(const ClassDefinition& definition, const ClassScope* outer);
  // The same class with changes, which count before those that it has. Those that change nothing in it are left out.
  const ClassScope* changed(const ClassScope* scope, const ScopeChanges& changes);
  static ScopeChanges changes_of(const std::vector<Modification>& modifications, const ClassScope* writer);

  // The class of a path, seen from a scope; null if there is none.
  const ClassScope* find(std::span<const std::uint32_t> path, const ClassScope* from);
  // A class inside of another one, inherited ones included.
  const ClassScope* find_inside(std::uint32_t name, const ClassScope* scope);
  // The constant that a name, or the end of a path, means.
  std::optional<ScopedDeclaration> find_constant(std::span<const std::uint32_t> path, const ClassScope* from);
  // The class that a short definition such as 'model A = B' stands for at last.
  const ClassScope* behind_alias(const ClassScope* scope);

 private:
  const ClassScope* find_first(std::uint32_t name, const ClassScope* from);
  const ClassScope* find_dotted(std::span<const std::uint32_t> path);
  const ClassScope* find_imported(std::uint32_t name, const ClassScope* scope);
  std::optional<ScopedDeclaration> find_declaration(std::uint32_t name, const ClassScope* scope);
  const ClassScope* find_redeclared(std::uint32_t name, const ClassScope* scope);
  const ClassScope* find_base(const Extends& extends, const ClassScope* scope);
  const ClassScope* find_changed(const ClassDefinition& definition, const ClassScope* outer,
                                 const ScopeChanges& changes);

  SyntaxTree& tree_;
  std::deque<ClassScope> scopes_;
  std::map<std::pair<const ClassDefinition*, const ClassScope*>, std::vector<const ClassScope*>> known_;
  std::deque<ClassDefinition> standard_;
  int depth_ = 0;  // of lookups inside lookups, which imports and extends in circles would make endless
};

}  // namespace driftless
