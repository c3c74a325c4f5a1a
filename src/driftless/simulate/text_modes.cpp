#include "driftless/simulate/text_modes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless {

namespace {

// Where an event leads: the relations that slide from then on, and values of those that do not any longer.
struct Change {
  StretchMode mode;
  std::vector<std::pair<std::uint32_t, double>> settled;
  std::optional<CompiledModel::Attraction> begins;  // along the last one of these
  std::uint32_t relation = 0;
};

// Weights that are used up, and relations that fired and push towards their root from both sides.
Change change_at(const SlidingModes& now, const StretchMode& which, double t, const EventOutcome& outcome,
                 ConstSpan state, const std::vector<std::size_t>& events, const ResolveState& resolve) {
  Change change{which, {}, {}};
  const auto& relations = now.model.flat().relations;
  const Vector inputs = now.surfaces.empty() ? Vector() : now.model.inputs(t, state, outcome.held);
  for (const SlidingSurface& surface : now.surfaces) {
    const bool above = inputs[relations[surface.ends_above].slot] != 0.0;
    if (!above && inputs[relations[surface.ends_below].slot] == 0.0) continue;
    std::erase(change.mode.sliding, surface.relation);
    for (const SlidingSurface::Side& side : surface.sides)
      change.settled.emplace_back(side.relation, above ? side.above : side.below);
  }
  for (const std::size_t event : events) {
    const std::size_t relation = now.model.relation_of(event);
    const bool ends = std::ranges::any_of(now.surfaces, [&](const SlidingSurface& surface) {
      return surface.ends_below == relation || surface.ends_above == relation;
    });
    if (!ends) change.begins = now.model.attraction(t, state, outcome.held, relation, resolve);
    if (!change.begins) continue;
    change.relation = relations[relation].slot;
    change.mode.sliding.push_back(change.relation);
    break;  // one after the other: the next one is judged while this one slides
  }
  std::ranges::sort(change.mode.sliding);
  return change;
}

bool is_state(const FlatVariable& variable) { return !variable.discrete && variable.has_derivative; }

// Whether what a surface demands after an event is more than rounding for a state.
bool are_moved(const SlidingModes& now, ConstSpan before, ConstSpan after) {
  constexpr double noticeable = 1e-7;
  return std::ranges::any_of(now.model.flat().variables, [&](const FlatVariable& variable) {
    if (!is_state(variable)) return false;
    const double was = before[variable.slot];
    return !(std::abs(after[variable.slot] - was) <= noticeable * (1.0 + std::abs(was)));
  });
}

}  // namespace

std::shared_ptr<const SlidingModes> TextModes::mode(const CompiledModel& model, const StretchMode& which) {
  const std::lock_guard lock(mutex_);
  const auto [place, added] = modes_.try_emplace({which.revealed, which.sliding});
  if (!added) return place->second;
  const std::optional<CompiledModel> base = which.revealed ? model.with_hidden_relations() : model;
  if (!base) return nullptr;
  std::optional<SlidingModes> made = which.sliding.empty() ? SlidingModes{*base, {}} : base->sliding(which.sliding);
  if (made) place->second = std::make_shared<const SlidingModes>(*std::move(made));
  return place->second;
}

TextModes::Move TextModes::move_on(const CompiledModel& model, const StretchMode& which, double t, EventOutcome outcome,
                                   const std::vector<std::size_t>& events, const ResolveState& resolve,
                                   ConstSpan before) {
  const bool ends = !outcome.errors.empty() || !outcome.other_structure.empty() || outcome.terminated;
  if (ends || !outcome.changed.empty()) return {which, std::move(outcome)};
  const auto now = mode(model, which);
  const auto found = resolve(now->model.equations(outcome.held), t, outcome.state, {});
  if (!before.empty() && !which.sliding.empty() &&
      (!found || are_moved(*now, before, now->model.inputs(t, *found, outcome.held))))
    return leave_surfaces(model, which, t, std::move(outcome), resolve, before);
  const Vector& state = found ? *found : outcome.state;
  const Change change = change_at(*now, which, t, outcome, state, events, resolve);
  if (change.mode.sliding == which.sliding) return {which, std::move(outcome)};
  const auto next = mode(model, change.mode);
  if (!next) return {which, std::move(outcome)};
  Vector inputs = change.begins ? change.begins->inputs : now->model.inputs(t, state, outcome.held);
  inputs.resize(mode(model, {which.revealed, {}})->model.flat().slots);  // slots beyond are those of one mode
  for (const auto& [slot, value] : change.settled) inputs[slot] = value;
  for (const SlidingSurface& surface : next->surfaces)
    if (change.begins && surface.relation == change.relation) {
      inputs.resize(next->model.flat().slots, std::numeric_limits<double>::quiet_NaN());
      inputs[surface.weight] = change.begins->weight;
    }
  const auto moment = next->model.from_inputs(t, inputs, resolve);
  if (!moment) return {which, std::move(outcome)};
  EventOutcome moved = next->model.handle(t, moment->state, moment->held, {}, resolve);
  return move_on(model, change.mode, t, std::move(moved), {}, resolve);  // without events sliding only ends
}

// An event has taken the solution off a surface at which it slid: each relation has a side again, which the rounds of
// the event find.
TextModes::Move TextModes::leave_surfaces(const CompiledModel& model, const StretchMode& which, double t,
                                          EventOutcome outcome, const ResolveState& resolve, ConstSpan before) {
  const StretchMode free{.revealed = which.revealed};
  const auto now = mode(model, which), next = mode(model, free);
  Vector inputs = now->model.inputs(t, outcome.state, outcome.held);
  for (const FlatVariable& variable : now->model.flat().variables)
    if (is_state(variable)) inputs[variable.slot] = before[variable.slot];
  inputs.resize(next->model.flat().slots);
  for (const SlidingSurface& surface : now->surfaces)
    for (const SlidingSurface::Side& side : surface.sides) inputs[side.relation] = side.above;
  const auto moment = next->model.from_inputs(t, inputs, resolve);
  if (!moment) return {which, std::move(outcome)};
  return {free, next->model.handle(t, moment->state, moment->held, {}, resolve)};
}

std::optional<TextModes::Move> TextModes::reveal(const CompiledModel& model, double t, ConstSpan state, ConstSpan held,
                                                 const ResolveState& resolve) {
  const StretchMode revealed{.revealed = true};
  const auto next = mode(model, revealed);
  if (!next) return std::nullopt;
  Vector inputs = model.inputs(t, state, held);
  const auto moment = next->model.from_inputs(t, inputs, resolve);
  if (!moment) return std::nullopt;
  return Move{revealed, next->model.handle(t, moment->state, moment->held, {}, resolve)};
}

}  // namespace driftless
