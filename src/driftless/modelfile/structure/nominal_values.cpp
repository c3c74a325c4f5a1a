#include "driftless/modelfile/structure/nominal_values.h"

#include <cmath>

#include "driftless/modelfile/structure/linear_row.h"

namespace driftless {

namespace {

// A number that can be a unit: nominal = 0 says nothing.
bool usable(const std::optional<double>& nominal) { return nominal && *nominal != 0.0 && std::isfinite(*nominal); }

class NominalValues {
 public:
  explicit NominalValues(const Reduction& reduction) : graph_(reduction.model.graph) {
    for (const FlatVariable& variable : reduction.model.variables)
      if (usable(variable.nominal) && !variable.discrete) own_[variable.slot] = std::abs(*variable.nominal);
    // y = c x + d with a nominal value for y says what x is like, too; the first that does counts.
    for (const FlatVariable& variable : reduction.model.variables)
      if (const auto value = reduction.values.find(variable.slot); value != reduction.values.end())
        if (const auto own = own_.find(variable.slot); own != own_.end()) spread(value->second, own->second);
  }

  // Of c x: what an expression of one unknown is like, if it is a multiple.
  Number of(Expr meaning) const {
    const LinearRow row = linear_row(graph_, meaning);
    if (row.terms.size() != 1 || graph_.op(row.terms[0].node) != Op::input) return 1.0;
    return abs(row.terms[0].factor) * of(graph_.slot(row.terms[0].node), Number(1.0) / abs(row.terms[0].factor));
  }
  Number of(std::uint32_t slot, Number otherwise = 1.0) const {
    if (const auto own = own_.find(slot); own != own_.end()) return own->second;
    const auto alias = by_alias_.find(slot);
    return alias == by_alias_.end() ? otherwise : alias->second;
  }

 private:
  void spread(Expr value, Number nominal) {
    const LinearRow row = linear_row(graph_, value);
    if (row.terms.size() != 1 || graph_.op(row.terms[0].node) != Op::input) return;
    by_alias_.try_emplace(graph_.slot(row.terms[0].node), nominal / abs(row.terms[0].factor));
  }

  const Graph& graph_;
  std::unordered_map<std::uint32_t, Number> own_, by_alias_;  // by slot
};

}  // namespace

Numbers nominals_of(const Reduction& reduction, const FormPlan& plan) {
  const NominalValues nominal(reduction);
  Numbers result;
  for (const Component& c : components_of(plan))
    result.push_back(c.introduced ? nominal.of(c.meaning) : nominal.of(c.slot));
  return result;
}

Vector units_of(const Reduction& reduction, const FormPlan& plan) {
  const Graph& graph = reduction.model.graph;
  std::unordered_map<std::uint32_t, double> unit;  // by slot
  for (const FlatVariable& variable : reduction.model.variables) unit[variable.slot] = variable.solver_unit;
  for (const FlatVariable& variable : reduction.model.variables)
    if (variable.has_derivative && !variable.discrete) unit[variable.derivative] = variable.solver_unit;
  Vector result;
  for (const Component& c : components_of(plan)) {
    std::uint32_t slot = c.slot;
    if (c.introduced) {
      const LinearRow row = linear_row(graph, c.meaning);
      if (row.terms.size() == 1 && graph.op(row.terms[0].node) == Op::input) slot = graph.slot(row.terms[0].node);
    }
    const auto found = unit.find(slot);
    result.push_back(found == unit.end() ? 1.0 : found->second);
  }
  return result;
}

}  // namespace driftless
