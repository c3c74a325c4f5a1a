// Variables that are functions of time alone and whose derivative acts on differential equations of others, like the
// voltage of a source that feeds a capacitor: V = f(t), C (x' - V') = ... As an unknown V would raise the index. So are
// those whose derivatives are only given names: z = f(t), v = z', a = v'.
#include <algorithm>

#include "driftless/expression/differentiate.h"
#include "driftless/modelfile/structure/reduction_state.h"

namespace driftless {

namespace {

class Driven {
 public:
  explicit Driven(const ReductionState& state)
      : state_(state), rows_of_(state.rows_by_unknown()), is_state_(state.differentiated()) {}

  // V' = w with forces in w' = ... is the first step of a prescribed motion, which stays a constraint with its force.
  bool may_go(std::uint32_t unknown) const { return may_go(unknown, 0); }

 private:
  bool may_go(std::uint32_t unknown, std::size_t depth) const {
    for (const std::uint32_t r : rows_of_[unknown]) {
      const std::vector<Occurrence>& found = state_.rows[r].unknowns;
      bool own = false, other = false;
      for (const Occurrence& o : found)
        if (o.order == 1) (o.unknown == unknown ? own : other) = true;
      if (own && (depth > 0 || !other) && !only_names(r, unknown, found, depth)) return false;
    }
    return true;
  }

  // w = k V' + c, where w' is not there, or goes the same way.
  bool only_names(std::uint32_t r, std::uint32_t unknown, const std::vector<Occurrence>& found,
                  std::size_t depth) const {
    const WorkRow& row = state_.rows[r];
    if (!state_.is_linear(row) || row.linear.terms.size() != 2 || found.size() != 2) return false;
    const std::uint32_t rate = found[0].unknown == unknown ? found[1].unknown : found[0].unknown;
    return !is_state_[rate] || (depth < state_.rows.size() && may_go(rate, depth + 1));
  }

  const ReductionState& state_;
  const std::vector<std::vector<std::uint32_t>> rows_of_;
  const std::vector<char> is_state_;
};

}  // namespace

bool eliminate_driven(ReductionState& state) {
  const std::vector<char> is_state = state.differentiated();
  const Driven driven(state);
  Graph& graph = state.model.graph;
  std::vector<ReductionState::Definition> definitions;
  std::vector<char> defined(state.unknowns.size(), 0);
  for (WorkRow& row : state.rows) {
    if (!row.alive || row.has_derivative) continue;
    const std::vector<Occurrence>& found = row.unknowns;
    if (found.size() != 1 || !is_state[found[0].unknown]) continue;
    const std::uint32_t unknown = found[0].unknown;
    const Expr slot = graph.input(state.unknowns[unknown].slot);
    const Number factor = row.linear.factor_of(slot);
    if (factor == 0.0 || std::ranges::binary_search(row.inside, graph.slot(slot))) continue;
    const std::size_t variable = state.unknowns[unknown].variable;
    if (variable != no_variable && state.model.variables[variable].kept) continue;
    if (defined[unknown] || !driven.may_go(unknown)) continue;
    defined[unknown] = 1;
    const Expr value = to_expr(graph, scale(without(row.linear, slot), Number(-1.0) / factor));
    definitions.push_back({unknown, value, row.equations,
                           derivative_along(graph, value, {{state.model.time_slot, graph.constant(1.0)}})});
    row.alive = false;
  }
  if (definitions.empty()) return false;
  state.eliminate(definitions);
  return true;
}

}  // namespace driftless
