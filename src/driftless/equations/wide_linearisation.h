// M and C of the wide form at one point, and [M C^T; C 0] factorised. It is regular if M is definite on the kernel of C
// and the rows of C are independent; rows that depend on others get multipliers of least norm.
//
// Where M itself is singular, M + C^T W C takes its place (Debreu 1952: definite for all W large enough exactly if M is
// definite on the kernel). With C^T W r added on top, the solution of [M C^T; C 0] (x, lambda) = (top, r) is the same,
// multipliers included, so that nothing depends on W.
#pragma once

#include "driftless/equations/manifold.h"
#include "driftless/linalg/kkt.h"
#include "driftless/linalg/sparse_kkt.h"

namespace driftless {

class WideLinearisation {
 public:
  explicit WideLinearisation(const WideMechanical& form);

  void evaluate(ConstSpan q, double t);  // M and C
  // M and C; F, the curvature c and q' for the caller.
  void evaluate_dynamics(ConstSpan q, ConstSpan v, ConstSpan s, double t, Span force, Span curvature, Span rate);
  void assign(ConstMatrixView mass, ConstMatrixView c);

  // not_finite, mass_not_positive_definite (on the kernel of C) or ok.
  ManifoldStatus factorise();
  // The row at which that was seen.
  std::size_t failed_row() const { return failed_row_; }
  std::size_t rank() const { return by_plan_ ? m_ : dense_->rank(); }

  void solve(Span top, Span bottom) const;
  // With zeros on top.
  void solve_constraints(Span x, Span bottom) const;
  // As solve_constraints, for the first `holonomic` rows alone where others depend on them.
  void solve_positions(Span x, Span bottom) const;
  // M x = top - C^T lambda for the x that satisfies C x = bottom if lambda is right.
  void accelerate(ConstSpan lambda, ConstSpan bottom, Span top) const;
  void solve_mass(Span x) const;  // of M, or what takes its place

  void apply(ConstSpan x, Span out) const;                   // C x
  void subtract_reaction(ConstSpan lambda, Span out) const;  // out -= C^T lambda
  void multiply_mass(ConstSpan x, Span out) const;           // M x, or what takes its place
  const Matrix& directions() const { return c_; }            // C
  double log_determinant() const;                            // of C M^-1 C^T, of independent rows alone
  double pivot_ratio() const { return by_plan_ ? plain_->pivot_ratio() : 1.0; }

 private:
  ManifoldStatus factorise_plain();
  ManifoldStatus factorise_augmented();
  bool is_nearly_singular() const;
  void augment(double factor);
  void add_weighted(ConstSpan bottom, Span top) const;  // top += C^T W bottom
  ManifoldStatus factorise_positions();
  void make_dense();

  std::shared_ptr<const WideMechanical::Functions> f_;
  std::size_t n_, m_, holonomic_;  // velocities, rows of C, those of positions
  bool has_mass_, augmented_ = false, by_plan_ = false, judged_ = false, positions_apart_ = false;
  std::size_t failed_row_ = 0;
  Matrix mass_, c_, definite_;  // M (0 x 0: the identity), and what takes its place
  Vector weights_;              // W
  std::unique_ptr<SparseKkt> plain_;
  std::unique_ptr<Kkt> dense_, positions_;
};

}  // namespace driftless
