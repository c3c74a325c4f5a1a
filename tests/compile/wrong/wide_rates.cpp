// expects: write `void rates(auto q, auto v, auto t, auto dq) const`
// expects: another_number_of_arguments, 3
#include "driftless/driftless.h"

struct Wheel {
  void force(auto, auto, auto, auto) const {}
  void rates(auto, auto v, auto dq) const { dq[0] = v[0]; }
};

const driftless::Equations wheel = driftless::mechanical(Wheel{}, {.q = 1});
