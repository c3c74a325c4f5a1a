// m_D[A^-1] = min_y (y^T D A^-1 y) / (y^T D y), section 5 of Higueras and Soderlind 2003 (Dekker and Verwer's psi_D):
// the stage equations of a step of size h have one solution if h S[P, f] < m_D[A^-1], for any positive diagonal D.
#pragma once

#include <string>

#include "driftless/tableau/tableau.h"

namespace driftless {

struct StageMonotonicity {
  double value = 0.0;          // m_D[A^-1] for the D below
  Vector diagonal = {};        // D, with sum 1
  double supremum = 0.0;       // no D gives more than this
  bool attained = false;       // value and supremum agree to 1e-9; else the supremum is approached, or only a bound
  std::string formula = {};    // where D is known in closed form
  double start_factor = 0.0;   // |A^-1 1|_D
  double update_factor = 0.0;  // the norm of b^T A^-1 from |.|_D to the new point
};

// Misuse if A is singular.
StageMonotonicity stage_monotonicity(const Tableau& tableau);

// For norms without inner product, products of different stages can only be bounded by their sizes: the off-diagonal
// entries of A^-1 count as -|w_ij|. Both agree for one stage.
StageMonotonicity stage_monotonicity_in_any_norm(const Tableau& tableau);

// For a given D.
double stage_monotonicity_with(const Matrix& a_inverse, ConstSpan diagonal);

// The largest step size with h rate < m_D[A^-1]; infinity if there is no limit, 0 if m_D[A^-1] <= 0 and rate >= 0.
double solvable_step_size(const StageMonotonicity& m, double rate);

}  // namespace driftless
