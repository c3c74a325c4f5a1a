#include <fmt/format.h>

#include "driftless/tableau/families.h"
#include "driftless/tableau/families/quadrature.h"

namespace driftless {
namespace {

// A from D(s): sum_i b_i c_i^{k-1} a_ij = b_j (1 - c_j^k) / k, k = 1..s, for all j.
SmallMatrix<Quad> matrix_from_d(const std::vector<Quad>& b, const std::vector<Quad>& c) {
  const std::size_t s = c.size();
  SmallMatrix<Quad> weighted(s);
  for (std::size_t k = 0; k < s; ++k)
    for (std::size_t i = 0; i < s; ++i) weighted(k, i) = b[i] * integer_power(c[i], static_cast<int>(k));
  const SmallMatrix<Quad> inverse = inverse_of(weighted);
  SmallMatrix<Quad> a(s);
  std::vector<Quad> moments(s);
  for (std::size_t j = 0; j < s; ++j) {
    for (std::size_t k = 0; k < s; ++k) {
      const int degree = static_cast<int>(k + 1);
      moments[k] = b[j] * (1 - integer_power(c[j], degree)) / degree;
    }
    const std::vector<Quad> column = inverse * moments;
    for (std::size_t i = 0; i < s; ++i) a(i, j) = column[i];
  }
  return a;
}

}  // namespace

// Nodes at the zeros of P_s + P_{s-1}, of which the first is 0:
// B(2s-1), C(s-1), D(s). With one stage c_1 = 0 but a_11 = 1.
Tableau radau_ia(int stages) {
  require_stages("Radau IA", stages, 1);
  const std::vector<Quad> c = quadrature_nodes(stages, 1, 0);
  const std::vector<Quad> b = quadrature_weights(c);
  return round_once(fmt::format("radau-ia-{}", stages),
                    fmt::format("Radau IA ({} stage{})", stages, stages == 1 ? "" : "s"),
                    "B. L. Ehle, On Pade approximations to the exponential function ..., thesis, Waterloo 1969; "
                    "Hairer & Wanner II, IV.5",
                    {matrix_from_d(b, c), b, c});
}

}  // namespace driftless
