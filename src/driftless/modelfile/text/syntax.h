// A model as a tree of what is written, before anything is known about its meaning.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "driftless/modelfile/text/source.h"

namespace driftless {

// Equal spelling, equal number. Quoted names keep their quotes: 'x' and x are two names.
class NameTable {
 public:
  NameTable() = default;
  NameTable(const NameTable&) = delete;  // the views would show into the other one
  NameTable& operator=(const NameTable&) = delete;
  NameTable(NameTable&&) = default;
  NameTable& operator=(NameTable&&) = default;

  std::uint32_t intern(std::string_view text);
  const std::string& text(std::uint32_t name) const { return texts_[name]; }
  std::size_t size() const { return texts_.size(); }

 private:
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
};

enum class NodeKind : std::uint8_t {
  none,
  number,          // number; integer if op == 1
  string,          // text: index into strings
  boolean,         // number 0 or 1
  name,            // a single name without subscripts: text
  reference,       // children: parts
  part,            // one name of a reference: text; children: subscripts
  call,            // child 0: what is called (name or reference); then arguments; op: 1 for 'function f(k = 2)'
  named_argument,  // text = child 0
  negate,          // op: 0 for '-', 1 for '.-'
  plus,
  logical_not,
  sum,          // operand, operator, operand, ...: operators as TokenKind among the children
  product,      // the same
  power,        // op: 1 for '.^'
  relation,     // op: TokenKind
  logical_and,  // two or more children
  logical_or,
  choice,  // if: condition, value, condition, value, ..., value otherwise
  range,   // from, to or from, step, to
  array,   // {...}
  matrix,  // [...; ...]: children are matrix_row
  matrix_row,
  comprehension,  // child 0 for each of the iterators, the other children
  iterator,       // text in child 0; no child: the range follows from the subscripts
  tuple,          // (a, , b): children, `no_node` where left out
  end,            // in a subscript
  colon,          // a subscript ':'
  subscripted,    // (expression)[...]: child 0, then subscripts
};

using NodeId = std::uint32_t;
constexpr NodeId no_node = 0;  // node 0 is never part of a tree

struct SyntaxNode {
  NodeKind kind = NodeKind::none;
  std::uint8_t op = 0;
  std::uint16_t source = 0;
  std::uint32_t begin = 0, end = 0;             // in the source
  std::uint32_t first_child = 0, children = 0;  // in `links`
  std::uint32_t text = 0;                       // a name, or an entry of `strings`
  double number = 0.0;
};

struct TypeName {
  std::vector<std::uint32_t> parts;
  SourceRange range;
};

struct Modification {  // name(modifications) = value
  std::vector<std::uint32_t> name;
  bool each = false;
  bool is_class = false;  // redeclare model name = type(modifications)
  TypeName type;          // redeclare type name(modifications) = value
  NodeId value = no_node;
  std::vector<Modification> nested;
  bool has_nested = false;
  SourceRange range, name_range;
};

enum class Variability : std::uint8_t { none, discrete, parameter, constant };
enum class Causality : std::uint8_t { none, input, output };

struct Declaration {
  std::uint32_t name = 0;
  Variability variability = Variability::none;
  Causality causality = Causality::none;
  bool is_final = false, is_protected = false;
  bool is_flow = false, is_inner = false, is_outer = false;
  TypeName type;
  std::vector<NodeId> type_sizes;  // Real[2, 3] x
  std::vector<NodeId> sizes;       // Real x[2, 3]: these come first
  std::vector<Modification> modifications;
  NodeId value = no_node;
  NodeId condition = no_node;  // Type name if condition
  std::string description;
  SourceRange range, name_range;  // range: from the name to the end of its value
};

// Equations and statements of algorithms alike.
struct Statement {
  enum class Kind : std::uint8_t {
    equation,    // left = right
    assignment,  // left := right
    call,        // left is a call
    choice,      // if: branches, the last one perhaps without condition
    loop,        // for: iterators, one branch
    repeat,      // while: one branch
    when,        // branches
    leave,       // break
    give_back,   // return
    prioritize,  // left, right = priority
    connect,     // left, right
  };
  struct Branch {
    NodeId condition = no_node;
    std::vector<Statement> body;
  };
  Kind kind = Kind::equation;
  NodeId left = no_node, right = no_node;
  std::vector<NodeId> iterators;
  std::vector<Branch> branches;
  SourceRange range;
};

struct Guess {  // parameter equation guess(variable) = value
  NodeId variable = no_node, value = no_node, priority = no_node;
  SourceRange range;
};

struct Extends {
  TypeName base;
  std::vector<Modification> modifications;
};

struct Import {  // import a.b.c; import d = a.b.c; import a.b.*; import a.b.{c, d};
  std::vector<std::uint32_t> path;
  std::uint32_t name = 0;  // under which it is known
  bool all = false;
  SourceRange range;
};

struct ClassDefinition {
  enum class Kind : std::uint8_t { model, function, record, type, enumeration, package, connector };
  Kind kind = Kind::model;
  std::uint32_t name = 0;
  SourceRange name_range;
  std::string description;
  std::vector<Declaration> declarations;
  std::vector<Statement> equations, initial_equations;
  std::vector<std::vector<Statement>> algorithms, initial_algorithms;  // one per section
  std::vector<Guess> guesses;
  std::vector<Modification> annotations;
  std::vector<ClassDefinition> classes;  // defined inside
  bool is_external = false;
  bool is_partial = false;
  SourceRange external_range;
  std::vector<Extends> extends;
  std::vector<Import> imports;
  // type Name = base[sizes](modifications); other classes, too
  TypeName base;
  Causality base_causality = Causality::none;
  std::vector<NodeId> sizes;
  std::vector<Modification> modifications;
  std::vector<std::uint32_t> literals;  // of an enumeration
};

struct SyntaxTree {
  std::deque<Source> sources;
  NameTable names;
  std::vector<SyntaxNode> nodes{SyntaxNode{}};
  std::vector<std::uint32_t> links;  // the children of all nodes
  std::vector<std::string> strings;
  ClassDefinition root;  // of kind package: what the file, or its package, holds
  bool base_modelica = false;
  bool hierarchical = false;            // there are classes to look up: the model has to be instantiated
  bool dotted = false;                  // names such as a[1].b are declared without quotes
  std::vector<std::uint32_t> packages;  // names of the packages whose content is in the root

  const SyntaxNode& node(NodeId id) const { return nodes[id]; }
  std::span<const std::uint32_t> children(NodeId id) const {
    return {links.data() + nodes[id].first_child, nodes[id].children};
  }
  NodeId child(NodeId id, std::size_t k) const { return links[nodes[id].first_child + k]; }
  SourceRange range(NodeId id) const { return {nodes[id].begin, nodes[id].end, nodes[id].source}; }
  const std::string& name_of(NodeId id) const { return names.text(nodes[id].text); }
  std::string_view text(SourceRange range) const { return sources[range.source].text(range); }
};

}  // namespace driftless
