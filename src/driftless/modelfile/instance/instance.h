// What a model of components consists of once its classes are known: a tree of instances with variables as leaves.
#pragma once

#include <memory>

#include "driftless/modelfile/instance/class_scope.h"

namespace driftless {

struct Instance;

// Where an expression was written: names in it are those of this instance, then those of this class.
struct Writer {
  const Instance* instance = nullptr;
  const ClassScope* scope = nullptr;
};

// One of an array of components: its subscripts from 1 on, and the sizes of the array.
struct Element {
  std::size_t subscript, size;
};
using Elements = std::vector<Element>;

// A modification on its way to what it modifies. The first of several wins.
struct Modifier {
  const Modification* what = nullptr;
  std::size_t depth = 0;  // how many names of its path are behind it
  Writer writer;
  Elements element = {};  // of the arrays of components on the way

  bool is_last() const { return depth + 1 == what->name.size(); }
};
using Modifiers = std::vector<Modifier>;

// The value of a variable, and where it was written.
struct BoundValue {
  NodeId node = no_node;
  Writer writer;
  Elements element = {};
};

struct Member {
  enum class Kind { faulty, variable, component, absent, outer };  // faulty: something was said about it already
  Kind kind = Kind::faulty;
  std::uint32_t name = 0;
  const Declaration* declaration = nullptr;
  // variable
  std::uint32_t flat_name = 0;
  BoundValue value;
  bool is_flow = false, is_connector = false;
  bool is_known = false;  // a parameter or constant
  // component
  std::vector<std::size_t> sizes;
  std::vector<std::unique_ptr<Instance>> elements;
  // outer: what it stands for
  const Member* inner = nullptr;
};

struct Instance {
  const ClassScope* scope = nullptr;
  const Instance* parent = nullptr;
  std::string prefix;  // of the names of its variables: "a.b[2]."
  bool is_connector = false;
  std::deque<Member> members;
  std::unordered_map<std::uint32_t, const Member*> by_name;
  std::unordered_map<std::uint32_t, Modifier> classes;           // redeclared inside
  std::unordered_map<const TypeName*, const ClassScope*> bases;  // what it extends, as modifiers changed it

  const Member* find(std::uint32_t name) const {
    const auto found = by_name.find(name);
    if (found == by_name.end()) return nullptr;
    return found->second->kind == Member::Kind::outer ? found->second->inner : found->second;
  }
};

}  // namespace driftless
