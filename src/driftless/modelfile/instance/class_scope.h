// Classes and where the names in them are looked up: inside, in what they extend, in what they import, then outside.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <unordered_map>

#include "driftless/modelfile/text/diagnostic.h"
#include "driftless/modelfile/text/syntax.h"

namespace driftless {

struct ClassScope {
  const ClassDefinition* definition = nullptr;
  const ClassScope* outer = nullptr;
  std::string name;  // from the outermost package on: A.B.C; empty for the file
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
  const ClassScope* find_imported(std::uint32_t name, const ClassScope* scope);
  std::optional<ScopedDeclaration> find_declaration(std::uint32_t name, const ClassScope* scope);

  SyntaxTree& tree_;
  std::deque<ClassScope> scopes_;
  std::unordered_map<const ClassDefinition*, const ClassScope*> by_definition_;
  std::deque<ClassDefinition> standard_;
  int depth_ = 0;  // of lookups inside lookups, which imports and extends in circles would make endless
};

}  // namespace driftless
