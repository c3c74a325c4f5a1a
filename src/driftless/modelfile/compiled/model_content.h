// What a compiled model consists of.
#pragma once

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

  ModelStart start(double time, const ResolveState& resolve) const;
  std::shared_ptr<const ProbeFormulas> results() const;
  std::shared_ptr<const EquationFormulas> checked(CheckedEquations which) const;
  Equations equations(ConstSpan held) const;
  std::vector<Finding> confirm(double t, ConstSpan state, ConstSpan held) const;
  std::vector<Finding> mode_trouble(double t, ConstSpan state, ConstSpan before, ConstSpan after) const;
  std::vector<Finding> other_structures(ConstSpan held) const;

  const FlatModel& flat() const { return reduction_.model; }
  const FormPlan& plan() const { return plan_; }
  const std::vector<ModelVariable>& variables() const { return variables_; }
  const std::vector<ModelConstraint>& constraints() const { return constraints_; }
  const std::string& form() const { return form_; }
  const std::vector<WrittenConstraint>& written() const { return written_; }
  const Vector& nominals() const { return nominals_; }
  const Vector& units() const { return units_; }
  std::size_t eliminated() const { return eliminated_; }
  const ModelEvents& events() const { return *events_; }

 private:
  void describe_variables();
  void describe_constraints();
  struct SlotUse {
    std::size_t unknown;
    bool derivative;
  };
  using SlotUses = std::unordered_map<std::uint32_t, SlotUse>;
  ModelVariable describe(const FlatVariable& variable, const SlotUses& uses) const;
  Expr in_the_units_of(const FlatVariable& variable, LinearRow row, const Unknown& unknown) const;
  Expr in_the_users_unit(const FlatVariable& variable) const;
  ModelStart find_start(double time) const;
  void happen_at_start(const ResolveState& resolve, ModelStart& start) const;
  void blame_branch(ModelStart& start) const;
  void guess_relations(ModelStart& start) const;
  // Relations and discrete variables that fit the start, found by trying.
  bool settle(const InitialSystem& initial, ModelStart& start) const;
  std::vector<Finding> index_trouble(ConstSpan values, const ModelStart& start) const;
  Vector state_from(ConstSpan values) const;
  Names idle_multipliers(const Matrix& decisive, const Layout& layout) const;
  SourcePlace place_of_algebraic() const;
  void finish_start(const InitialSystem& initial, const InitialSystem::Outcome& found, ModelStart& start) const;
  void list_values(const InitialSystem& initial, const InitialSystem::Outcome& found, ModelStart& start) const;

  Engine engine_;
  mutable Reduction reduction_;  // its graph grows where something is first asked for
  mutable std::mutex mutex_;
  FormPlan plan_;
  HeldLayout held_;
  ModelModes modes_;
  std::shared_ptr<const ModelEquations> equations_;
  std::unique_ptr<const ModelEvents> events_;
  mutable std::shared_ptr<const ProbeFormulas> results_;
  mutable std::shared_ptr<const EquationFormulas> all_equations_, eliminated_equations_;
  std::vector<ModelVariable> variables_;
  std::vector<ModelConstraint> constraints_;
  std::vector<WrittenConstraint> written_;
  Vector nominals_, units_;
  std::string form_;
  std::size_t eliminated_ = 0;
};

}  // namespace driftless
