// The saddle-point system of constrained mechanics,
//     [ M  G^T ] [ x      ]   [ top    ]
//     [ G  0   ] [ lambda ] = [ bottom ],
// by Cholesky M = L L^T and a Householder QR of Y = L^-1 G^T: lambda costs one condition number of the constraints,
// where the normal equations G M^-1 G^T would square it.
#pragma once

#include <vector>

#include "driftless/core/matrix.h"

namespace driftless {

class Kkt {
 public:
  Kkt(std::size_t n, std::size_t m);

  enum class Status { regular, redundant_constraints, mass_not_positive_definite };

  // `mass` may be empty (0 x 0): the identity. Redundant rows are allowed; lambda is then the one of least norm.
  Status factorise(ConstMatrixView mass, ConstMatrixView g);
  std::size_t rank() const { return rank_; }
  // Row of the mass matrix at which the Cholesky factorisation broke down.
  std::size_t failed_row() const { return failed_row_; }

  // In place: top becomes x, bottom becomes lambda. If rows are redundant and bottom contradicts them, x is the least
  // squares solution and the caller sees it in the residual.
  void solve(Span top, Span bottom) const;
  // M^-1 x, in place.
  void solve_mass(Span x) const {
    forward(x);
    backward(x);
  }
  // The rows of G in the order in which they were found independent; the first rank() of them are.
  const std::vector<std::size_t>& row_order() const { return order_; }

 private:
  bool factorise_mass(ConstMatrixView mass);
  void orthogonalise();
  void orthogonalise_rows();
  void forward(Span x) const;
  void backward(Span x) const;

  std::size_t n_, m_, rank_ = 0, failed_row_ = 0;
  bool unit_mass_ = true;
  Matrix l_;                        // Cholesky factor
  Vector inverse_;                  // of its diagonal
  Matrix qr_;                       // of L^-1 G^T: Householder vectors below, R on and above the diagonal
  Matrix rows_;                     // of R^T, if rows are redundant
  Vector beta_, row_beta_;          // Householder scalars
  Vector diagonal_, row_diagonal_;  // inverses of the diagonals of R and T
  std::vector<std::size_t> order_;  // column pivoting
};

}  // namespace driftless
