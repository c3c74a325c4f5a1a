// A stable limit cycle (the equator, period 1) on the unit sphere.
// Source: constructed for this test set. Exact: z = z0 e^-kt / sqrt(1 - z0^2 + z0^2 e^-2kt), lambda = -k z^2 / 2.
#include <cmath>
#include <numbers>

#include "driftless/equations/index2_model.h"
#include "testset/catalogue.h"

namespace driftless::testset {

namespace {

struct LimitCycle {
  static constexpr double omega = 2.0 * std::numbers::pi, kappa = 1.0, z0 = 0.9;

  void f(auto u, auto lambda, auto, auto out) const {
    out[0] = -omega * u[1] - 2.0 * lambda[0] * u[0];
    out[1] = omega * u[0] - 2.0 * lambda[0] * u[1];
    out[2] = -kappa * u[2] - 2.0 * lambda[0] * u[2];
  }
  void g(auto u, auto, auto out) const { out[0] = u[0] * u[0] + u[1] * u[1] + u[2] * u[2] - 1.0; }
};

Vector exact_limit_cycle_sphere(double t) {
  constexpr double k = LimitCycle::kappa, z0 = LimitCycle::z0;
  const double decay = std::exp(-k * t), z = z0 * decay / std::sqrt(1.0 - z0 * z0 + z0 * z0 * decay * decay);
  const double angle = LimitCycle::omega * (t - std::floor(t));  // whole turns are dropped before rounding
  const double radius = std::sqrt((1.0 - z) * (1.0 + z));
  return {radius * std::cos(angle), radius * std::sin(angle), z, -0.5 * k * z * z};
}

}  // namespace

Problem limit_cycle_sphere_problem() {
  return {.title = "Stable limit cycle on the sphere",
          .source = "constructed for this test set",
          .notes = "The limit cycle is the equator, with period 1 and transversal Floquet exponent -1.",
          .equations = index2(LimitCycle{},
                              {.u_names = {"x", "y", "z"}, .lambda_names = {"lambda"}, .constraint_names = {"sphere"}}),
          .start = {std::sqrt(0.19), 0.0, 0.9, -0.405},
          .references = {{1.0,
                          {0.796324827072729897346695255, 0.0, 0.6048692170937340940440473479,
                           -0.182933384893793412575020323}},
                         {5.0,
                          {0.9999032405109163948673034346, 0.0, 0.01391077337061036822828766666,
                           -0.00009675480788424127254614442873}},
                         {20.125,
                          {0.7071067811865475194139114269, 0.7071067811865475194139114269,
                           3.755685873891757478456051179e-9, -7.052588191675047028877108964e-18}}},
          .trusted_digits = 28,
          .exact = exact_limit_cycle_sphere};
}

}  // namespace driftless::testset
