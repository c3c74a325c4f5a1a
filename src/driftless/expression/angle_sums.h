// Sines and cosines of sums from those of the summands.
#pragma once

#include <span>
#include <vector>

#include "driftless/expression/graph.h"

namespace driftless {

// The same expressions with sin(a + b) = sin a cos b + cos a sin b, and so on, wherever a call is made for a and for b
// anyway; a constant needs none. Errors are absolute ones of a few 1e-16, those of a sum rounded before its sine; where
// a relative one may matter nothing is changed: if the sum is used beside its sine and cosine, or if one of these is
// wanted for more than sums, products and numerators.
std::vector<Expr> expand_angle_sums(Graph& graph, std::span<const Expr> several);

}  // namespace driftless
