// Every branch in turn: is there a mode in which it is active, and has that mode the same structure?
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "driftless/expression/subgraph.h"
#include "driftless/modelfile/compiled/model_modes.h"

namespace driftless {

namespace {

constexpr std::size_t most_trials = 4096;        // values tried to make one branch active
constexpr std::size_t most_structures = 200;     // an analysis of the whole model each, unless it is large:
constexpr std::size_t most_equations = 100'000;  // of all analyses together

// Choices in the order in which they are looked at: one of each place first, as a loop writes many at one.
template <class Choices>
std::vector<std::size_t> one_of_each_place_first(const Choices& choices) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  std::vector<std::size_t> order, others;
  for (std::size_t k = 0; k < choices.size(); ++k)
    (seen.insert({choices[k].yes.line, choices[k].yes.column}).second ? order : others).push_back(k);
  order.insert(order.end(), others.begin(), others.end());
  return order;
}

}  // namespace

// What a slot may be: true or false; for numbers those that conditions compare it with, and their neighbours.
std::vector<double> ModelModes::candidates(std::uint32_t slot, double now, std::span<const Link> conditions) const {
  const Graph& graph = reduction_.model.graph;
  std::vector<double> values{now};
  const auto add = [&](double value) {
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  };
  const auto is_number = [&](const FlatVariable& v) {
    return v.discrete && !v.boolean && (v.slot == slot || v.derivative == slot);
  };
  if (std::ranges::none_of(reduction_.model.variables, is_number)) {
    add(1.0 - (now != 0.0 ? 1.0 : 0.0));
    return values;
  }
  for (const Link& link : conditions) {
    for (const auto& entry : Subgraph(graph, std::span(&link.condition, 1)))
      if (graph.is_constant(entry.node))
        for (const double step : {0.0, 1.0, -1.0}) add(graph.value(entry.node) + step);
  }
  return values;
}

// The values of what is held, with as few changes as possible, for which this branch is active; none if there are none.
std::optional<Vector> ModelModes::mode_with(const Choice& choice, bool yes, ConstSpan held) const {
  const Graph& graph = reduction_.model.graph;
  std::vector<Link> conditions{{no_path, choice.condition, yes, 0}};
  for (std::size_t link = choice.path; link != no_path; link = paths_[link].before) conditions.push_back(paths_[link]);
  std::vector<Expr> all;
  for (const Link& link : conditions) all.push_back(link.condition);
  Vector inputs = inputs_for(held);
  const std::vector<std::uint32_t> slots = inputs_of(graph, all);
  std::vector<std::vector<double>> values;
  std::size_t trials = 1;
  for (const std::uint32_t slot : slots) {
    values.push_back(candidates(slot, inputs[slot], conditions));
    trials = std::min(trials * values.back().size(), most_trials);
  }
  std::optional<Vector> best;
  std::size_t fewest = SIZE_MAX;
  for (std::size_t trial = 0; trial < trials; ++trial) {
    std::size_t rest = trial, changes = 0;
    for (std::size_t k = 0; k < slots.size(); ++k) {
      const std::size_t which = rest % values[k].size();
      inputs[slots[k]] = values[k][which];
      changes += which != 0;
      rest /= values[k].size();
    }
    const auto fits = [&](const Link& link) { return (evaluate(graph, link.condition, inputs) != 0.0) == link.yes; };
    if (changes >= fewest || !std::ranges::all_of(conditions, fits)) continue;
    fewest = changes;
    best.emplace();
    for (const std::uint32_t slot : held_.slots) best->push_back(inputs[slot]);
  }
  return best;
}

std::vector<OtherStructure> ModelModes::other_structures(ConstSpan held) const {
  std::vector<OtherStructure> found;
  const auto worth_it = [](const Choice& choice) { return choice.own_unknowns; };
  if (std::ranges::none_of(choices_, worth_it)) return found;
  const std::size_t equations = std::max<std::size_t>(1, reduction_.model.equations.size());
  const std::size_t most = std::clamp<std::size_t>(most_equations / equations, 2, most_structures);
  const ModeStructure here = structure(held);
  std::map<Vector, ModeStructure> known;
  for (const std::size_t k : one_of_each_place_first(choices_))
    for (const bool yes : {true, false}) {
      const Choice& choice = choices_[k];
      const auto mode = choice.own_unknowns ? mode_with(choice, yes, held) : std::nullopt;
      if (!mode || !differ(held, *mode)) continue;
      if (!known.contains(*mode)) {
        if (known.size() == most) {
          found.push_back(
              {{yes ? choice.yes : choice.no,
                fmt::format("there are more than {} modes: this branch and those after it were not looked at", most),
                {}},
               "",
               false});
          return found;
        }
        known[*mode] = structure(*mode);
      }
      const ModeStructure& there = known.at(*mode);
      if (there.same_as(here)) continue;
      const SourcePlace place = yes ? choice.yes : choice.no;
      const auto same = [&](const OtherStructure& f) {
        return f.place.line == place.line && f.place.column == place.column;
      };
      if (std::ranges::any_of(found, same)) continue;  // of a for: once is enough
      const std::string how = difference(here, there);
      const std::string message = fmt::format("this branch has another structure than the one at the start: {}", how);
      found.push_back({{place, message, there.fault.empty() ? "" : "a run ends where it would become active"},
                       how,
                       there.fault.empty()});
    }
  return found;
}

}  // namespace driftless
