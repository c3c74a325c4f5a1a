#include <fmt/format.h>

#include "driftless/tableau/families.h"
#include "driftless/tableau/families/quadrature.h"

namespace driftless {

// Collocation at the zeros of P_s - P_{s-1}, of which the last is 1: B(2s-1), C(s), D(s-1).
Tableau radau_iia(int stages) {
  require_stages("Radau IIA", stages, 1);
  const std::vector<Quad> c = quadrature_nodes(stages, -1, 0);
  ExactTableau exact{collocation_matrix(c), quadrature_weights(c), c};
  // c_s = 1 makes the last row of A equal to b; say so exactly, since steppers rely on it.
  const std::size_t last = c.size() - 1;
  for (std::size_t j = 0; j <= last; ++j) exact.a(last, j) = exact.b[j];
  return round_once(fmt::format("radau-iia-{}", stages),
                    fmt::format("Radau IIA ({} stage{})", stages, stages == 1 ? "" : "s"),
                    "B. L. Ehle, On Pade approximations to the exponential function ..., thesis, Waterloo 1969; "
                    "Hairer & Wanner II, IV.5",
                    exact);
}

}  // namespace driftless
