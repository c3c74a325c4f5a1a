// A^{-1} in real block-diagonal form: what turns the s coupled stage systems into systems of the size of the problem.
#pragma once

#include <vector>

#include "driftless/core/matrix.h"
#include "driftless/tableau/tableau.h"

namespace driftless {

// A^{-1} = T D T^{-1}, D = diag(gamma_1, ..., gamma_r, B_1, ...,
// B_m). The block of the pair alpha +- i beta, beta > 0, is
//   B = ( alpha  beta )     since A^{-1} (x + i y) = (alpha + i beta) (x + i y)  means
//       ( -beta  alpha)     A^{-1} x = alpha x - beta y,  A^{-1} y = beta x + alpha y,
// and T has the columns x, y for it. Columns: first one per real eigenvalue (ascending, length 1), then two per pair
// (by ascending beta; x orthogonal to y, |x|^2 + |y|^2 = 2).
struct Eigenbasis {
  struct Pair {
    double alpha;
    double beta;
  };
  Vector real;
  std::vector<Pair> pairs;
  Matrix t;
  Matrix t_inverse;
  double condition = 0.0;  // of T in the row-sum norm
};

// Misuse if A is singular, or defective up to rounding (singly
// diagonal methods: treat their stages one after the other).
Eigenbasis eigenbasis_of(const Tableau& tableau);

// The inverse by long-double elimination, rounded once. Misuse if singular.
Matrix inverse_of(const Matrix& a);

// b^T A^{-1}, the weights of lambda_{n+1} = R(infinity) lambda_n +
// b^T A^{-1} Lambda; (0, ..., 0, 1) exactly if stiffly accurate.
Vector b_times_inverse(const Tableau& tableau);

}  // namespace driftless
