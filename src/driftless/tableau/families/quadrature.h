// Nodes, weights and collocation matrices in extended precision: what the fully implicit families are made of.
#pragma once

#include <string>
#include <vector>

#include "driftless/tableau/small_matrix.h"
#include "driftless/tableau/tableau.h"

namespace driftless {

// Coefficients before they are rounded, once, to double.
struct ExactTableau {
  SmallMatrix<Quad> a;
  std::vector<Quad> b;
  std::vector<Quad> c;
};

// Zeros in [0, 1] of P_s + alpha P_{s-1} + beta P_{s-2}, P_k the Legendre polynomials shifted to [0, 1], ascending.
// Gauss: (0, 0); left Radau: (1, 0); right Radau: (-1, 0); Lobatto: (0, -1). Hairer & Wanner II, IV.5.
std::vector<Quad> quadrature_nodes(int stages, int alpha, int beta);

// b from B(s): sum_j b_j c_j^{k-1} = 1/k, k = 1..s.
std::vector<Quad> quadrature_weights(const std::vector<Quad>& c);

// A from C(s): sum_j a_ij c_j^{k-1} = c_i^k / k, k = 1..s, for all i.
SmallMatrix<Quad> collocation_matrix(const std::vector<Quad>& c);

// x^k with 0^0 = 1.
Quad integer_power(Quad x, int k);

// Throws Misuse unless fewest <= stages <= most_stages.
void require_stages(const char* family, int stages, int fewest);

Tableau round_once(std::string name, std::string title, std::string citation, const ExactTableau& exact);

}  // namespace driftless
