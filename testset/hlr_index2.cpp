// Nonlinear index-2 example, nonlinear in the multiplier too.
// Source: after Hairer, Lubich and Roche, Lecture Notes in Mathematics 1409. Exact.
#include <cmath>

#include "driftless/equations/index2_model.h"
#include "testset/catalogue.h"

namespace driftless::testset {

namespace {

struct HlrIndex2 {
  void f(auto u, auto lambda, auto, auto out) const {
    out[0] = u[0] * u[1] * u[1] * lambda[0] * lambda[0];
    out[1] = u[0] * u[0] * u[1] * u[1] - 3.0 * u[1] * u[1] * lambda[0];
  }
  void g(auto u, auto, auto out) const { out[0] = u[0] * u[0] * u[1] - 1.0; }
};

Vector exact_hlr_index2(double t) { return {std::exp(t), std::exp(-2.0 * t), std::exp(2.0 * t)}; }

}  // namespace

Problem hlr_index2_problem() {
  return {
      .title = "Nonlinear index-2 example of Hairer, Lubich and Roche type",
      .source = "after Hairer, Lubich and Roche 1989",
      .notes = "f is quadratic in the multiplier.",
      .equations = index2(HlrIndex2{},
                          {.u_names = {"u1", "u2"}, .lambda_names = {"lambda"}, .constraint_names = {"u1^2 u2 = 1"}}),
      .start = {1.0, 1.0, 1.0},
      .references = {{1.0,
                      {2.718281828459045235360287471, 0.135335283236612691893999495, 7.389056098930650227230427461}}},
      .trusted_digits = 28,
      .exact = exact_hlr_index2};
}

}  // namespace driftless::testset
