// From declarations, equations and algorithms to scalar equations of the graph.
#pragma once

#include "driftless/modelfile/flatten/algorithm.h"
#include "driftless/modelfile/flatten/evaluator.h"
#include "driftless/modelfile/flatten/symbols.h"

namespace driftless {

class ModelFlattener : private AlgorithmHost {
 public:
  ModelFlattener(Context& context, const ClassDefinition& model);

  // What is wrong is in the diagnostics afterwards; the model is whole only if nothing is.
  FlatModel flatten(const ReadOptions& options);

 private:
  struct Equation {  // left = right, between numbers
    Scalar left, right;
    std::string text;
    SourceRange range;
    SourcePlace place;
    std::vector<FlatChoice> choices = {};
  };
  struct Quote {
    std::string text;
    SourcePlace place;
  };
  enum class Part { equations, initial_equations, when_body };

  // Tries `action`; what goes wrong is reported. Returns whether all went well.
  template <class Action>
  bool attempt(Action action);

  // flatten_model.cpp
  void collect_classes(const ClassDefinition& owner);
  void mark_discrete(const std::vector<Statement>& statements, bool in_when);
  void mark_target(NodeId target);
  void find_all_values();
  void read_experiment();
  void read_annotation(const Modification& annotation);
  void add_guess(const Guess& guess);

  // flatten_drawing.cpp
  void require_drawing(const Modification& entry);  // fails for an entry of __driftless that is not known
  void read_drawing();
  void read_points(const Modification& entry, FlatDrawing& drawing);
  std::vector<std::size_t> point_numbers(const Modification& entry, std::size_t columns, const FlatDrawing& drawing);

  // flatten_attributes.cpp
  void describe_variables(Symbol& symbol);
  void describe_parameters(Symbol& symbol);
  bool starts_from_computed(const Symbol& symbol, const Leaf& leaf);
  void check_attribute_names(const Leaf& leaf);
  std::optional<Value> evaluate_attribute(const Leaf& leaf, std::string_view name, Type type);
  const Scalar& attribute_at(const Value& value, std::size_t index) const;
  std::string text_attribute(const Leaf& leaf, std::string_view name);
  std::vector<Scalar> start_values(Symbol& symbol);

  // flatten_equation.cpp
  void add_declaration_equation(Symbol& symbol);
  void add_section(const std::vector<Statement>& statements, Part part);
  void add_statements(const std::vector<Statement>& statements);
  void add_statement(const Statement& statement);
  void add_equation(const Statement& statement);
  void add_equations(const Value& left, const Value& right, const Quote& quote, SourceRange range);
  void require_unknown(const Value& integer, const Value& real, SourceRange range);
  void check_discrete_reals();
  const FlatEquation* continuous_equation(std::uint32_t slot);
  void check_discrete(const Value& value, SourceRange range);
  void add_loop(const Statement& statement, std::size_t iterator);
  void add_call(const Statement& statement);
  void add_priority(const Statement& statement);
  std::vector<FlatEquation> finished(std::vector<Equation> equations);
  void keep_equations(bool initial);  // those at hand
  bool keep_initial_assignment(const Equation& equation);
  const Quote& quote_of(const Statement& statement);

  // flatten_choice.cpp
  void add_choice(const Statement& statement);
  std::vector<Equation> merge(Scalar condition, const std::string& condition_text, std::vector<Equation> yes,
                              std::vector<Equation> no, SourceRange range);
  std::vector<FlatAction> merge_actions(Scalar condition, std::vector<FlatAction> yes, std::vector<FlatAction> no);

  // flatten_when.cpp
  struct WhenCondition {
    Scalar condition = Scalar::of(0.0);
    bool at_initial = false;
  };
  void add_when(const Statement& statement);
  void claim_variables(const FlatWhen& when, SourceRange range);
  std::vector<WhenCondition> when_conditions(NodeId id);
  WhenCondition when_condition(const Scalar& condition, NodeId id) const;
  std::vector<FlatAction> when_body(const std::vector<Statement>& body, SourceRange range);
  void add_assignments(const Value& left, Value right, SourceRange range);
  void sort_assignments(std::vector<FlatAction>& actions, SourceRange range);
  void add_reinit(NodeId call);
  void add_terminate(NodeId call);

  // flatten_algorithm.cpp
  void add_algorithm(const std::vector<Statement>& statements, bool initial);
  void add_algorithm_locals(Frame& frame, const std::vector<Statement>& statements, bool in_when);
  void add_algorithm_local(Frame& frame, NodeId target, bool in_when);
  void run_when(const Statement& statement) override;
  void run_reinit(NodeId call) override;
  void run_terminate(NodeId call) override { add_terminate(call); }
  std::vector<FlatAction> when_algorithm(const std::vector<Statement>& body);

  Context& context_;
  const SyntaxTree& tree_;
  const ClassDefinition& definition_;
  Evaluator evaluator_;
  Symbols symbols_;
  Part part_ = Part::equations;
  std::vector<Equation> equations_;  // of the section or branch at hand
  std::vector<FlatAction> actions_;  // of the when at hand
  int open_choices_ = 0;             // variable conditions around us
  std::size_t section_ = 0;          // number of the algorithm at hand, from 1 on
  struct WhenOwner {                 // of a variable that whens assign
    std::size_t unit;
    SourcePlace place;
  };
  std::unordered_map<std::size_t, WhenOwner> when_owners_;
  std::size_t equation_whens_ = 0;
  std::unordered_map<const Statement*, Quote> quotes_;
  struct AlgorithmLocals {
    std::vector<std::uint32_t> in_when, outside;  // names
  } algorithm_;
};

}  // namespace driftless
