// M and G of a mechanical problem at one point, and [M G^T; G 0] factorised: by L D L^T of M and of the Schur
// complement where the model's zeros are known, dense where they are not. Where constraints are redundant or nearly so,
// by QR, or for many unknowns as it is (saddle_system.h).
#pragma once

#include "driftless/equations/manifold.h"
#include "driftless/equations/size_norm.h"
#include "driftless/linalg/kkt.h"
#include "driftless/linalg/saddle_system.h"
#include "driftless/linalg/sparse_kkt.h"

namespace driftless {

class MechanicalLinearisation {
 public:
  explicit MechanicalLinearisation(const Mechanical& form);

  // M, G and g_t.
  void evaluate(ConstSpan q, double t);
  // M and G; F and the curvature of g along (v, 1) for the caller. g_t is not known after this.
  void evaluate_dynamics(ConstSpan q, ConstSpan v, ConstSpan s, double t, Span force, Span curvature);

  // M and G as they are given; g_t is not known after this.
  void assign(ConstMatrixView mass, ConstMatrixView g);

  // not_finite, mass_not_positive_definite or ok.
  ManifoldStatus factorise();
  // At most so many constraints count as independent from here on; not of large systems.
  void limit_rank(std::size_t most) { most_independent_ = most; }
  std::size_t rank() const { return sparse_in_use() ? m_ : saddle_in_use_ ? saddle_->rank() : dense_->rank(); }
  // Are there so many unknowns that no matrix is made as a whole?
  bool is_large() const { return is_large_; }
  std::vector<std::size_t> redundant_rows() const;
  void solve(Span top, Span bottom) const;
  // M x + G^T lambda = 0, G x = bottom; bottom becomes lambda.
  void solve_constraints(Span x, Span bottom) const;
  void solve_mass(Span x) const;
  // x := x - M^-1 G^T (G M^-1 G^T)^-1 G x: what is left is tangential to the constraints.
  void remove_normal(Span x) const;

  void apply(ConstSpan x, Span out) const;                       // G x
  void rate(ConstSpan v, Span out) const;                        // G v + g_t
  void subtract_reaction(ConstSpan lambda, Span out) const;      // out -= G^T lambda
  void multiply_mass(ConstSpan x, Span out) const;               // M x
  Matrix dense_jacobian() const;                                 // G
  const Pattern& mass_pattern() const { return mass_pattern_; }  // of large ones, with the values of M and G
  const Pattern& jacobian_pattern() const { return structure_->jacobian; }
  ConstSpan mass_values() const { return f_->has_mass() ? mass_values_ : unit_mass_; }
  ConstSpan jacobian_values() const { return g_values_; }
  // max |G_ij| s_j, |g_t|, where s_j are the usual sizes of n components of the state from here on.
  double largest_gradient(const SizeNorm& sizes, std::size_t begin) const;
  // log det (G M^-1 G^T), of the independent rows alone if some are redundant.
  double log_determinant() const;
  // A cheap lower bound of the condition of G M^-1 G^T; 1 if none is at hand.
  double pivot_ratio() const { return sparse_in_use() ? sparse_->pivot_ratio() : 1.0; }

 private:
  bool sparse_in_use() const { return sparse_ && !ill_conditioned_; }
  ManifoldStatus factorise_dense();
  void factorise_saddle();
  void solve_saddle(Span top, Span bottom) const;
  ManifoldStatus explain_mass() const;
  void make_whole();
  ManifoldStatus factorise_whole();

  std::shared_ptr<const Mechanical::Functions> f_;
  std::size_t n_, m_, most_independent_ = SIZE_MAX;
  const Mechanical::Functions::Structure* structure_;
  bool compressed_ = false;  // are values kept in the order of the patterns?
  std::unique_ptr<SparseKkt> sparse_;
  Vector mass_values_, g_values_, time_derivative_, unit_mass_;
  bool ill_conditioned_ = false, is_large_ = false, saddle_in_use_ = false;
  Pattern mass_pattern_;
  std::unique_ptr<SaddleSystem> saddle_;
  // Where there is no structure, or it did not help.
  std::unique_ptr<Kkt> dense_;
  Matrix mass_, g_;
};

}  // namespace driftless
