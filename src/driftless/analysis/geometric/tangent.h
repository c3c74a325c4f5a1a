// The tangent space of the constraint and derivatives of maps in it.
#pragma once

#include <functional>

#include "driftless/analysis/geometric/index2_problem.h"
#include "driftless/equations/manifold.h"

namespace driftless {

// An orthonormal basis of the kernel of g_u at a state, one column per degree of freedom. Redundant constraints count
// once.
Matrix tangent_basis(const Index2& equations, double t, ConstSpan state);

// u + move, brought back onto the constraint, with the multiplier moved by what psi_0 changes.
class TangentMoves {
 public:
  TangentMoves(const Index2& equations, double t, ConstSpan state);

  std::optional<Failure> apply(ConstSpan move, double factor, Vector& moved);

 private:
  Index2 equations_;
  double t_;
  Vector state_, psi_0_;  // psi_0 at the state itself
  std::unique_ptr<Manifold> manifold_;
  Vector mu1_, mu2_;
};

// state -> state some time later, in place.
using StateMap = std::function<std::optional<Failure>(Span state)>;

// The derivative of the map along each column of `directions` (of length u_size()), by central differences of fourth
// order with steps of size `step` (1 + |u|); rows are those of u.
Result<Matrix> derivative_along(const Index2& equations, double t, ConstSpan state, const Matrix& directions,
                                const StateMap& map, double step);

// basis^T a
Matrix coordinates_of(const Matrix& basis, const Matrix& a);

}  // namespace driftless
