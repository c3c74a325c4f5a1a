// expects: write `void force(auto q, auto v, auto t, auto f) const`
// expects: derivatives do not come through double or double*
// expects: arguments_of_a_fixed_type_instead_of_auto
#include "driftless/driftless.h"

struct Pendulum {
  void force(const double*, const double*, double, double* f) const { f[1] = -9.81; }
  void constraint(const double* q, double, double* g) const { g[0] = q[0] * q[0] + q[1] * q[1] - 1.0; }
};

const driftless::Equations pendulum =
    driftless::mechanical(Pendulum{}, {.q_names = {"x", "y"}, .constraint_names = {"rod"}});
