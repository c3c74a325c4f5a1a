// expects: write `void f(auto x, auto t, auto out) const`
// expects: another_number_of_arguments, 2>
#include "driftless/driftless.h"

struct Decay {
  void f(auto x, auto out) const { out[0] = -x[0]; }
};

const driftless::Equations decay = driftless::index1(Decay{}, {.projector = driftless::Matrix::identity(1)});
