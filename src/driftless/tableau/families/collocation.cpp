#include "driftless/tableau/families.h"
#include "driftless/tableau/families/quadrature.h"

namespace driftless {

// Collocation at c_1, c_2 has q = 2 and, with M(x) = (x - c_1)(x - c_2), R(infinity) = M(1) / M(0). Order 3 asks for
// the integral of M over [0, 1] to vanish: c_2 = (2 - 3 c_1) / (3 - 6 c_1), between Gauss (R = 1) and Radau IIA
// (c_1 = 1/3, R = 0). c_1 = 3/10 gives c_2 = 11/12, R(infinity) = 7/33.
Tableau collocation2() {
  const std::vector<Quad> c = {Quad(3) / 10, Quad(11) / 12};
  return round_once("collocation-2", "collocation at 3/10 and 11/12",
                    "collocation of order 2s - 1, Hairer & Wanner II, IV.5, with the nodes 3/10 and 11/12",
                    {collocation_matrix(c), quadrature_weights(c), c});
}

}  // namespace driftless
