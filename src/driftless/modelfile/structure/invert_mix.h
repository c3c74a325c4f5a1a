// Multipliers from the forces of constraints that they make: lambda from K lambda = mu, as formulas.
#pragma once

#include <optional>
#include <vector>

#include "driftless/expression/graph.h"

namespace driftless {

// K row by row, a square matrix; unknowns that depend on each other in a loop are at most three. None if they are more,
// or if K is singular by its zeros.
std::optional<std::vector<Expr>> invert_mix(Graph& graph, const std::vector<Expr>& mix, const std::vector<Expr>& mu);

// The multiplier that acts on this constraint alone, as nobody else does, with a constant factor.
std::optional<std::size_t> own_multiplier(const Graph& graph, const std::vector<Expr>& mix, std::size_t constraint);

}  // namespace driftless
