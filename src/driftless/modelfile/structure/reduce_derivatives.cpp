// Steps of the reduction that look at derivatives: rows whose derivatives depend on each other, variables that are
// derivatives of others (a = der(v)), and results computed from derivatives.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <random>

#include "driftless/core/matrix.h"
#include "driftless/expression/differentiate.h"
#include "driftless/modelfile/structure/reduction_state.h"
#include "driftless/modelfile/structure/sample_points.h"

namespace driftless {

namespace {

// Constant combinations of rows in which all derivatives cancel: with C (x' - y') = a and C (y' - x') = b also a + b =
// 0. Factors that are not constant are compared at several random points.
class DependentDerivatives {
 public:
  explicit DependentDerivatives(ReductionState& state) : state_(state), graph_(state.model.graph) {}

  bool run() {
    find_core();
    if (core_.size() < 2) return false;
    read_factors();
    eliminate();
    return changed_;
  }

 private:
  using Sparse = std::map<std::uint32_t, Number>;  // derivative and sample -> factor

  static constexpr std::size_t samples = 3;

  void derivatives_in(const WorkRow& row, std::vector<std::uint32_t>& out) const {
    out.clear();
    for (const auto& term : row.linear.terms)
      if (const SlotRole role = state_.role(term); role.kind == SlotRole::Kind::derivative) out.push_back(role.unknown);
    for (const std::uint32_t slot : row.inside)
      if (const SlotRole role = state_.role(slot); role.kind == SlotRole::Kind::derivative) out.push_back(role.unknown);
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
  }

  // A row with a derivative that no other row has is independent of the others, and need not be looked at.
  void find_core() {
    const std::size_t n = state_.rows.size();
    std::vector<std::vector<std::uint32_t>> of_row(n), of_unknown(state_.unknowns.size());
    for (std::uint32_t r = 0; r < n; ++r) {
      if (!state_.rows[r].alive || !state_.rows[r].has_derivative) continue;
      derivatives_in(state_.rows[r], of_row[r]);
      for (const std::uint32_t k : of_row[r]) of_unknown[k].push_back(r);
    }
    std::vector<std::size_t> left(of_unknown.size());
    std::vector<char> gone(n, 0);
    std::vector<std::uint32_t> single;
    for (std::uint32_t k = 0; k < of_unknown.size(); ++k)
      if ((left[k] = of_unknown[k].size()) == 1) single.push_back(k);
    while (!single.empty()) {
      const std::uint32_t k = single.back();
      single.pop_back();
      for (const std::uint32_t r : of_unknown[k]) {
        if (gone[r]) continue;
        gone[r] = 1;
        for (const std::uint32_t other : of_row[r])
          if (--left[other] == 1) single.push_back(other);
      }
    }
    for (std::uint32_t r = 0; r < n; ++r)
      if (!of_row[r].empty() && !gone[r]) core_.push_back(r);
  }

  void read_factors() {
    std::vector<Expr> factors;
    struct Where {
      std::size_t row;
      std::uint32_t unknown;
    };
    std::vector<Where> where;
    std::vector<std::uint32_t> found;
    for (std::size_t k = 0; k < core_.size(); ++k) {
      const WorkRow& row = state_.rows[core_[k]];
      derivatives_in(row, found);
      for (const std::uint32_t unknown : found) {
        factors.push_back(differentiate(graph_, row.residual, state_.unknowns[unknown].derivative));
        where.push_back({k, unknown});
      }
    }
    factors_.resize(core_.size());
    std::mt19937 random(12345);
    std::uniform_real_distribution<double> uniform(0.3, 1.3);
    Vector inputs(state_.model.slots);
    for (std::uint32_t sample = 0; sample < samples; ++sample) {
      for (double& x : inputs) x = uniform(random);
      vary_modes(state_.model, sample, inputs);
      const Numbers values = evaluate(graph_, factors, Numbers(inputs.begin(), inputs.end()));
      for (std::size_t k = 0; k < values.size(); ++k)
        if (isfinite(values[k])) factors_[where[k].row][where[k].unknown * samples + sample] = values[k];
    }
  }

  static void add_to(Sparse& row, Number factor, const Sparse& other) {
    for (const auto& [key, value] : other) {
      const auto [entry, created] = row.try_emplace(key, 0.0);
      const Number before = abs(entry->second);
      entry->second += factor * value;
      if (abs(entry->second) <= 1e-11 * max(before, abs(factor * value))) row.erase(entry);
    }
  }

  void eliminate() {
    struct Pivot {
      std::uint32_t key;
      Sparse row, combination;
    };
    std::vector<Pivot> pivots;
    for (std::uint32_t k = 0; k < core_.size(); ++k) {
      Sparse row = factors_[k], combination{{k, 1.0}};
      for (const Pivot& pivot : pivots) {
        const auto entry = row.find(pivot.key);
        if (entry == row.end()) continue;
        const Number factor = -entry->second / pivot.row.at(pivot.key);
        add_to(row, factor, pivot.row);
        row.erase(pivot.key);
        add_to(combination, factor, pivot.combination);
      }
      if (row.empty()) {
        combine(core_[k], combination);
      } else {
        const auto largest = std::ranges::max_element(row, {}, [](const auto& e) { return abs(e.second); });
        pivots.push_back({largest->first, row, combination});
      }
    }
  }

  // The row becomes the combination, without derivatives.
  void combine(std::uint32_t r, const Sparse& combination) {
    WorkRow& target = state_.rows[r];
    LinearRow sum;
    for (const auto& [k, factor] : combination) {
      const WorkRow& row = state_.rows[core_[k]];
      sum = add(sum, factor, row.linear);
      if (core_[k] != r) target.equations.insert(target.equations.end(), row.equations.begin(), row.equations.end());
    }
    std::ranges::sort(target.equations);
    target.equations.erase(std::unique(target.equations.begin(), target.equations.end()), target.equations.end());
    std::unordered_map<std::uint32_t, Expr> zero;
    for (const auto& [key, factor] : factors_[core_position(r)])
      zero[state_.unknowns[key / samples].derivative] = Expr{};
    for (const auto& [k, factor] : combination)
      for (const auto& [key, value] : factors_[k]) zero[state_.unknowns[key / samples].derivative] = Expr{};
    const LinearRow rest = linear_row(graph_, substitute(graph_, to_expr(graph_, sum), zero));
    if (rest.terms.empty()) refuse_empty_row(state_, target, rest.constant.pinned());
    state_.set_residual(target, to_expr(graph_, rest));
    changed_ = true;
  }

  std::size_t core_position(std::uint32_t r) const {
    return static_cast<std::size_t>(std::ranges::find(core_, r) - core_.begin());
  }

  ReductionState& state_;
  Graph& graph_;
  std::vector<std::uint32_t> core_;
  std::vector<Sparse> factors_;
  bool changed_ = false;
};

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

bool combine_dependent_derivatives(ReductionState& state) { return DependentDerivatives(state).run(); }

// x' = f: wherever else x' occurs, f is put in its place.
bool substitute_explicit_derivatives(ReductionState& state) {
  std::vector<std::vector<std::uint32_t>> rows_with(state.unknowns.size());
  std::vector<Occurrence> found;
  for (std::uint32_t r = 0; r < state.rows.size(); ++r) {
    if (!state.rows[r].alive || !state.rows[r].has_derivative) continue;
    state.unknowns_in(state.rows[r], found);
    for (const Occurrence& o : found)
      if (o.order == 1) rows_with[o.unknown].push_back(r);
  }
  std::unordered_map<std::uint32_t, Expr> by_slot;
  std::vector<char> defines(state.rows.size(), 0), concerned(state.rows.size(), 0);
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
  std::vector<Occurrence> found;
  for (const std::uint32_t r : rows) {
    state.unknowns_in(state.rows[r], found);
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
  std::vector<Occurrence> found;
  for (const auto& [alias_row, unknown, of] : derivative_aliases(state, is_state)) {
    std::size_t with_derivative = 0;
    for (const std::uint32_t r : rows_of[of]) {
      state.unknowns_in(state.rows[r], found);
      for (const Occurrence& o : found) with_derivative += o.unknown == of && o.order == 1;
    }
    if (with_derivative != 1 || concerned[of]) continue;
    const Expr slot = graph.input(state.unknowns[of].slot);
    for (const std::uint32_t r : rows_of[of]) {
      WorkRow& row = state.rows[r];
      const Number factor = row.linear.factor_of(slot);
      if (row.has_derivative || factor == 0.0 || std::ranges::binary_search(row.inside, graph.slot(slot))) continue;
      state.unknowns_in(row, found);
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
    definitions.push_back(
        {unknown, to_expr(graph, scale(without(row.linear, slot), Number(-1.0) / row.linear.factor_of(slot))), row.equations});
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
  std::vector<Occurrence> found;
  for (std::size_t r = 0; r < state.rows.size(); ++r) {
    auto& columns = all.rows.emplace_back();
    if (state.rows[r].alive) {
      state.unknowns_in(state.rows[r], found);
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
