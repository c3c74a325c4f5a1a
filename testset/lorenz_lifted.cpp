// The Lorenz attractor lifted on a paraboloid in R^4: chaos on a manifold.
// Source: constructed for this test set. Digits trusted to 24 places until t = 10, then 23, 22 and 17 (t = 30).
#include "driftless/equations/index2_model.h"
#include "testset/catalogue.h"

namespace driftless::testset {

namespace {

struct LorenzLifted {
  static constexpr double sigma = 10.0, rho = 28.0, beta = 8.0 / 3.0;

  void f(auto u, auto lambda, auto, auto out) const {
    const auto a = sigma * (u[1] - u[0]);
    const auto b = u[0] * (rho - u[2]) - u[1];
    const auto d = u[0] * u[1] - beta * u[2];
    const auto k = u[2] / 10.0 - lambda[0];
    out[0] = a - k * u[0] / 50.0;
    out[1] = b - k * u[1] / 50.0;
    out[2] = d - k * u[2] / 50.0;
    out[3] = (u[0] * a + u[1] * b + u[2] * d) / 50.0 + k;
  }
  void g(auto u, auto, auto out) const { out[0] = u[3] - (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) / 100.0; }
};

}  // namespace

Problem lorenz_lifted_problem() {
  return {.title = "Lorenz attractor lifted on a paraboloid",
          .source = "constructed for this test set",
          .notes =
              "Errors grow like exp(0.906 t): compare until t = 20 at most. lambda = u3 / 10. "
              "Averages: <z> = 23.551, <x^2> = beta <z>.",
          .equations = index2(
              LorenzLifted{},
              {.u_names = {"u1", "u2", "u3", "u4"}, .lambda_names = {"lambda"}, .constraint_names = {"paraboloid"}}),
          .start = {1.0, 1.0, 1.0, 0.03, 0.1},
          .references = {{1.0,
                          {-9.37857001092506236084232e+0, -8.35703378842664473290242e+0, 2.93623253373634281803360e+1,
                           1.01994373840790187867571e+1, 2.93623253373634281803360e+0}},
                         {5.0,
                          {-6.51211369941959904700010e+0, -6.97404278841707613426204e+0, 2.39241295721033703513008e+1,
                           6.63408873431631637102715e+0, 2.39241295721033703513008e+0}},
                         {10.0,
                          {-4.90268754113464573190394e+0, -3.74387292180291961631541e+0, 2.46908581027905554532168e+1,
                           6.47691403432744036284600e+0, 2.46908581027905554532168e+0}},
                         {15.0,
                          {-4.3931092183833526216934e+0, -2.0691271931444694874085e+0, 2.5914529969078397866513e+1,
                           6.9514355946431713081882e+0, 2.5914529969078397866513e+0}},
                         {20.0,
                          {1.379319959512861883160e+1, 1.295180393618989854005e+1, 3.490160868113514290711e+1,
                           1.576123868803648413351e+1, 3.490160868113514290711e+0}},
                         {30.0,
                          {7.3949855239490713e+0, 2.0516425629287701e+0, 3.1761075064966385e+1, 1.0676609373878667e+1,
                           3.1761075064966385e+0}}},
          .trusted_digits = 17};
}

}  // namespace driftless::testset
