#pragma once

#include "driftless/tableau/tableau.h"

namespace driftless {

// A~ of (2.9) in the attracting-sets paper, rows 2..s of A and then b: row i gives the point whose constraint
// determines the multiplier of stage i.
inline Matrix shifted_matrix(const Tableau& tableau) {
  const std::size_t s = tableau.stages();
  Matrix shifted(s, s);
  for (std::size_t i = 0; i < s; ++i)
    for (std::size_t j = 0; j <= i; ++j) shifted(i, j) = i + 1 < s ? tableau.a(i + 1, j) : tableau.b[j];
  return shifted;
}

// c_2, ..., c_s, 1.
inline Vector shifted_nodes(const Tableau& tableau) {
  Vector nodes(tableau.c.begin() + 1, tableau.c.end());
  nodes.push_back(1.0);
  return nodes;
}

}  // namespace driftless
