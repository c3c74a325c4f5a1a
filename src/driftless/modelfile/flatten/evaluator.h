// Expressions of the syntax tree to values.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <tuple>

#include "driftless/modelfile/flatten/builtin.h"
#include "driftless/modelfile/flatten/context.h"
#include "driftless/modelfile/flatten/frame.h"
#include "driftless/modelfile/flatten/symbols.h"
#include "driftless/modelfile/text/token.h"

namespace driftless {

// How expressions are understood where they stand.
struct Mode {
  bool events = true;          // comparisons of what moves are held and located
  bool constant_only = false;  // variables and time are refused; `purpose` says for what
  bool guarded = false;        // in a branch that may never be taken: 1/0 is not an error yet
  bool in_function = false;
  bool in_when = false;
  bool in_initial = false;
  std::string_view purpose = "this";
};

class Evaluator {
 public:
  explicit Evaluator(Context& context) : context_(context), tree_(context.tree), arithmetic_(context.arithmetic) {}
  void connect(Symbols& symbols) { symbols_ = &symbols; }

  Value evaluate(NodeId id);
  // Converted to the type, Integer to Real included; `what` is named in the message if it cannot be.
  Value evaluate_as(NodeId id, Type type, std::string_view what);
  Scalar evaluate_scalar(NodeId id, BaseType base, std::string_view what);
  Number evaluate_known(NodeId id, BaseType base, std::string_view what);
  // That is known and stays what it is: a parameter that changes it makes another model.
  double evaluate_number(NodeId id, BaseType base, std::string_view what) {
    return evaluate_known(id, base, what).pinned();
  }
  void convert(Value& value, Type type, SourceRange range, std::string_view what) const;
  // All results of a call; one value for anything else.
  std::vector<Value> evaluate_results(NodeId id);
  std::vector<Value> range_values(NodeId iterator, const std::vector<Statement>* body, NodeId expression);
  Value relate(TokenKind op, const Value& a, const Value& b, SourceRange range);

  // The conditions under which the place being evaluated matters.
  struct Condition {
    Scalar truth;
    bool negated = false;
  };

  // The state around an expression, put back at the end of the scope.
  class Scope {
   public:
    explicit Scope(Evaluator& evaluator)
        : evaluator_(evaluator),
          mode_(evaluator.mode_),
          frame_(evaluator.frame_),
          hidden_(evaluator.hidden_),
          path_(evaluator.path_.size()),
          when_actions_(evaluator.when_actions_) {}
    ~Scope() {
      evaluator_.mode_ = mode_;
      evaluator_.frame_ = frame_;
      evaluator_.hidden_ = hidden_;
      evaluator_.path_.resize(path_);
      evaluator_.when_actions_ = when_actions_;
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Evaluator& evaluator_;
    Mode mode_;
    Frame* frame_;
    std::size_t hidden_, path_;
    std::vector<FlatAction>* when_actions_;
  };
  // Nothing of what surrounds the place that asks: for declarations, which are evaluated when they are needed.
  class Isolation {
   public:
    Isolation(Evaluator& evaluator, Mode mode);
    ~Isolation();
    Isolation(const Isolation&) = delete;
    Isolation& operator=(const Isolation&) = delete;

   private:
    Evaluator& evaluator_;
    Scope scope_;
    std::vector<std::int64_t> ends_;
    std::vector<Condition> path_;
    std::vector<FlatAction>* when_actions_;
    bool behind_frame_;
  };
  Mode& mode() { return mode_; }
  Frame* frame() { return frame_; }
  void set_frame(Frame* frame) { frame_ = frame; }
  // Names of loops outside are not seen from here on.
  void hide_iterators() { hidden_ = iterations_.size(); }
  // An index of a loop with its value, for the time of one round.
  class Iterating {
   public:
    Iterating(Evaluator& evaluator, std::uint32_t name, Value value) : evaluator_(evaluator) {
      evaluator.iterations_.push_back({name, std::move(value)});
    }
    ~Iterating() { evaluator_.iterations_.pop_back(); }
    Iterating(const Iterating&) = delete;
    Iterating& operator=(const Iterating&) = delete;

   private:
    Evaluator& evaluator_;
  };
  std::string iterations_text() const;  // "for i = 3, j = 1: " of the loops that are open

  // Deeper recursion would endanger the stack.
  static constexpr int deepest = 1000;
  class Depth {
   public:
    Depth(Evaluator& evaluator, SourceRange range) : evaluator_(evaluator) {
      if (evaluator.depth_ >= deepest) evaluator.fail_too_deep(range);
      ++evaluator.depth_;
    }
    ~Depth() { --evaluator_.depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;

   private:
    Evaluator& evaluator_;
  };

  // References (evaluate_reference.cpp)
  std::uint32_t base_name(NodeId reference) const;
  Selection select(NodeId reference, Type type, std::uint32_t width, const Dims& dims);
  [[noreturn]] void fail_unknown_name(std::uint32_t name, SourceRange range);
  void evaluate_pending(Local& local, NodeId id);

  // assert(condition, message, level), to hold wherever the path leads here (evaluate_assert.cpp)
  void add_assertion(NodeId call);
  FlatAssert evaluate_assertion(NodeId call);
  // Where assertions go while the body of a when is read; nullptr: to the model.
  void set_when_actions(std::vector<FlatAction>* actions) { when_actions_ = actions; }
  Text evaluate_text(NodeId id, std::string_view what);
  std::optional<std::string> known_text(const Text& text) const;
  std::vector<NodeId> statement_arguments(NodeId call, std::string_view names, std::size_t required);

  // A condition that must hold in the run wherever the path leads here.
  void require(Scalar condition, std::string message, SourceRange range);
  // What a target may mean if its subscripts change, each with the condition that it does.
  struct PossibleSelection {
    Scalar condition;
    Selection selection;
  };
  std::vector<PossibleSelection> possible_selections(NodeId reference, const Value& whole);
  // from : step : to with bounds that are known in the run only; nothing if all are known before.
  struct OpenRange {
    Type type;
    Scalar from, to;
    double step = 1.0;
  };
  std::optional<OpenRange> open_range(NodeId iterator);

  std::vector<Condition>& path() { return path_; }
  Scalar path_condition(std::size_t from) const;

  // Algorithms of functions (function_call.cpp)
  using Inputs = std::vector<std::optional<Value>>;  // none: its default
  // `bound` are inputs that have values already: arguments are about the others.
  std::vector<Value> call_function(const ClassDefinition& definition, NodeId call, const Inputs& bound = {});

 private:
  struct FunctionInput {
    const Declaration* declaration;
    ResolvedType type;
    std::size_t rank;
  };
  struct FunctionInfo {
    std::vector<FunctionInput> inputs;
    std::vector<std::string_view> input_names;
    std::vector<const Declaration*> others;  // outputs and protected variables
    std::vector<std::uint32_t> outputs;
  };
  struct Iteration {
    std::uint32_t name;
    Value value;
  };
  // A subscript that changes during the run, where an element is read: all elements are evaluated, one is chosen.
  struct VaryingSubscript {
    NodeId id;
    Scalar value;
    std::int64_t size;
  };
  // While subscripts may vary.
  class Varying {
   public:
    explicit Varying(Evaluator& evaluator) : evaluator_(evaluator), outer_(std::exchange(evaluator.may_vary_, true)) {}
    ~Varying() { evaluator_.may_vary_ = outer_; }
    Varying(const Varying&) = delete;
    Varying& operator=(const Varying&) = delete;

   private:
    Evaluator& evaluator_;
    bool outer_;
  };
  // One value of it, while what it chooses is evaluated.
  class FixedSubscript {
   public:
    FixedSubscript(Evaluator& evaluator, NodeId id, std::int64_t value) : evaluator_(evaluator), id_(id) {
      evaluator.fixed_subscripts_[id] = static_cast<double>(value);
    }
    ~FixedSubscript() { evaluator_.fixed_subscripts_.erase(id_); }
    FixedSubscript(const FixedSubscript&) = delete;
    FixedSubscript& operator=(const FixedSubscript&) = delete;

   private:
    Evaluator& evaluator_;
    NodeId id_;
  };
  struct Storage {
    Type type;
    std::uint32_t width;
    const Dims* dims;
    std::span<const Scalar> values;
  };

  [[noreturn]] void fail(NodeId id, std::string message, std::string suggestion = {}) const {
    Context::fail(tree_.range(id), std::move(message), std::move(suggestion));
  }
  [[noreturn]] void fail_too_deep(SourceRange range) const;
  void check_result(Scalar result, bool integer, SourceRange range) const;
  void keep_assertion(FlatAssert assertion);

  // operators (evaluate_operator.cpp)
  Value evaluate_sum(NodeId id);
  Value evaluate_product(NodeId id);
  Value evaluate_power(NodeId id);
  Value evaluate_negate(NodeId id);
  Value evaluate_logical(NodeId id);
  Value evaluate_not(NodeId id);
  Value evaluate_relation(NodeId id);
  Value evaluate_choice(NodeId id);
  Value choose(Scalar condition, const Value& yes, const Value& no, SourceRange range);
  Value arithmetic(TokenKind op, const Value& a, const Value& b, SourceRange range);
  Scalar arithmetic(TokenKind op, Scalar a, Scalar b, bool integer, SourceRange range);
  Scalar joined_offsets(Scalar sum) const;
  Value concatenate_texts(const Value& a, const Value& b, SourceRange range);
  Value evaluate_text_sum(NodeId id, const Value& first);
  Value kept_text(Text text, SourceRange range);
  bool compare_texts(TokenKind op, const Value& a, const Value& b, SourceRange range) const;

  // arrays (evaluate_array.cpp, array_product.cpp)
  Value elementwise(TokenKind op, const Value& a, const Value& b, Type type, SourceRange range);
  Value multiply(const Value& a, const Value& b, Type type, SourceRange range);
  Value raise_matrix(const Value& a, const Value& b, SourceRange range);
  Value evaluate_array(NodeId id);
  Value stack(std::vector<Value> entries, SourceRange range);
  Value evaluate_matrix(NodeId id);
  Value concatenate(std::size_t dimension, std::vector<Value> parts, SourceRange range);
  Value promoted(Value value, std::size_t rank) const;
  Type common_type(const Value& a, const Value& b, SourceRange range) const;
  Value evaluate_range(NodeId id);
  Value evaluate_comprehension(NodeId id);
  Value comprehend(std::span<const NodeId> iterators, NodeId body, SourceRange range);
  void for_each_iteration(std::span<const NodeId> iterators, NodeId body, const std::function<void()>& action);
  std::optional<std::int64_t> size_from_use(std::uint32_t index, NodeId id);
  std::optional<std::int64_t> size_from_use(std::uint32_t index, const std::vector<Statement>& body);

  // references (evaluate_reference.cpp)
  Value evaluate_name(NodeId id);
  Value evaluate_reference(NodeId id);
  Value evaluate_elements(NodeId id, const Storage& storage);
  Value evaluate_varying(NodeId id, const std::function<Value()>& with_fixed);
  void require_in_range(const VaryingSubscript& varying);
  Value evaluate_subscripted(NodeId id);
  std::optional<Storage> find_storage(std::uint32_t name, NodeId id);
  Storage local_storage(Local& local, NodeId id);
  Storage symbol_storage(Symbol& symbol, NodeId id);
  std::optional<Value> evaluate_special(NodeId id);
  std::optional<Value> evaluate_literal_of_enumeration(NodeId id);
  Value pick(const Storage& storage, const Selection& selection, NodeId id) const;
  void check_defined(std::span<const Scalar> scalars, NodeId id) const;
  Value evaluate_subscript(NodeId subscript, std::int64_t size);
  std::size_t position_of(const Scalar& subscript, std::int64_t size, NodeId id) const;
  std::vector<std::size_t> subscript_positions(NodeId subscript, std::int64_t size, bool& is_scalar);
  std::optional<std::size_t> single_index(NodeId part, const Dims& dims);
  void select_elements(Selection& selection, std::span<const NodeId> subscripts, Type type, std::uint32_t width,
                       const Dims& dims, std::size_t offset, NodeId id);
  Dims dims_of(NodeId id);

  // calls (evaluate_call.cpp)
  Value evaluate_call(NodeId id);
  Value call_builtin(const BuiltinFunction& builtin, NodeId id);
  Value construct_record(const ClassDefinition& definition, NodeId id);
  std::vector<NodeId> bind_arguments(NodeId id, std::string_view function, const std::vector<std::string_view>& names,
                                     std::size_t required);
  std::string callee_text(NodeId id) const;
  [[noreturn]] void fail_unknown_function(NodeId id);

  // built-in functions (builtin_*.cpp)
  using Arguments = std::vector<NodeId>;
  Value builtin_elementwise(const BuiltinFunction& builtin, const Arguments& arguments, NodeId id);
  Value builtin_binary(const BuiltinFunction& builtin, const Arguments& arguments, NodeId id);
  Value builtin_rounding(const BuiltinFunction& builtin, const Arguments& arguments, NodeId id);
  Value builtin_event(const BuiltinFunction& builtin, const Arguments& arguments, NodeId id);
  Value builtin_array(const BuiltinFunction& builtin, const Arguments& arguments, NodeId id);
  Value builtin_matrix(const BuiltinFunction& builtin, const Arguments& arguments, NodeId id);
  Value builtin_fill(const BuiltinFunction& builtin, const Arguments& arguments, NodeId id);
  Value builtin_reduction(const BuiltinFunction& builtin, const Arguments& arguments, NodeId id);
  Value builtin_text(const Arguments& arguments, NodeId id);
  FlatMessageValue text_format(Type type, const Arguments& given, NodeId id);
  FlatMessageValue pattern_format(Type type, NodeId id);
  Value builtin_size(const Arguments& arguments);
  Value builtin_pre(const BuiltinFunction& builtin, const Arguments& arguments, NodeId id);
  Value builtin_der(NodeId argument, NodeId id);
  Value builtin_sample(const Arguments& arguments, NodeId id);
  Value map(const Value& a, Type type, const std::function<Scalar(Scalar)>& function, SourceRange range);
  Value map(const Value& a, const Value& b, Type type, const std::function<Scalar(Scalar, Scalar)>& function,
            SourceRange range);
  Scalar floor_of(Scalar argument, NodeId id);
  Scalar sign_of(Scalar argument, NodeId id);
  Scalar reduce(Builtin which, Scalar a, Scalar b, bool integer, SourceRange range);
  Value numeric(NodeId id, std::string_view what, std::string_view function = {});  // "what of 'function'" in messages
  Value with_rank(NodeId id, std::size_t rank, std::string_view function);

  // functions (function_call.cpp)
  const FunctionInfo& function_info(const ClassDefinition& definition);
  std::vector<Value> call_vectorised(const ClassDefinition& definition, const FunctionInfo& info, const Inputs& inputs,
                                     NodeId call);
  std::vector<Value> run_function(const ClassDefinition& definition, const FunctionInfo& info, Inputs inputs,
                                  NodeId call);
  // functions that call themselves (recursion.cpp)
  class Called;
  struct RecursiveCall {
    const ClassDefinition* definition;
    bool in_initial;
    std::vector<std::uint32_t> formulas;
    friend bool operator<(const RecursiveCall& a, const RecursiveCall& b) {
      return std::tie(a.definition, a.in_initial, a.formulas) < std::tie(b.definition, b.in_initial, b.formulas);
    }
  };
  struct RecursiveResult {
    std::vector<Value> values;
    std::vector<FlatAssert> asserts;  // on the paths inside
  };
  std::vector<Value> run_recursive(const ClassDefinition& definition, const FunctionInfo& info, Inputs inputs,
                                   NodeId call);
  RecursiveResult run_apart(const ClassDefinition& definition, const FunctionInfo& info, Inputs inputs, NodeId call);
  std::vector<Value> end_recursion(const FunctionInfo& info, NodeId call);
  void keep_apart(FlatAssert assertion);
  static std::optional<std::vector<std::uint32_t>> formulas_of(const Inputs& inputs);
  // Functions as arguments (function_value.cpp)
  struct FunctionValue {
    const ClassDefinition* definition = nullptr;  // or
    const BuiltinFunction* builtin = nullptr;
    Inputs bound = {};  // by function f(k = 2)
  };
  ResolvedType input_type(const Declaration& declaration);
  Value evaluate_input(NodeId id, const FunctionInput& input, const std::string& what);
  Value evaluate_function(NodeId id, const std::string& what);
  FunctionValue partial_application(NodeId id, const std::string& what);
  std::optional<FunctionValue> named_function(NodeId id);
  // What a call of a function that is an input gives; none if it is no such call.
  std::optional<std::vector<Value>> call_input(NodeId call);
  void fill_frame(Frame& frame, const FunctionInfo& info, Inputs inputs, NodeId call);
  void add_input(Frame& frame, const FunctionInput& input, Value value, NodeId call);
  void add_local(Frame& frame, const Declaration& declaration);
  void fill_defaults(Value& records);

  Context& context_;
  const SyntaxTree& tree_;
  Arithmetic& arithmetic_;
  Symbols* symbols_ = nullptr;
  Mode mode_;
  Frame* frame_ = nullptr;
  std::vector<FunctionValue> function_values_;
  bool behind_frame_ = false;  // pre(x) of a variable that an algorithm assigns means the model's one
  std::deque<Iteration> iterations_;
  std::size_t hidden_ = 0;
  bool may_vary_ = false;                                // subscripts of the reference at hand
  std::unordered_map<NodeId, double> fixed_subscripts_;  // while elements are evaluated
  std::vector<std::int64_t> ends_;                       // sizes of the dimensions whose subscripts are evaluated
  std::vector<Condition> path_;
  std::vector<FlatAction>* when_actions_ = nullptr;
  std::unordered_map<const ClassDefinition*, FunctionInfo> functions_;
  std::vector<const ClassDefinition*> called_;  // functions that are being run
  std::map<RecursiveCall, RecursiveResult> recursions_;
  bool in_recursion_ = false;                 // the next call is one that was found to be recursive
  std::vector<FlatAssert>* apart_ = nullptr;  // where assertions of a recursive call go
  int depth_ = 0;
};

}  // namespace driftless
