#include <fmt/format.h>

#include "driftless/tableau/families.h"
#include "driftless/tableau/families/quadrature.h"

namespace driftless {

// Collocation at the zeros of P_s: B(2s), C(s), D(s).
Tableau gauss(int stages) {
  require_stages("Gauss", stages, 1);
  const std::vector<Quad> c = quadrature_nodes(stages, 0, 0);
  const ExactTableau exact{collocation_matrix(c), quadrature_weights(c), c};
  return round_once(fmt::format("gauss-{}", stages), fmt::format("Gauss ({} stage{})", stages, stages == 1 ? "" : "s"),
                    "J. C. Butcher, Implicit Runge-Kutta processes, Math. Comp. 18 (1964); Hairer & Wanner II, IV.5",
                    exact);
}

}  // namespace driftless
