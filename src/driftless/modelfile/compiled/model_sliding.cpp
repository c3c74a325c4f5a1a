// Other modes of a compiled model, and how one takes over from another.
#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/modelfile/compiled/hidden_relations.h"
#include "driftless/modelfile/compiled/model_content.h"
#include "driftless/modelfile/compiled/sliding_modes.h"

namespace driftless {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

std::optional<CompiledModel> compiled_mode(FlatModel flat) {
  Compilation compilation = compile(std::move(flat));  // its states have their units already
  return std::move(compilation.model);
}

// Slots of the variables and of their derivatives.
std::vector<std::uint32_t> variable_slots(const FlatModel& model) {
  std::vector<std::uint32_t> slots;
  for (const FlatVariable& variable : model.variables) {
    slots.push_back(variable.slot);
    if (!variable.discrete && variable.has_derivative) slots.push_back(variable.derivative);
  }
  return slots;
}

}  // namespace

std::optional<ModelEvents::Side> ModelEvents::side(double t, ConstSpan state, const HeldValues& held,
                                                   std::size_t relation, bool above,
                                                   const ResolveState& resolve) const {
  if (time_events_->has(relation) || of_floor_[relation] || relations_[relation].sample) return std::nullopt;
  const auto sides = sides_of(model_, relation);
  Side found{.state = {}, .held = held};
  for (std::size_t k = 0; k < relations_.size(); ++k) {
    const auto own = std::ranges::find(sides, relations_[k].slot, &SlidingSurface::Side::relation);
    if (own != sides.end()) found.held.values[held_.relation[k]] = above ? own->above : own->below;
  }
  const Equations equations = equations_->equations(found.held);
  auto resolved = resolve ? resolve(equations, t, state, {}) : std::nullopt;
  if (!resolved) return std::nullopt;
  found.state = *std::move(resolved);
  Vector slopes(relations_.size());
  if (!ModelProbe(slopes_, equations, found.held).values(t, found.state, slopes)) return std::nullopt;
  found.slope = slopes[relation];
  if (!is_at_root(t, found.state, found.held, relation)) return std::nullopt;  // it jumped away: there is no surface
  return found;
}

bool ModelEvents::is_at_root(double t, ConstSpan state, const HeldValues& held, std::size_t relation) const {
  const Equations equations = equations_->equations(held);
  Vector roots(relations_.size()), sizes(relations_.size()), slopes(relations_.size());
  if (!ModelProbe(all_roots_, equations, held).values(t, state, roots) ||
      !ModelProbe(sizes_, equations, held).values(t, state, sizes) ||
      !ModelProbe(slopes_, equations, held).values(t, state, slopes))
    return false;
  const double window = 1e-9 * std::abs(t) + 1e-14;
  return std::abs(roots[relation]) <= 1e-9 * sizes[relation] + window * std::abs(slopes[relation]);
}

void ModelEvents::judge_new(double t, ConstSpan state, HeldValues& held) const {
  std::vector<std::size_t> fresh;
  for (std::size_t k = 0; k < relations_.size(); ++k)
    if (std::isnan(held.values[held_.relation[k]])) fresh.push_back(k);
  for (const std::size_t k : fresh) held.values[held_.relation[k]] = 0.0;
  if (fresh.empty()) return;
  const Vector all = values(t, state, held);
  for (const std::size_t k : fresh) held.values[held_.relation[k]] = holds(relations_[k], all[k]) ? 1.0 : 0.0;
}

std::shared_ptr<const ProbeFormulas> CompiledModel::Content::inputs() const {
  const std::lock_guard lock(mutex_);
  if (!inputs_) {
    const GraphAddition addition(reduction_.model.graph);
    std::vector<Expr> values;
    for (const std::uint32_t slot : variable_slots(reduction_.model))
      values.push_back(reduction_.model.graph.input(slot));
    inputs_ = std::make_shared<const ProbeFormulas>(reduction_, plan_, held_.slots, values, engine_);
  }
  return inputs_;
}

std::shared_ptr<const ProbeFormulas> CompiledModel::Content::hidden() const {
  const std::lock_guard lock(mutex_);
  if (!hidden_) {
    const GraphAddition addition(reduction_.model.graph);
    hidden_ = std::make_shared<const ProbeFormulas>(reduction_, plan_, held_.slots,
                                                    driftless::hidden_roots(reduction_.model), Engine::interpreter);
  }
  return hidden_;
}

// Multipliers and other unknowns that follow from the states are computed afterwards: any value does.
std::optional<double> CompiledModel::Content::component_from(const Component& component, ConstSpan inputs,
                                                             const ParameterValues& parameters) const {
  const Graph& graph = reduction_.model.graph;
  double value = unknown;
  if (component.introduced)
    value = evaluate(graph, component.meaning, inputs, &parameters);
  else if (component.slot < inputs.size())
    value = inputs[component.slot];
  if (std::isfinite(value)) return value;
  const auto multipliers = multipliers_of(plan_);
  const bool multiplier = std::ranges::find(multipliers, component.slot, &Component::slot) != multipliers.end();
  const auto own = std::ranges::find(reduction_.unknowns, component.slot, &Unknown::slot);
  const bool state = own != reduction_.unknowns.end() && own->differentiated;
  return multiplier || !state ? std::optional(0.0) : std::nullopt;
}

std::optional<SlidingModes> CompiledModel::sliding(std::span<const std::uint32_t> relations) const {
  auto made = sliding_model(with_own_numbers(), relations);
  if (!made) return std::nullopt;
  auto model = compiled_mode(std::move(made->model));
  if (!model) return std::nullopt;
  return SlidingModes{*std::move(model), std::move(made->surfaces)};
}

std::optional<CompiledModel> CompiledModel::with_hidden_relations() const {
  auto made = driftless::with_hidden_relations(with_own_numbers());
  return made ? compiled_mode(*std::move(made)) : std::nullopt;
}

CompiledModel::ResultFunction CompiledModel::hidden_roots(ConstSpan values, std::size_t& count) const {
  const auto formulas = content_->hidden();
  count = formulas->size();
  if (count == 0) return {};
  auto probe = std::make_shared<ModelProbe>(formulas, equations(values), held(values));
  return [probe](double t, ConstSpan state, Span out) {
    if (!probe->values(t, state, out)) std::ranges::fill(out, unknown);
  };
}

// Where w s(above) + (1 - w) s(below) = 0, s being the slopes of the root.
std::optional<CompiledModel::Attraction> CompiledModel::attraction(double t, ConstSpan state, ConstSpan values,
                                                                   std::size_t relation,
                                                                   const ResolveState& resolve) const {
  const auto below = content_->events().side(t, state, held(values), relation, false, resolve);
  if (!below || !(below->slope > 0.0)) return std::nullopt;
  const auto above = content_->events().side(t, state, held(values), relation, true, resolve);
  if (!above || !(above->slope < 0.0)) return std::nullopt;
  Attraction found{.weight = below->slope / (below->slope - above->slope)};
  found.inputs = inputs(t, below->state, below->held.values);
  const Vector other = inputs(t, above->state, above->held.values);
  for (const FlatVariable& variable : flat().variables)
    if (!variable.discrete)
      found.inputs[variable.slot] += found.weight * (other[variable.slot] - found.inputs[variable.slot]);
  return found;
}

bool CompiledModel::is_at_root(double t, ConstSpan state, ConstSpan values, std::size_t relation) const {
  return content_->events().is_at_root(t, state, held(values), relation);
}

std::size_t CompiledModel::relation_of(std::size_t event) const { return content_->events().relation_of(event); }

Vector CompiledModel::inputs(double t, ConstSpan state, ConstSpan values) const {
  Vector all(flat().slots, unknown);
  const std::vector<std::uint32_t> slots = variable_slots(flat());
  Vector found(slots.size());
  if (ModelProbe(content_->inputs(), equations(values), held(values)).values(t, state, found))
    for (std::size_t k = 0; k < slots.size(); ++k) all[slots[k]] = found[k];
  const auto& layout = content_->held_layout().slots;
  for (std::size_t k = 0; k < layout.size(); ++k) all[layout[k]] = values[k];
  all[flat().time_slot] = t;
  return all;
}

Vector CompiledModel::inputs_after(double t, ConstSpan state, ConstSpan values, ConstSpan after) const {
  Vector all = inputs(t, state, values);
  const auto& layout = content_->held_layout().slots;
  for (std::size_t k = 0; k < layout.size(); ++k) all[layout[k]] = after[k];
  return all;
}

std::optional<CompiledModel::Moment> CompiledModel::from_inputs(double t, ConstSpan given,
                                                                const ResolveState& resolve) const {
  Vector all(given.begin(), given.end());
  all.resize(std::max<std::size_t>(all.size(), flat().slots), unknown);
  Moment moment;
  for (const Component& component : components_of(content_->plan())) {
    const auto value = content_->component_from(component, all, *instance_->parameters);
    if (!value) return std::nullopt;
    moment.state.push_back(*value);
  }
  HeldValues values = held(Vector());
  for (const std::uint32_t slot : content_->held_layout().slots) values.values.push_back(all[slot]);
  HeldValues guess = values;
  for (double& value : guess.values)
    if (std::isnan(value)) value = 0.0;
  const auto settled = resolve(equations(guess.values), t, moment.state, {});
  content_->events().judge_new(t, settled ? *settled : moment.state, values);
  for (double& value : values.values)
    if (std::isnan(value)) value = 0.0;
  moment.held = std::move(values.values);
  return moment;
}

Names CompiledModel::reinitialise(std::span<const EventRound::Reinit> reinits, Moment& moment) const {
  return content_->events().reinitialise(reinits, held(moment.held), moment.state);
}

}  // namespace driftless
