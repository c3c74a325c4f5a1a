// expects: write `void force(auto q, auto v, auto t, auto f) const`
// expects: arguments_of_a_fixed_type_instead_of_auto
#include "driftless/driftless.h"

struct Pendulum {
  void force(auto, auto, double, auto f) const { f[1] = -9.81; }
  void constraint(auto q, auto, auto g) const { g[0] = q[0] * q[0] + q[1] * q[1] - 1.0; }
};

const driftless::Equations pendulum =
    driftless::mechanical(Pendulum{}, {.q_names = {"x", "y"}, .constraint_names = {"rod"}});
