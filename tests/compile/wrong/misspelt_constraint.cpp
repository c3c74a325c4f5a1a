// expects: this one has no constraint
#include "driftless/driftless.h"

struct Pendulum {
  void force(auto, auto, auto, auto f) const { f[1] = -9.81; }
  void constrain(auto q, auto, auto g) const { g[0] = q[0] * q[0] + q[1] * q[1] - 1.0; }
};

const driftless::Equations pendulum =
    driftless::mechanical(Pendulum{}, {.q_names = {"x", "y"}, .constraint_names = {"rod"}});
