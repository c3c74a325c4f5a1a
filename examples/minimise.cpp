// The largest box that fits into an ellipsoid, by following the gradient flow on the constraint: x^2 + y^2/4 + z^2/9 =
// 1, volume 8 x y z. The minimiser is (1, 2, 3)/sqrt(3), the multiplier 8 sqrt(3).
//
// Build and run (./run --help builds the library):
//
//   g++ -std=c++20 -O2 examples/minimise.cpp @build/release/driftless.flags -o build/minimise
//   build/minimise
#include <cmath>
#include <cstdio>

#include "driftless/geometry.h"

namespace {

struct BoxInEllipsoid {
  auto objective(auto u) const { return -8.0 * u[0] * u[1] * u[2]; }
  void constraint(auto u, auto g) const { g[0] = u[0] * u[0] + u[1] * u[1] / 4.0 + u[2] * u[2] / 9.0 - 1.0; }
};

}  // namespace

int main() {
  using namespace driftless;
  const auto problem = minimisation(BoxInEllipsoid{}, {.u_names = {"x", "y", "z"}, .constraint_names = {"ellipsoid"}});
  const auto found = minimise(problem, Vector{1.0, 1.0, 1.0});
  if (!found) {
    std::printf("%s\n", found.failure().message().c_str());
    return 1;
  }
  std::printf("x = %.12f   y = %.12f   z = %.12f   volume %.12f\n", found->u[0], found->u[1], found->u[2],
              -found->objective);
  std::printf("multiplier %.12f   curvatures %.6f, %.6f (both positive: a minimum)\n", found->multipliers[0],
              found->curvatures[0], found->curvatures[1]);
  std::printf("%zu steps of the flow, %zu Newton iterations; residuals: gradient %.0e, constraint %.0e\n",
              found->flow_steps, found->newton_iterations, found->gradient_residual, found->constraint_residual);
  return std::abs(found->u[0] - 1.0 / std::sqrt(3.0)) < 1e-12 ? 0 : 1;
}
