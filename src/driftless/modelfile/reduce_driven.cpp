// Variables that are functions of time alone and whose derivative acts on differential equations of others, like the
// voltage of a source that feeds a capacitor: V = f(t), C (x' - V') = ... As an unknown V would raise the index.
#include <algorithm>

#include "driftless/expression/differentiate.h"
#include "driftless/modelfile/reduction_state.h"

namespace driftless {

namespace {

// V' = w alone is the first step of a prescribed motion, which stays a constraint with its own force.
bool only_acts_on_others(const ReductionState& state, std::uint32_t unknown, const std::vector<std::uint32_t>& rows) {
  bool acts = false;
  std::vector<Occurrence> found;
  for (const std::uint32_t r : rows) {
    state.unknowns_in(state.rows[r], found);
    bool own = false, other = false;
    for (const Occurrence& o : found)
      if (o.order == 1) (o.unknown == unknown ? own : other) = true;
    if (own && !other) return false;
    acts = acts || own;
  }
  return acts;
}

}  // namespace

bool eliminate_driven(ReductionState& state) {
  const std::vector<char> is_state = state.differentiated();
  const auto rows_of = state.rows_by_unknown();
  Graph& graph = state.model.graph;
  std::vector<ReductionState::Definition> definitions;
  std::vector<Occurrence> found;
  for (WorkRow& row : state.rows) {
    if (!row.alive || row.has_derivative) continue;
    state.unknowns_in(row, found);
    if (found.size() != 1 || !is_state[found[0].unknown]) continue;
    const std::uint32_t unknown = found[0].unknown;
    const Expr slot = graph.input(state.unknowns[unknown].slot);
    const double factor = row.linear.factor_of(slot);
    if (factor == 0.0 || std::ranges::binary_search(row.inside, graph.slot(slot))) continue;
    const auto same = [&](const auto& d) { return d.unknown == unknown; };
    if (std::ranges::any_of(definitions, same) || !only_acts_on_others(state, unknown, rows_of[unknown])) continue;
    const Expr value = to_expr(graph, scale(without(row.linear, slot), -1.0 / factor));
    definitions.push_back({unknown, value, row.equations,
                           derivative_along(graph, value, {{state.model.time_slot, graph.constant(1.0)}})});
    row.alive = false;
  }
  if (definitions.empty()) return false;
  state.eliminate(definitions);
  return true;
}

}  // namespace driftless
