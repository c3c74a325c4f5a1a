// The branches of a model that need a form of their own: which are active, and the model of them alone.
#include <limits>

#include "driftless/modelfile/compiled/branch_model.h"
#include "driftless/modelfile/compiled/model_content.h"

namespace driftless {

ModeBranches CompiledModel::Content::branches(ConstSpan inputs, const ModeBranches& before,
                                              const ParameterValues& parameters) const {
  return modes_.branches(inputs, before, &parameters);
}

std::vector<std::size_t> CompiledModel::Content::states() const {
  std::vector<std::size_t> states;
  for (const Unknown& unknown : reduction_.unknowns)
    if (unknown.differentiated && unknown.variable != no_variable) states.push_back(unknown.variable);
  return states;
}

// For the usual values of the parameters, on record, so that it serves other values as the model itself does.
Compilation CompiledModel::Content::in_branches(const ModeBranches& branches) const {
  const std::lock_guard lock(mutex_);
  const auto [place, added] = in_branches_.try_emplace(branches);
  if (added) {
    std::unique_lock<std::recursive_mutex> recording;
    if (trace_) recording = std::unique_lock(trace_->mutex());
    place->second = compile(branch_model(reduction_.model, modes_.fixed(branches), states()));
  }
  return place->second;
}

// The model with its numbers as they are for these parameters, for good.
FlatModel CompiledModel::with_own_numbers() const {
  FlatModel flat = content_->flat();
  flat.graph = graph();
  forget_parameters(flat);
  return flat;
}

Compilation CompiledModel::in_branches(const ModeBranches& branches) const {
  Compilation made = content_->in_branches(branches);
  const auto& set = instance_->parameters->set();
  if (made.ok() && set.empty()) return made;
  if (made.ok())
    if (auto fitting = made.model->with(set)) return {.model = std::move(fitting), .errors = {}};
  return compile(branch_model(with_own_numbers(), content_->fixed(branches), content_->states()));
}

Vector CompiledModel::held_inputs(ConstSpan values) const {
  Vector all(flat().slots, std::numeric_limits<double>::quiet_NaN());
  const auto& layout = content_->held_layout().slots;
  for (std::size_t k = 0; k < layout.size(); ++k) all[layout[k]] = values[k];
  return all;
}

bool CompiledModel::has_branches() const { return content_->has_branches(); }

ModeBranches CompiledModel::branches(ConstSpan inputs, const ModeBranches& before) const {
  return content_->branches(inputs, before, *instance_->parameters);
}

std::vector<std::size_t> CompiledModel::states() const { return content_->states(); }

bool CompiledModel::fits(double t, ConstSpan state, ConstSpan values) const {
  return content_->fits(t, state, held(values));
}

}  // namespace driftless
