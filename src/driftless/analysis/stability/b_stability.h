// Algebraic stability with its certificate: b >= 0 and M = B A + A^T B - b b^T positive semidefinite (Burrage and
// Butcher 1979, Crouzeix 1979), which for the contractive problems of Higueras and Soderlind 2003 makes |P dx|
// non-increasing.
#pragma once

#include <optional>
#include <string>

#include "driftless/tableau/tableau.h"

namespace driftless {

struct StabilityCertificate {
  bool algebraically_stable = false;
  Matrix m;
  // If stable: M = factor^T factor up to `residual`, the largest entry of the difference; one row per nonzero pivot.
  Matrix factor;
  double residual = 0.0;
  // If not: the stage with a negative weight, or a vector with witness^T M witness = `witness_value` < 0.
  std::optional<std::size_t> negative_weight;
  Vector witness;
  double witness_value = 0.0;
  std::string verdict;  // in words
};

StabilityCertificate certify_algebraic_stability(const Tableau& tableau);

// Whether the certificate proves what it says, from its numbers and those of the tableau alone.
bool check(const StabilityCertificate& certificate, const Tableau& tableau);

}  // namespace driftless
