// Models of index 1 on which a naive proof of stability is false.
#pragma once

#include <cmath>

namespace driftless {

// y = 3 and y = -3 are at rest; between them z rises to 3.4.
struct Hill {
  void F(auto y, auto, auto, auto out) const {
    using std::tanh;
    out[0] = -y[0] + 3.0 * tanh(20.0 * y[0]);
  }
  void G(auto y, auto z, auto, auto out) const {
    using std::exp, std::pow;
    out[0] = 5.0 * exp(-pow(y[0], 2)) - z[0] - 0.1 * pow(z[0], 3);
  }
};

// z = 2 - 2 y^2, so that y' = 2 y - 2 y^3: at rest in y = 1 and y = -1.
struct Parabola {
  void F(auto y, auto z, auto, auto out) const { out[0] = y[0] * z[0]; }
  void G(auto y, auto z, auto, auto out) const {
    using std::pow;
    out[0] = 2.0 - 2.0 * pow(y[0], 2) - z[0];
  }
};

// The same in coordinates turned by 45 degrees, where the projector is not diagonal: x = ((y - z), (y + z)) / sqrt(2).
struct TurnedParabola {
  void f(auto x, auto, auto out) const {
    using std::pow;
    const double s = std::sqrt(0.5);
    const auto y = s * (x[0] + x[1]), z = s * (x[1] - x[0]);
    const auto dy = y * z, g = 2.0 - 2.0 * pow(y, 2) - z;
    out[0] = s * (dy - g);
    out[1] = s * (dy + g);
  }
};

// Two branches, z = +-sqrt(1 + 0.01 y^2).
struct TwoBranches {
  void F(auto y, auto z, auto, auto out) const { out[0] = -y[0] + z[0]; }
  void G(auto y, auto z, auto, auto out) const {
    using std::pow;
    out[0] = pow(z[0], 2) - 1.0 - 0.01 * pow(y[0], 2);
  }
};

// Three branches, none of which folds for |y| < 3.8: the constraint is regular on all of its points.
struct Cubic {
  void F(auto y, auto z, auto, auto out) const { out[0] = -y[0] + z[0]; }
  void G(auto y, auto z, auto, auto out) const {
    using std::pow;
    out[0] = z[0] - pow(z[0], 3) + 0.1 * y[0];
  }
};

// z = +-sqrt(y), with a fold at y = 0: y = 1 is at rest on both branches.
struct Fold {
  void F(auto y, auto, auto, auto out) const { out[0] = 1.0 - y[0]; }
  void G(auto y, auto z, auto, auto out) const {
    using std::pow;
    out[0] = pow(z[0], 2) - y[0];
  }
};

// Monotone for large |z| only.
struct Switch {
  void F(auto y, auto z, auto, auto out) const { out[0] = -y[0] + 0.1 * z[0]; }
  void G(auto, auto z, auto, auto out) const {
    using std::tanh;
    out[0] = -z[0] + 2.0 * tanh(5.0 * z[0]);
  }
};

// Two differential unknowns; z = 1 - y1^2 - y2^2 keeps rings. Every point of the unit circle is at rest.
struct Ring {
  void F(auto y, auto z, auto, auto out) const {
    out[0] = y[0] * z[0];
    out[1] = y[1] * z[0];
  }
  void G(auto y, auto z, auto, auto out) const {
    using std::pow;
    out[0] = 1.2 - pow(y[0], 2) - pow(y[1], 2) - z[0] - 0.2 * pow(z[0], 3);
  }
};

}  // namespace driftless
