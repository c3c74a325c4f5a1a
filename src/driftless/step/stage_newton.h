// Simplified Newton for the stages of a step: with one Jacobian for all of them, the system falls apart in the
// eigenbasis of A. With W = (T^-1 x I) dZ there are (gamma/h B - J) and ((alpha - i beta)/h B - J) for w_1 + i w_2 of
// each pair.
#pragma once

#include "driftless/step/stage_combination.h"
#include "driftless/step/stage_equations.h"
#include "driftless/tableau/eigenbasis.h"

namespace driftless {

// False if one of the matrices is singular.
inline bool factorise_stages(const Eigenbasis& basis, double h, StageEquations& equations) {
  bool regular = true;
  for (std::size_t k = 0; k < basis.real.size(); ++k)
    regular = regular && equations.factorise_real(k, basis.real[k] / h);
  for (std::size_t k = 0; k < basis.pairs.size(); ++k)
    regular = regular && equations.factorise_complex(k, Complex(basis.pairs[k].alpha, -basis.pairs[k].beta) / h);
  return regular;
}

// From the residuals of the stages, column by column, to the coordinates of their corrections in the eigenbasis.
inline void correct_stages(const Eigenbasis& basis, const StageEquations& equations, const Matrix& residual,
                           Matrix& correction) {
  combine_stages(basis.t_inverse, -1.0, residual, correction);
  std::size_t column = 0;
  for (std::size_t k = 0; k < basis.real.size(); ++k, ++column)
    equations.solve_real(k, correction.view().column(column));
  for (std::size_t k = 0; k < basis.pairs.size(); ++k, column += 2)
    equations.solve_complex(k, correction.view().column(column), correction.view().column(column + 1));
}

}  // namespace driftless
