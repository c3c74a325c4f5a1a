#include "driftless/simulate/function_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/integrate/consistent_start.h"

namespace driftless {

namespace {

void require_finite(std::string_view parameter, double value) {
  if (!std::isfinite(value)) throw Misuse(fmt::format("the parameter '{}' cannot be {}", parameter, value));
}

Parameters values_of(const std::vector<Parameter>& parameters) {
  Names names;
  Vector values;
  for (const Parameter& parameter : parameters) {
    if (std::ranges::find(names, parameter.name) != names.end())
      throw Misuse(fmt::format("the parameter '{}' is there twice", parameter.name));
    require_finite(parameter.name, parameter.value);
    names.push_back(parameter.name);
    values.push_back(parameter.value);
  }
  return {std::move(names), std::move(values)};
}

}  // namespace

FunctionModel::FunctionModel(FunctionModelParts parts)
    : parts_(std::move(parts)),
      parameters_(values_of(parts_.parameters)),
      discrete_(parts_.discrete, parts_.relations, parts_.clocks, parts_.whens, parameters_) {
  if (!parts_.equations || !parts_.start) throw Misuse("a model needs equations and a start");
  for (const NamedEvent& event : parts_.events)
    if (!event.root) throw Misuse(fmt::format("the event '{}' has no root", event.name));
  name = parts_.name;
  begin = parts_.begin;
  end = parts_.end;
  describe();
}

void FunctionModel::describe() {
  const Equations equations = parts_.equations(discrete_.values(discrete_.start()));
  const Layout& layout = layout_of(equations);
  results.clear();
  for (const Block& block : layout.blocks())
    for (std::size_t i = block.begin; i < block.begin + block.size; ++i)
      results.push_back({layout.name(i), "", "", block.symbol});
  for (const std::string& variable : discrete_.discrete_names()) {
    if (std::ranges::find(layout.names(), variable) != layout.names().end())
      throw Misuse(fmt::format("the discrete variable '{}' has the name of an unknown", variable));
    results.push_back({variable, "", "", "discrete"});
  }
}

void FunctionModel::set(std::string_view parameter, double value) {
  require_finite(parameter, value);
  parameters_.set(parameter, value);
  discrete_.set(parameter, value);
  describe();
}

Start FunctionModel::start(double t) const {
  Vector held = discrete_.start();
  const Parameters values = discrete_.values(held);
  const auto consistent = make_consistent(parts_.equations(values), t, parts_.start(values));
  if (!consistent.ok()) throw FailedRun(consistent.failure());
  if (!discrete_.any()) return start_of(*consistent, stretch(t, consistent->state, {}));
  const Names names = layout_of(parts_.equations(values)).names();
  held = discrete_.judged(t, {consistent->state, names}, held);
  FunctionEvents::Occurrence begin{.kind = Moment::Kind::start, .time = t, .state = consistent->state};
  if (const auto ticks = discrete_.next_tick(t, t, true))
    for (const std::size_t clock : ticks->clocks) begin.fired.push_back(discrete_.relations().size() + clock);
  FunctionEvents::Outcome outcome = discrete_.handle(parts_.equations, held, begin);
  if (!outcome.error.empty()) throw RefusedModel(RefusedModel::Stage::start, outcome.error);
  const bool moved = !outcome.reinitialised.empty() || outcome.held != held;
  Stretch first = stretch(t, moved ? outcome.state : consistent->state, std::move(outcome.held));
  first.after_event = moved;
  first.fixed = std::move(outcome.reinitialised);
  Start start = start_of(*consistent, std::move(first));
  start.ended_by = std::move(outcome.terminated);
  return start;
}

std::variant<Stretch, ModelEnd> FunctionModel::after(const Stretch& before, double t, ConstSpan state,
                                                     const std::vector<std::size_t>& events) const {
  Vector changed(state.begin(), state.end());
  const Parameters values = discrete_.values(before.held);
  const Names& names = layout_of(before.equations).names();
  std::optional<std::string> ended;
  FunctionEvents::Occurrence rounds{.time = t, .state = state};
  for (const std::size_t k : events) {
    if (k >= parts_.events.size()) {
      rounds.fired.push_back(k - parts_.events.size());
      continue;
    }
    const NamedEvent& event = parts_.events[k];
    if (event.jump) event.jump(t, {Span(changed), names}, values);
    if (event.terminal) ended = event.name;
  }
  FunctionEvents::Outcome outcome{.state = changed, .held = before.held};
  if (discrete_.any()) {
    if (!std::ranges::equal(changed, state)) rounds.moved = std::move(changed);
    outcome = discrete_.handle(parts_.equations, before.held, rounds);
  }
  if (ended) outcome.terminated = std::move(ended);
  return outcome_of(std::move(outcome), t);
}

std::variant<Stretch, ModelEnd> FunctionModel::finish(const Stretch& last, double t, ConstSpan state) const {
  return outcome_of(
      discrete_.handle(parts_.equations, last.held, {.kind = Moment::Kind::end, .time = t, .state = state}), t);
}

std::variant<Stretch, ModelEnd> FunctionModel::outcome_of(FunctionEvents::Outcome outcome, double t) const {
  if (!outcome.error.empty()) return ModelEnd{outcome.error, FailureKind::assertion_failed};
  Stretch next = stretch(t, std::move(outcome.state), std::move(outcome.held));
  next.happened = std::move(outcome.passed);
  next.after_event = true;
  next.fixed = std::move(outcome.reinitialised);
  if (outcome.terminated) return ModelEnd{*outcome.terminated, std::nullopt, std::move(next)};
  return next;
}

// Events that change nothing are only recorded; the run goes on.
std::vector<Event> FunctionModel::events(double t, ConstSpan state, const Vector& held) const {
  std::vector<Event> all;
  const Parameters values = discrete_.values(held);
  const auto names = std::make_shared<const Names>(layout_of(parts_.equations(values)).names());
  for (const NamedEvent& event : parts_.events)
    all.push_back({.name = event.name,
                   .root =
                       [root = event.root, names, values](double at, ConstSpan x) {
                         return root(at, {x, *names}, values);
                       },
                   .direction = event.direction,
                   .terminal = event.terminal || event.jump});
  for (std::size_t k = 0; k < discrete_.relations().size(); ++k) {
    const NamedRelation& relation = discrete_.relations()[k];
    const double sign = discrete_.holds(held, k) ? 1.0 : -1.0;
    // Where its root is at zero now, to rounding, or on the other side, it has to go on by a little before that counts.
    const double margin = discrete_.rounding_of(k, t, state, *names, values);
    const double now = sign * relation.root(t, {state, *names}, values), shift = now < margin ? margin - now : 0.0;
    all.push_back({.name = relation.name,
                   .root =
                       [root = relation.root, names, values, sign, shift](double at, ConstSpan x) {
                         return sign * root(at, {x, *names}, values) + shift;
                       },
                   .direction = Direction::falling,
                   .terminal = true,
                   .rounding = margin});
  }
  return all;
}

Stretch FunctionModel::stretch(double t, Vector state, Vector held) const {
  Stretch one{.begin = t, .equations = parts_.equations(discrete_.values(held)), .start = std::move(state)};
  one.held = std::move(held);
  one.events = events(t, one.start, one.held);
  if (!discrete_.clocks().empty())
    one.next_due = [own = discrete_, t, first = one.events.size()](double until,
                                                                   TimeSearches&) -> std::optional<Stretch::Due> {
      const auto tick = own.next_tick(t, until);
      if (!tick) return std::nullopt;
      Stretch::Due due{tick->time};
      for (const std::size_t clock : tick->clocks) {
        due.events.push_back(first + clock);
        due.names.push_back(own.clocks()[clock].name);
      }
      return due;
    };
  one.results = [discrete = Vector(one.held.begin(),
                                   one.held.begin() + static_cast<std::ptrdiff_t>(discrete_.discrete_names().size()))](
                    double, ConstSpan x, Span out) {
    if (x.size() + discrete.size() != out.size())
      throw Misuse("a parameter that changes the unknowns was set after the start was made");
    std::ranges::copy(discrete, std::ranges::copy(x, out.begin()).out);
  };
  return one;
}

}  // namespace driftless
