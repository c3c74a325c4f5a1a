// Subexpressions that several rows of a Jacobian depend on through few inputs.
#pragma once

#include <span>
#include <vector>

#include "driftless/expression/graph.h"

namespace driftless {

// Where it pays to compute the gradient once and to multiply by it in each row, instead of going backwards through the
// subexpression from each row: a property of a fluid as a function of two others, say. Children before parents.
std::vector<Expr> find_knots(const Graph& graph, std::span<const Expr> rows);

}  // namespace driftless
