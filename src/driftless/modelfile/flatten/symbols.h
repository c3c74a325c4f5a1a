// The declared things of a model: sizes and values, found when they are needed, in whatever order they are written.
#pragma once

#include <deque>
#include <functional>
#include <optional>

#include "driftless/modelfile/flatten/context.h"

namespace driftless {

class Evaluator;

using ModificationLayers = std::vector<const std::vector<Modification>*>;

// A type name looked up: what it is, its sizes if it is an array, and the modifications on the way, innermost first.
struct ResolvedType {
  Type type;
  std::uint32_t width = 1;
  Dims dims;
  ModificationLayers modifications;
};

struct Symbol {
  enum class Role : std::uint8_t { constant, parameter, variable };
  enum class Progress : std::uint8_t { untouched, busy, done, faulty };

  std::string name;
  const Declaration* declaration = nullptr;
  std::uint64_t order = 0;
  Role role = Role::variable;
  bool discrete = false;
  bool is_global = false;    // of the package
  bool is_computed = false;  // a parameter with fixed = false: found from the initial equations
  Progress sizing = Progress::untouched, valuing = Progress::untouched;
  ResolvedType type;
  Dims dims;
  std::vector<Scalar> values;                // all its numbers; inputs of the graph for variables
  std::optional<std::size_t> first_setting;  // a parameter that may be set: where its numbers begin in the trace
  NodeId new_value = no_node;                // from outside
  std::vector<std::pair<NodeId, NodeId>> new_elements;

  bool is_parameter() const { return role != Role::variable; }
};

// A scalar or array of numbers of one symbol: the whole of it, or a field of a record.
struct Leaf {
  std::string name;  // without the subscripts of its own dimensions
  Type type;
  Dims dims;                  // own ones
  std::size_t offset = 0;     // of its first number among those of the symbol
  ModificationLayers layers;  // what modifies it, outermost first
  NodeId value = no_node;     // from a modification or a declaration of a field; not the value of the symbol
};

class Symbols {
 public:
  Symbols(Context& context, Evaluator& evaluator) : context_(context), evaluator_(evaluator) {}

  // Declares all of the package and the model; complains about names that are declared twice.
  void declare(const ClassDefinition& package, const ClassDefinition& model);
  void set_from_outside(const std::vector<std::pair<std::string, std::string>>& parameters);

  Symbol* find(std::uint32_t name);
  std::deque<Symbol>& all() { return symbols_; }

  // On demand; `asked` is where, for messages about circles. Throw KnownFault after reporting what is wrong with it.
  const Symbol& sized(Symbol& symbol, SourceRange asked);
  const Symbol& valued(Symbol& symbol, SourceRange asked);

  ResolvedType resolve(const TypeName& name);
  // A record whose fields have the sizes of these values, where its definition leaves them open.
  using FieldValue = std::function<std::optional<Value>(const Declaration& field)>;
  ResolvedType closed_record(const ClassDefinition& definition, const FieldValue& value_of, SourceRange range);
  // Sizes as numbers; -1 where ':' leaves them open.
  Dims evaluate_sizes(const std::vector<NodeId>& sizes);
  // Whether an expression depends on a parameter that the start has to find.
  bool reads_computed(NodeId id);
  // All leaves of a symbol whose size is known, in the order of its numbers.
  std::vector<Leaf> leaves(const Symbol& symbol);

 private:
  void declare_one(const Declaration& declaration, bool is_global);
  template <class Find>
  void find_once(Symbol& symbol, Symbol::Progress Symbol::*progress, SourceRange asked, Find find);
  void find_size(Symbol& symbol);
  void find_value(Symbol& symbol);
  void make_variables(Symbol& symbol);
  void make_settable(Symbol& symbol);
  bool is_computed(const Symbol& symbol);
  bool is_written_computed(const Symbol& symbol);
  Value declared_value(Symbol& symbol);
  Value value_of_leaves(Symbol& symbol);
  NodeId start_of(const Leaf& leaf);
  void set_elements(Symbol& symbol, Value& value);
  [[noreturn]] void fail_circle(const Symbol& symbol, SourceRange asked);
  [[noreturn]] void fail_without_value(const Symbol& symbol, const std::string& name);
  std::string as_expression(const Symbol& symbol, const std::string& value);
  void set_one_from_outside(const std::string& name, const std::string& value);
  ResolvedType resolve_class(const ClassDefinition& definition);
  ResolvedType resolve_record(const ClassDefinition& definition);
  RecordType describe_record(const ClassDefinition& definition, const FieldValue& value_of);
  ResolvedType add_record(RecordType record);
  Dims field_dims(const Declaration& declaration, const std::vector<std::uint32_t>& open_fields,
                  const std::optional<Value>& value);
  void close_record(Symbol& symbol);
  bool is_integer_field(const ClassDefinition& record, NodeId part);
  [[noreturn]] void fail_unknown_type(const TypeName& name);
  void add_leaves(std::vector<Leaf>& list, Leaf leaf, const Dims& dims);

  Context& context_;
  Evaluator& evaluator_;
  std::deque<Symbol> symbols_;
  std::unordered_map<std::uint32_t, Symbol*> by_name_;
  std::vector<const Symbol*> in_progress_;
  std::unordered_map<const ClassDefinition*, std::uint32_t> records_, enumerations_;
  std::vector<const ClassDefinition*> resolving_;
  std::unordered_map<const Symbol*, bool> written_computed_;
};

// The outermost modification of that name; nullptr if there is none.
const Modification* find_modification(const SyntaxTree& tree, const ModificationLayers& layers, std::string_view name);

// The subscripts of element `index` of an array: [2,1]; nothing for a scalar.
std::string subscript_text(const Dims& dims, std::size_t index);

}  // namespace driftless
