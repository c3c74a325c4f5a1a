// How fast the fastest mode on the manifold is.
#pragma once

#include "driftless/equations/manifold.h"
#include "driftless/integrate/adaptive_options.h"

namespace driftless {

// The spectral radius of the underlying ODE's Jacobian on the manifold, by a power iteration that goes on from point to
// point: two evaluations each time, no matrix.
class SpectralRadius {
 public:
  SpectralRadius(const Equations& equations, const Tolerance& tolerance);

  // The estimate after one more iteration at this state; the mean over two, since a mode of a second-order equation
  // moves between positions and velocities. 0 if the model cannot be evaluated here.
  double estimate(double t, ConstSpan state);

  template <class Visitor>
  void visit(Visitor&& visitor) {
    visitor(direction_, last_);
  }

 private:
  double norm(ConstSpan x) const;

  Tolerance tolerance_;
  std::unique_ptr<Manifold> manifold_;
  std::size_t size_, moving_;
  Vector direction_, base_, slope_, moved_, moved_slope_, weights_;
  double last_ = 0.0;
};

}  // namespace driftless
