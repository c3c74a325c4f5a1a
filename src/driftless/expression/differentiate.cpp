#include "driftless/expression/differentiate.h"

#include "driftless/expression/partials.h"
#include "driftless/expression/subgraph.h"

namespace driftless {

namespace {

using Tangents = std::vector<Expr>;  // by position; the constant 0 where nothing varies

Expr product_tangent(Graph& graph, const Subgraph& part, std::uint32_t position, const Tangents& tangents) {
  if (const IntegerPower power = as_integer_power(graph, part, position); power.n > 2)
    return graph.multiply(derivative_of_power(graph, part[power.base].node, power.n), tangents[power.base]);
  const auto& entry = part[position];
  return graph.add(graph.multiply(tangents[entry.child[0]], graph.child(entry.node, 1)),
                   graph.multiply(graph.child(entry.node, 0), tangents[entry.child[1]]));
}

Expr tangent(Graph& graph, const Subgraph& part, std::uint32_t position, const Tangents& tangents) {
  const auto& [node, children, child] = part[position];
  const Op op = graph.op(node);
  const Expr a = tangents[child[0]], b = tangents[child[1]];
  if (is_choice(op)) {
    const Expr branch[3] = {a, b, tangents[child[2]]};
    const int first = op == Op::select ? 1 : 0;
    if (branch[first] == branch[first + 1]) return branch[first];
    const Choice choice = choice_of(graph, node);
    return graph.select(choice.condition, branch[choice.yes], branch[choice.no]);
  }
  if (children == 1) return a == Expr{} ? a : graph.multiply(a, partial_derivative(graph, node, 0));
  if (a == Expr{} && b == Expr{}) return {};
  switch (op) {
    case Op::add: return graph.add(a, b);
    case Op::subtract: return graph.subtract(a, b);
    case Op::multiply: return product_tangent(graph, part, position, tangents);
    // (a/b)' = (a' - (a/b) b') / b
    case Op::divide: return graph.divide(graph.subtract(a, graph.multiply(node, b)), graph.child(node, 1));
    default: break;
  }
  Expr sum{};
  if (a != Expr{}) sum = graph.multiply(a, partial_derivative(graph, node, 0));
  if (b != Expr{}) sum = graph.add(sum, graph.multiply(b, partial_derivative(graph, node, 1)));
  return sum;
}

}  // namespace

std::vector<Expr> derivative_along(Graph& graph, std::span<const Expr> several,
                                   const std::unordered_map<std::uint32_t, Expr>& direction) {
  const Subgraph part(graph, several);
  Tangents tangents;
  tangents.reserve(part.size());
  for (std::uint32_t position = 0; position < part.size(); ++position) {
    const Expr node = part[position].node;
    if (graph.is_constant(node)) {
      tangents.push_back({});
    } else if (graph.op(node) == Op::input) {
      const auto found = direction.find(graph.slot(node));
      tangents.push_back(found == direction.end() ? Expr{} : found->second);
    } else {
      tangents.push_back(tangent(graph, part, position, tangents));
    }
  }
  std::vector<Expr> result;
  result.reserve(several.size());
  for (const std::uint32_t root : part.roots()) result.push_back(tangents[root]);
  return result;
}

Expr derivative_along(Graph& graph, Expr e, const std::unordered_map<std::uint32_t, Expr>& direction) {
  return derivative_along(graph, std::span<const Expr>(&e, 1), direction)[0];
}

Expr differentiate(Graph& graph, Expr e, std::uint32_t slot) {
  return derivative_along(graph, e, {{slot, graph.constant(1.0)}});
}

}  // namespace driftless
