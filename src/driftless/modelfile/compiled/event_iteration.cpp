// Event iteration (Modelica specification, appendix B): in one round all discrete variables are found with pre(...)
// fixed; then pre(v) becomes v, and so on until nothing changes.
#include "driftless/modelfile/compiled/event_iteration.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless {

namespace {

constexpr int most_rounds = 1000;

bool same_values(ConstSpan a, ConstSpan b) {
  return std::ranges::equal(a, b, [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

}  // namespace

// In a round that makes other branches active rates are those of the branches before: this form has no others.
Equations ModelEvents::equations_of(const Iteration& now) const {
  const bool left = now.leaves && (*now.leaves)(now.kept, now.held.values);
  return equations_->equations(left ? now.begin : now.held);
}

const Vector& ModelEvents::values(Iteration& now) const {
  if (!now.fresh) {
    now.all.assign(formulas_->size(), 0.0);
    ModelProbe(formulas_, equations_of(now), now.held).values(now.t, now.state, now.all);
  }
  now.fresh = true;
  return now.all;
}

// Whether the root passes zero within rounding of this moment. What the slope promises must happen: near the edge of
// its domain that of sqrt(x) or log(x) is as large as can be, and zero far away.
bool ModelEvents::crosses_at_once(const Iteration& now, std::size_t relation, double slope, ConstSpan rates) const {
  const double root = now.judged_at[relation], window = 1e-9 * std::abs(now.t) + 1e-14;
  if (slope == 0.0 || !(std::abs(root) <= window * std::abs(slope))) return false;
  // The root of what a branch holds at zero moves by rounding.
  if (root == 0.0) return !model_.is_branch || !is_zero(now, relation, 1e6 * window * slope);
  const double by = (root < 0.0) == (slope < 0.0) ? -2.0 * window : 2.0 * window;
  Vector moved = now.state;
  for (std::size_t i = 0; i < rates.size(); ++i) moved[i] += by * rates[i];
  double there = std::numeric_limits<double>::quiet_NaN();
  ModelProbe(each_root_[relation], equations_->equations(now.held), now.held)
      .values(now.t + by, moved, Span(&there, 1));
  return root < 0.0 ? there >= 0.0 : there <= 0.0;
}

// Those that fired, and those of the state whose root is at the same moment and goes the same way.
void ModelEvents::flip_relations(Iteration& now, std::span<const std::size_t> fired) const {
  if (relations_.empty()) return;
  std::vector<char> has_fired(relations_.size(), 0);
  for (const std::size_t event : fired) has_fired[relation_of(event)] = 1;
  Vector slopes(relations_.size(), 0.0);
  ModelProbe probe(slopes_, equations_->equations(now.held), now.held);
  if (!state_relations_.empty()) probe.values(now.t, now.state, slopes);
  Vector held = now.held.values;
  for (std::size_t k = 0; k < relations_.size(); ++k) {
    double& value = held[held_.relation[k]];
    const bool next = (slopes[k] < 0.0) == relations_[k].holds_if_negative;
    if (has_fired[k])
      value = 1.0 - value;
    else if (!time_events_->has(k) && crosses_at_once(now, k, slopes[k], probe.rates()))
      value = next ? 1.0 : 0.0;
  }
  now.held.values = std::move(held);
  now.fresh = false;
}

// What follows from the states, for what is held now. Where there is no solution, the next stretch will say why. In a
// round that makes other branches active it is what it was before.
void ModelEvents::resolve(Iteration& now) const {
  if (!reads_what_follows_ || !now.resolve_state || same_values(now.held.values, now.resolved_for)) return;
  if (now.leaves && (*now.leaves)(now.kept, now.held.values)) return;
  now.resolved_for = now.held.values;
  if (auto found = now.resolve_state(equations_->equations(now.held), now.t, now.kept, now.named)) {
    now.state = *std::move(found);
    now.fresh = false;
  }
}

bool ModelEvents::is_zero(const Iteration& now, std::size_t relation, double root) const {
  Vector sizes(relations_.size(), 0.0);
  ModelProbe(sizes_, equations_of(now), now.held).values(now.t, now.state, sizes);
  return std::abs(root) <= 1e-10 * sizes[relation];
}

// A whole part has just been moved beyond the argument: the relation that would move it back is at its root by rounding
// or exactly, and is what it will be at once.
bool ModelEvents::judged(Iteration& now, std::size_t relation, double root) const {
  if (now.at_start) return !relations_[relation].sample && holds(relations_[relation], root);
  if (now.after_impulse && is_zero(now, relation, root)) return relations_[relation].at_zero;
  if (!of_floor_[relation]) return holds(relations_[relation], root);
  Vector sizes(relations_.size(), 0.0), slopes(relations_.size(), 0.0);
  const Equations equations = equations_of(now);
  ModelProbe(sizes_, equations, now.held).values(now.t, now.state, sizes);
  if (!(std::abs(root) <= 1e-10 * sizes[relation])) return holds(relations_[relation], root);
  ModelProbe(slopes_, equations, now.held).values(now.t, now.state, slopes);
  if (slopes[relation] == 0.0) return holds(relations_[relation], root);
  return (slopes[relation] < 0.0) == relations_[relation].holds_if_negative;
}

// A root that something has moved decides by its sign.
void ModelEvents::judge_relations(Iteration& now) const {
  const Vector& all = values(now);
  bool changed = false;
  for (std::size_t k = 0; k < relations_.size(); ++k) {
    const double moved = std::abs(all[k] - now.judged_at[k]);
    const bool became = std::isnan(all[k]) != std::isnan(now.judged_at[k]) || now.to_judge[k];
    if (!became && !(moved > 1e-12 * (std::abs(all[k]) + std::abs(now.judged_at[k])))) continue;
    now.judged_at[k] = all[k];
    now.to_judge[k] = 0;
    double& value = now.held.values[held_.relation[k]];
    const double next = judged(now, k, all[k]) ? 1.0 : 0.0;
    changed |= value != next;
    value = next;
  }
  now.fresh &= !changed;
}

// All whens in the order of the data: what is not assigned has the value before the round.
void ModelEvents::sweep(Iteration& now) const {
  const auto put = [&](std::size_t place, double value) {
    if (now.held.values[place] == value) return;
    now.held.values[place] = value;
    now.fresh = false;
  };
  now.active.clear();
  for (const When& when : whens_) {
    for (const When::Reset& reset : when.resets) put(reset.variable, now.held.values[reset.before]);
    const Branch* active = nullptr;
    std::size_t place = when.first_condition;
    for (const Branch& branch : when.branches) {
      const bool is = values(now)[branch.condition] != 0.0;
      const bool acts = now.at_start ? branch.at_initial : is && !now.was[place];
      if (acts && active == nullptr) active = &branch;
      now.is[place++] = is;
    }
    if (active == nullptr) continue;
    now.active.push_back({active, active->simultaneous ? values(now) : Vector()});
    for (const Action& own : active->actions)
      if (own.action.kind == FlatAction::Kind::assign)
        put(held_.variable[own.action.variable],
            active->simultaneous ? now.active.back().before[own.value] : values(now)[own.value]);
  }
}

// Values of all discrete variables and relations that fit each other, pre(...) being fixed. One sweep in the order of
// the data is enough but for relations of what follows from the states, and cycles between whens.
bool ModelEvents::solve_round(Iteration& now) const {
  const std::size_t most = 20 + whens_.size() + relations_.size();
  for (std::size_t k = 0; k < most; ++k) {
    const Vector before = now.held.values;
    resolve(now);
    judge_relations(now);
    sweep(now);
    if (same_values(now.held.values, before)) return fits_itself(now);
    if (k + 1 == most) fail_round(now, before);
  }
  return false;
}

// A sweep begins with the values before the round: what an equation reads of a variable that it gives a value, through
// other equations, was that one. Then there is no solution, or another one.
bool ModelEvents::fits_itself(Iteration& now) const {
  for (const auto& [branch, before] : now.active) {
    if (branch->simultaneous) continue;  // an algorithm reads what was there before
    for (const Action& own : branch->actions) {
      if (own.action.kind != FlatAction::Kind::assign) continue;
      const double is = now.held.values[held_.variable[own.action.variable]], wanted = values(now)[own.value];
      if (is == wanted || (std::isnan(is) && std::isnan(wanted))) continue;
      const std::string& name = model_.variables[own.action.variable].name;
      now.outcome.errors.push_back(
          {own.action.place,
           fmt::format("at t = {:.9g} the new value of {} depends on itself, through other equations", now.t, name),
           fmt::format("the value before the event is pre({})", name)});
      return false;
    }
  }
  return true;
}

void ModelEvents::set_state(const Action& own, double value, const HeldValues& held, Vector& state,
                            Names& named) const {
  if (!own.component) return;
  state[*own.component] = (value - held.parameters->of(own.offset)) / held.parameters->of(own.factor);
  named.push_back(layout_of(equations_->equations(held)).name(*own.component));
}

// Everything but assignments, once the values of the round are known.
void ModelEvents::act(Iteration& now) const {
  for (const auto& [branch, before] : now.active)
    for (const Action& own : branch->actions) {
      const FlatAction& action = own.action;
      const Vector& all = branch->simultaneous ? before : values(now);
      const double value = all[own.value];
      switch (action.kind) {
        case FlatAction::Kind::assign: break;
        case FlatAction::Kind::reinit:
          now.reinitialised = true;
          if (now.in_mode)
            now.reinits.push_back({own.number, value});
          else
            set_state(own, value, now.held, now.kept, now.named);
          break;
        case FlatAction::Kind::terminate:
          if (value == 0.0) break;
          now.outcome.terminated = true;
          now.outcome.message = message(action.message, action.message_values, own.messages, all);
          break;
        case FlatAction::Kind::assert_:
          if (value != 0.0) break;
          (action.warning ? now.outcome.warnings : now.outcome.errors)
              .push_back({action.place, message(action.message, action.message_values, own.messages, all), {}});
          break;
      }
    }
}

// pre(v) becomes v, and what a reinit says becomes true. False if nothing changes any more.
bool ModelEvents::end_round(Iteration& now) const {
  const Vector all = values(now);
  bool changed = now.reinitialised || now.is != now.was;
  for (const Discrete& d : discrete_) {
    changed |= now.held.values[d.before] != all[d.value] && !std::isnan(all[d.value]);
    now.held.values[d.before] = all[d.value];
  }
  now.was = now.is;
  now.fresh &= !changed;
  if (!now.reinitialised) return changed;
  now.reinitialised = false;
  now.state = now.kept;
  now.resolved_for.clear();
  return true;
}

void ModelEvents::fail_round(Iteration& now, ConstSpan before) const {
  now.outcome.errors.push_back(
      {now.active.empty() || now.active[0].branch->actions.empty() ? SourcePlace{}
                                                                   : now.active[0].branch->actions[0].action.place,
       fmt::format("the event at t = {:.9g} does not come to an end: these go on to change: {}", now.t,
                   fmt::join(held_.differences(model_, before, now.held.values), ", ")),
       "make sure that what a when-clause assigns does not make its own condition true again, and let no new value "
       "depend on itself"});
}

void ModelEvents::begin(Iteration& now, const EventMoment& moment) const {
  const Vector at_begin = values(now);
  now.judged_at.assign(at_begin.begin(), at_begin.begin() + static_cast<std::ptrdiff_t>(relations_.size()));
  now.to_judge.assign(relations_.size(), 0);
  now.was.assign(conditions_, 0);
  for (const When& when : whens_)
    for (std::size_t k = 0; k < when.branches.size(); ++k)
      now.was[when.first_condition + k] = at_begin[when.branches[k].condition] != 0.0;
  for (const Discrete& d : discrete_) now.held.values[d.before] = at_begin[d.value];
  const Vector before = now.held.values;
  flip_relations(now, moment.fired);
  for (std::size_t k = 0; k < relations_.size(); ++k)
    if (before[held_.relation[k]] != now.held.values[held_.relation[k]])
      now.outcome.relations.push_back(relations_[k].text);
  if (held_.initial) now.held.values[*held_.initial] = 0.0;
  if (held_.terminal) now.held.values[*held_.terminal] = moment.kind == EventMoment::Kind::end ? 1.0 : 0.0;
}

// In another mode than the one that began the event. Relations that the other one did not have are judged at once.
void ModelEvents::take_up(Iteration& now, const EventRound& round) const {
  now.was = round.was;
  now.judged_at.assign(relations_.size(), std::numeric_limits<double>::quiet_NaN());
  now.to_judge.assign(relations_.size(), 1);
  for (std::size_t k = 0; k < relations_.size(); ++k)
    for (const auto& [slot, root] : round.judged) {
      if (slot != relations_[k].slot) continue;
      now.judged_at[k] = root;
      now.to_judge[k] = 0;
    }
}

Names ModelEvents::reinitialise(std::span<const EventRound::Reinit> reinits, const HeldValues& held,
                                Vector& state) const {
  Names named;
  for (const When& when : whens_)
    for (const Branch& branch : when.branches)
      for (const Action& own : branch.actions)
        for (const EventRound::Reinit& reinit : reinits)
          if (reinit.action == own.number) set_state(own, reinit.value, held, state, named);
  return named;
}

EventOutcome ModelEvents::handle(const EventMoment& moment, const HeldValues& held,
                                 const ResolveState& resolve_state) const {
  Iteration now{
      .t = moment.time, .resolve_state = resolve_state, .kept = Vector(moment.state.begin(), moment.state.end())};
  now.state = now.kept;
  now.held = now.begin = held;
  now.named = moment.named;
  now.in_mode = static_cast<bool>(moment.stays);
  if (moment.leaves) now.leaves = &moment.leaves;
  now.after_impulse = moment.round != nullptr && moment.round->other_branches;
  if (moment.round != nullptr)
    take_up(now, *moment.round);
  else
    begin(now, moment);
  now.is = now.was;
  now.fresh = false;
  bool more = true;
  Vector before;
  for (int round = 0; more && round < most_rounds && now.outcome.errors.empty(); ++round) {
    before = now.held.values;
    const Vector judged_at = now.judged_at;
    const bool solved = solve_round(now);
    if (!solved && !now.in_mode) break;
    // On a surface that the round moves there may be no values that fit each other.
    if (now.in_mode && !(solved && moment.stays(now.kept, now.held.values))) {
      now.held.values = before;
      now.outcome.errors.clear();
      return unfinished(now, judged_at);
    }
    act(now);
    more = end_round(now);
    if (!now.reinits.empty() && now.outcome.errors.empty()) return unfinished(now, now.judged_at);
    if (moment.leaves && now.outcome.errors.empty() && moment.leaves(now.kept, now.held.values)) {
      EventOutcome outcome = unfinished(now, now.judged_at);
      outcome.unfinished->other_branches = true;
      return outcome;
    }
  }
  if (more && now.outcome.errors.empty()) fail_round(now, before);
  now.outcome.state_changed = !now.named.empty();
  now.outcome.equations_changed = now.held.values != held.values;
  now.outcome.changed = std::move(now.named);
  now.outcome.state = std::move(now.kept);
  now.outcome.held = std::move(now.held.values);
  return std::move(now.outcome);
}

// The round that follows, for another mode.
EventOutcome ModelEvents::unfinished(Iteration& now, const Vector& judged_at) const {
  EventRound round{.was = now.was, .reinits = std::move(now.reinits)};
  for (std::size_t k = 0; k < relations_.size(); ++k) round.judged.emplace_back(relations_[k].slot, judged_at[k]);
  now.outcome.unfinished = std::move(round);
  now.outcome.changed = std::move(now.named);
  now.outcome.state = std::move(now.kept);
  now.outcome.held = std::move(now.held.values);
  return std::move(now.outcome);
}

bool ModelEvents::settle_start(double t, Vector& state, HeldValues& held, EventOutcome& outcome) const {
  const ResolveState nobody;
  Iteration now{.t = t, .resolve_state = nobody, .kept = state, .state = state, .held = held, .at_start = true};
  now.judged_at.assign(relations_.size(), 0.0);
  now.to_judge.assign(relations_.size(), 0);
  now.was.assign(conditions_, 0);
  now.is = now.was;
  const Vector all = values(now);
  for (const InitialAssignment& one : initial_assignments_)
    if (one.decides) now.held.values[held_.before[one.own.variable]] = all[one.value];
  for (std::size_t k = 0; k < relations_.size(); ++k) {
    now.judged_at[k] = all[k];
    now.held.values[held_.relation[k]] = !relations_[k].sample && holds(relations_[k], all[k]) ? 1.0 : 0.0;
  }
  now.fresh = false;
  if (solve_round(now)) act(now);
  const bool changed = !same_values(now.held.values, held.values);
  held = std::move(now.held);
  state = std::move(now.kept);
  outcome = std::move(now.outcome);
  return changed;
}

EventOutcome ModelEvents::handle_start(double t, ConstSpan state, const HeldValues& held, const ResolveState& resolve,
                                       const LeavesBranches& leaves) const {
  const Vector all = values(t, state, held);
  std::vector<std::size_t> ticks;
  for (std::size_t k = 0; k < time_relations_.size(); ++k) {
    const std::size_t relation = time_relations_[k];
    const double rounding = 8.0 * std::numeric_limits<double>::epsilon() * std::abs(t);
    if (relations_[relation].sample && all[relation] >= -rounding) ticks.push_back(state_relations_.size() + k);
  }
  return handle({.kind = EventMoment::Kind::start, .time = t, .state = state, .fired = ticks, .leaves = leaves}, held,
                resolve);
}

}  // namespace driftless
