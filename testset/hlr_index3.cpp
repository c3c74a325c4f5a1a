// Nonlinear index-3 example in Hessenberg form that is not mechanical: u' = f(u, v) is nonlinear.
// Source: after Hairer, Lubich and Roche, Lecture Notes in Mathematics 1409. Exact.
#include <cmath>

#include "driftless/equations/index3_model.h"
#include "testset/catalogue.h"

namespace driftless::testset {

namespace {

struct HlrIndex3 {
  void f(auto y, auto z, auto, auto out) const {
    out[0] = 2.0 * y[0] * y[1] * z[0] * z[1];
    out[1] = -y[0] * y[1] * z[1] * z[1];
  }
  void k(auto y, auto z, auto lambda, auto, auto out) const {
    out[0] = (y[0] * y[1] + z[0] * z[1]) * lambda[0];
    out[1] = -y[0] * y[1] * y[1] * z[1] * z[1] * lambda[0];
  }
  void g(auto y, auto, auto out) const { out[0] = y[0] * y[1] * y[1] - 1.0; }
};

Vector exact_hlr_index3(double t) {
  return {std::exp(2.0 * t), std::exp(-t), std::exp(2.0 * t), std::exp(-t), std::exp(t)};
}

}  // namespace

Problem hlr_index3_problem() {
  return {.title = "Nonlinear index-3 example of Hairer, Lubich and Roche type",
          .source = "after Hairer, Lubich and Roche 1989",
          .notes = "Not of mechanical form.",
          .equations = index3(HlrIndex3{}, {.u_names = {"y1", "y2"},
                                            .v_names = {"z1", "z2"},
                                            .lambda_names = {"lambda"},
                                            .constraint_names = {"y1 y2^2 = 1"}}),
          .start = {1.0, 1.0, 1.0, 1.0, 1.0},
          .references = {{1.0,
                          {7.389056098930650227230427461, 0.3678794411714423215955237702, 7.389056098930650227230427461,
                           0.3678794411714423215955237702, 2.718281828459045235360287471}}},
          .trusted_digits = 28,
          .exact = exact_hlr_index3};
}

}  // namespace driftless::testset
