// GMRES with a preconditioner on the right (Saad and Schultz 1986): of all x in the Krylov space the one whose residual
// b - A x is smallest.
#pragma once

#include <functional>

#include "driftless/core/matrix.h"

namespace driftless {

using LinearMap = std::function<void(ConstSpan x, Span out)>;

struct GmresOptions {
  double reduction = 1e-2;  // of the residual
  int limit = 30;           // of iterations; no restarts
};

struct GmresResult {
  double reduction = 1.0;  // reached: |b - A x| / |b|
  int iterations = 0;
};

// `weights` make the norm |r|^2 = sum w_i r_i^2; empty: 1. `x` is only written. Without a preconditioner the map may
// have one on its left, and b as well: then it is the preconditioned residual that is smallest.
GmresResult gmres(const LinearMap& a, const LinearMap& precondition, ConstSpan b, ConstSpan weights, Span x,
                  const GmresOptions& options = {});

}  // namespace driftless
