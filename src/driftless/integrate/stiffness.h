// How fast the fastest mode on the manifold is.
#pragma once

#include "driftless/equations/manifold.h"
#include "driftless/integrate/adaptive_options.h"

namespace driftless {

// The spectral radius of the underlying ODE's Jacobian on the manifold, by a power iteration that goes on from point to
// point: two evaluations each time, no matrix.
class SpectralRadius {
 public:
  // Both outlive it.
  SpectralRadius(const Equations& equations, const Tolerance& tolerance);
  SpectralRadius(const SpectralRadius&) = delete;

  // Takes the memory that estimates need; runs that are implicit from first to last need none.
  void prepare();

  // The estimate after one more iteration at this state; the mean over two, since a mode of a second-order equation
  // moves between positions and velocities. 0 if the model cannot be evaluated here.
  double estimate(double t, ConstSpan state);

  template <class Visitor>
  void visit(Visitor&& visitor) {
    visitor(direction_, last_);
  }

 private:
  double norm(ConstSpan x, ConstSpan weights) const;

  const Equations& equations_;
  const Tolerance& tolerance_;
  std::unique_ptr<Manifold> manifold_;
  std::size_t moving_;
  Vector direction_;
  double last_ = 0.0;
};

}  // namespace driftless
