// Linear nonautonomous index-2 problem that shows why Runge-Kutta methods are projected.
// Source: Ascher and Petzold, Projected implicit Runge-Kutta methods for differential-algebraic equations, 1991. Exact.
#include <cmath>

#include "driftless/equations/index2_model.h"
#include "testset/catalogue.h"
#include "testset/generators.h"

namespace driftless::testset {

namespace {

struct AscherPetzold {
  double alpha;

  void f(auto u, auto lambda, auto t, auto out) const {
    using std::exp;
    const auto e = exp(t);
    out[0] = (alpha - 1.0 / (2.0 - t)) * u[0] + (2.0 - t) * alpha * lambda[0] + (3.0 - t) / (2.0 - t) * e;
    out[1] = (1.0 - alpha) / (t - 2.0) * u[0] - u[1] + (alpha - 1.0) * lambda[0] + 2.0 * e;
  }
  void g(auto u, auto t, auto out) const {
    using std::exp;
    out[0] = (t + 2.0) * u[0] + (t * t - 4.0) * u[1] - (t * t + t - 2.0) * exp(t);
  }
};

Vector exact(double t) { return {std::exp(t), std::exp(t), -std::exp(t) / (2.0 - t)}; }

}  // namespace

Equations ascher_petzold_index2(double alpha) {
  return index2(AscherPetzold{alpha},
                {.u_names = {"u1", "u2"}, .lambda_names = {"lambda"}, .constraint_names = {"line"}});
}

Problem ascher_petzold_index2_problem(double alpha) {
  return {
      .title = "Linear index-2 problem of Ascher and Petzold",
      .source = "Ascher and Petzold 1991",
      .notes = "Index 2 for |t| < 2. Large alpha makes unprojected Gauss and Lobatto methods unstable.",
      .equations = ascher_petzold_index2(alpha),
      .start = {1.0, 1.0, -0.5},
      .references = {{1.0,
                      {2.718281828459045235360287471, 2.718281828459045235360287471, -2.718281828459045235360287471}}},
      .trusted_digits = 28,
      .exact = exact};
}

}  // namespace driftless::testset
