// expects: write `void mass(auto q, auto t, auto M) const`
// expects: another_number_of_arguments, 2>
#include "driftless/driftless.h"

struct Pendulum {
  void mass(auto, auto M) const { M(0, 0) = M(1, 1) = 2.0; }
  void force(auto, auto, auto, auto f) const { f[1] = -9.81; }
  void constraint(auto q, auto, auto g) const { g[0] = q[0] * q[0] + q[1] * q[1] - 1.0; }
};

const driftless::Equations pendulum =
    driftless::mechanical(Pendulum{}, {.q_names = {"x", "y"}, .constraint_names = {"rod"}});
