// Steps of the reduction that look at derivatives: variables that are derivatives of others (a = der(v)), and results
// computed from derivatives.
#include <algorithm>
#include <optional>

#include "driftless/expression/differentiate.h"
#include "driftless/modelfile/structure/reduction_state.h"

namespace driftless {

namespace {

// f, if the row says x' = f with no other derivative.
std::optional<Expr> explicit_derivative(ReductionState& state, const WorkRow& row, std::uint32_t slot) {
  Graph& graph = state.model.graph;
  const Expr derivative = graph.input(slot);
  const Number factor = row.linear.factor_of(derivative);
  if (factor == 0.0) return std::nullopt;
  for (const std::uint32_t other : row.inside)
    if (state.role(other).kind == SlotRole::Kind::derivative) return std::nullopt;
  for (const auto& term : row.linear.terms)
    if (term.node != derivative && state.role(term).kind == SlotRole::Kind::derivative) return std::nullopt;
  return to_expr(graph, scale(without(row.linear, derivative), Number(-1.0) / factor));
}

struct DerivativeAlias {
  std::uint32_t row, unknown, of;
};

// y = k x' + c with y nowhere differentiated.
std::vector<DerivativeAlias> derivative_aliases(const ReductionState& state, const std::vector<char>& is_state) {
  std::vector<DerivativeAlias> found;
  for (std::uint32_t r = 0; r < state.rows.size(); ++r) {
    const WorkRow& row = state.rows[r];
    if (!row.alive || !row.has_derivative || !state.is_linear(row) || row.linear.terms.size() != 2) continue;
    SlotRole a = state.role(row.linear.terms[0]), b = state.role(row.linear.terms[1]);
    if (a.kind == SlotRole::Kind::derivative) std::swap(a, b);
    if (a.kind == SlotRole::Kind::value && b.kind == SlotRole::Kind::derivative && !is_state[a.unknown])
      found.push_back({r, a.unknown, b.unknown});
  }
  return found;
}

}  // namespace

// Rows with derivatives that are too many for them: some of them are about to lose theirs.
std::vector<char> rows_beyond_derivatives(const ReductionState& state) {
  Incidence incidence{.columns = state.unknowns.size(), .rows = {}};
  std::vector<std::uint32_t> row_of;
  for (std::uint32_t r = 0; r < state.rows.size(); ++r) {
    if (!state.rows[r].alive || !state.rows[r].has_derivative) continue;
    row_of.push_back(r);
    auto& columns = incidence.rows.emplace_back();
    const std::vector<Occurrence>& found = state.rows[r].unknowns;
    for (const Occurrence& o : found)
      if (o.order == 1) columns.push_back(o.unknown);
  }
  std::vector<char> beyond(state.rows.size(), 0);
  for (const std::size_t k : coarse_parts(incidence, maximum_matching(incidence)).over_rows) beyond[row_of[k]] = 1;
  return beyond;
}

bool reads_algebraic(const WorkRow& row, const std::vector<char>& is_state) {
  return std::ranges::any_of(row.unknowns, [&](const Occurrence& o) { return !is_state[o.unknown]; });
}

// x' = f: wherever else x' occurs, f is put in its place. Not where f is an acceleration with forces in it, if no row
// loses its derivatives by that: what masses couple stays together, and symmetric.
bool substitute_explicit_derivatives(ReductionState& state) {
  std::vector<std::vector<std::uint32_t>> rows_with(state.unknowns.size());
  for (std::uint32_t r = 0; r < state.rows.size(); ++r) {
    if (!state.rows[r].alive || !state.rows[r].has_derivative) continue;
    const std::vector<Occurrence>& found = state.rows[r].unknowns;
    for (const Occurrence& o : found)
      if (o.order == 1) rows_with[o.unknown].push_back(r);
  }
  std::unordered_map<std::uint32_t, Expr> by_slot;
  std::vector<char> defines(state.rows.size(), 0), concerned(state.rows.size(), 0);
  const std::vector<char> is_state = state.differentiated();
  std::optional<std::vector<char>> beyond;
  for (std::uint32_t k = 0; k < rows_with.size(); ++k) {
    if (rows_with[k].size() < 2) continue;
    const std::uint32_t slot = state.unknowns[k].derivative;
    std::optional<Expr> best;
    std::uint32_t by = 0;
    for (const std::uint32_t r : rows_with[k])
      if (!best || state.rows[r].linear.terms.size() < state.rows[by].linear.terms.size())
        if (const auto value = explicit_derivative(state, state.rows[r], slot)) {
          best = value;
          by = r;
        }
    if (!best) continue;
    if (reads_algebraic(state.rows[by], is_state)) {
      if (!beyond) beyond = rows_beyond_derivatives(state);
      if (std::ranges::none_of(rows_with[k], [&](std::uint32_t r) { return (*beyond)[r] != 0; })) continue;
    }
    by_slot[slot] = *best;
    defines[by] = 1;
    for (const std::uint32_t r : rows_with[k]) concerned[r] = 1;
  }
  std::vector<std::size_t> definers;
  for (std::uint32_t r = 0; r < state.rows.size(); ++r)
    if (defines[r]) definers.insert(definers.end(), state.rows[r].equations.begin(), state.rows[r].equations.end());
  bool changed = false;
  for (std::uint32_t r = 0; r < state.rows.size(); ++r) {
    if (!concerned[r] || defines[r]) continue;
    state.set_residual(state.rows[r], substitute(state.model.graph, state.rows[r].residual, by_slot));
    changed = true;
    const LinearRow& left = state.rows[r].linear;
    if (left.terms.empty()) refuse_empty_row(state, state.rows[r], left.constant.pinned(), definers);
  }
  return changed;
}

// x' = f(states, t), with no algebraic unknown.
bool moves_by_states(const ReductionState& state, std::uint32_t x, const std::vector<char>& is_state,
                     const std::vector<std::uint32_t>& rows) {
  for (const std::uint32_t r : rows) {
    const std::vector<Occurrence>& found = state.rows[r].unknowns;
    const auto fits = [&](const Occurrence& o) { return is_state[o.unknown] && (o.order == 0 || o.unknown == x); };
    const auto moves = [&](const Occurrence& o) { return o.unknown == x && o.order == 1; };
    if (std::ranges::any_of(found, moves) && std::ranges::all_of(found, fits)) return true;
  }
  return false;
}

// w = der(y) with y = f(x), where x' is known without w, or where w is no more than a result: then w is the derivative
// of f along the solution, and y no state.
bool eliminate_measured_rates(ReductionState& state) {
  const std::vector<char> is_state = state.differentiated();
  const auto rows_of = state.rows_by_unknown();
  Graph& graph = state.model.graph;
  std::vector<ReductionState::Definition> definitions;
  std::vector<char> concerned(state.unknowns.size(), 0);  // those that definitions read or define
  for (const DerivativeAlias& alias : derivative_aliases(state, is_state)) {
    const std::uint32_t unknown = alias.unknown, of = alias.of;
    std::size_t with_derivative = 0;
    for (const std::uint32_t r : rows_of[of]) {
      const std::vector<Occurrence>& found = state.rows[r].unknowns;
      for (const Occurrence& o : found) with_derivative += o.unknown == of && o.order == 1;
    }
    if (with_derivative != 1 || concerned[of]) continue;
    const Expr slot = graph.input(state.unknowns[of].slot);
    for (const std::uint32_t r : rows_of[of]) {
      WorkRow& row = state.rows[r];
      const Number factor = row.linear.factor_of(slot);
      if (row.has_derivative || factor == 0.0 || std::ranges::binary_search(row.inside, graph.slot(slot))) continue;
      const std::vector<Occurrence>& found = row.unknowns;
      const bool result = rows_of[unknown].size() == 1 && rows_of[of].size() == 2;
      const auto usable = [&](const Occurrence& o) {
        return o.unknown == of || (is_state[o.unknown] && !concerned[o.unknown] &&
                                   (result || moves_by_states(state, o.unknown, is_state, rows_of[o.unknown])));
      };
      if (!std::ranges::all_of(found, usable)) continue;
      std::unordered_map<std::uint32_t, Expr> along{{state.model.time_slot, graph.constant(1.0)}};
      for (const Occurrence& o : found) {
        concerned[o.unknown] = 1;
        along[state.unknowns[o.unknown].slot] = graph.input(state.unknowns[o.unknown].derivative);
      }
      const Expr value = to_expr(graph, scale(without(row.linear, slot), Number(-1.0) / factor));
      definitions.push_back({of, value, row.equations, derivative_along(graph, value, along)});
      row.alive = false;
      break;
    }
  }
  if (definitions.empty()) return false;
  state.eliminate(definitions);
  return true;
}

// The aliases y = k x' that may be put into other rows: those rows stay linear in derivatives, and one of them, without
// derivatives so far, takes over to determine x'. A force F with m x' = F that acts on others as well has none: it
// stays.
std::vector<DerivativeAlias> replaceable(const ReductionState& state, const std::vector<DerivativeAlias>& aliases,
                                         const std::vector<char>& is_state) {
  const auto rows_of = state.rows_by_unknown();
  const Graph& graph = state.model.graph;
  std::vector<char> variable(state.roles.size(), 0);
  for (std::size_t k = 0; k < state.unknowns.size(); ++k)
    if (is_state[k]) variable[state.unknowns[k].derivative] = 1;
  for (const auto& alias : aliases) variable[state.unknowns[alias.unknown].slot] = 1;
  Incidence takers{.columns = state.rows.size(), .rows = {}};
  for (const auto& [row, unknown, of] : aliases) {
    auto& columns = takers.rows.emplace_back();
    bool linear = true;
    for (const std::uint32_t r : rows_of[unknown]) {
      if (r == row) continue;
      const WorkRow& other = state.rows[r];
      if (std::ranges::binary_search(other.inside, state.unknowns[unknown].slot))
        linear &= dependence(graph, other.residual, variable) != Dependence::nonlinear;
      if (!other.has_derivative) columns.push_back(r);
    }
    if (!linear) columns.clear();
  }
  const Matching matching = maximum_matching(takers);
  std::vector<DerivativeAlias> result;
  std::vector<char> taken(state.unknowns.size(), 0);
  for (std::size_t k = 0; k < aliases.size(); ++k)
    if (matching.column_of_row[k] != unmatched && !taken[aliases[k].unknown]) {
      taken[aliases[k].unknown] = 1;
      result.push_back(aliases[k]);
    }
  return result;
}

bool eliminate_derivative_aliases(ReductionState& state) {
  const std::vector<char> is_state = state.differentiated();
  Graph& graph = state.model.graph;
  std::vector<ReductionState::Definition> definitions;
  for (const auto& [r, unknown, of] : replaceable(state, derivative_aliases(state, is_state), is_state)) {
    WorkRow& row = state.rows[r];
    const Expr slot = graph.input(state.unknowns[unknown].slot);
    row.alive = false;
    definitions.push_back({unknown,
                           to_expr(graph, scale(without(row.linear, slot), Number(-1.0) / row.linear.factor_of(slot))),
                           row.equations});
  }
  if (definitions.empty()) return false;
  state.eliminate(definitions);
  return true;
}

// y = f(x', ...) where y is needed nowhere else: a result, unless its row is needed to determine a derivative.
bool eliminate_results(ReductionState& state) {
  const std::vector<char> is_state = state.differentiated();
  const auto rows_of = state.rows_by_unknown();
  Graph& graph = state.model.graph;
  std::vector<std::uint32_t> result_of(state.rows.size(), unmatched);
  for (std::uint32_t k = 0; k < state.unknowns.size(); ++k) {
    if (!state.alive[k] || is_state[k] || rows_of[k].size() != 1) continue;
    const WorkRow& row = state.rows[rows_of[k][0]];
    const bool alone = row.linear.factor_of(graph.input(state.unknowns[k].slot)) != 0.0 &&
                       !std::ranges::binary_search(row.inside, state.unknowns[k].slot);
    if (alone && row.has_derivative) result_of[rows_of[k][0]] = k;
  }
  Incidence needed{.columns = state.unknowns.size(), .rows = {}}, all{.columns = needed.columns, .rows = {}};
  for (std::size_t r = 0; r < state.rows.size(); ++r) {
    auto& columns = all.rows.emplace_back();
    if (state.rows[r].alive) {
      const std::vector<Occurrence>& found = state.rows[r].unknowns;
      for (const Occurrence& o : found)
        if (o.order == 1) columns.push_back(o.unknown);
    }
    needed.rows.push_back(result_of[r] == unmatched ? columns : std::vector<std::uint32_t>{});
  }
  const Matching without_results = maximum_matching(needed);
  const Matching matching = maximum_matching(all, &without_results);
  std::vector<ReductionState::Definition> definitions;
  for (std::size_t r = 0; r < state.rows.size(); ++r) {
    if (result_of[r] == unmatched || matching.column_of_row[r] != unmatched) continue;
    WorkRow& row = state.rows[r];
    const Expr slot = graph.input(state.unknowns[result_of[r]].slot);
    definitions.push_back({result_of[r],
                           to_expr(graph, scale(without(row.linear, slot), Number(-1.0) / row.linear.factor_of(slot))),
                           row.equations});
    row.alive = false;
  }
  if (definitions.empty()) return false;
  state.eliminate(definitions);
  return true;
}

}  // namespace driftless
