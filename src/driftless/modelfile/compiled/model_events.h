// Relations that change, when-clauses and assertions: what happens at an event, as a function from what was to what is.
#pragma once

#include "driftless/modelfile/compiled/compiled_model.h"
#include "driftless/modelfile/compiled/held_layout.h"
#include "driftless/modelfile/compiled/model_equations.h"
#include "driftless/modelfile/compiled/model_probe.h"
#include "driftless/modelfile/compiled/time_events.h"

namespace driftless {

class ModelEvents {
 public:
  // Throws Refusal for a reinit of what is no state.
  ModelEvents(Reduction& reduction, const FormPlan& plan, const HeldLayout& held,
              std::shared_ptr<const ModelEquations> equations, Engine engine);

  bool any() const { return !relations_.empty(); }
  // Of the relations that depend on the state.
  std::vector<ModelRoot> roots(double t, ConstSpan state, const HeldValues& held) const;
  // When a relation of time changes. Events have the numbers of the roots above, and then those of relations of time.
  std::optional<DueEvents> next_due(double t, double until, const HeldValues& held, TimeSearches& searches) const;
  EventOutcome handle(const EventMoment& moment, const HeldValues& held, const ResolveState& resolve) const;
  // Initial equations of discrete variables that do not hold in the values that were found.
  std::vector<Finding> failed_initial(double t, ConstSpan state, const HeldValues& held) const;
  // The event after initial values were found.
  EventOutcome handle_start(double t, ConstSpan state, const HeldValues& held, const ResolveState& resolve,
                            const LeavesBranches& leaves) const;
  std::vector<Finding> failed_asserts(double t, ConstSpan state, const HeldValues& held, bool warnings) const;

  // How the root of a relation of the state moves if the relation is as on one side of it. None where the state is not
  // on the root, or nothing can be said.
  struct Side {
    Vector state;
    HeldValues held;
    double slope = 0.0;
  };
  std::optional<Side> side(double t, ConstSpan state, const HeldValues& held, std::size_t relation, bool above,
                           const ResolveState& resolve) const;
  std::size_t relation_of(std::size_t event) const {
    return event < state_relations_.size() ? state_relations_[event] : time_relations_[event - state_relations_.size()];
  }
  // Does the reinits of a round of another mode; the components that they set.
  Names reinitialise(std::span<const EventRound::Reinit> reinits, const HeldValues& held, Vector& state) const;
  bool is_at_root(double t, ConstSpan state, const HeldValues& held, std::size_t relation) const;
  // Relations that have no value yet get that of the sign of their root. False if one cannot be evaluated.
  void judge_new(double t, ConstSpan state, HeldValues& held) const;

  // While initial values are sought: relations as their roots have them, and the branches with initial(). True if
  // `held` changed.
  bool settle_start(double t, Vector& state, HeldValues& held, EventOutcome& outcome) const;

 private:
  struct Action {
    FlatAction action;
    std::size_t value;       // position of its value among the probed expressions
    std::size_t messages;    // and of the numbers in its message
    std::size_t number = 0;  // among all actions of all whens
    // What a reinit sets: variable = factor * component + offset.
    std::optional<std::size_t> component = {};
    Number factor{1.0}, offset{};
  };
  struct Branch {
    std::size_t condition;
    bool at_initial, simultaneous;
    std::vector<Action> actions;
  };
  struct Discrete {
    std::size_t before, value;  // places of pre() and of the value
  };
  struct When {
    std::vector<Branch> branches;
    std::size_t first_condition;  // of its branches among those of all whens
    // Variables that begin a round with their value before it, each at the first when that may assign it.
    struct Reset {
      std::size_t variable, before;
    };
    std::vector<Reset> resets;
    SourcePlace place;
  };
  struct Iteration;  // what an event works on

  // model_events.cpp
  void add_whens(Reduction& reduction, const FormPlan& plan, std::vector<Expr>& expressions);
  void add_resets(const FlatModel& model);
  void watch_roots(Reduction& reduction, const FormPlan& plan, const std::vector<Expr>& roots, Engine engine);
  void find_readers(const Reduction& reduction, const FormPlan& plan, std::span<const Expr> resolved);
  struct StateComponents;
  void find_component(Reduction& reduction, const FormPlan& plan, const StateComponents& components,
                      Action& action) const;
  struct Mode;
  std::function<double(double, ConstSpan)> one_root(std::size_t k, std::shared_ptr<const Mode> mode, double sign,
                                                    double shift) const;
  bool reads_what_follows(const Reduction& reduction, const FormPlan& plan, std::span<const Expr> resolved) const;
  Vector values(double t, ConstSpan state, const HeldValues& held) const;
  bool holds(const FlatRelation& relation, double root) const;
  void find_floors(const FlatModel& model);
  std::string message(const std::string& text, const std::vector<FlatMessageValue>& numbers, std::size_t first,
                      const Vector& values) const;

  // event_iteration.cpp
  void flip_relations(Iteration& now, std::span<const std::size_t> fired) const;
  bool crosses_at_once(const Iteration& now, std::size_t relation, double slope, ConstSpan rates) const;
  const Vector& values(Iteration& now) const;
  Equations equations_of(const Iteration& now) const;
  void resolve(Iteration& now) const;
  void judge_relations(Iteration& now) const;
  bool judged(Iteration& now, std::size_t relation, double root) const;
  bool is_zero(const Iteration& now, std::size_t relation, double root) const;  // to rounding
  void sweep(Iteration& now) const;
  void begin(Iteration& now, const EventMoment& moment) const;
  void take_up(Iteration& now, const EventRound& round) const;
  bool solve_round(Iteration& now) const;
  bool fits_itself(Iteration& now) const;
  void set_state(const Action& own, double value, const HeldValues& held, Vector& state, Names& named) const;
  void act(Iteration& now) const;
  bool end_round(Iteration& now) const;
  void fail_round(Iteration& now, ConstSpan before) const;
  EventOutcome unfinished(Iteration& now, const Vector& judged_at) const;

  const HeldLayout& held_;
  const FlatModel& model_;
  std::shared_ptr<const ModelEquations> equations_;
  std::vector<FlatRelation> relations_;
  std::vector<std::size_t> state_relations_, time_relations_;  // in the order of the numbers of events
  std::vector<When> whens_;
  std::size_t conditions_ = 0;
  struct InitialAssignment {
    FlatInitialAssignment own;
    std::size_t value;            // position among the probed expressions, followed by that of v
    bool decides;                 // the value of pre(v)
    std::optional<Number> fixed;  // start value that must not be another one
  };
  void add_initial_assignments(FlatModel& model, std::vector<Expr>& expressions);
  std::vector<InitialAssignment> initial_assignments_;
  std::vector<FlatAssert> asserts_;
  std::vector<std::size_t> assert_values_;  // of each: the condition; the numbers of its message follow
  std::vector<Discrete> discrete_;
  std::vector<char> of_floor_;                     // by relation: it moves a whole part, and is as it will be at once
  bool reads_what_follows_ = false;                // something at an event reads unknowns that follow from the states
  std::shared_ptr<const ProbeFormulas> formulas_;  // roots first, then everything else
  std::shared_ptr<const ProbeFormulas> slopes_;    // of the roots along the solution
  std::shared_ptr<const ProbeFormulas> sizes_;     // of the roots, if the state changed by as much as it is
  std::shared_ptr<const ProbeFormulas> all_roots_;
  std::vector<std::shared_ptr<const ProbeFormulas>> each_root_;  // one of these alone
  std::vector<char> root_reads_multipliers_;                     // or rates, which depend on them
  std::optional<TimeEvents> time_events_;
};

}  // namespace driftless
