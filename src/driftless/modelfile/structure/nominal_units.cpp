#include "driftless/modelfile/structure/nominal_units.h"

#include <cmath>
#include <unordered_map>

#include "driftless/expression/differentiate.h"

namespace driftless {

namespace {

// Sizes between these are what solvers are made for.
constexpr double smallest_usual = 1e-3, largest_usual = 1e3;

double unit_of(const FlatVariable& variable) {
  const double nominal = std::abs(variable.nominal.value_or(1.0));
  const bool usual = nominal >= smallest_usual && nominal <= largest_usual;
  if (variable.discrete || variable.input || nominal == 0.0 || !std::isfinite(nominal) || usual) return 1.0;
  return std::exp2(std::round(std::log2(nominal)));
}

class UnitChange {
 public:
  explicit UnitChange(FlatModel& model) : model_(model) {}

  void run() {
    for (FlatVariable& variable : model_.variables) change(variable);
    if (in_units_.empty()) return;
    for (FlatEquation& equation : model_.equations) rewrite(equation);
    for (FlatEquation& equation : model_.initial_equations) rewrite(equation);
    for (FlatInitialAssignment& one : model_.initial_assignments) rewrite(one.value);
    for (FlatRelation& relation : model_.relations) rewrite(relation.root);
    for (FlatWhen& when : model_.whens)
      for (FlatBranch& branch : when.branches) rewrite(branch);
    for (FlatAssert& one : model_.asserts) {
      rewrite(one.condition);
      rewrite(one.message_values);
    }
  }

 private:
  Expr times(double factor, Expr e) { return model_.graph.multiply(model_.graph.constant(factor), e); }

  void change(FlatVariable& variable) {
    const double unit = unit_of(variable);
    if (unit == 1.0) return;
    variable.solver_unit = unit;
    in_units_[variable.slot] = times(unit, model_.graph.input(variable.slot));
    if (variable.has_derivative) in_units_[variable.derivative] = times(unit, model_.graph.input(variable.derivative));
    if (variable.before) in_units_[*variable.before] = times(unit, model_.graph.input(*variable.before));
    if (variable.start) variable.start = times(1.0 / unit, *variable.start);
    for (std::optional<Number>* number : {&variable.min, &variable.max})
      if (*number) **number /= unit;
    if (variable.nominal) *variable.nominal /= unit;
  }

  void rewrite(Expr& e) { e = substitute(model_.graph, e, in_units_); }
  void rewrite(std::vector<FlatMessageValue>& values) {
    for (FlatMessageValue& one : values) rewrite(one.value);
  }
  void rewrite(FlatEquation& equation) {
    rewrite(equation.residual);
    for (FlatChoice& choice : equation.choices) rewrite(choice.condition);
  }
  void rewrite(FlatBranch& branch) {
    rewrite(branch.condition);
    for (FlatAction& action : branch.actions) {
      rewrite(action.value);
      rewrite(action.message_values);
      const double unit = model_.variables[action.variable].solver_unit;
      if (action.kind == FlatAction::Kind::reinit && unit != 1.0) action.value = times(1.0 / unit, action.value);
    }
  }

  FlatModel& model_;
  std::unordered_map<std::uint32_t, Expr> in_units_;  // by slot: the variable, from its slot in the new unit
};

}  // namespace

void use_nominal_units(FlatModel& model) { UnitChange(model).run(); }

}  // namespace driftless
