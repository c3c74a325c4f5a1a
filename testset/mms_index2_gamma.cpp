// Manufactured index-2 problem with a mass matrix Gamma(u, t), nonautonomous and nonlinear in the multiplier.
// Source: constructed for this test set. Exact.
#include <cmath>

#include "driftless/equations/index2_model.h"
#include "testset/catalogue.h"

namespace driftless::testset {

namespace {

struct MmsIndex2 {
  void gamma(auto u, auto t, auto out) const {
    using std::cos, std::sin;
    out(0, 0) = 2.0 + sin(t);
    out(0, 1) = out(1, 0) = 0.3 * u[0] * u[1];
    out(1, 1) = 2.0 + u[0] * u[0];
    out(1, 2) = out(2, 1) = 0.2 * cos(t);
    out(2, 2) = 1.0 + u[2] * u[2];
  }
  void f(auto u, auto lambda, auto t, auto out) const {
    using std::sin;
    using T = typename decltype(out)::value_type;
    T storage[9] = {};
    const OutMatrix<T> matrix(std::span<T>(storage), 3, 3);
    gamma(u, t, matrix);
    const T flow[] = {-u[1], u[0], -u[2]}, normal[] = {2.0 * u[0], 2.0 * u[1], u[2]};
    const T target = 1.0 + 0.5 * sin(3.0 * t);
    const T kappa = (lambda[0] - target) + 0.25 * (lambda[0] * lambda[0] - target * target);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) out[i] += matrix(i, j) * flow[j];
      out[i] -= kappa * normal[i];
    }
  }
  void g(auto u, auto t, auto out) const {
    using std::exp;
    out[0] = u[0] * u[0] + u[1] * u[1] + 0.5 * u[2] * u[2] - 1.0 - 0.5 * exp(-2.0 * t);
  }
};

Vector exact_mms_index2_gamma(double t) {
  return {std::cos(t), std::sin(t), std::exp(-t), 1.0 + 0.5 * std::sin(3.0 * t)};
}

}  // namespace

Problem mms_index2_gamma_problem() {
  return {
      .title = "Manufactured index-2 problem with mass matrix Gamma(u, t)",
      .source = "constructed for this test set",
      .notes = "Gamma is symmetric and positive definite for |u| <= 1.5; regular while lambda > -2.",
      .equations = index2(
          MmsIndex2{}, {.u_names = {"u1", "u2", "u3"}, .lambda_names = {"lambda"}, .constraint_names = {"ellipsoid"}}),
      .start = {1.0, 0.0, 1.0, 1.0},
      .references = {{2.0,
                      {-0.4161468365471423869975682295, 0.9092974268256816953960198659, 0.135335283236612691893999495,
                       0.8602922509005370635942222767}}},
      .trusted_digits = 28,
      .exact = exact_mms_index2_gamma};
}

}  // namespace driftless::testset
