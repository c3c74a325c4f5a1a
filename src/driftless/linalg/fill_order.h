// Orders of elimination with little fill, for matrices with many unknowns.
#pragma once

#include <cstdint>
#include <vector>

#include "driftless/core/matrix.h"
#include "driftless/linalg/pattern.h"

namespace driftless {

// Of a symmetric pattern, both triangles given: approximate minimum degree (AMD, by CHOLMOD).
std::vector<std::uint32_t> approximate_minimum_degree_order(const Pattern& pattern);

// Of [A, B; G, 0] with n columns in A, whose diagonal below is zero: each multiplier follows the unknown of A that it
// is tied to most by its constraint, so that its pivot, -G A^-1 B, is there when its turn comes. The pairs keep the
// symmetry of the pattern, which an exchange of rows beforehand would spoil.
std::vector<std::uint32_t> saddle_order(const Pattern& k, std::size_t n, ConstSpan values);

// The same where A is diagonal: its unknowns first, which brings about S = G A^-1 B, then the multipliers in an order
// of small fill in S. Empty where A is not diagonal, or where S is much fuller than G and B: pairs serve better then.
std::vector<std::uint32_t> diagonal_saddle_order(const Pattern& k, std::size_t n);

}  // namespace driftless
