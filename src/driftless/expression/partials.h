// The derivatives of single operations.
#pragma once

#include "driftless/expression/subgraph.h"

namespace driftless {

// d node / d child k, for operations that are smooth in it; 0 for those that are constant piece by piece.
Expr partial_derivative(Graph& graph, Expr node, int k);

// min, max and select have the derivative of one child: child `yes` where `condition` holds, child `no` elsewhere.
struct Choice {
  Expr condition;
  int yes, no;
};
bool is_choice(Op op);
Choice choice_of(Graph& graph, Expr node);

// A product that is base^n, n >= 2; n = 0 if the node is none. `base` is a position in the subgraph.
struct IntegerPower {
  std::uint32_t base;
  int n;
};
IntegerPower as_integer_power(const Graph& graph, const Subgraph& part, std::uint32_t position);
// n base^(n-1)
Expr derivative_of_power(Graph& graph, Expr base, int n);

}  // namespace driftless
