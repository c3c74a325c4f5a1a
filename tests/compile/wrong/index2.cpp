// expects: a model of index 2 has f and g, and may have gamma
// expects: this one has no g
#include "driftless/driftless.h"

struct Circle {
  void f(auto u, auto lambda, auto, auto out) const { out[0] = u[0] + lambda[0]; }
};

const driftless::Equations circle = driftless::index2(Circle{}, {.u = 1, .lambda = 1});
