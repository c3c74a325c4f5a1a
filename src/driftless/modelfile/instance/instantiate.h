// From a model of components, with packages, inheritance and connections, to a flat one: the same kind of tree, in
// which nothing has to be looked up any more. Names of variables become 'r1.p.v', as other tools show them.
#pragma once

#include "driftless/core/stop.h"
#include "driftless/modelfile/instance/connections.h"
#include "driftless/modelfile/instance/instance.h"

namespace driftless {

using ParameterSettings = std::vector<std::pair<std::string, std::string>>;

// Whether the file needs it at all.
bool needs_instantiation(const SyntaxTree& tree);

// The model that is meant: of this name, else the last one that is not partial. Null if there is none.
const ClassScope* choose_class(ClassScopes& scopes, const SyntaxTree& tree, const std::string& wanted);

class Instantiation {
 public:
  Instantiation(SyntaxTree& tree, Diagnostics& diagnostics, ParameterSettings& settings);

  // Puts the flat model in the place of everything in the tree. What is wrong is in the diagnostics afterwards. False
  // if there is no such model.
  bool run(const std::string& wanted);

 private:
  struct Fault {};  // reported already
  struct Type {
    std::optional<std::uint32_t> builtin = {};  // its name
    const ClassScope* scope = nullptr;          // or its class
    Modifiers modifiers = {};                   // of a redeclaration
    bool known() const { return builtin || scope != nullptr; }
  };
  // Names of loops: with a value while a loop is unrolled.
  struct Local {
    std::uint32_t name;
    std::optional<double> value;
  };

  [[noreturn]] void fail(SourceRange range, std::string message, std::string suggestion = {});

  // instantiate.cpp: components
  void fill(Instance& instance, const ClassScope* scope, const Modifiers& modifiers);
  bool is_filling(const ClassScope* scope) const;
  const ClassScope* changed(const ClassScope* scope, const Modifiers& modifiers);
  void extend(Instance& instance, const ClassScope* scope, const TypeName& base, const std::vector<Modification>& own,
              const Modifiers& modifiers);
  void add_member(Instance& instance, const ClassScope* scope, const Declaration& declaration,
                  const Modifiers& modifiers);
  struct PendingComponent {
    Instance* instance;
    Member* member;
    Type type;
    Modifiers modifiers;
    Writer writer;
  };
  void add_component(const PendingComponent& pending);
  void add_element(const PendingComponent& pending, const Elements& element);
  void declare_flows(const Instance& connector, SourceRange range);
  struct PendingVariable {
    const Instance* instance;
    const Member* member;
    Type type;
    Modifiers modifiers;
    Writer writer;
  };
  void add_variable(const PendingVariable& pending);
  void require_names(const Instance& instance, const Modifiers& modifiers);
  static const Member* find_inner(const Instance& instance, std::uint32_t name);
  Type find_type(const TypeName& name, const Writer& writer);
  bool is_variable(const Type& type);
  Modifiers own_modifiers(const std::vector<Modification>& own, const Writer& writer) const;
  static Modifiers inside(const Modifiers& modifiers, std::uint32_t name);
  std::vector<Modification> merged(const Modifiers& modifiers);
  NodeId value_of(const BoundValue& value);
  void require_count(NodeId array, const Element& element);
  // What goes wrong is reported, and the next thing is tried.
  template <class Action>
  static void attempt(Action action) {
    check_stop();
    try {
      action();
    } catch (const Fault&) {
    }
  }

  // instantiate_class.cpp: functions, records and types, once each
  std::uint32_t flat_class(const ClassScope* scope);
  void name_elements(const ClassScope* scope, Instance& names);
  void add_elements(ClassDefinition& flat, const ClassScope* scope, const Instance& names);
  TypeName flat_type(const TypeName& name, const Writer& writer);
  Declaration flat_declaration(const Declaration& declaration, const Writer& writer);
  std::uint32_t flat_constant(const ScopedDeclaration& constant);
  std::uint32_t intern_quoted(const std::string& path);

  // instantiate_equation.cpp: sections
  void add_all_sections(const Instance& instance);
  void add_sections(const Instance& instance, const ClassScope* scope);
  void add_connections();
  std::vector<Statement> copies(const std::vector<Statement>& statements, const Writer& writer);
  void copy(const Statement& statement, const Writer& writer, std::vector<Statement>& into);
  void unroll(const Statement& statement, std::size_t iterator, const Writer& writer, std::vector<Statement>& into);
  bool must_unroll(const std::vector<Statement>& statements, const Writer& writer) const;
  bool must_unroll(NodeId id, const Writer& writer) const;
  void connect(const Statement& statement, const Writer& writer);
  std::vector<ConnectorEnd> connector_ends(NodeId id, const Writer& writer);

  // rewrite.cpp: expressions
  NodeId rewrite(NodeId id, const Writer& writer);
  std::vector<NodeId> rewrite(const std::vector<NodeId>& several, const Writer& writer);
  NodeId rewrite_reference(NodeId id, const Writer& writer);
  std::optional<NodeId> rewrite_dotted(NodeId id, std::span<const NodeId> parts, const Writer& writer);
  void require_public(const Member& member, const Instance& owner, SourceRange range);
  NodeId rewrite_member(const Instance& instance, std::span<const NodeId> parts, const Writer& writer, NodeId whole);
  NodeId rewrite_constant(NodeId id, std::span<const NodeId> parts, const Writer& writer);
  NodeId rewrite_callee(NodeId id, const Writer& writer);
  NodeId rewrite_scoped(NodeId id, const Writer& writer);
  NodeId unroll_scoped(NodeId id, const Writer& writer);
  std::vector<std::uint32_t> path_of(NodeId id) const;
  NodeId make(NodeKind kind, SourceRange range, std::vector<NodeId> children, std::uint32_t text = 0);
  NodeId make_name(std::uint32_t name, SourceRange range) { return make(NodeKind::name, range, {}, name); }
  NodeId make_number(double value, SourceRange range);
  const Local* find_local(std::uint32_t name) const;
  // The elements of an array of components that subscripts choose; all of them without subscripts.
  std::vector<const Instance*> chosen(const Member& member, std::span<const NodeId> subscripts, const Writer& writer,
                                      SourceRange range, bool& is_list);

  // structural.cpp: numbers that decide what there is
  std::optional<double> known(NodeId id, const Writer& writer);
  std::optional<double> known_call(NodeId id, const Writer& writer);
  std::optional<double> known_reference(NodeId id, const Writer& writer);
  std::optional<double> known_member(const Member& member, SourceRange asked);
  double structural(NodeId id, const Writer& writer, std::string_view what);
  std::vector<double> known_range(NodeId id, const Writer& writer);
  void pin_declarations();

  SyntaxTree& tree_;
  Diagnostics& diagnostics_;
  ParameterSettings& settings_;
  ClassScopes scopes_;
  ClassDefinition model_;  // the flat one
  ClassDefinition root_;   // and the classes and constants that it needs
  Connections connections_;
  std::map<const ClassScope*, std::uint32_t> flat_classes_;
  std::map<std::pair<const ClassScope*, const Declaration*>, std::uint32_t> flat_constants_;
  std::vector<Local> locals_;
  std::vector<const ClassScope*> filling_;                 // to find classes that contain themselves
  std::map<const Member*, std::optional<double>> pinned_;  // parameters that decided what there is, as they were set
  std::deque<PendingComponent> components_;
  std::vector<PendingVariable> variables_;
  std::map<std::uint32_t, std::size_t> places_;  // of the declarations of the flat model, by name
  std::optional<double> end_;                    // what 'end' is in a subscript
  int evaluating_ = 0;
};

}  // namespace driftless
