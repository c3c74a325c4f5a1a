// A double pendulum whose first arm is a rigid rod and whose second arm is a stiff spring with a strong damper: a
// constraint and a fast mode that dies out, so that the step size of explicit methods is bounded by stability.
// Source: constructed for this test set.
#include <cmath>

#include "driftless/equations/mechanical_model.h"
#include "testset/generators.h"

namespace driftless::testset {

namespace {

struct StiffDoublePendulum {
  static constexpr bool dynamics_of_any_scalar = true;
  double stiffness, damping;

  void force(auto q, auto v, auto, auto f) const {
    using std::sqrt;
    const auto dx = q[2] - q[0], dy = q[3] - q[1];
    const auto length = sqrt(dx * dx + dy * dy);
    const auto rate = (dx * (v[2] - v[0]) + dy * (v[3] - v[1])) / length;
    const auto pull = (stiffness * (length - 1.0) + damping * rate) / length;
    f[0] = pull * dx;
    f[1] = pull * dy - 1.0;
    f[2] = -pull * dx;
    f[3] = -pull * dy - 1.0;
  }
  void constraint(auto q, auto, auto g) const { g[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0); }
  void dynamics(auto q, auto v, auto t, auto, auto f, auto G, auto c) const {
    force(q, v, t, f);
    G(0, 0) = q[0];
    G(0, 1) = q[1];
    c[0] = v[0] * v[0] + v[1] * v[1];
  }
};

}  // namespace

Equations stiff_double_pendulum(double stiffness, double damping) {
  return mechanical(StiffDoublePendulum{stiffness, damping},
                    {.q_names = {"x1", "y1", "x2", "y2"}, .lambda_names = {"lambda"}, .constraint_names = {"rod"}});
}

Vector stiff_double_pendulum_start() { return {1.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0}; }

}  // namespace driftless::testset
