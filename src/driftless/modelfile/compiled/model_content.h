// What a compiled model consists of.
#pragma once

#include <map>
#include <mutex>

#include "driftless/modelfile/compiled/compiled_model.h"
#include "driftless/modelfile/compiled/equation_check.h"
#include "driftless/modelfile/compiled/model_equations.h"
#include "driftless/modelfile/compiled/model_events.h"
#include "driftless/modelfile/compiled/model_modes.h"
#include "driftless/modelfile/compiled/model_probe.h"
#include "driftless/modelfile/start/initial_system.h"
#include "driftless/modelfile/structure/linear_row.h"

namespace driftless {

class CompiledModel::Content {
 public:
  Content(FlatModel model, const CompileOptions& options);

  using Parameters = std::shared_ptr<const ParameterValues>;

  ModelStart start(double time, const Parameters& parameters) const;
  std::shared_ptr<const ProbeFormulas> results() const;
  std::shared_ptr<const EquationFormulas> checked(CheckedEquations which) const;
  Equations equations(HeldValues held) const;
  std::vector<Finding> confirm(double t, ConstSpan state, const HeldValues& held) const;
  std::vector<Finding> mode_trouble(double t, ConstSpan state, const HeldValues& before, const HeldValues& after) const;
  std::vector<OtherStructure> other_structures(const HeldValues& held) const;
  // model_branches.cpp
  ModeBranches branches(ConstSpan inputs, const ModeBranches& before, const ParameterValues& parameters) const;
  Compilation in_branches(const ModeBranches& branches) const;
  std::vector<FixedBranch> fixed(const ModeBranches& branches) const { return modes_.fixed(branches); }
  bool has_branches() const { return modes_.has_branches(); }
  std::vector<std::size_t> states() const;
  bool fits(double t, ConstSpan state, const HeldValues& held) const;

  const FlatModel& flat() const { return reduction_.model; }
  const std::shared_ptr<ParameterTrace>& trace() const { return trace_; }
  const FormPlan& plan() const { return plan_; }
  std::vector<ModelVariable> variables(const ParameterValues& parameters) const;
  std::vector<ModelConstraint> constraints(const ParameterValues& parameters) const;
  Graph graph(const ParameterValues& parameters) const;
  const std::string& form() const { return form_; }
  const std::string& not_mechanical() const { return plan_.not_mechanical; }
  std::vector<WrittenConstraint> written(const Parameters& parameters) const;
  Vector nominals(const ParameterValues& parameters) const;
  const Vector& units() const { return units_; }
  std::size_t eliminated() const { return eliminated_; }
  const HeldLayout& held_layout() const { return held_; }
  // model_sliding.cpp
  std::shared_ptr<const ProbeFormulas> inputs() const;
  std::shared_ptr<const ProbeFormulas> hidden() const;
  std::optional<double> component_from(const Component& component, ConstSpan inputs,
                                       const ParameterValues& parameters) const;
  const ModelEvents& events() const { return *events_; }

 private:
  std::vector<ModelVariable> describe_variables() const;
  std::size_t count_eliminated() const;
  struct SlotUse {
    std::size_t unknown;
    bool derivative;
  };
  using SlotUses = std::unordered_map<std::uint32_t, SlotUse>;
  ModelVariable describe(const FlatVariable& variable, const SlotUses& uses) const;
  Expr in_the_units_of(const FlatVariable& variable, LinearRow row, const Unknown& unknown) const;
  Expr in_the_users_unit(const FlatVariable& variable) const;
  ModelStart find_start(double time, const Parameters& parameters) const;
  void blame_branch(ModelStart& start) const;
  void guess_relations(ModelStart& start) const;
  // Relations and discrete variables that fit the start, found by trying.
  bool settle(const InitialSystem& initial, ModelStart& start, const Parameters& parameters) const;
  std::vector<Finding> index_trouble(ConstSpan values, const ModelStart& start, const Parameters& parameters) const;
  Vector state_from(ConstSpan values) const;
  Names idle_multipliers(const Matrix& decisive, const Layout& layout) const;
  SourcePlace place_of_algebraic() const;
  void finish_start(const InitialSystem& initial, const InitialSystem::Outcome& found, ModelStart& start,
                    const Parameters& parameters) const;
  void list_values(const InitialSystem& initial, const InitialSystem::Outcome& found, ModelStart& start) const;

  Engine engine_;
  mutable Reduction reduction_;  // its graph is lent to whoever holds the mutex
  mutable std::mutex mutex_;
  std::shared_ptr<ParameterTrace> trace_;
  FormPlan plan_;
  HeldLayout held_;
  ModelModes modes_;
  std::shared_ptr<const ModelEquations> equations_;
  std::unique_ptr<const ModelEvents> events_;
  mutable std::shared_ptr<const ProbeFormulas> results_, inputs_, hidden_;
  mutable std::shared_ptr<const EquationFormulas> all_equations_, eliminated_equations_;
  mutable std::map<ModeBranches, Compilation> in_branches_;
  Numbers nominals_;
  Vector units_;
  std::string form_;
  std::size_t eliminated_ = 0;
};

// What belongs to one choice of the parameters.
struct CompiledModel::Instance {
  Instance(const Content& content, std::shared_ptr<const ParameterValues> values);

  std::shared_ptr<const ParameterValues> parameters;
  Vector nominals;
  std::vector<WrittenConstraint> written;
  mutable std::once_flag once;  // of what follows
  mutable std::vector<ModelVariable> variables;
  mutable std::vector<ModelConstraint> constraints;
};

// While it lives the graph of a reduction has the values of one choice of the parameters, off record: for what is found
// for them alone. Everything that is added is forgotten.
class OwnNumbers {
 public:
  OwnNumbers(Reduction& reduction, const ParameterValues& parameters);
  ~OwnNumbers();
  OwnNumbers(const OwnNumbers&) = delete;
  OwnNumbers& operator=(const OwnNumbers&) = delete;

 private:
  Reduction& reduction_;
  std::optional<Graph> shared_;  // none: nothing depends on parameters, and the graph is used itself
  std::size_t size_;
  std::uint32_t slots_;
};

// What is added to a graph on record, for programs, and forgotten when they are made.
class GraphAddition {
 public:
  explicit GraphAddition(Graph& graph) : graph_(graph), size_(graph.size()), tracing_(graph.trace().get()) {
    if (graph.trace()) lock_ = std::unique_lock(graph.trace()->mutex());
  }
  ~GraphAddition() { graph_.truncate(size_); }
  GraphAddition(const GraphAddition&) = delete;
  GraphAddition& operator=(const GraphAddition&) = delete;

 private:
  Graph& graph_;
  std::size_t size_;
  Tracing tracing_;
  std::unique_lock<std::recursive_mutex> lock_;
};

}  // namespace driftless
