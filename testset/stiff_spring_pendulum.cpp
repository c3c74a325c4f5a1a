// A pendulum on a stiff spring: index 1 for epsilon > 0, index 3 in the limit.
// Source: classical (Hairer, Lubich, Roche), constants chosen for this test set. Digits trusted to 22 and 21 places.
#include <cmath>

#include "driftless/equations/index1_enclosed.h"
#include "testset/catalogue.h"
#include "testset/generators.h"

namespace driftless::testset {

namespace {

struct StiffSpring {
  double epsilon;

  void F(auto y, auto lambda, auto, auto out) const {
    out[0] = y[2];
    out[1] = y[3];
    out[2] = -lambda[0] * y[0];
    out[3] = -1.0 - lambda[0] * y[1];
  }
  void G(auto y, auto lambda, auto, auto out) const {
    using std::sqrt;
    const auto r = sqrt(y[0] * y[0] + y[1] * y[1]);
    out[0] = epsilon * epsilon * lambda[0] * r - (r - 1.0);
  }
};

std::vector<Reference> references(double epsilon) {
  if (epsilon == 1e-2)
    return {{1.0,
             {8.79702054668524351264276e-1, -4.75825347965181389524952e-1, -4.63836315130125101627826e-1,
              -8.58080922524848770096876e-1, 1.4270282514715519759e+0}},
            {10.0,
             {-8.10577305627336345350003e-1, -5.85931673439635747246195e-1, -6.33876034208969018391137e-1,
              8.77357226978933834030724e-1, 1.7570085188762828048e+0}}};
  return {{1.0,
           {8.79549671912561554469118e-1, -4.75810077125634663604256e-1, -4.64154163206450604440104e-1,
            -8.58008758394628431945816e-1, 1.4274248422210510779e+0}},
          {10.0,
           {-8.11576372651099289768361e-1, -5.84249344745712822575171e-1, -6.31552630590747215128053e-1,
            8.77289514465385802373810e-1, 1.7527360472510477972e+0}}};
}

}  // namespace

Equations stiff_spring_pendulum(double epsilon) {
  return enclosed_partitioned(
      StiffSpring{epsilon},
      {.y_names = {"x", "y", "x'", "y'"}, .z_names = {"lambda"}, .constraint_names = {"spring law"}});
}

Problem stiff_spring_pendulum_problem(double epsilon) {
  return {.title = fmt::format("Stiff spring pendulum, epsilon = {}", epsilon),
          .source = "after Hairer, Lubich and Roche 1989",
          .notes =
              "Fast frequency 1/epsilon, hardly excited by this start. Energy |v|^2/2 + y + (r-1)^2/(2 epsilon^2) = 0.",
          .equations = stiff_spring_pendulum(epsilon),
          .start = {1.0, 0.0, 0.0, 0.0, 0.0},
          .references = references(epsilon),
          .trusted_digits = 21};
}

}  // namespace driftless::testset
