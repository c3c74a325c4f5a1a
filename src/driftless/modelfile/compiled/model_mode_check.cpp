// Does the form that a model was brought into fit the branches that are active, at the start and after an event?
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/equations/index_check.h"
#include "driftless/linalg/decisive.h"
#include "driftless/modelfile/compiled/model_content.h"
#include "driftless/modelfile/structure/sample_points.h"

namespace driftless {

namespace {

const char* what_to_do =
    "give the branch equations that determine all unknowns: one for each of those that the other branch has, the force "
    "of a constraint among them";

// The cheap test: rates can be computed, and the matrix that decides the index is regular by its pivots.
bool is_regular(const Equations& equations, double t, ConstSpan state) {
  const auto manifold = make_manifold(equations);
  Vector slope(state.size());
  if (manifold->derivative(t, state, slope) != ManifoldStatus::ok) return false;
  if (!std::ranges::all_of(slope, [](double x) { return std::isfinite(x); })) return false;
  if (manifold->is_sparse()) {
    Manifold::Examination found;
    return manifold->examine(t, state, found) == ManifoldStatus::ok && found.regular;
  }
  Matrix decisive;
  if (manifold->decisive_matrix(t, state, decisive) != ManifoldStatus::ok) return false;
  DecisiveMatrix test(decisive.rows());
  test.matrix() = decisive;
  return decisive.rows() == 0 || test.factorise();
}

// Constraints that depend on each other, as they did before: multipliers of least norm will do.
bool redundant_as_before(const IndexReport& before, const IndexReport& after) {
  return !before.redundant.empty() && !after.redundant.empty() && before.rank == after.rank && after.multiplier_found;
}

}  // namespace

std::vector<OtherStructure> CompiledModel::Content::other_structures(const HeldValues& held) const {
  const std::lock_guard lock(mutex_);
  const OwnNumbers own(reduction_, *held.parameters);
  return modes_.other_structures(held.values);
}

// A regular matrix means that the form has the index it claims; only otherwise it is worth to ask for the reason.
std::vector<Finding> CompiledModel::Content::mode_trouble(double t, ConstSpan state, const HeldValues& before,
                                                          const HeldValues& after) const {
  const std::lock_guard lock(mutex_);
  if (!modes_.differ(before.values, after.values, after.parameters.get())) return {};
  const Equations equations = this->equations(after);
  if (is_regular(equations, t, state)) return {};
  const IndexReport there = check_index(equations, t, state);
  if (redundant_as_before(check_index(this->equations(before), t, state), there)) return {};
  const OwnNumbers numbers(reduction_, *after.parameters);
  const ModeStructure own = modes_.structure(before.values), mode = modes_.structure(after.values);
  if (mode.same_as(own) && there.satisfied) return {};
  const auto branch = modes_.active(after.values, before.values);
  const std::string why = mode.same_as(own)
                              ? fmt::format("its equations do not determine the unknowns here ({})", there.verdict)
                              : ModelModes::difference(own, mode);
  return {{branch ? *branch : place_of_algebraic(),
           fmt::format("at t = {:.9g} the run comes to a branch of another structure: {}", t, why), what_to_do}};
}

// Whether the form, which was made for all branches together, is that of the branches that are active.
bool CompiledModel::Content::fits(double t, ConstSpan state, const HeldValues& held) const {
  const std::lock_guard lock(mutex_);
  const Equations equations = this->equations(held);
  if (is_regular(equations, t, state)) return true;
  const IndexReport there = check_index(equations, t, state);
  if (!there.satisfied && !(!there.redundant.empty() && there.multiplier_found)) return false;
  const OwnNumbers numbers(reduction_, *held.parameters);
  return modes_.structure(held.values).same_as(ModelModes::structure_of(plan_));
}

// As the start values have them, so that the search begins in the branch that is meant.
void CompiledModel::Content::guess_relations(ModelStart& start) const {
  const FlatModel& model = reduction_.model;
  Vector inputs(model.slots, 0.0);
  inputs[model.time_slot] = start.time;
  for (const FlatVariable& variable : model.variables)
    inputs[variable.slot] = start_value(model, variable, start.time).pinned();
  for (std::size_t k = 0; k < held_.slots.size(); ++k) inputs[held_.slots[k]] = start.held[k];
  for (std::size_t k = 0; k < model.relations.size(); ++k) {
    const FlatRelation& relation = model.relations[k];
    const Expr resolved = substitute(reduction_.model.graph, relation.root, reduction_.values);
    const double root = evaluate(reduction_.model.graph, resolved, inputs);
    const bool holds = root == 0.0 ? relation.at_zero : (root < 0.0) == relation.holds_if_negative;
    if (std::isfinite(root)) start.held[held_.relation[k]] = holds ? 1.0 : 0.0;
  }
}

// No start may be found just because the branch that is active at the start does not fit the form.
void CompiledModel::Content::blame_branch(ModelStart& start) const {
  const auto branch = modes_.active(start.held);
  if (!branch) return;
  const ModeStructure own = ModelModes::structure_of(plan_), mode = modes_.structure(start.held);
  if (mode.same_as(own)) return;
  start.other_structure = true;
  start.errors = {{*branch,
                   fmt::format("the model starts in a branch of another structure than its equations as a whole: {}",
                               ModelModes::difference(own, mode)),
                   what_to_do}};
}

}  // namespace driftless
