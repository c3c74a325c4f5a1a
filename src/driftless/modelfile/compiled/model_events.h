// Relations that change, when-clauses and assertions: what happens at an event, as a function from what was to what is.
#pragma once

#include "driftless/modelfile/compiled/compiled_model.h"
#include "driftless/modelfile/compiled/model_equations.h"
#include "driftless/modelfile/compiled/model_probe.h"

namespace driftless {

// The slots whose values only events change, and where each lies in the vector of them.
struct HeldLayout {
  std::vector<std::uint32_t> slots;
  std::vector<std::size_t> variable;   // by variable of the model: its own value; none unless assigned by a when
  std::vector<std::size_t> before;     // by variable: pre() of discrete ones
  std::vector<std::size_t> relation;   // by relation
  std::optional<std::size_t> initial;  // the flag initial()

  explicit HeldLayout(const FlatModel& model);
  Vector start(const FlatModel& model, double time) const;
  // The variables and relations whose values differ.
  std::vector<std::string> differences(const FlatModel& model, ConstSpan a, ConstSpan b) const;
};

class ModelEvents {
 public:
  // Throws Refusal for a reinit of what is no state.
  ModelEvents(Reduction& reduction, const FormPlan& plan, const HeldLayout& held,
              std::shared_ptr<const ModelEquations> equations, Engine engine);

  bool any() const { return !relations_.empty(); }
  std::vector<ModelRoot> roots(double t, ConstSpan state, ConstSpan held) const;
  EventOutcome handle(double t, ConstSpan state, ConstSpan held, std::span<const std::size_t> fired) const;
  std::vector<Finding> failed_asserts(double t, ConstSpan state, ConstSpan held, bool warnings) const;

  // At the start: relations as their roots have them, then the branches with initial(). True if `held` changed.
  bool settle_start(double t, Vector& state, Vector& held, EventOutcome& outcome) const;

 private:
  struct Action {
    FlatAction action;
    std::size_t value;     // position of its value among the probed expressions
    std::size_t messages;  // and of the numbers in its message
    std::size_t component = 0;
    double factor = 1.0, offset = 0.0;  // of a reinit: variable = factor * component + offset
  };
  struct Branch {
    std::size_t condition;
    bool at_initial;
    std::vector<Action> actions;
  };
  struct Iteration;

  void add_whens(Reduction& reduction, const FormPlan& plan, std::vector<Expr>& expressions);
  void watch_roots(Reduction& reduction, const FormPlan& plan, const std::vector<Expr>& roots, Engine engine);
  struct StateComponents;
  void find_component(Reduction& reduction, const FormPlan& plan, const StateComponents& components,
                      Action& action) const;
  Vector values(double t, ConstSpan state, ConstSpan held) const;
  struct Mode;
  std::function<double(double, ConstSpan)> one_root(std::size_t k, std::shared_ptr<const Mode> mode, double sign,
                                                    double shift) const;
  bool holds(const FlatRelation& relation, double root) const;
  void act(Iteration& now, const Branch& branch) const;
  void flip_relations(Iteration& now, std::span<const std::size_t> fired) const;
  bool crosses_at_once(const Iteration& now, std::size_t relation, double slope, ConstSpan rates) const;
  bool update_relations(Iteration& now) const;
  bool update_before(Iteration& now) const;
  std::string message(const std::string& text, const std::vector<FlatMessageValue>& numbers, std::size_t first,
                      const Vector& values) const;

  const HeldLayout& held_;
  std::shared_ptr<const ModelEquations> equations_;
  std::vector<FlatRelation> relations_;
  std::vector<std::vector<Branch>> whens_;
  std::vector<FlatAssert> asserts_;
  std::vector<std::size_t> assert_values_;  // of each: the condition; the numbers of its message follow
  struct Discrete {
    std::size_t before, value;  // places of pre() and of the value
  };
  std::vector<Discrete> discrete_;
  std::shared_ptr<const ProbeFormulas> formulas_;  // roots first, then everything else
  std::shared_ptr<const ProbeFormulas> slopes_;    // of the roots along the solution
  std::shared_ptr<const ProbeFormulas> sizes_;     // of the roots, if the state changed by as much as it is
  std::shared_ptr<const ProbeFormulas> all_roots_;
  std::vector<std::shared_ptr<const ProbeFormulas>> each_root_;  // one of these alone
};

}  // namespace driftless
