// expects: write `void G(auto y, auto z, auto t, auto out) const`
// expects: arguments_of_a_fixed_type_instead_of_auto
#include "driftless/driftless.h"

struct Loop {
  void F(auto, auto z, auto, auto out) const { out[0] = z[0]; }
  void G(const double* y, const double* z, double, double* out) const { out[0] = y[0] - z[0]; }
};

const driftless::Equations loop = driftless::partitioned(Loop{}, {.y = 1, .z = 1});
