#include "driftless/modelfile/structure/reduction.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "driftless/core/stop.h"
#include "driftless/expression/differentiate.h"
#include "driftless/modelfile/structure/reduction_state.h"

namespace driftless {

namespace {

bool highest_first(const Occurrence& a, const Occurrence& b) {
  return a.unknown != b.unknown ? a.unknown < b.unknown : a.order > b.order;
}
bool same_unknown(const Occurrence& a, const Occurrence& b) { return a.unknown == b.unknown; }

// Variables that a when-clause assigns are known between events, and so are inputs from outside.
std::vector<char> held_variables(const FlatModel& model) {
  std::vector<char> held(model.variables.size(), 0);
  for (std::size_t k = 0; k < held.size(); ++k) held[k] = model.variables[k].input;
  for (const FlatWhen& when : model.whens)
    for (const FlatBranch& branch : when.branches)
      for (const FlatAction& action : branch.actions)
        if (action.kind == FlatAction::Kind::assign) held[action.variable] = 1;
  return held;
}

std::vector<std::uint32_t> inputs_inside(const Graph& graph, const LinearRow& row) {
  std::vector<Expr> nonlinear;
  for (const auto& term : row.terms)
    if (graph.op(term.node) != Op::input) nonlinear.push_back(term.node);
  return nonlinear.empty() ? std::vector<std::uint32_t>{} : inputs_of(graph, nonlinear);
}

// A model whose variables all follow from time and from events has nothing to solve for: z' = 0 carries its time.
void add_nothing_to_solve(Reduction& reduction) {
  const std::size_t z = reduction.add_unknown(std::string(nothing_to_solve));
  reduction.add_row(reduction.model.graph.input(reduction.unknowns[z].derivative), {});
}

// x' inside something nonlinear becomes an unknown p of its own, with x' = p.
void isolate_nonlinear_derivatives(Reduction& reduction) {
  std::vector<char> is_derivative(reduction.model.slots, 0);
  for (const Unknown& unknown : reduction.unknowns)
    if (unknown.differentiated) is_derivative[unknown.derivative] = 1;
  std::unordered_map<std::uint32_t, std::uint32_t> names;  // derivative slot -> slot of p
  Graph& graph = reduction.model.graph;
  const std::size_t count = reduction.rows.size();
  for (std::size_t r = 0; r < count; ++r) {
    if (!reduction.rows[r].has_derivative) continue;
    if (dependence(graph, reduction.rows[r].residual, is_derivative) != Dependence::nonlinear) continue;
    std::unordered_map<std::uint32_t, Expr> by_slot;
    for (const Occurrence& o : reduction.rows[r].unknowns) {
      if (o.order == 0) continue;
      const Unknown unknown = reduction.unknowns[o.unknown];
      if (!names.contains(unknown.derivative)) {
        const std::size_t p = reduction.add_unknown(fmt::format("der({})", unknown.name));
        names[unknown.derivative] = reduction.unknowns[p].slot;
        reduction.add_row(graph.subtract(graph.input(unknown.derivative), graph.input(names[unknown.derivative])), {});
      }
      by_slot[unknown.derivative] = graph.input(names[unknown.derivative]);
    }
    Row& row = reduction.rows[r];
    row.residual = substitute(graph, row.residual, by_slot);
    reduction.refresh(row);
  }
}

}  // namespace

std::size_t Reduction::add_unknown(std::string name) {
  unknowns.push_back({.slot = new_slot(), .derivative = new_slot(), .name = std::move(name)});
  return unknowns.size() - 1;
}

void Reduction::add_row(Expr residual, std::vector<std::size_t> equations) {
  rows.push_back({.residual = residual, .equations = std::move(equations)});
  refresh(rows.back());
  for (const Occurrence& o : rows.back().unknowns)
    if (o.order == 1) unknowns[o.unknown].differentiated = true;
}

void Reduction::refresh(Row& row) {
  meaning_.resize(model.slots);
  for (; unknowns_with_meaning_ < unknowns.size(); ++unknowns_with_meaning_) {
    const Unknown& unknown = unknowns[unknowns_with_meaning_];
    meaning_[unknown.slot] = {static_cast<std::uint32_t>(unknowns_with_meaning_), 0};
    meaning_[unknown.derivative] = {static_cast<std::uint32_t>(unknowns_with_meaning_), 1};
  }
  row.unknowns.clear();
  row.has_derivative = false;
  for (const std::uint32_t slot : inputs_of(model.graph, row.residual)) {
    const SlotMeaning& meaning = meaning_[slot];
    if (meaning.unknown == UINT32_MAX) continue;
    row.unknowns.push_back({meaning.unknown, meaning.order});
    row.has_derivative |= meaning.order == 1;
  }
  std::ranges::sort(row.unknowns, highest_first);
  row.unknowns.erase(std::unique(row.unknowns.begin(), row.unknowns.end(), same_unknown), row.unknowns.end());
}

ReductionState::ReductionState(FlatModel flat) : model(std::move(flat)), roles(model.slots) {
  const std::vector<char> held = held_variables(model);
  for (std::size_t k = 0; k < model.variables.size(); ++k) {
    if (held[k]) continue;
    const FlatVariable& variable = model.variables[k];
    const auto id = static_cast<std::uint32_t>(unknowns.size());
    roles[variable.slot] = {SlotRole::Kind::value, id};
    Unknown unknown{.variable = k, .slot = variable.slot, .name = variable.name};
    if (variable.has_derivative && !variable.discrete) {
      unknown.derivative = variable.derivative;
      roles[variable.derivative] = {SlotRole::Kind::derivative, id};
    } else {
      unknown.derivative = model.slots++;
      roles.resize(model.slots);
      roles.back() = {SlotRole::Kind::derivative, id};
    }
    unknowns.push_back(std::move(unknown));
    must_be_explicit.push_back(variable.discrete);
  }
  alive.assign(unknowns.size(), 1);
  memory.resize(unknowns.size());
  defined_by_.resize(unknowns.size());
  rows.resize(model.equations.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    rows[k].equations = {k};
    set_residual(rows[k], model.equations[k].residual);
  }
}

void ReductionState::set_residual(WorkRow& row, Expr residual) {
  row.residual = residual;
  row.linear = linear_row(model.graph, residual);
  if (row.linear.cancelled) row.residual = to_expr(model.graph, row.linear);
  row.inside = inputs_inside(model.graph, row.linear);
  find_unknowns(row);
}

void ReductionState::find_unknowns(WorkRow& row) const {
  auto& all = row.unknowns;
  all.clear();
  const auto see = [&](SlotRole r) {
    if (r.kind != SlotRole::Kind::known) all.push_back({r.unknown, r.kind == SlotRole::Kind::derivative ? 1 : 0});
  };
  for (const auto& term : row.linear.terms) see(role(term));
  for (const std::uint32_t slot : row.inside) see(role(slot));
  std::ranges::sort(all, highest_first);
  all.erase(std::unique(all.begin(), all.end(), same_unknown), all.end());
  all.shrink_to_fit();
  row.has_derivative = std::ranges::any_of(all, [](const Occurrence& o) { return o.order == 1; });
}

std::vector<char> ReductionState::differentiated() const {
  std::vector<char> result(unknowns.size(), 0);
  for (const WorkRow& row : rows) {
    if (!row.alive || !row.has_derivative) continue;
    for (const Occurrence& o : row.unknowns) result[o.unknown] |= o.order == 1;
  }
  return result;
}

std::vector<std::vector<std::uint32_t>> ReductionState::rows_by_unknown() const {
  std::vector<std::vector<std::uint32_t>> result(unknowns.size());
  for (std::uint32_t r = 0; r < rows.size(); ++r)
    if (rows[r].alive)
      for (const Occurrence& o : rows[r].unknowns) result[o.unknown].push_back(r);
  return result;
}

void ReductionState::eliminate(const std::vector<Definition>& definitions) {
  Graph& graph = model.graph;
  std::unordered_map<std::uint32_t, Expr> by_slot;
  auto& batch = batches_.emplace_back();
  const auto put = [&](std::uint32_t slot, Expr value) {
    const Expr resolved = without_cancellation(graph, substitute(graph, value, by_slot));
    by_slot[slot] = resolved;
    batch.emplace_back(slot, resolved);
  };
  const std::vector<char> is_state = differentiated();
  for (const Definition& d : definitions) {
    alive[d.unknown] = 0;
    defined_by_[d.unknown] = d.equations;
    put(unknowns[d.unknown].slot, d.value);
    if (is_state[d.unknown]) put(unknowns[d.unknown].derivative, d.derivative);
  }
  const auto concerned = [&](const WorkRow& row) {
    const auto gone = [&](std::uint32_t slot) { return by_slot.contains(slot); };
    return row.alive &&
           (std::ranges::any_of(row.inside, gone) || std::ranges::any_of(row.linear.terms, [&](const auto& t) {
              return graph.op(t.node) == Op::input && gone(graph.slot(t.node));
            }));
  };
  std::vector<std::size_t> which;
  std::vector<Expr> residuals;
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (concerned(rows[r])) {
      which.push_back(r);
      residuals.push_back(rows[r].residual);
    }
  residuals = substitute(graph, residuals, by_slot);
  for (std::size_t k = 0; k < which.size(); ++k) {
    check_stop();
    set_residual(rows[which[k]], residuals[k]);
  }
}

std::vector<std::size_t> ReductionState::with_definitions(const std::vector<std::size_t>& equations) const {
  constexpr std::size_t enough = 12;
  std::vector<std::size_t> all = equations;
  for (std::size_t k = 0; k < all.size() && all.size() < enough; ++k)
    for (const std::uint32_t slot : inputs_of(model.graph, model.equations[all[k]].residual)) {
      const SlotRole r = role(slot);
      if (r.kind == SlotRole::Kind::known) continue;
      for (const std::size_t e : defined_by_[r.unknown])
        if (std::ranges::find(all, e) == all.end()) all.push_back(e);
    }
  std::ranges::sort(all);
  return all;
}

// Equations as written, and values of what went before, may read the derivative of a variable that was no state any
// more when it went.
void ReductionState::complete_derivative(std::uint32_t slot, Reduction& result) {
  const SlotRole r = role(slot);
  if (r.kind != SlotRole::Kind::value || unknowns[r.unknown].variable == no_variable) return;
  const FlatVariable& variable = model.variables[unknowns[r.unknown].variable];
  const std::uint32_t derivative = unknowns[r.unknown].derivative;
  if (!variable.has_derivative || variable.discrete || result.values.contains(derivative)) return;
  const Expr value = result.values.at(slot);
  std::unordered_map<std::uint32_t, Expr> along{{model.time_slot, model.graph.constant(1.0)}};
  for (const std::uint32_t input : inputs_of(model.graph, value))
    if (const SlotRole of = role(input); of.kind == SlotRole::Kind::value)
      along[input] = model.graph.input(unknowns[of.unknown].derivative);
  result.values[derivative] = derivative_along(model.graph, value, along);
}

Reduction ReductionState::finish() {
  Reduction result;
  // Later batches are expressed in what is left; earlier ones may refer to later ones.
  for (auto batch = batches_.rbegin(); batch != batches_.rend(); ++batch) {
    std::vector<Expr> values;
    for (const auto& [slot, value] : *batch) values.push_back(value);
    values = substitute(model.graph, values, result.values);
    for (std::size_t k = 0; k < values.size(); ++k)
      result.values[(*batch)[k].first] = without_cancellation(model.graph, values[k]);
    for (const auto& [slot, value] : *batch) complete_derivative(slot, result);
  }
  const std::vector<char> is_state = differentiated();
  std::vector<std::uint32_t> position(unknowns.size());
  for (std::size_t k = 0; k < unknowns.size(); ++k) {
    if (!alive[k]) continue;
    position[k] = static_cast<std::uint32_t>(result.unknowns.size());
    result.unknowns.push_back(unknowns[k]);
    result.unknowns.back().differentiated = is_state[k];
  }
  for (const WorkRow& row : rows) {
    if (!row.alive) continue;
    Row& out = result.rows.emplace_back();
    out = {.residual = row.residual,
           .equations = row.equations,
           .unknowns = row.unknowns,
           .has_derivative = row.has_derivative};
    for (Occurrence& o : out.unknowns) o.unknown = position[o.unknown];
    std::ranges::sort(out.unknowns, {}, &Occurrence::unknown);
  }
  result.model = std::move(model);
  return result;
}

namespace {

// Cheap steps first: each may make others possible.
bool take_one_step(ReductionState& state) {
  const bool aliases = eliminate_aliases(state);
  if (eliminate_explicit(state, Explicit::written) || aliases) return true;
  return eliminate_measured_rates(state) || eliminate_explicit(state, Explicit::solvable) || eliminate_driven(state) ||
         eliminate_results(state) || substitute_explicit_derivatives(state) || combine_dependent_derivatives(state) ||
         eliminate_derivative_aliases(state);
}

}  // namespace

Reduction reduce(FlatModel flat) {
  ReductionState state(std::move(flat));
  require_well_posed(state);
  while (take_one_step(state)) {
  }
  const std::vector<char> alive = state.alive, explicit_only = state.must_be_explicit;
  const std::vector<Unknown> all = state.unknowns;
  for (std::size_t k = 0; k < alive.size(); ++k)
    if (alive[k] && explicit_only[k])
      throw Refusal{{{state.model.variables[all[k].variable].place,
                      fmt::format("no equation can be solved for the discrete variable {}", all[k].name),
                      fmt::format("write its equation as {} = ..., or assign it in a when-clause", all[k].name)}}};
  Reduction result = state.finish();
  if (result.unknowns.empty()) add_nothing_to_solve(result);
  isolate_nonlinear_derivatives(result);
  return result;
}

std::string quote_equation(const FlatModel& model, std::size_t equation) {
  const FlatEquation& e = model.equations[equation];
  return e.place.line > 0 ? fmt::format("'{}' (line {})", e.text, e.place.line) : fmt::format("'{}'", e.text);
}

std::string quote(const FlatModel& model, const Row& row) {
  std::vector<std::string> parts;
  for (const std::size_t e : row.equations) parts.push_back(quote_equation(model, e));
  return fmt::format("{}", fmt::join(parts, " with "));
}

SourcePlace place_of(const FlatModel& model, const Row& row) {
  return row.equations.empty() ? SourcePlace{} : model.equations[row.equations.back()].place;
}

}  // namespace driftless
