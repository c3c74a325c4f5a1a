// The planar pendulum, dropped from horizontal rest.
// Source: Schropp, Projected Runge-Kutta methods for differential algebraic equations of index 3, 2003. Known by
// elliptic functions; digits trusted to 30 places.
#include "driftless/equations/mechanical_model.h"
#include "testset/catalogue.h"

namespace driftless::testset {

namespace {

struct Pendulum {
  void force(auto, auto, auto, auto f) const { f[1] = -1.0; }
  void constraint(auto u, auto, auto g) const { g[0] = u[0] * u[0] + u[1] * u[1] - 1.0; }
  void dynamics(auto u, auto v, auto, auto, auto f, auto G, auto c) const {
    f[1] = -1.0;
    G(0, 0) = 2.0 * u[0];
    G(0, 1) = 2.0 * u[1];
    c[0] = 2.0 * (v[0] * v[0] + v[1] * v[1]);
  }
  double energy(auto u, auto v, double) const { return 0.5 * (v[0] * v[0] + v[1] * v[1]) + u[1]; }
};

}  // namespace

Problem pendulum_schropp_problem() {
  return {.title = "Planar pendulum",
          .source = "Schropp 2003",
          .notes =
              "Period 7.416298709205487673735401388781; lambda = -3 u2 / 2. "
              "At t = 100 the pendulum is close to a turning point.",
          .equations = mechanical(Pendulum{}, {.q_names = {"u1", "u2"},
                                               .v_names = {"v1", "v2"},
                                               .lambda_names = {"lambda"},
                                               .constraint_names = {"length"}}),
          .start = {1.0, 0.0, 0.0, 0.0, 0.0},
          .references = {{1.0,
                          {0.8795481324118891546229019704275, -0.47580992294272079709001910853462,
                           -0.46415735885099401163363722027794, -0.8580080373224432477690748769826,
                           0.71371488441408119563502866280194}},
                         {10.0,
                          {-0.81158644619130383427423425749356, -0.58423235134539570106286968680546,
                           -0.63152914906501758095074338471222, 0.87728879884106932896138000745868,
                           0.87634852701809355159430453020819}},
                         {20.0,
                          {-0.5177197035527778161967719517925, -0.85555029574725988580442054555472,
                           1.1191371602799549200886332070719, -0.67722419328833657900293626969429,
                           1.2833254436208898287066308183321}},
                         {100.0,
                          {-0.9999740520463561708518365570335, -0.0072038346726837085305648731283161,
                           -0.00086469033297937740681791862060593, 0.12002883676848438521884202634905,
                           0.010805752009025562795847309692474}},
                         {1000.0,
                          {0.75950622306346831144462408758532, -0.65050003622433805056288727375145,
                           0.74196938428754008435314104428477, 0.86630335635309919219151680723756,
                           0.97575005433650707584433091062717}}},
          .trusted_digits = 30};
}

}  // namespace driftless::testset
