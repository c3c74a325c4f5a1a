// Gradient flow of a quadratic form on the unit sphere: it ends in the eigenvector of the smallest eigenvalue.
// Source: constructed for this test set; u = exp(-A t) u0 / |.|, lambda = -u^T A u. Digits trusted to 28 places.
#include <cmath>

#include "driftless/equations/index2_model.h"
#include "testset/catalogue.h"

namespace driftless::testset {

namespace {

struct GradientFlow {
  static constexpr std::size_t n = 5;
  static double a(std::size_t i, std::size_t j) {
    return (i == j ? static_cast<double>(i + 1) : 0.0) + 1.0 / static_cast<double>(i + j + 2);
  }
  void f(auto u, auto lambda, auto, auto out) const {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) out[i] -= a(i, j) * u[j];
      out[i] -= lambda[0] * u[i];
    }
  }
  void g(auto u, auto, auto out) const {
    for (std::size_t i = 0; i < n; ++i) out[0] += 0.5 * u[i] * u[i];
    out[0] -= 0.5;
  }
};

}  // namespace

Problem gradient_flow_sphere_problem() {
  const double u = 1.0 / std::sqrt(5.0);
  return {.title = "Gradient flow on the sphere (Rayleigh quotient)",
          .source = "constructed for this test set",
          .notes = "The underlying equation leaves the sphere like exp(2.7 t): whoever does not project drifts off.",
          .equations = index2(
              GradientFlow{},
              {.u_names = {"u1", "u2", "u3", "u4", "u5"}, .lambda_names = {"lambda"}, .constraint_names = {"sphere"}}),
          .start = {u, u, u, u, u, -3.963730158730158730158730159},
          .references = {{1.0,
                          {0.9470666533701302555840478979, 0.312340118317883486654947198,
                           0.06240937750486764104491386651, -0.01769216681375775485310959223,
                           -0.03606191060331080496403846883, -1.795833731309128660368700625}},
                         {5.0,
                          {0.9474169960639121014629107246, -0.3014450920499287604888213358,
                           -0.09395147913191901152904098629, -0.04482587593053926688304908238,
                           -0.02637522443937918336662182311, -1.350613319355341751444077328}}},
          .trusted_digits = 28};
}

}  // namespace driftless::testset
