// Where index-2 problems come from: stated as such, or a mechanical problem after Gear, Gupta and Leimkuhler.
#pragma once

#include <optional>

#include "driftless/core/result.h"
#include "driftless/equations/equations.h"

namespace driftless {

// Index 2 as it is; mechanical problems by as_ggl(). Misuse for index 1 and for index 3 in general form.
Index2 index2_of(const Equations& equations);

// The state of index2_of(equations) for a state of `equations`.
Vector state_as_index2_of(const Equations& equations, double t, ConstSpan state);

// A point (u, t) of the constraint g(u, t) = 0. lambda may be left out; where f is nonlinear in it there may be several
// psi_0, and the one nearest to the lambda given is meant.
struct ManifoldPoint {
  double t = 0.0;
  Vector state;  // u, or (u, lambda)
};

// u of a state, and (u, psi_0(u, t)).
ConstSpan point_of(const Index2& equations, ConstSpan state);
Result<Vector> on_continuous_manifold(const Index2& equations, double t, ConstSpan state);

// A Failure if f, g or Gamma change with time while the state stays: attracting sets belong to equations that do not.
std::optional<Failure> require_autonomous(const Index2& equations, ConstSpan state);

// `count` points at equal distances in time along the solution from `start` (first and last time included).
Result<std::vector<ManifoldPoint>> points_along_solution(const Index2& equations, double begin, double end,
                                                         ConstSpan start, std::size_t count);

}  // namespace driftless
