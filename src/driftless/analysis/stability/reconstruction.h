// A smooth curve through the states of a run, and what it leaves in the equations: P x' = f(x, t) + p(t). The smaller
// p, the closer the curve is to a solution, whatever method produced the states.
#pragma once

#include <memory>

#include "driftless/analysis/stability/index1_split.h"
#include "driftless/integrate/solution.h"

namespace driftless {

// P x is a piecewise polynomial: Hermite's through 2 to 5 neighbouring states and their slopes, or the dense output of
// the run, whichever leaves least in each step. Q x solves the constraint, plus the violation of it in the states,
// interpolated, so that the curve meets the states exactly and their constraint residuals stay visible.
class Reconstruction {
 public:
  // The states of a run, the first `count` of them (0: all). Misuse if there are fewer than two.
  Reconstruction(const Index1& form, const Solution& solution, std::size_t count = 0);
  // States at ascending times, one per column.
  Reconstruction(const Index1& form, Vector times, const Matrix& states);
  ~Reconstruction();
  Reconstruction(Reconstruction&&) noexcept;

  const Vector& times() const;
  Vector at(double t) const;
  void residual(double t, Span p) const;
  // Integral of |P p| over step i, as it was estimated when its polynomial was chosen.
  double step_residual(std::size_t i) const;

 private:
  class Curve;
  std::unique_ptr<Curve> curve_;
};

}  // namespace driftless
