// Rounds of an event (Modelica specification, appendix B): in one round values that fit each other are found with
// pre(...) fixed; then pre(v) becomes v, and so on until nothing changes.
#include "driftless/simulate/function_events.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "driftless/equations/manifold.h"
#include "driftless/integrate/consistent_start.h"
#include "driftless/simulate/stretch_options.h"

namespace driftless {

namespace {

constexpr int most_rounds = 1000;

void require_new(const std::string& name, Names& known, std::string_view what) {
  if (name.empty()) throw Misuse(fmt::format("a {} has no name", what));
  if (std::ranges::find(known, name) != known.end())
    throw Misuse(fmt::format("the {} '{}' has the name of something else", what, name));
  known.push_back(name);
}

}  // namespace

bool Moment::holds(std::string_view name) const {
  return flags_[place_of(name, *flag_names_, "relation or clock")] != 0.0;
}

void Moment::set(std::string_view discrete, double value) {
  (void)place_of(discrete, *discrete_, "discrete variable");
  if (std::isnan(value)) throw Misuse(fmt::format("the discrete variable '{}' cannot be set to nan", discrete));
  next_.set(discrete, value);
}

void Moment::reinit(std::string_view state, double value) {
  (void)place_of(state, *names_, "component");
  if (!std::isfinite(value)) throw Misuse(fmt::format("'{}' cannot begin anew with {}", state, value));
  reinits_.push_back({std::string(state), value});
}

// One event on its way.
struct FunctionEvents::Rounds {
  const MakeEquations& equations;
  Vector kept;                          // states as the event leaves them
  Vector state = {}, judged_at = {};    // with what follows from them; roots as judged
  std::vector<char> was = {}, is = {};  // conditions before and in this round
  Names names = {}, named = {};         // of components; of those with a reinit
  std::vector<char> acted = {};         // those whose bodies were asked in this round
  bool initial = false;                 // the round of those that act at the start
  bool unresolved = false;
  Names passed = {};  // relations, together with the one that made the event
  Moment moment = {};
};

FunctionEvents::FunctionEvents(std::vector<Parameter> discrete, std::vector<NamedRelation> relations,
                               std::vector<NamedClock> clocks, std::vector<NamedWhen> whens, Parameters parameters)
    : relations_(std::move(relations)),
      clocks_(std::move(clocks)),
      whens_(std::move(whens)),
      parameters_(std::move(parameters)) {
  Names known = parameters_.names();
  for (const Parameter& variable : discrete) {
    require_new(variable.name, known, "discrete variable");
    if (std::isnan(variable.value)) throw Misuse(fmt::format("'{}' cannot start with nan", variable.name));
    discrete_.push_back(variable.name);
    starts_.push_back(variable.value);
  }
  for (const NamedRelation& relation : relations_) {
    require_new(relation.name, flag_names_, "relation");
    if (!relation.root) throw Misuse(fmt::format("the relation '{}' has no root", relation.name));
  }
  for (const NamedClock& clock : clocks_) {
    require_new(clock.name, flag_names_, "clock");
    if (!std::isfinite(clock.first) || !(clock.period > 0.0))
      throw Misuse(fmt::format("the clock '{}' needs a finite first tick and a positive period", clock.name));
  }
  for (const NamedWhen& when : whens_)
    if (!when.condition || !when.body)
      throw Misuse(fmt::format("the when '{}' needs a condition and a body", when.name));
}

Parameters FunctionEvents::values(ConstSpan held) const {
  Names names = parameters_.names();
  Vector all = parameters_.values();
  for (std::size_t k = 0; k < discrete_.size(); ++k) {
    names.push_back(discrete_[k]);
    all.push_back(held[k]);
  }
  return {std::move(names), std::move(all)};
}

Vector FunctionEvents::start() const {
  Vector held = starts_;
  held.resize(starts_.size() + relations_.size(), 0.0);
  return held;
}

Vector FunctionEvents::judged(double t, NamedState state, ConstSpan held) const {
  Vector result(held.begin(), held.end());
  const Parameters now = values(held);
  for (std::size_t k = 0; k < relations_.size(); ++k)
    result[discrete_.size() + k] = relations_[k].root(t, state, now) > 0.0 ? 1.0 : 0.0;
  return result;
}

std::optional<FunctionEvents::Tick> FunctionEvents::next_tick(double t, double until, bool at_once) const {
  std::optional<Tick> next;
  if (until < t) return next;
  for (std::size_t k = 0; k < clocks_.size(); ++k) {
    const double first = clocks_[k].first, period = clocks_[k].period;
    const auto tick = [&](double i) { return i == 0.0 ? first : first + i * period; };
    double i = std::isfinite(period) ? std::max(0.0, std::floor((t - first) / period) - 1.0) : 0.0;
    const auto is_past = [&](double at) { return same_time(at, t) ? !at_once : at < t; };
    while (is_past(tick(i)) && std::isfinite(period)) i += 1.0;
    const double time = tick(i);
    if (is_past(time) || (time > until && !same_time(time, until))) continue;
    if (next && same_time(time, next->time))
      next->clocks.push_back(k);
    else if (!next || time < next->time)
      next = {time, {k}};
  }
  return next;
}

std::vector<char> FunctionEvents::conditions(Rounds& rounds) const {
  std::vector<char> all;
  for (const NamedWhen& when : whens_) all.push_back(when.condition(rounds.moment) ? 1 : 0);
  return all;
}

void FunctionEvents::fire(Moment& moment, const Occurrence& event) {
  for (const std::size_t flag : event.fired) moment.flags_[flag] = 1.0 - moment.flags_[flag];
}

double FunctionEvents::rounding_of(std::size_t relation, double t, ConstSpan state, const Names& names,
                                   const Parameters& values) const {
  const auto& root = relations_[relation].root;
  const double now = root(t, {state, names}, values);
  Vector moved(state.begin(), state.end());
  std::uint64_t random = 0x9e3779b97f4a7c15U;
  for (double& x : moved) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    x *= 1.0 + 1e-3 * (static_cast<double>(random >> 11) * 0x1p-52 - 1.0);
  }
  const double there = root(1.0007 * t, {moved, names}, values);
  const double size = std::isfinite(there) ? std::abs(now) + 1e3 * std::abs(there - now) : std::abs(now);
  return 1e-10 * size + 1e-300;
}

// Relations that did not fire, though their roots pass zero within rounding of this moment: one event, not two.
void FunctionEvents::pass_together(Rounds& rounds, const Occurrence& event) const {
  Moment& moment = rounds.moment;
  const double window = 2.0 * (1e-9 * std::abs(event.time) + 1e-14);
  Vector rates, moved(event.state.size());
  for (std::size_t k = 0; k < relations_.size(); ++k) {
    if (std::ranges::find(event.fired, k) != event.fired.end()) continue;
    const auto& root = relations_[k].root;
    constexpr double nearby = 1e4;  // times its rounding: rates cost more than a root
    if (!(std::abs(rounds.judged_at[k]) <= nearby * rounding_of(k, event.time, event.state, rounds.names, moment.now_)))
      continue;
    if (rates.empty()) {
      rates.resize(moved.size());
      const auto manifold = make_manifold(rounds.equations(moment.now_));
      if (manifold->rates(event.time, event.state, rates) != ManifoldStatus::ok) return;
    }
    const auto at = [&](double by) {
      for (std::size_t i = 0; i < moved.size(); ++i) moved[i] = event.state[i] + by * rates[i];
      return root(event.time + by, {moved, rounds.names}, moment.now_);
    };
    const double before = at(-window), after = at(window), holds = after > 0.0 ? 1.0 : 0.0;
    if (!(before * after < 0.0) || moment.flags_[k] == holds) continue;
    moment.flags_[k] = holds;
    rounds.passed.push_back(relations_[k].name);
  }
}

void FunctionEvents::begin(Rounds& rounds, ConstSpan held, const Occurrence& event) const {
  Moment& moment = rounds.moment;
  moment.kind_ = event.kind == Moment::Kind::end ? Moment::Kind::event : event.kind;
  moment.time_ = event.time;
  moment.state_ = event.state;
  moment.names_ = &rounds.names;
  moment.discrete_ = &discrete_;
  moment.flag_names_ = &flag_names_;
  moment.now_ = moment.before_ = values(held);
  moment.flags_.assign(flag_names_.size(), 0.0);
  std::ranges::copy(held.subspan(discrete_.size()), moment.flags_.begin());
  rounds.was = conditions(rounds);
  rounds.judged_at.clear();
  for (const NamedRelation& relation : relations_)
    rounds.judged_at.push_back(relation.root(event.time, moment.state(), moment.now_));
  moment.kind_ = event.kind;
  rounds.initial = event.kind == Moment::Kind::start;
  if (!rounds.initial) fire(moment, event);
  if (!rounds.initial) pass_together(rounds, event);
  rounds.state = rounds.kept;
  moment.state_ = rounds.state;
}

// Algebraic unknowns and multipliers as a run that goes on would find them. Where there are none, the next stretch will
// say why.
void FunctionEvents::resolve(Rounds& rounds) const {
  if (!rounds.unresolved) return;
  rounds.unresolved = false;
  const Equations equations = rounds.equations(rounds.moment.now_);
  if (layout_of(equations).names() != rounds.names)
    throw Misuse("the unknowns of a model must not depend on its discrete variables");
  const auto found =
      make_consistent(equations, rounds.moment.time_, rounds.kept, {.fixed = rounds.named, .after_event = true});
  rounds.state = found.ok() ? found->state : rounds.kept;
  rounds.moment.state_ = rounds.state;
}

// A root that something has moved decides by its sign.
bool FunctionEvents::judge(Rounds& rounds) const {
  Moment& moment = rounds.moment;
  bool changed = false;
  for (std::size_t k = 0; k < relations_.size(); ++k) {
    const double root = relations_[k].root(moment.time_, moment.state(), moment.now_), before = rounds.judged_at[k];
    if (!(std::abs(root - before) > 1e-12 * (std::abs(root) + std::abs(before)))) continue;
    rounds.judged_at[k] = root;
    const double holds = root > 0.0 ? 1.0 : 0.0;
    changed |= moment.flags_[k] != holds;
    moment.flags_[k] = holds;
  }
  return changed;
}

// All `when`s once, each with the values that the last sweep found; true if a value changed.
bool FunctionEvents::sweep(Rounds& rounds) const {
  Moment& moment = rounds.moment;
  rounds.is = conditions(rounds);
  moment.reinits_.clear();
  moment.terminated_.reset();
  moment.next_ = moment.before_;
  for (std::size_t k = 0; k < whens_.size(); ++k) {
    if (!(rounds.initial ? whens_[k].at_initial : rounds.is[k] && !rounds.was[k])) continue;
    rounds.acted[k] = 1;
    whens_[k].body(moment);
  }
  const bool changed = moment.next_.values() != moment.now_.values();
  moment.now_ = moment.next_;
  return changed;
}

bool FunctionEvents::solve_round(Rounds& rounds) const {
  const std::size_t most = 20 + whens_.size() + relations_.size();
  rounds.acted.assign(whens_.size(), 0);
  for (std::size_t k = 0; k < most; ++k) {
    resolve(rounds);
    const bool judged = judge(rounds), set = sweep(rounds);
    rounds.unresolved |= set;
    if (!judged && !set) return true;
  }
  return false;
}

// pre(v) becomes v, clocks have ticked, and what a reinit says becomes true. False if nothing changes any more.
bool FunctionEvents::end_round(Rounds& rounds) const {
  Moment& moment = rounds.moment;
  bool changed = moment.now_.values() != moment.before_.values() || rounds.is != rounds.was;
  moment.before_ = moment.now_;
  rounds.was = rounds.is;
  for (std::size_t k = relations_.size(); k < flag_names_.size(); ++k) {
    changed |= moment.flags_[k] != 0.0;
    moment.flags_[k] = 0.0;
  }
  for (const Parameter& reinit : moment.reinits_) {
    rounds.kept[place_of(reinit.name, rounds.names, "component")] = reinit.value;
    rounds.named.push_back(reinit.name);
    rounds.unresolved = changed = true;
  }
  return changed;
}

std::string FunctionEvents::unsettled(const Rounds& rounds) const {
  Names active;
  for (std::size_t k = 0; k < whens_.size(); ++k)
    if (rounds.acted[k] != 0) active.push_back(whens_[k].name);
  return fmt::format(
      "the event at t = {:.9g} does not come to an end: these go on to act: {}; make sure that what a when sets does "
      "not make its own condition true again",
      rounds.moment.time_, fmt::join(active, ", "));
}

FunctionEvents::Outcome FunctionEvents::handle(const MakeEquations& equations, ConstSpan held,
                                               const Occurrence& event) const {
  Rounds rounds{.equations = equations, .kept = Vector(event.state.begin(), event.state.end())};
  rounds.names = layout_of(equations(values(held))).names();
  if (event.moved) rounds.kept = *event.moved;
  begin(rounds, held, event);
  rounds.unresolved = event.moved.has_value();
  Outcome outcome;
  bool more = true;
  for (int round = 0; more; ++round) {
    if (round == most_rounds || !solve_round(rounds)) {
      outcome.error = unsettled(rounds);
      break;
    }
    if (rounds.moment.terminated_) outcome.terminated = rounds.moment.terminated_;
    if (rounds.initial) rounds.is = rounds.was;  // conditions are judged in the event that follows the start
    more = end_round(rounds) || rounds.initial;
    if (!rounds.initial) continue;
    rounds.initial = false;
    rounds.moment.kind_ = Moment::Kind::event;
    fire(rounds.moment, event);
  }
  outcome.state = std::move(rounds.kept);
  outcome.reinitialised = std::move(rounds.named);
  outcome.passed = std::move(rounds.passed);
  const ConstSpan all = rounds.moment.now_.values();
  outcome.held.assign(all.end() - static_cast<std::ptrdiff_t>(discrete_.size()), all.end());
  outcome.held.insert(outcome.held.end(), rounds.moment.flags_.begin(),
                      rounds.moment.flags_.begin() + static_cast<std::ptrdiff_t>(relations_.size()));
  return outcome;
}

}  // namespace driftless
