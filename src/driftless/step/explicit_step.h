// One explicit Runge-Kutta step on the underlying ODE u' = f(u, psi_0(u, t)): stages, error estimates, interpolant.
#pragma once

#include "driftless/equations/manifold.h"
#include "driftless/tableau/explicit_pair.h"

namespace driftless {

class ExplicitStep {
 public:
  // `algebraic`: how many components at the end of a state (the multipliers) have no slope.
  ExplicitStep(Manifold& manifold, const ExplicitPair& pair, std::size_t size, std::size_t algebraic);

  const ExplicitPair& pair() const { return pair_; }
  // The slope at the beginning of a step; at the end of an accepted one, the slope there.
  Span first_slope() { return slopes_.view().column(0); }
  Span end_slope() { return slopes_.view().column(pair_.stages); }
  ConstSpan slope(std::size_t stage) const { return slopes_.view().column(stage); }
  Matrix& slopes() { return slopes_; }
  const Matrix& slopes() const { return slopes_; }

  // next = x + h sum b_j k_j, not projected, with the multipliers of the last stage.
  ManifoldStatus take(double t, ConstSpan x, double h, Span next);
  // h sum e_j k_j for row `which` of the estimates.
  void error(std::size_t which, double h, Span out) const;
  // Where the model was evaluated last.
  ConstSpan last_point() const { return point_; }
  double last_time() const { return point_time_; }

  // Slopes of the stages that only the interpolant needs.
  ManifoldStatus extend(double t, ConstSpan x, double h);
  // If that was impossible: without them the interpolant is the cubic through both ends.
  void forget_extension();
  // x(t + theta h) - x(t) for given weights.
  void combine(ConstSpan weights, double h, Span out) const;

 private:
  ManifoldStatus evaluate(std::size_t stage, double t, ConstSpan x, double h);
  void add(std::size_t row, ConstSpan x, double h, Span out) const;

  Manifold& manifold_;
  const ExplicitPair& pair_;
  std::size_t size_, moving_;
  Matrix slopes_;
  Vector point_;
  double point_time_ = 0.0;
  // The non-zero entries of each row of A, flat: weights and their stages.
  std::vector<std::size_t> row_begin_, row_stage_;
  Vector row_weight_;
};

}  // namespace driftless
