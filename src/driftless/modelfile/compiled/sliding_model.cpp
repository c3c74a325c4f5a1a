#include "driftless/modelfile/compiled/sliding_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace driftless {

namespace {

using Weights = std::unordered_map<std::uint32_t, Expr>;
using Slots = std::unordered_set<std::uint32_t>;

// Leaving a little late makes the side that the solution goes to a certain one; the state does not notice, for both
// sides move along the surface there.
constexpr double beyond = 1e-9;

// A root without its constant factor, and the sign of it.
struct Direction {
  Expr core;
  bool opposite = false;
};

Direction direction_of(const Graph& graph, Expr root) {
  Direction found{root};
  for (;;) {
    if (graph.op(found.core) == Op::negate) {
      found = {graph.child(found.core, 0), !found.opposite};
      continue;
    }
    if (graph.op(found.core) != Op::multiply || !graph.is_constant(graph.child(found.core, 0))) return found;
    const Number factor = graph.number(graph.child(found.core, 0));
    if (factor.depends() || factor.is_plainly(0.0)) return found;
    found = {graph.child(found.core, 1), found.opposite != (factor.at_compilation() < 0.0)};
  }
}

bool reads_any(const Graph& graph, Expr e, const Slots& slots) {
  return std::ranges::any_of(inputs_of(graph, e), [&](std::uint32_t slot) { return slots.contains(slot); });
}

// w e(above) + (1 - w) e(below), which is e where it does not depend on the side.
Expr mixed(Graph& graph, Expr e, const SlidingSurface& surface) {
  Slots own;
  Weights above, below;
  for (const SlidingSurface::Side& side : surface.sides) {
    own.insert(side.relation);
    above[side.relation] = graph.constant(side.above);
    below[side.relation] = graph.constant(side.below);
  }
  if (!reads_any(graph, e, own)) return e;
  const Expr weight = graph.input(surface.weight), other = graph.subtract(graph.constant(1.0), weight);
  return graph.add(graph.multiply(weight, substitute(graph, e, above)),
                   graph.multiply(other, substitute(graph, e, below)));
}

bool whens_read(const FlatModel& model, const Slots& slots) {
  for (const FlatWhen& when : model.whens)
    for (const FlatBranch& branch : when.branches) {
      if (reads_any(model.graph, branch.condition, slots)) return true;
      for (const FlatAction& action : branch.actions)
        if (reads_any(model.graph, action.value, slots)) return true;
    }
  return std::ranges::any_of(model.asserts,
                             [&](const FlatAssert& a) { return reads_any(model.graph, a.condition, slots); });
}

// Only the equation of a discrete variable reads nothing that is continuous.
bool discrete_equations_read(const FlatModel& model, const Slots& slots) {
  std::vector<char> continuous(model.slots, 0);
  for (const FlatVariable& variable : model.variables) {
    if (variable.discrete) continue;
    continuous[variable.slot] = 1;
    if (variable.has_derivative) continuous[variable.derivative] = 1;
  }
  return std::ranges::any_of(model.equations, [&](const FlatEquation& equation) {
    const auto reads = inputs_of(model.graph, equation.residual);
    return std::ranges::any_of(reads, [&](std::uint32_t slot) { return slots.contains(slot); }) &&
           std::ranges::none_of(reads, [&](std::uint32_t slot) { return continuous[slot] != 0; });
  });
}

// A weight as a variable, its equation, and the two relations that end it.
SlidingSurface add_surface(FlatModel& model, const FlatRelation& relation, std::vector<SlidingSurface::Side> sides) {
  Graph& graph = model.graph;
  SlidingSurface surface{.relation = relation.slot, .weight = model.slots++, .sides = std::move(sides)};
  const Expr weight = graph.input(surface.weight);
  FlatVariable variable;
  variable.name = fmt::format("(weight of {})", relation.text);
  variable.slot = surface.weight;
  variable.derivative = model.slots++;
  variable.introduced = true;
  variable.place = relation.place;
  model.variables.push_back(std::move(variable));
  model.equations.push_back(
      {.residual = relation.root, .text = fmt::format("sliding along {}", relation.text), .place = relation.place});
  const std::string end = fmt::format("end of sliding along {}", relation.text);
  surface.ends_below = model.relations.size();
  model.relations.push_back(
      {graph.add(weight, graph.constant(beyond)), model.slots++, true, false, end, relation.place});
  surface.ends_above = model.relations.size();
  model.relations.push_back(
      {graph.subtract(weight, graph.constant(1.0 + beyond)), model.slots++, false, false, end, relation.place});
  return surface;
}

void mix(FlatModel& model, const std::vector<SlidingSurface>& surfaces, const Slots& slots) {
  const auto mix_one = [&](Expr& e) {
    for (const SlidingSurface& surface : surfaces) e = mixed(model.graph, e, surface);
  };
  for (FlatEquation& equation : model.equations) {
    mix_one(equation.residual);
    std::erase_if(equation.choices,
                  [&](const FlatChoice& choice) { return reads_any(model.graph, choice.condition, slots); });
  }
  for (FlatRelation& relation : model.relations) mix_one(relation.root);
}

}  // namespace

std::vector<SlidingSurface::Side> sides_of(const FlatModel& model, std::size_t relation) {
  const Direction own = direction_of(model.graph, model.relations[relation].root);
  std::vector<SlidingSurface::Side> sides;
  for (const FlatRelation& other : model.relations) {
    const Direction its = direction_of(model.graph, other.root);
    if (!(its.core == own.core) || other.sample) continue;
    const bool below = other.holds_if_negative == (its.opposite == own.opposite);
    sides.push_back({other.slot, below ? 1.0 : 0.0, below ? 0.0 : 1.0});
  }
  return sides;
}

std::optional<SlidingModel> sliding_model(FlatModel model, std::span<const std::uint32_t> relations) {
  SlidingModel made;
  Slots slots;
  for (const std::uint32_t slot : relations) {
    const auto found = std::ranges::find(model.relations, slot, &FlatRelation::slot);
    if (found == model.relations.end()) return std::nullopt;
    const FlatRelation relation = *found;
    auto sides = sides_of(model, static_cast<std::size_t>(found - model.relations.begin()));
    std::erase_if(model.relations, [&](const FlatRelation& other) {
      return std::ranges::find(sides, other.slot, &SlidingSurface::Side::relation) != sides.end();
    });
    made.surfaces.push_back(add_surface(model, relation, std::move(sides)));
    for (const auto& side : made.surfaces.back().sides) slots.insert(side.relation);
  }
  for (SlidingSurface& surface : made.surfaces) {  // erasing moved them
    const auto place = std::ranges::find(model.relations, surface.weight + 2, &FlatRelation::slot);
    surface.ends_below = static_cast<std::size_t>(place - model.relations.begin());
    surface.ends_above = surface.ends_below + 1;
  }
  if (whens_read(model, slots) || discrete_equations_read(model, slots)) return std::nullopt;
  mix(model, made.surfaces, slots);
  model.initial_equations.clear();
  model.initial_assignments.clear();
  model.drawing.reset();
  model.is_mode = true;
  made.model = std::move(model);
  return made;
}

}  // namespace driftless
