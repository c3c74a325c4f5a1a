// expects: write `void force(auto q, auto v, auto t, auto f) const`
// expects: another_number_of_arguments, 3>
#include "driftless/driftless.h"

struct Pendulum {
  void force(auto, auto, auto f) const { f[1] = -9.81; }
  void constraint(auto q, auto, auto g) const { g[0] = q[0] * q[0] + q[1] * q[1] - 1.0; }
};

const driftless::Equations pendulum =
    driftless::mechanical(Pendulum{}, {.q_names = {"x", "y"}, .constraint_names = {"rod"}});
