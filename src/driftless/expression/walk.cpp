// What one walk over the nodes of some expressions can tell or make.
#include <algorithm>

#include "driftless/core/failure.h"
#include "driftless/expression/graph.h"
#include "driftless/expression/operations.h"
#include "driftless/expression/parameter_trace.h"
#include "driftless/expression/subgraph.h"

namespace driftless {

std::vector<std::uint32_t> inputs_of(const Graph& graph, std::span<const Expr> several) {
  std::vector<std::uint32_t> slots;
  for (const auto& entry : Subgraph(graph, several))
    if (graph.op(entry.node) == Op::input) slots.push_back(graph.slot(entry.node));
  std::sort(slots.begin(), slots.end());
  return slots;
}
std::vector<std::uint32_t> inputs_of(const Graph& graph, Expr e) { return inputs_of(graph, std::span(&e, 1)); }

std::size_t operations_in(const Graph& graph, std::span<const Expr> several) {
  const Subgraph part(graph, several);
  return static_cast<std::size_t>(
      std::count_if(part.begin(), part.end(), [](const auto& entry) { return entry.children > 0; }));
}

std::vector<Expr> substitute(Graph& graph, std::span<const Expr> several,
                             const std::unordered_map<std::uint32_t, Expr>& by_slot) {
  const Subgraph part(graph, several);
  std::vector<Expr> copy;
  copy.reserve(part.size());
  for (const auto& entry : part) {
    const Expr old = entry.node;
    const Op op = graph.op(old);
    const int children = entry.children;
    if (op == Op::input) {
      const auto found = by_slot.find(graph.slot(old));
      copy.push_back(found == by_slot.end() ? old : found->second);
      continue;
    }
    bool same = true;
    Expr child[3];
    for (int k = 0; k < children; ++k) {
      child[k] = copy[entry.child[k]];
      same = same && child[k] == graph.child(old, k);
    }
    if (same)
      copy.push_back(old);
    else if (children == 1)
      copy.push_back(graph.apply(op, child[0]));
    else if (children == 2)
      copy.push_back(graph.apply(op, child[0], child[1]));
    else
      copy.push_back(graph.select(child[0], child[1], child[2]));
  }
  std::vector<Expr> result;
  result.reserve(several.size());
  for (const std::uint32_t root : part.roots()) result.push_back(copy[root]);
  return result;
}
Expr substitute(Graph& graph, Expr e, const std::unordered_map<std::uint32_t, Expr>& by_slot) {
  return substitute(graph, std::span<const Expr>(&e, 1), by_slot)[0];
}

double evaluate(const Graph& graph, Expr e, std::span<const double> inputs, const ParameterValues* parameters) {
  const Subgraph part(graph, std::span(&e, 1));
  std::vector<double> values;
  values.reserve(part.size());
  for (const auto& [node, children, child] : part) {
    const Op op = graph.op(node);
    if (op == Op::constant) {
      values.push_back(parameters ? parameters->of(graph.number(node)) : graph.value(node));
    } else if (op == Op::input) {
      if (graph.slot(node) >= inputs.size()) throw Misuse("an expression reads more inputs than were given");
      values.push_back(inputs[graph.slot(node)]);
    } else {
      values.push_back(compute(op, values[child[0]], values[child[1]], values[child[2]]));
    }
  }
  return values[part.root(0)];
}

}  // namespace driftless
