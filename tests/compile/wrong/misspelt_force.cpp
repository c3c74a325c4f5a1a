// expects: a mechanical model has force and constraint, and may have mass
// expects: this one has no force
// expects: Function::missing
#include "driftless/driftless.h"

struct Pendulum {
  void forces(auto, auto, auto, auto f) const { f[1] = -9.81; }
  void constraint(auto q, auto, auto g) const { g[0] = q[0] * q[0] + q[1] * q[1] - 1.0; }
};

const driftless::Equations pendulum =
    driftless::mechanical(Pendulum{}, {.q_names = {"x", "y"}, .constraint_names = {"rod"}});
