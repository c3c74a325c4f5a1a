// What tests and `driftless reproduce` both measure of fixed steps.
#pragma once

#include <functional>

#include "driftless/driftless.h"
#include "testset/problem.h"

namespace driftless::testset {

// Error of each block (u, v, lambda, ...; empty ones left out) at the end of n steps over one unit of time, in the max
// norm.
Vector block_errors(const Equations& equations, double begin, const std::function<Vector(double)>& exact,
                    const Method& method, std::size_t n);

// The iterates of equations and of their autonomous rewriting, Schropp 2001, (3.17).
struct Rewriting {
  double difference;  // the largest, relative
  double rounding;    // what rounding can explain of it: a multiplier of index k is a (k - 1)-st difference quotient
};
Rewriting compare_with_rewriting(const Problem& problem, const Tableau& tableau);

}  // namespace driftless::testset
