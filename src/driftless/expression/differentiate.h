// Derivatives as expressions of the same graph, so that they share what can be shared.
#pragma once

#include "driftless/expression/graph.h"

namespace driftless {

// d e / d slot. Piecewise functions have the derivative of the piece in use (abs' = sign, floor' = 0, min' of the
// smaller one).
Expr differentiate(Graph& graph, Expr e, std::uint32_t slot);

struct Partial {
  std::uint32_t slot;
  Expr derivative;
};
// All partial derivatives that are not structurally zero, by ascending slot. Work linear in the size of `e` times the
// number of slots at worst; one backward sweep for a scalar `e` of many slots.
std::vector<Partial> gradient(Graph& graph, Expr e);

// The directional derivative sum_k d e / d slot_k * direction_k; slots without an entry have direction zero. With
// direction = {time: 1, x: der(x), ...} this is the total derivative with respect to time.
Expr derivative_along(Graph& graph, Expr e, const std::unordered_map<std::uint32_t, Expr>& direction);
std::vector<Expr> derivative_along(Graph& graph, std::span<const Expr> several,
                                   const std::unordered_map<std::uint32_t, Expr>& direction);

}  // namespace driftless
