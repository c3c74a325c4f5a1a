// expects: write `void k(auto u, auto v, auto lambda, auto t, auto out) const`
// expects: another_number_of_arguments, 4>
#include "driftless/driftless.h"

struct Rest {
  void f(auto, auto v, auto, auto out) const { out[0] = v[0]; }
  void k(auto, auto, auto lambda, auto out) const { out[0] = -lambda[0]; }
  void g(auto u, auto, auto out) const { out[0] = u[0]; }
};

const driftless::Equations rest = driftless::index3(Rest{}, {.u = 1, .v = 1, .lambda = 1});
