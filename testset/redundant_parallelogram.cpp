// A bar on three parallel cranks, one more than it needs: G has rank 2 of 3 everywhere on the solution.
// Source: constructed for this test set. It moves like the pendulum of pendulum_schropp with time scaled by sqrt(9.81);
// digits trusted to 26 places. It starts at t = 0.1, as at t = 0, where all is horizontal, the rank is 1 and the
// mechanism could fold.
#include <cmath>

#include "driftless/equations/mechanical_model.h"
#include "testset/catalogue.h"
#include "testset/values.h"

namespace driftless::testset {

namespace {

constexpr double parallelogram_gravity = 9.81;

struct Parallelogram {
  void mass(auto, auto, auto M) const {
    M(0, 0) = M(1, 1) = 1.0;
    M(2, 2) = 1.0 / 3.0;
  }
  void force(auto, auto, auto, auto f) const { f[1] = -parallelogram_gravity; }
  void constraint(auto q, auto, auto g) const {
    using std::cos, std::sin;
    const auto c = cos(q[2]), s = sin(q[2]);
    for (std::size_t i = 0; i < 3; ++i) {
      const double place = static_cast<double>(i) - 1.0;  // of the crank on the bar and of its pivot on the ground
      const auto x = q[0] + place * c - place, y = q[1] + place * s;
      g[i] = x * x + y * y - 1.0;
    }
  }
  double energy(auto q, auto v, double) const {
    return 0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] / 3.0) + parallelogram_gravity * q[1];
  }
};

Reference reference(double t, double x, double y, double phi, double vx, double vy, double omega) {
  return {t, {x, y, phi, vx, vy, omega, unknown, unknown, unknown}};
}

}  // namespace

Problem redundant_parallelogram_problem() {
  const double multiplier = 0.240474519789559910440009070638;  // -g y / 2 for each: of all possible ones the smallest
  return {.title = "Redundantly constrained parallelogram (three cranks)",
          .source = "constructed for this test set",
          .notes =
              "Multipliers are not unique: only their sum, -3 g y / 2, and lambda1 = lambda3 are. "
              "Rank 1 at the turning points (y = 0).",
          .equations = mechanical(Parallelogram{}, {.q_names = {"x", "y", "phi"},
                                                    .lambda_names = {"lambda1", "lambda2", "lambda3"},
                                                    .constraint_names = {"left crank", "middle crank", "right crank"}}),
          .begin = 0.1,
          .start = {0.998797482749889685568866587543, -0.0490264056655575760326216250027, 0.0,
                    -0.0480833351123973965424857301071, -0.979584642612729271959025660643, 0.0, multiplier, multiplier,
                    multiplier},
          .references = {reference(1.0, -0.9862917511318753193556389529, -0.1650108531255411687524991033, 0.0,
                                   -0.2969055159163158215577796538, 1.774643641112655626467597134, 0.0),
                         reference(10.0, 0.2750874625761168600543914493, -0.9614192050991250642651350686, 0.0,
                                   -4.175598100951728836460519506, -1.194749054560475271647512762, 0.0)},
          .trusted_digits = 26};
}

}  // namespace driftless::testset
