#include "driftless/simulate/text_modes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace driftless {

namespace {

// Weights that are used up, and relations that fired and push towards their root from both sides.
ModeChange change_at(const SlidingModes& now, const StretchMode& which, double t, const EventOutcome& outcome,
                     ConstSpan state, const std::vector<std::size_t>& events, const ResolveState& resolve) {
  ModeChange change{which, {}, {}};
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
    // Both sides push while the others slide. With the mixture their weights are other ones, and judged in that mode.
    change.settled.clear();
    change.mode.sliding = which.sliding;
    change.mode.sliding.push_back(change.relation);
    break;  // one after the other: the next one is judged while this one slides
  }
  std::ranges::sort(change.mode.sliding);
  return change;
}

bool is_state(const FlatVariable& variable) { return !variable.discrete && variable.has_derivative; }

// Whether a round of an event leaves the states where they are, but for rounding.
bool keeps_states(const CompiledModel& model, double t, ConstSpan state, ConstSpan held, const Names& named,
                  const ResolveState& resolve, ConstSpan was) {
  constexpr double noticeable = 1e-7;
  const auto found = resolve(model.equations(held), t, state, named);
  if (!found) return false;
  const Vector is = model.inputs(t, *found, held);
  return std::ranges::none_of(model.flat().variables, [&](const FlatVariable& variable) {
    if (!is_state(variable)) return false;
    const double before = was[variable.slot];
    return !(std::abs(is[variable.slot] - before) <= noticeable * (1.0 + std::abs(before)));
  });
}

}  // namespace

// Up to a round that does not belong to a mode that slides.
EventOutcome handle_sliding(const SlidingModes& now, EventMoment moment, ConstSpan held, const ResolveState& resolve) {
  if (now.surfaces.empty()) return now.model.handle(moment, held, resolve);
  const auto settled = resolve(now.model.equations(held), moment.time, moment.state, moment.named);
  const Vector was = now.model.inputs(moment.time, settled ? *settled : moment.state, held);
  moment.stays = [&](ConstSpan state, ConstSpan values) {
    return keeps_states(now.model, moment.time, state, values, moment.named, resolve, was);
  };
  return now.model.handle(moment, held, resolve);
}

namespace {

Names names_in(const CompiledModel& model, ConstSpan held, const Names& names) {
  const Equations equations = model.equations(held);
  const Names& own = layout_of(equations).names();
  Names found;
  std::ranges::copy_if(names, std::back_inserter(found),
                       [&](const std::string& name) { return std::ranges::find(own, name) != own.end(); });
  return found;
}

// Where a mode begins with a round of an event that another one has left.
struct Begun {
  CompiledModel::Moment moment;
  Names named;  // components that a reinit of the event has set
};

std::optional<Begun> take_up(const CompiledModel& model, double t, const EventOutcome& before,
                             const ResolveState& resolve) {
  auto moment = model.from_inputs(t, before.unfinished->inputs, resolve);
  if (!moment) return std::nullopt;
  Begun begun{.moment = *std::move(moment), .named = {}};
  begun.named = model.reinitialise(before.unfinished->reinits, begun.moment);
  const Names earlier = names_in(model, begun.moment.held, before.changed);
  begun.named.insert(begun.named.end(), earlier.begin(), earlier.end());
  return begun;
}

// The values that the next round ends with.
Begun one_round(const CompiledModel& model, double t, const EventRound& round, const Begun& begin,
                const ResolveState& resolve) {
  Begun after = begin;
  model.handle({.time = t,
                .state = begin.moment.state,
                .round = &round,
                .named = begin.named,
                .stays =
                    [&](ConstSpan state, ConstSpan held) {
                      after.moment = {{state.begin(), state.end()}, {held.begin(), held.end()}};
                      return false;
                    }},
               begin.moment.held, resolve);
  return after;
}

EventOutcome lost(double t, const EventOutcome& before) {
  EventOutcome outcome = before;
  outcome.unfinished.reset();
  outcome.errors.push_back({{},
                            fmt::format("the event at t = {:.9g} takes the solution off a switching condition along "
                                        "which it slides, and not all of its states are numbers there",
                                        t),
                            "give the condition a hysteresis"});
  return outcome;
}

}  // namespace

std::shared_ptr<const SlidingModes> TextModes::mode(const CompiledModel& model, const StretchMode& which) {
  const std::lock_guard lock(mutex_);
  const auto [place, added] = modes_.try_emplace({which.revealed, which.branches, which.sliding});
  if (added) place->second = make(model, which);
  return place->second.modes;
}

std::vector<Finding> TextModes::trouble(const CompiledModel& model, const StretchMode& which) {
  mode(model, which);
  const std::lock_guard lock(mutex_);
  return modes_.at({which.revealed, which.branches, which.sliding}).trouble;
}

TextModes::Made TextModes::make(const CompiledModel& model, const StretchMode& which) {
  std::optional<CompiledModel> base = which.revealed ? model.with_hidden_relations() : model;
  if (base && !which.branches.empty()) {
    Compilation own = base->in_branches(which.branches);
    if (!own.ok()) return {nullptr, std::move(own.errors)};
    base = std::move(own.model);
  }
  if (!base) return {};
  std::optional<SlidingModes> made = which.sliding.empty() ? SlidingModes{*base, {}} : base->sliding(which.sliding);
  return {made ? std::make_shared<const SlidingModes>(*std::move(made)) : nullptr, {}};
}

TextModes::Move TextModes::happen(const CompiledModel& model, const StretchMode& which, const EventMoment& moment,
                                  ConstSpan held, const ResolveState& resolve) {
  EventOutcome outcome = handle_in(model, which, moment, held, resolve);
  if (outcome.unfinished) return follow(model, which, moment.time, std::move(outcome), resolve);
  Move move =
      move_on(model, which, moment.time, std::move(outcome), {moment.fired.begin(), moment.fired.end()}, resolve);
  see_branches(model, which, moment.time, held, move);
  return move;
}

TextModes::Move TextModes::move_on(const CompiledModel& model, const StretchMode& which, double t, EventOutcome outcome,
                                   const std::vector<std::size_t>& fired, const ResolveState& resolve) {
  const bool ends = !outcome.errors.empty() || !outcome.other_structure.empty() || outcome.terminated;
  if (ends || (which.sliding.empty() && !outcome.changed.empty())) return {which, std::move(outcome)};
  const auto now = mode(model, which);
  const auto found = resolve(now->model.equations(outcome.held), t, outcome.state, outcome.changed);
  const Vector& state = found ? *found : outcome.state;
  const std::vector<std::size_t> events = outcome.changed.empty() ? fired : std::vector<std::size_t>();
  const ModeChange change = change_at(*now, which, t, outcome, state, events, resolve);
  if (change.mode.sliding == which.sliding) return {which, std::move(outcome)};
  const auto moment = enter(model, which, change, {t, state, outcome.held}, resolve);
  if (!moment && change.begins) return move_on(model, which, t, std::move(outcome), {}, resolve);
  if (!moment) return {which, std::move(outcome)};
  EventOutcome moved = handle_in(model, change.mode, {.time = t, .state = moment->state}, moment->held, resolve);
  moved.relations = std::move(outcome.relations);
  const Names known = names_in(mode(model, change.mode)->model, moved.held, outcome.changed);
  moved.changed.insert(moved.changed.end(), known.begin(), known.end());
  if (moved.unfinished) return follow(model, change.mode, t, std::move(moved), resolve);
  return move_on(model, change.mode, t, std::move(moved), {}, resolve);  // without events sliding only ends
}

// The mode that a change leads to. None if the model cannot be in it, or sliding would begin with other states.
std::optional<CompiledModel::Moment> TextModes::enter(const CompiledModel& model, const StretchMode& which,
                                                      const ModeChange& change, const Place& at,
                                                      const ResolveState& resolve) {
  const auto now = mode(model, which), next = mode(model, change.mode);
  if (!next) return std::nullopt;
  Vector inputs = change.begins ? change.begins->inputs : now->model.inputs(at.time, at.state, at.held);
  inputs.resize(shared_slots(model, which));
  for (const auto& [slot, value] : change.settled) inputs[slot] = value;
  for (const SlidingSurface& surface : next->surfaces)
    if (change.begins && surface.relation == change.relation) {
      inputs.resize(next->model.flat().slots, std::numeric_limits<double>::quiet_NaN());
      inputs[surface.weight] = change.begins->weight;
    }
  auto moment = next->model.from_inputs(at.time, inputs, resolve);
  const bool keeps =
      !moment || !change.begins || keeps_states(next->model, at.time, moment->state, moment->held, {}, resolve, inputs);
  return keeps ? moment : std::nullopt;
}

// Slots beyond are those of one mode.
std::uint32_t TextModes::shared_slots(const CompiledModel& model, const StretchMode& which) {
  return mode(model, {.revealed = which.revealed, .branches = which.branches})->model.flat().slots;
}

// A round of an event that takes the solution off surfaces at which it slides, or comes after a reinit, is done without
// these surfaces: their relations have the sides that the round finds. Surfaces that the round leaves alone are kept.
TextModes::Move TextModes::leave_surfaces(const CompiledModel& model, const StretchMode& which, double t,
                                          EventOutcome before, const ResolveState& resolve, int depth) {
  constexpr int deepest = 100;  // of reinits that follow each other: free of surfaces they come to their end, or not
  const StretchMode free{.revealed = which.revealed, .branches = which.branches};
  const CompiledModel& without = mode(model, free)->model;
  EventRound& round = *before.unfinished;
  round.inputs.resize(shared_slots(model, which));
  std::erase_if(round.judged, [&](const auto& one) { return one.first >= round.inputs.size(); });
  for (const SlidingSurface& surface : mode(model, which)->surfaces)
    for (const SlidingSurface::Side& side : surface.sides) round.inputs[side.relation] = side.above;
  const auto begin = take_up(without, t, before, resolve);
  StretchMode rest = which;
  if (begin && depth < deepest) {
    const Begun after = round.reinits.empty() ? one_round(without, t, round, *begin, resolve) : *begin;
    const auto settled = resolve(without.equations(after.moment.held), t, after.moment.state, after.named);
    std::erase_if(rest.sliding, [&](std::uint32_t slot) {
      const auto& relations = without.flat().relations;
      const auto own = std::ranges::find(relations, slot, &FlatRelation::slot) - relations.begin();
      return !settled || !without.is_at_root(t, *settled, after.moment.held, static_cast<std::size_t>(own));
    });
    if (round.reinits.empty() && rest.sliding == which.sliding) rest.sliding.clear();
  }
  if (!begin || depth >= deepest) rest.sliding.clear();
  if (!mode(model, rest)) rest.sliding.clear();
  return go_on(model, rest, t, before, resolve, depth);
}

TextModes::Move TextModes::go_on(const CompiledModel& model, const StretchMode& which, double t,
                                 const EventOutcome& before, const ResolveState& resolve, int depth) {
  const auto now = mode(model, which);
  const auto begin = take_up(now->model, t, before, resolve);
  if (!begin) return {which, lost(t, before)};
  EventOutcome outcome = handle_in(
      model, which, {.time = t, .state = begin->moment.state, .round = &*before.unfinished, .named = begin->named},
      begin->moment.held, resolve);
  outcome.relations = before.relations;
  outcome.warnings.insert(outcome.warnings.begin(), before.warnings.begin(), before.warnings.end());
  if (before.terminated && !outcome.terminated) {
    outcome.terminated = true;
    outcome.message = before.message;
  }
  if (outcome.unfinished) return follow(model, which, t, std::move(outcome), resolve, depth + 1);
  return move_on(model, which, t, std::move(outcome), {}, resolve);
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
