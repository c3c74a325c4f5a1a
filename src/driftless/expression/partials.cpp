#include "driftless/expression/partials.h"

#include <cmath>
#include <utility>

namespace driftless {

namespace {

constexpr std::uint32_t no_position = 0xffffffff;

Expr reciprocal(Graph& g, Expr a) { return g.divide(g.constant(1.0), a); }

// 1/sqrt(1 - x^2), with the product that does not cancel near |x| = 1.
Expr arc_derivative(Graph& g, Expr x) {
  const Expr one = g.constant(1.0);
  return reciprocal(g, g.apply(Op::sqrt, g.multiply(g.subtract(one, x), g.add(one, x))));
}

Expr sum_of_squares(Graph& g, Expr a, Expr b) { return g.add(g.multiply(a, a), g.multiply(b, b)); }

Expr unary_derivative(Graph& g, Expr node) {
  const Expr a = g.child(node, 0);
  const Expr one = g.constant(1.0);
  switch (g.op(node)) {
    case Op::negate: return g.constant(-1.0);
    case Op::abs: return g.apply(Op::sign, a);
    case Op::sqrt: return g.divide(g.constant(0.5), node);
    case Op::exp: return node;
    case Op::log: return reciprocal(g, a);
    case Op::log10: return g.divide(g.constant(1.0 / std::log(10.0)), a);
    case Op::sin: return g.apply(Op::cos, a);
    case Op::cos: return g.negate(g.apply(Op::sin, a));
    case Op::tan: return g.add(one, g.multiply(node, node));
    case Op::asin: return arc_derivative(g, a);
    case Op::acos: return g.negate(arc_derivative(g, a));
    case Op::atan: return reciprocal(g, g.add(one, g.multiply(a, a)));
    case Op::sinh: return g.apply(Op::cosh, a);
    case Op::cosh: return g.apply(Op::sinh, a);
    case Op::tanh: return g.subtract(one, g.multiply(node, node));
    default: return {};
  }
}

// a^b: b a^(b-1), and a^b log(a), which tends to 0 with a. For a < 0 there is a value for whole numbers b only, which
// then cannot vary: 0, too.
Expr power_derivative(Graph& g, Expr node, int k) {
  const Expr a = g.child(node, 0), b = g.child(node, 1);
  if (k == 0) return g.multiply(b, g.apply(Op::power, a, g.subtract(b, g.constant(1.0))));
  return g.select(g.apply(Op::less, {}, a), g.multiply(node, g.apply(Op::log, a)), {});
}

Expr binary_derivative(Graph& g, Expr node, int k) {
  const Expr a = g.child(node, 0), b = g.child(node, 1);
  switch (g.op(node)) {
    case Op::add: return g.constant(1.0);
    case Op::subtract: return g.constant(k == 0 ? 1.0 : -1.0);
    case Op::multiply: return k == 0 ? b : a;
    case Op::divide: return k == 0 ? reciprocal(g, b) : g.negate(g.multiply(node, reciprocal(g, b)));
    case Op::power: return power_derivative(g, node, k);
    case Op::atan2:
      return k == 0 ? g.divide(b, sum_of_squares(g, a, b)) : g.negate(g.divide(a, sum_of_squares(g, a, b)));
    default: return {};
  }
}

}  // namespace

Expr partial_derivative(Graph& graph, Expr node, int k) {
  return arity(graph.op(node)) == 1 ? unary_derivative(graph, node) : binary_derivative(graph, node, k);
}

bool is_choice(Op op) { return op == Op::select || op == Op::min || op == Op::max; }

Choice choice_of(Graph& graph, Expr node) {
  const Expr a = graph.child(node, 0), b = graph.child(node, 1);
  switch (graph.op(node)) {
    case Op::min: return {graph.apply(Op::less, a, b), 0, 1};
    case Op::max: return {graph.apply(Op::less, b, a), 0, 1};
    default: return {a, 1, 2};
  }
}

// Powers are made as squares, or as the base times a power, with the base first: one path to follow.
IntegerPower as_integer_power(const Graph& graph, const Subgraph& part, std::uint32_t position) {
  constexpr int deepest = 8;
  bool squared[deepest];
  int found_depth = 0;
  std::uint32_t found = 0;
  std::uint32_t base = no_position;
  for (int depth = 0; depth < deepest && part[position].children == 2 && graph.op(part[position].node) == Op::multiply;
       ++depth) {
    const std::uint32_t a = part[position].child[0], b = part[position].child[1];
    squared[depth] = a == b;
    if (a != b && (graph.is_constant(part[a].node) || (base != no_position && base != a))) break;
    if (a != b) base = a;
    position = b;
    if (base != no_position && base != position) continue;
    found = position;
    found_depth = depth + 1;
    if (base == position) break;
  }
  if (found_depth == 0) return {0, 0};
  int n = 1;
  for (int depth = found_depth; depth-- > 0;) n = squared[depth] ? 2 * n : n + 1;
  return {found, n};
}

Expr derivative_of_power(Graph& graph, Expr base, int n) {
  return graph.multiply(graph.constant(n), graph.power(base, n - 1));
}

}  // namespace driftless
