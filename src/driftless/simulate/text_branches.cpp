// From the form of some branches to that of others, and what happens to the states on the way.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "driftless/integrate/consistent_start.h"
#include "driftless/simulate/text_modes.h"

namespace driftless {

namespace {

constexpr int deepest = 100;  // of switches in one event

// States that are not where they were, in the units of the model. What is at the root of a relation is there to 1e-10.
std::vector<StateMove> moves_between(const CompiledModel& host, ConstSpan before, ConstSpan after) {
  std::vector<StateMove> moves;
  for (const std::size_t k : host.states()) {
    const FlatVariable& variable = host.flat().variables[k];
    const double from = before[variable.slot], to = after[variable.slot];
    if (std::abs(to - from) > 1e-9 * std::max(std::abs(from), std::abs(to)))
      moves.push_back({variable.name, variable.solver_unit * from, variable.solver_unit * to});
  }
  return moves;
}

Names named_in(const Equations& equations, const Names& names) {
  const Names& own = layout_of(equations).names();
  Names found;
  std::ranges::copy_if(names, std::back_inserter(found),
                       [&](const std::string& name) { return std::ranges::find(own, name) != own.end(); });
  return found;
}

TextModes::Move ended(const StretchMode& mode, Failure failure) {
  TextModes::Move move{.mode = mode, .outcome = {}};
  move.failure = std::move(failure);
  return move;
}

Failure no_impulse(double t) {
  return {.kind = FailureKind::inconsistent_start,
          .time = t,
          .what_happened =
              "the event makes a constraint active for which velocities have to jump, and no impulse of the "
              "multipliers, along directions that stay as they are meanwhile, makes them",
          .what_to_try =
              "give the velocities by reinit in the when that locks, or let the multiplier act on them in the "
              "same way whatever they are",
          .where = ""};
}

Failure not_known(double t) {
  return {.kind = FailureKind::not_finite,
          .time = t,
          .what_happened = "the event makes other branches active, and not all states are numbers there",
          .what_to_try = "look for what is not defined where the event comes",
          .where = ""};
}

TextModes::Move of_another_structure(const StretchMode& mode, double t, std::vector<Finding> why) {
  constexpr std::string_view start = " at the start";
  for (Finding& finding : why) {
    if (const auto at = finding.message.find(start); at != std::string::npos) finding.message.erase(at, start.size());
    finding.message =
        fmt::format("at t = {:.9g} the run comes to a branch of another structure: {}", t, finding.message);
  }
  TextModes::Move move{.mode = mode, .outcome = {}};
  move.outcome.other_structure = std::move(why);
  return move;
}

Failure endless(double t) {
  return {.kind = FailureKind::assertion_failed,
          .time = t,
          .what_happened = "the event does not come to an end: its branches take turns for ever",
          .what_to_try = "make sure that what a branch does to the states does not ask for the other branch at once",
          .where = ""};
}

// The impulses by name, of the multipliers of the layout.
std::vector<Impulse> by_name(const Equations& equations, const Vector& units, const Vector& sizes) {
  std::vector<Impulse> all;
  const Layout& layout = layout_of(equations);
  const std::size_t first = layout.size() - layout.size_of("lambda");
  for (std::size_t l = 0; l < sizes.size(); ++l) {
    const double unit = units.empty() ? 1.0 : units[first + l];
    if (sizes[l] != 0.0) all.push_back({layout.name(first + l), unit * sizes[l]});
  }
  return all;
}

}  // namespace

EventOutcome TextModes::handle_in(const CompiledModel& model, const StretchMode& which, EventMoment moment,
                                  ConstSpan held, const ResolveState& resolve) {
  moment.leaves = leaving(model, which, moment.time, held, resolve);
  return handle_sliding(*mode(model, which), std::move(moment), held, resolve);
}

LeavesBranches TextModes::leaving(const CompiledModel& model, const StretchMode& which, double t, ConstSpan held,
                                  const ResolveState& resolve) {
  const StretchMode host_mode{.revealed = which.revealed};
  const auto host = mode(model, host_mode), now = mode(model, which);
  if (!host->model.has_branches()) return {};
  const Vector begin(held.begin(), held.end());
  ModeBranches own = which.branches;
  if (own.empty() && !begin.empty()) own = host->model.branches(now->model.held_inputs(begin), {});
  return [=, this](ConstSpan state, ConstSpan values) {
    const ModeBranches next = host->model.branches(now->model.held_inputs(values), own);
    if (next == own) return false;
    if (!which.branches.empty()) return true;
    if (which.sliding.empty()) return !fits(host->model, which.revealed, next, {t, state, values});
    const auto there = host->model.from_inputs(t, now->model.inputs_after(t, state, begin, values), resolve);
    return there && !fits(host->model, which.revealed, next, {t, there->state, there->held});
  };
}

// Decided once for the branches: which form they have does not depend on where the event comes.
bool TextModes::fits(const CompiledModel& host, bool revealed, const ModeBranches& branches, const Place& at) {
  const std::pair key{revealed, branches};
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = fits_.find(key); known != fits_.end()) return known->second;
  }
  const bool fitting = host.fits(at.time, at.state, at.held);
  const std::lock_guard lock(mutex_);
  return fits_.try_emplace(key, fitting).first->second;
}

StretchMode TextModes::fitting(const CompiledModel& model, const StretchMode& like, double t, ConstSpan inputs,
                               const ResolveState& resolve) {
  StretchMode next{.revealed = like.revealed};
  const CompiledModel& host = mode(model, next)->model;
  const ModeBranches branches = host.branches(inputs, like.branches);
  const auto there = host.from_inputs(t, inputs, resolve);
  if (!there || !fits(host, like.revealed, branches, {t, there->state, there->held})) next.branches = branches;
  return next;
}

TextModes::Move TextModes::follow(const CompiledModel& model, const StretchMode& which, double t, EventOutcome before,
                                  const ResolveState& resolve, int depth) {
  if (depth >= deepest) return ended(which, endless(t));
  if (before.unfinished->other_branches) return enter_branches(model, which, t, std::move(before), resolve, depth);
  return leave_surfaces(model, which, t, std::move(before), resolve, depth);
}

// What a mode has of its own is left behind: its slots, and surfaces, whose relations are judged anew.
TextModes::Move TextModes::enter_branches(const CompiledModel& model, const StretchMode& which, double t,
                                          EventOutcome before, const ResolveState& resolve, int depth) {
  EventRound& round = *before.unfinished;
  const CompiledModel& host = mode(model, {.revealed = which.revealed})->model;
  round.inputs.resize(host.flat().slots, std::numeric_limits<double>::quiet_NaN());
  for (const SlidingSurface& surface : mode(model, which)->surfaces)
    for (const SlidingSurface::Side& side : surface.sides) {
      round.inputs[side.relation] = side.above;
      std::erase_if(round.judged, [&](const auto& one) { return one.first == side.relation; });
    }
  const StretchMode next = fitting(model, which, t, round.inputs, resolve);
  if (mode(model, next)) return jump_into(model, next, t, before, resolve, depth);
  return of_another_structure(which, t, trouble(model, next));
}

// The impulse acts between two rounds, as a reinit does: the next one sees the states behind it.
TextModes::Move TextModes::jump_into(const CompiledModel& model, const StretchMode& next, double t,
                                     const EventOutcome& before, const ResolveState& resolve, int depth) {
  const EventRound& round = *before.unfinished;
  const CompiledModel& now = mode(model, next)->model;
  const CompiledModel& host = mode(model, {.revealed = next.revealed})->model;
  auto moment = now.from_inputs(t, round.inputs, resolve);
  if (!moment) return ended(next, not_known(t));
  const Names again = now.reinitialise(round.reinits, *moment);
  const Equations equations = now.equations(moment->held);
  Names named = named_in(equations, before.changed);
  named.insert(named.end(), again.begin(), again.end());
  const auto there = make_consistent(equations, t, moment->state, {.fixed = named, .after_event = true});
  BranchSwitch change{.equations = equations, .before = moment->state, .moves = {}, .impulses = {}};
  if (auto why = now.confirm(t, there.ok() ? there->state : moment->state, moment->held); !why.empty())
    return of_another_structure(next, t, std::move(why));
  if (!there.ok()) {
    if (auto failure = contradicted_position(change, t, {})) return ended(next, *std::move(failure));
    return ended(next, there.failure());
  }
  const auto impulses = impulses_between(equations, t, moment->state, there->state);
  if (!impulses) return ended(next, no_impulse(t));
  change.moves = moves_between(host, round.inputs, now.inputs(t, there->state, moment->held));
  change.impulses = by_name(equations, now.units(), *impulses);
  EventOutcome outcome = handle_in(model, next, {.time = t, .state = there->state, .round = &round, .named = named},
                                   moment->held, resolve);
  outcome.relations = before.relations;
  outcome.warnings.insert(outcome.warnings.begin(), before.warnings.begin(), before.warnings.end());
  if (before.terminated && !outcome.terminated) {
    outcome.terminated = true;
    outcome.message = before.message;
  }
  Move move = outcome.unfinished ? follow(model, next, t, std::move(outcome), resolve, depth + 1)
                                 : move_on(model, next, t, std::move(outcome), {}, resolve);
  move.switches.insert(move.switches.begin(), std::move(change));
  return move;
}

// Branches that took turns in one form: what that does to states is the same, and positions do not jump there either.
void TextModes::see_branches(const CompiledModel& model, const StretchMode& which, double t, ConstSpan held,
                             Move& move) {
  const CompiledModel& host = mode(model, {.revealed = which.revealed})->model;
  EventOutcome& outcome = move.outcome;
  const bool ends = move.failure || !outcome.errors.empty() || !outcome.other_structure.empty();
  if (ends || !host.has_branches() || !(which == StretchMode{.revealed = which.revealed}) || !(move.mode == which) ||
      !move.switches.empty() || !outcome.changed.empty())
    return;
  if (host.branches(host.held_inputs(held), {}) == host.branches(host.held_inputs(outcome.held), {})) return;
  const Equations equations = host.equations(outcome.held);
  const auto there = make_consistent(equations, t, outcome.state, {.after_event = true});
  if (!there.ok()) return;  // the run begins with that, and says why
  BranchSwitch change{.equations = equations, .before = outcome.state, .moves = {}, .impulses = {}};
  const auto impulses = impulses_between(equations, t, outcome.state, there->state);
  if (impulses && !impulses->empty()) {
    change.moves =
        moves_between(host, host.inputs(t, outcome.state, outcome.held), host.inputs(t, there->state, outcome.held));
    change.impulses = by_name(equations, host.units(), *impulses);
    outcome.state = there->state;
  }
  move.switches.push_back(std::move(change));
}

}  // namespace driftless
