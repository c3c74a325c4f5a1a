// Derivatives as expressions of the same graph, so that they share what can be shared.
#pragma once

#include "driftless/expression/graph.h"

namespace driftless {

// d e / d slot. Piecewise functions have the derivative of the piece in use (abs' = sign, floor' = 0, min' of the
// smaller one); what the other piece's derivative is does not matter, even if it is NaN.
Expr differentiate(Graph& graph, Expr e, std::uint32_t slot);

struct Partial {
  std::uint32_t slot;
  Expr derivative;
};
// All partial derivatives that are not structurally zero, by ascending slot: one backward sweep over `e`, so the work
// does not grow with the number of slots.
std::vector<Partial> gradient(Graph& graph, Expr e);

// One gradient per expression: the rows of a Jacobian.
std::vector<std::vector<Partial>> jacobian(Graph& graph, std::span<const Expr> several);

// The directional derivative sum_k d e / d slot_k * direction_k; slots without an entry have direction zero. With
// direction = {time: 1, x: der(x), ...} this is the total derivative with respect to time.
Expr derivative_along(Graph& graph, Expr e, const std::unordered_map<std::uint32_t, Expr>& direction);
std::vector<Expr> derivative_along(Graph& graph, std::span<const Expr> several,
                                   const std::unordered_map<std::uint32_t, Expr>& direction);

}  // namespace driftless
