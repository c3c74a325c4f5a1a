// Why a run cannot go on: what a collapsing step size means, the likeliest cause first.
#pragma once

#include "driftless/core/failure.h"
#include "driftless/equations/equations.h"
#include "driftless/integrate/clock.h"
#include "driftless/integrate/statistics.h"

namespace driftless {

// Remembers where the model was not finite last: if the step size collapses, this is why.
class Blame {
 public:
  explicit Blame(std::size_t size) : point_(size) {}

  // The first components of the point, as many as are given, up to those of a state.
  void not_finite(double t, ConstSpan point);
  // After a step of size h from t. Steps of rounding size up to the edge of a domain are no way out of it.
  void accepted(double t, double h) { met_ = met_ && std::abs(h) < 1e-9 * (1.0 + std::abs(t)); }

  // The run stands at `state`; the component is the one that its last attempts had most trouble with.
  Failure explain_collapse(const Equations& equations, const Tolerance& tolerance, const Statistics& statistics,
                           const Clock& clock, ConstSpan state, std::size_t worst_component) const;

  template <class Visitor>
  void visit(Visitor&& visitor) {
    visitor(met_, t_, point_);
  }

 private:
  bool met_ = false;  // since the last step of a reasonable size
  double t_ = 0.0;
  Vector point_;
};

Failure too_many_attempts(const Clock& clock);

}  // namespace driftless
