// What the model states about its start, variable by variable, and how much each of it counts.
#include <algorithm>
#include <cmath>

#include "driftless/modelfile/start/initial_system.h"
#include "driftless/modelfile/structure/linear_row.h"
#include "driftless/modelfile/structure/sample_points.h"

namespace driftless {

namespace {

// A distance of 1: so large the variable is, as far as the model says. A mole fraction and an enthalpy that have to
// agree share the change in the same proportion of each.
double scale_of(const FlatVariable& variable, double start) {
  if (const double nominal = std::abs(variable.nominal.value_or(0.0)); nominal > 0.0 && std::isfinite(nominal))
    return nominal;
  return start != 0.0 && std::isfinite(start) ? std::abs(start) : 1.0;
}

// Whose start becomes the guess of an unknown that several variables stand for.
int order_of(const FlatVariable& variable, const StatedValue& stated) {
  return variable.fixed ? 0 : variable.has_derivative ? 1 : stated.eliminated ? 3 : 2;
}

}  // namespace

void InitialSystem::find_slots() {
  unknown_of_slot_.assign(reduction_.model.slots, SIZE_MAX);
  beyond_.assign(reduction_.model.slots, 0);
  for (const auto& slots : slots_)
    for (const std::uint32_t slot : slots) beyond_[slot] = 1;
  for (std::size_t k = 0; k < unknowns_.size(); ++k) {
    unknown_of_slot_[unknowns_[k].slot] = k;
    beyond_[unknowns_[k].slot] = 0;
  }
}

void InitialSystem::read_stated_values(Reduction& reduction, double time) {
  const FlatModel& model = reduction.model;
  Graph& graph = reduction.model.graph;
  for (std::size_t k = 0; k < model.variables.size(); ++k) {
    const FlatVariable& variable = model.variables[k];
    if (variable.discrete || variable.input || variable.introduced || (!variable.start && !variable.fixed)) continue;
    const double start = start_value(model, variable, time).pinned();
    const auto value = reduction.values.find(variable.slot);
    StatedValue one{.variable = k, .start = start, .scale = scale_of(variable, start), .value = {}};
    one.eliminated = value != reduction.values.end();
    one.value = one.eliminated ? substitute(graph, value->second, rates_) : graph.input(variable.slot);
    find_unknowns_in(one);
    stated_.push_back(std::move(one));
  }
}

void InitialSystem::find_unknowns_in(StatedValue& stated) const {
  for (const std::uint32_t slot : inputs_of(reduction_.model.graph, stated.value)) stated.beyond |= beyond_[slot] != 0;
  if (!stated.beyond) stated.reads = columns_in(stated.value);
}

// Start values of the unknowns, and of eliminated variables that are multiples of them.
void InitialSystem::guess_starts() {
  const FlatModel& model = reduction_.model;
  for (InitialUnknown& u : unknowns_) {
    const std::size_t variable = reduction_.unknowns[u.unknown].variable;
    if (variable != no_variable) u.scale = scale_of(model.variables[variable], 0.0);
  }
  std::vector<std::size_t> order(stated_.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::ranges::stable_sort(order, {},
                           [&](std::size_t k) { return order_of(model.variables[stated_[k].variable], stated_[k]); });
  for (const std::size_t k : order) guess_from(stated_[k]);
}

void InitialSystem::guess_from(StatedValue& stated) {
  const Graph& graph = reduction_.model.graph;
  const FlatVariable& variable = reduction_.model.variables[stated.variable];
  const LinearRow row = linear_row(graph, stated.value);
  if (stated.reads.size() != 1 || row.terms.size() != 1 || graph.op(row.terms[0].node) != Op::input) return;
  InitialUnknown& u = unknowns_[stated.reads[0]];
  if (u.order != 0 || graph.slot(row.terms[0].node) != u.slot) return;
  stated.given_to_unknown = true;
  if (u.given) return;
  const double factor = row.terms[0].factor.pinned();
  u.given = true;
  u.fixed = variable.fixed;
  u.guess = (stated.start - row.constant.pinned()) / factor;
  u.scale = stated.scale / std::abs(factor);
  u.trust = trust_of(stated);
}

Trust InitialSystem::trust_of(const StatedValue& stated) const {
  return reduction_.model.variables[stated.variable].has_derivative ? Trust::stated_state : Trust::stated;
}

// What is not fixed; multipliers are computed even where the model states them.
void InitialSystem::rate_unknowns(const std::vector<char>& algebraic) {
  for (std::size_t k = 0; k < unknowns_.size(); ++k) {
    InitialUnknown& u = unknowns_[k];
    if (u.order > 0 || (u.top && !(u.given && algebraic[k])))
      u.trust = Trust::follows;
    else if (u.given && reduction_.unknowns[u.unknown].differentiated)
      u.trust = Trust::stated_state;
  }
}

// A start value of an eliminated variable is a wish of the first stage that knows all unknowns in it.
void InitialSystem::add_wishes(Graph& graph, Stage& stage) {
  placed_.resize(stated_.size(), 0);
  std::vector<char> here(unknowns_.size(), 0), later(unknowns_.size(), 0);
  for (const std::size_t k : stage.unknowns) here[k] = 1;
  for (std::size_t k = 0; k < unknowns_.size(); ++k) later[k] = !here[k] && !unknowns_[k].fixed && !solved_[k];
  std::vector<Expr> values;
  for (std::size_t k = 0; k < stated_.size(); ++k) {
    const StatedValue& s = stated_[k];
    const FlatVariable& variable = reduction_.model.variables[s.variable];
    const auto is_here = [&](std::size_t u) { return here[u] != 0; };
    const auto is_later = [&](std::size_t u) { return later[u] != 0; };
    if (placed_[k] || s.given_to_unknown || variable.fixed || std::ranges::none_of(s.reads, is_here) ||
        std::ranges::any_of(s.reads, is_later))
      continue;
    placed_[k] = 1;
    values.push_back(s.value);
    stage.wishes.push_back({s.value, s.start, s.scale, trust_of(s)});
  }
  stage.eliminated_wishes = values.size();
  for (const std::size_t k : stage.unknowns) {
    const InitialUnknown& u = unknowns_[k];
    stage.wishes.push_back({graph.input(u.slot), u.guess, u.scale, u.trust});
  }
  auto [program, entries] = differentiated(graph, stage, values);
  stage.wish_values = Program(graph, values, Engine::interpreter);
  stage.wish_jacobian = std::move(program);
  stage.wish_entries = std::move(entries);
}

}  // namespace driftless
