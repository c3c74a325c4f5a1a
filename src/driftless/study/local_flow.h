// The underlying equation around one state, in coordinates on the constraints: what linearisation asks of a model.
#pragma once

#include <memory>

#include "driftless/core/result.h"
#include "driftless/equations/manifold.h"

namespace driftless {

class LocalFlow {
 public:
  // The state has to be consistent. Components before the multipliers count; for index 1 all do.
  LocalFlow(Equations equations, double t, Vector state);

  std::size_t size() const { return n_; }
  const Vector& state() const { return state_; }
  const Vector& sizes() const { return sizes_; }  // usual size of each component, which moves are measured in

  // The state moved by this multiple of usual sizes and put back on the constraints.
  Result<Vector> moved(ConstSpan move, double factor) const;
  // F at such a state, in usual sizes.
  Result<Vector> slope(const Vector& state, double t) const;

  // What of a vector, in usual sizes, belongs to coordinates: all of it, or for index 1 its differential part P x.
  Vector part_of_coordinates(const Vector& x) const;

  // Orthonormal columns that span the directions in which the constraints let the state move, of index 1 those of P x.
  Result<Matrix> tangent_basis() const;

 private:
  Equations equations_;
  double t_;
  Vector state_, sizes_;
  std::size_t n_ = 0;
  Matrix projector_;  // P in usual sizes; 0 x 0 for other forms
  std::unique_ptr<Manifold> manifold_;
};

// The derivative of f(s) at 0 by central differences of fourth order: (8 (f(h) - f(-h)) - (f(2 h) - f(-2 h))) / 12 h.
template <class Function>
Result<Vector> derivative_at_zero(const Function& f, double h) {
  Vector sum;
  for (const auto& [place, weight] : {std::pair{h, 8.0}, {-h, -8.0}, {2.0 * h, -1.0}, {-2.0 * h, 1.0}}) {
    const Result<Vector> value = f(place);
    if (!value) return value.failure();
    sum.resize(value->size());
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weight / (12.0 * h) * (*value)[i];
  }
  return sum;
}

}  // namespace driftless
