#include <fmt/format.h>

#include "driftless/tableau/families.h"
#include "driftless/tableau/families/quadrature.h"

namespace driftless {
namespace {

// a_i1 = b_1, and the other columns from C(s-1): sum_{j>1} a_ij
// c_j^{k-1} = c_i^k / k - b_1 c_1^{k-1}, k = 1..s-1; c_1 = 0.
SmallMatrix<Quad> matrix_from_c(const std::vector<Quad>& b, const std::vector<Quad>& c) {
  const std::size_t s = c.size();
  SmallMatrix<Quad> powers(s - 1);
  for (std::size_t k = 0; k + 1 < s; ++k)
    for (std::size_t j = 1; j < s; ++j) powers(k, j - 1) = integer_power(c[j], static_cast<int>(k));
  const SmallMatrix<Quad> inverse = inverse_of(powers);
  SmallMatrix<Quad> a(s);
  std::vector<Quad> moments(s - 1);
  for (std::size_t i = 0; i < s; ++i) {
    for (std::size_t k = 0; k + 1 < s; ++k) {
      const int degree = static_cast<int>(k + 1);
      moments[k] = integer_power(c[i], degree) / degree - (k == 0 ? b[0] : Quad(0));
    }
    const std::vector<Quad> row = inverse * moments;
    a(i, 0) = b[0];
    for (std::size_t j = 1; j < s; ++j) a(i, j) = row[j - 1];
  }
  return a;
}

}  // namespace

// Nodes at the zeros of P_s - P_{s-2}, of which the ends are 0 and 1: B(2s-2), C(s-1), D(s-1).
Tableau lobatto_iiic(int stages) {
  require_stages("Lobatto IIIC", stages, 2);
  const std::vector<Quad> c = quadrature_nodes(stages, 0, -1);
  const std::vector<Quad> b = quadrature_weights(c);
  ExactTableau exact{matrix_from_c(b, c), b, c};
  // Stiffly accurate; say so exactly, since steppers rely on it.
  const std::size_t last = c.size() - 1;
  for (std::size_t j = 0; j <= last; ++j) exact.a(last, j) = b[j];
  return round_once(fmt::format("lobatto-iiic-{}", stages), fmt::format("Lobatto IIIC ({} stages)", stages),
                    "F. H. Chipman, A-stable Runge-Kutta processes, BIT 11 (1971); Hairer & Wanner II, IV.5", exact);
}

}  // namespace driftless
