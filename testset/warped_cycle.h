// A stable limit cycle on the unit sphere that is not a plane section of it: a method moves it, and not only its
// multiplier.
#pragma once

#include <numbers>

#include "driftless/equations/index2_model.h"

namespace driftless {

struct WarpedCycle {
  void f(auto u, auto lambda, auto, auto out) const {
    constexpr double omega = 2.0 * std::numbers::pi;
    out[0] = -omega * u[1] + 2.0 * u[0] * u[2] - 2.0 * lambda[0] * u[0];
    out[1] = omega * u[0] - 2.0 * lambda[0] * u[1];
    out[2] = -3.0 * u[2] + 10.0 * u[0] * u[1] - 2.0 * lambda[0] * u[2];
  }
  void g(auto u, auto, auto out) const { out[0] = u[0] * u[0] + u[1] * u[1] + u[2] * u[2] - 1.0; }
};

inline Index2 warped_cycle() {
  return index2(WarpedCycle{},
                {.u_names = {"x", "y", "z"}, .lambda_names = {"lambda"}, .constraint_names = {"sphere"}});
}

}  // namespace driftless
