// A model that is ready to run: in one of the library's forms, compiled, with its start, its results and its events.
#pragma once

#include <functional>
#include <memory>

#include "driftless/equations/equations.h"
#include "driftless/equations/written_constraint.h"
#include "driftless/expression/program.h"
#include "driftless/modelfile/flatten/flat_model.h"
#include "driftless/modelfile/structure/finding.h"

namespace driftless {

class TimeSearches;

enum class VariableRole {
  position,    // under constraints of index 3, or with a velocity among the unknowns
  velocity,    // the derivative of a position, or a generalised speed
  state,       // another unknown whose derivative the equations contain
  algebraic,   // an unknown of index 1
  multiplier,  // an unknown that enforces a constraint
  alias,       // a multiple of another variable
  constant,
  computed,  // from the others
  discrete,  // changes at events only
  input,     // given from outside: keeps its start value
};
const char* name_of(VariableRole role);

struct ModelVariable {
  std::string name, unit, description;
  VariableRole role = VariableRole::computed;
  std::string of;  // alias: "-x"; velocity: "x", if it is x'
  SourcePlace place;
};

struct ModelConstraint {
  std::string text;
  SourcePlace place;
  int level = 1;       // 3: on positions, 2: on velocities or states, 1: algebraic
  double scale = 1.0;  // the residual of the form is that of the equation times this
};

// Which start values are wanted and which were found.
struct StartValue {
  std::string name;
  double given = 0.0, found = 0.0;
  double scale = 1.0;  // unit of distances between them: nominal, else the size of what is stated, else 1
  bool fixed = false, stated = false;  // stated: the model gives a start value
  bool chosen = false;                 // nothing that the model states determines it
  bool moved() const;                  // stated, and found elsewhere by more than rounding
};

// Positive while a relation keeps the value that it is held at; falls through zero where it changes. NaN where a side
// of the relation is not a number: there it is false, so that a relation that holds changes (`if_undefined` is
// negative).
struct ModelRoot {
  std::string text;
  SourcePlace place;
  std::function<double(double t, ConstSpan state)> value;  // for one thread at a time
  double if_undefined = 1.0;
  bool reads_multipliers = true;  // or rates, which depend on them
  double rounding = 0.0;          // what of it is
  // All roots of the list at once; for one thread at a time.
  using All = std::function<void(double t, ConstSpan state, Span values)>;
  std::shared_ptr<const All> all = {};
};

// Relations of time that change, as numbers of events.
struct DueEvents {
  double time = 0.0;
  std::vector<std::size_t> events;
  std::vector<std::string> names;  // as written
};

// Branches that are active, as ModelModes counts them.
using ModeBranches = std::vector<std::uint32_t>;

// The begin of a round of an event that one mode of a model leaves to another: by slots and numbers that both share.
struct EventRound {
  Vector inputs = {};                                         // values of all slots, those of pre() among them
  std::vector<std::pair<std::uint32_t, double>> judged = {};  // by slot of a relation: the root it was judged at last
  std::vector<char> was = {};                                 // conditions of the whens before the round
  struct Reinit {
    std::size_t action;  // its number among all actions of all whens
    double value;        // of the variable
  };
  std::vector<Reinit> reinits = {};  // of the round before
  bool other_branches = false;       // the round before has made other branches active
};

using LeavesBranches = std::function<bool(ConstSpan state, ConstSpan held)>;

// Where and why there is an event.
struct EventMoment {
  enum class Kind { usual, start, end } kind = Kind::usual;  // at the end of the run terminal() is true
  double time = 0.0;
  ConstSpan state;
  std::span<const std::size_t> fired = {};  // numbers of events
  const EventRound* round = nullptr;        // the event goes on from here: everything before it has happened
  Names named = {};                         // components of the state that reinits have set before this round
  // Whether the values of a round belong to this mode of the model; none if they all do.
  std::function<bool(ConstSpan state, ConstSpan held)> stays = {};
  // Whether the values that a round ends with need the form of other branches; none if all branches are in this one.
  LeavesBranches leaves = {};
};

// The state with algebraic unknowns and multipliers as they follow from the states; `fixed` are components that a
// reinit named. None if they cannot be found.
using ResolveState =
    std::function<std::optional<Vector>(const Equations& equations, double t, ConstSpan state, const Names& fixed)>;

struct EventOutcome {
  Vector state;
  Vector held;
  bool state_changed = false, equations_changed = false, terminated = false;
  std::string message;                 // of terminate
  std::vector<std::string> changed;    // components of the state that a reinit set
  std::vector<std::string> relations;  // that the event began with, as written
  std::vector<Finding> errors, warnings;
  std::vector<Finding> other_structure;  // why the branch that is active now cannot be gone on with, if it cannot
  std::optional<EventRound>
      unfinished;  // the values left this mode, or a reinit was made in it: the rest is to be done
};

struct ModelStart {
  double time = 0.0;
  Vector state;                    // in the layout of the equations, consistent
  Vector held;                     // values between events
  std::vector<StartValue> values;  // of the unknowns, then of other variables with a start value
  bool after_event = false;        // the event at the start changed something: states keep their values
  Names changed = {};              // components of the state that a reinit of it set
  bool terminated = false;         // by terminate() at the start
  std::string message;             // of it
  std::vector<Finding> errors;     // nothing else is valid if there are any
  std::vector<Finding> warnings;
  bool other_structure = false;  // the errors are that the start is in a branch which the form does not fit
  std::optional<EventOutcome> unfinished = {};  // of the event at the start: the rest is to be done in another mode
  bool ok() const { return errors.empty(); }
};

// A branch with another structure: a run goes on in it with another form, or ends there if it has none.
struct OtherStructure : Finding {
  std::string difference;  // "index 3 with 0 degrees of freedom instead of ..."
  bool has_form = false;
};

class EquationCheck;
struct Compilation;
struct SlidingModes;
enum class CheckedEquations;
class ParameterValues;
struct HeldValues;

class CompiledModel {
 public:
  class Content;
  explicit CompiledModel(std::shared_ptr<const Content> content);

  // The same model with other values of parameters, by FlatParameter::setting (none: as the model says), which costs no
  // compilation; none if they change sizes, structure, or anything that was decided when the model was compiled.
  std::optional<CompiledModel> with(std::vector<std::optional<double>> settings) const;
  double value(Number number) const;  // with the parameters of this model
  Graph graph() const;                // of flat(), with numbers that depend on parameters as they are in this model

  const FlatModel& flat() const;
  int index() const;                          // 0 to 3
  const std::string& form() const;            // "mechanical system of index 3", ...
  const std::string& not_mechanical() const;  // why the form of index 3 is the general one; empty if it is not
  const std::vector<ModelVariable>& variables() const;  // those that the user wrote, in the order of declaration
  const std::vector<ModelConstraint>& constraints() const;
  std::size_t eliminated() const;  // how many variables the solver does not see

  // Solves for values that satisfy all equations, hidden ones included, and everything that has to hold initially.
  // Then comes the event at the start: `resolve` as for handle().
  // The event ends where `leaves` says so, as EventMoment has it.
  ModelStart start(double time, const ResolveState& resolve = {}, const LeavesBranches& leaves = {}) const;
  ModelStart start() const;  // at the start time of the experiment, or 0

  // For values of what is held; cheap.
  Equations equations(ConstSpan held) const;
  // How the constraints of the equations stand to those of the model, for SolveOptions::written.
  const std::vector<WrittenConstraint>& written() const;
  // |nominal| of every component of the state, 1 where the model does not say: units for absolute tolerances. In
  // units(), like the state itself.
  const Vector& nominals() const;
  // By component of the state: it counts in these, all 1 unless CompileOptions::nominal_units asked for others.
  const Vector& units() const;

  // The index as the numbers have it at a state: empty if it is what the structure says.
  std::vector<Finding> confirm(double t, ConstSpan state, ConstSpan held) const;

  // All variables from a state; one object per thread.
  using ResultFunction = std::function<void(double t, ConstSpan state, Span out)>;
  ResultFunction results(ConstSpan held) const;

  // Functions to watch from this state on, until one falls through zero: the first events, in this order.
  std::vector<ModelRoot> roots(double t, ConstSpan state, ConstSpan held) const;
  // The next events that depend on time alone, and their numbers. One `searches` per run.
  std::optional<DueEvents> next_due(double t, double until, ConstSpan held, TimeSearches& searches) const;
  bool has_events() const;
  // What happens at t, where these events came. Without `resolve`, whatever follows from the states is seen as it was
  // before the event.
  EventOutcome handle(double t, ConstSpan state, ConstSpan held, std::span<const std::size_t> fired,
                      const ResolveState& resolve = {}) const;
  EventOutcome handle(const EventMoment& moment, ConstSpan held, const ResolveState& resolve) const;
  // How well the equations as written hold at a state; one object per thread.
  std::shared_ptr<EquationCheck> check(ConstSpan held, CheckedEquations which) const;
  // Branches of if-equations and if-expressions with another index, another number of constraints or no unique
  // solution, compared with the mode given.
  std::vector<OtherStructure> other_structures(ConstSpan held) const;
  // Branches that are active for values of all slots (NaN: as in `before`), and whether this form fits them.
  bool has_branches() const;
  ModeBranches branches(ConstSpan inputs, const ModeBranches& before) const;
  bool fits(double t, ConstSpan state, ConstSpan held) const;
  std::vector<std::size_t> states() const;  // variables that the equations differentiate, those not eliminated
  // Values of all slots that are held, NaN elsewhere.
  Vector held_inputs(ConstSpan held) const;
  // The model with these branches alone, with the errors why it has no form if it has none.
  Compilation in_branches(const ModeBranches& branches) const;
  // assert() that does not hold.
  std::vector<Finding> failed_asserts(double t, ConstSpan state, ConstSpan held) const;

  // model_sliding.cpp: modes of the same model in which relations slide, or relations inside noEvent make events.
  std::optional<SlidingModes> sliding(std::span<const std::uint32_t> relations) const;  // by slot; none if they cannot
  std::optional<CompiledModel> with_hidden_relations() const;                           // none if there are none
  // Their roots along a solution, `count` of them; none if there are none.
  ResultFunction hidden_roots(ConstSpan held, std::size_t& count) const;
  // Whether the solution is pushed towards the root of a relation from both sides, and if so, a guess of what sliding
  // along it will be: the weight with which the root does not move, and all inputs mixed by it.
  struct Attraction {
    double weight = 0.0;
    Vector inputs = {};
  };
  std::optional<Attraction> attraction(double t, ConstSpan state, ConstSpan held, std::size_t relation,
                                       const ResolveState& resolve) const;
  std::size_t relation_of(std::size_t event) const;  // its number in flat()
  // Whether the root of a relation of the state is here, but for rounding.
  bool is_at_root(double t, ConstSpan state, ConstSpan held, std::size_t relation) const;
  // Values of all inputs of the graph, as far as they are known at a state, NaN elsewhere (`after`: of what is held
  // from then on); and a state and what is held from those of another mode. What is new is judged by its sign. None if
  // a value is missing.
  Vector inputs(double t, ConstSpan state, ConstSpan held) const;
  Vector inputs_after(double t, ConstSpan state, ConstSpan held, ConstSpan after) const;
  struct Moment {
    Vector state, held;
  };
  std::optional<Moment> from_inputs(double t, ConstSpan inputs, const ResolveState& resolve) const;
  // Does the reinits of a round; the components that they set.
  Names reinitialise(std::span<const EventRound::Reinit> reinits, Moment& moment) const;

 private:
  struct Instance;
  HeldValues held(ConstSpan values) const;
  FlatModel with_own_numbers() const;
  void happen_at_start(const ResolveState& resolve, const LeavesBranches& leaves, ModelStart& start) const;
  const Instance& described() const;

  std::shared_ptr<const Content> content_;
  std::shared_ptr<const Instance> instance_;
};

struct CompileOptions {
  Engine engine = Engine::automatic;
  // States in units of their nominal values, where these are far from 1: for runs. Results and start values are in the
  // units of the model all the same; CompiledModel::units() says what a component of the state is in.
  bool nominal_units = false;
};

struct Compilation {
  std::optional<CompiledModel> model;  // none if there are errors
  std::vector<Finding> errors;
  bool ok() const { return model.has_value(); }
};

Compilation compile(FlatModel model, const CompileOptions& options = {});
std::size_t compilations();  // how many there were in this process

}  // namespace driftless
