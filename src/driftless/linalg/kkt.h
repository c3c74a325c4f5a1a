// The saddle-point system of constrained mechanics,
//     [ M  G^T ] [ x      ]   [ top    ]
//     [ G  0   ] [ lambda ] = [ bottom ],
// by M = L D L^T and, with Y = L^-1 G^T, the Schur complement S = Y^T D^-1 Y = G M^-1 G^T. If its pivots tell that S is
// ill-conditioned or singular, a Householder QR of D^-1/2 Y takes its place: lambda then costs one condition number of
// the constraints instead of its square, and redundant rows are found.
#pragma once

#include <cstdint>
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

  // At most so many rows count as independent from here on: for points near those where the others repeat them.
  void limit_rank(std::size_t most) { most_ = most; }
  // In place: top becomes x, bottom becomes lambda. If rows are redundant and bottom contradicts them, x is the least
  // squares solution and the caller sees it in the residual.
  void solve(Span top, Span bottom) const;
  // M^-1 x, in place.
  void solve_mass(Span x) const;
  // log det (G M^-1 G^T), of the independent rows alone if some are redundant.
  double log_determinant() const;
  // The rows of G in the order in which they were found independent; the first rank() of them are.
  const std::vector<std::size_t>& row_order() const { return order_; }

 private:
  bool factorise_mass(ConstMatrixView mass);
  void eliminate_mass(ConstMatrixView g);
  bool factorise_schur();
  void solve_by_schur(Span top, Span bottom) const;
  void solve_by_qr(Span top, Span bottom) const;
  void make_qr();
  void orthogonalise();
  void orthogonalise_rows();
  void forward(Span x) const;
  void backward(Span x) const;
  double* y_row(std::size_t k) { return y_.data() + k * width_; }
  const double* y_row(std::size_t k) const { return y_.data() + k * width_; }
  double* s_row(std::size_t i) { return s_.data() + i * width_; }
  const double* s_row(std::size_t i) const { return s_.data() + i * width_; }

  std::size_t n_, m_, width_, most_ = SIZE_MAX, rank_ = 0, failed_row_ = 0;
  bool unit_mass_ = true, by_schur_ = true;
  Matrix l_;                        // unit lower triangle of M
  Vector inverse_;                  // of the diagonal D of M
  Vector y_;                        // L^-1 G^T, n rows of m numbers, padded to an even number
  Vector s_, s_inverse_;            // S = L_s D_s L_s^T, m padded rows, and the inverse of D_s
  Matrix qr_;                       // of D^-1/2 Y: Householder vectors below, R on and above the diagonal
  Matrix rows_;                     // of R^T, if rows are redundant
  Vector beta_, row_beta_;          // Householder scalars
  Vector diagonal_, row_diagonal_;  // inverses of the diagonals of R and T
  std::vector<std::size_t> order_;  // column pivoting
};

}  // namespace driftless
