// Problems that lose index 1 on the way, with the time known in closed form.
#pragma once

#include <cmath>

#include "driftless/equations/index1_enclosed.h"

namespace driftless::stability {

// z^2 = y with y' = -1: a fold at t = 1, where z = 0 and solutions end. M_Q = -2 z = -2 sqrt(1 - t).
struct Fold {
  void F(auto, auto, auto, auto out) const { out[0] = out[0] - 1.0; }
  void G(auto y, auto z, auto, auto out) const { out[0] = y[0] - z[0] * z[0]; }
};

// (1 - t) (z - sin y) = 0 with y' = -y + z: the solution passes t = 1 smoothly, the constraint does not determine it
// there.
struct Fading {
  void F(auto y, auto z, auto, auto out) const { out[0] = z[0] - y[0]; }
  void G(auto y, auto z, auto t, auto out) const {
    using std::sin;
    out[0] = (1.0 - t) * (sin(y[0]) - z[0]);
  }
};

// Two constraints with a block that turns: -(cos t, -sin t; sin t, cos t) z + y = 0 is always regular, but its
// symmetric part -cos t reaches 0 at pi/2.
struct TurningConstraint {
  void F(auto y, auto, auto, auto out) const {
    out[0] = -0.1 * y[0];
    out[1] = -0.2 * y[1];
  }
  void G(auto y, auto z, auto t, auto out) const {
    using std::sin, std::cos;
    out[0] = y[0] - cos(t) * z[0] + sin(t) * z[1];
    out[1] = y[1] - sin(t) * z[0] - cos(t) * z[1];
  }
};

}  // namespace driftless::stability
