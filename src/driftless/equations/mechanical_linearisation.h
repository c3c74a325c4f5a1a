// M and G of a mechanical problem at one point, and [M G^T; G 0] factorised: sparse where the model's zeros are known,
// dense where they are not, or where the constraints are redundant or nearly so.
#pragma once

#include "driftless/equations/manifold.h"
#include "driftless/equations/size_norm.h"
#include "driftless/linalg/kkt.h"
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
  std::size_t rank() const { return sparse_in_use() ? m_ : dense_->rank(); }
  void solve(Span top, Span bottom) const;
  // M x + G^T lambda = 0, G x = bottom; bottom becomes lambda.
  void solve_constraints(Span x, Span bottom) const;
  void solve_mass(Span x) const;
  // x := x - M^-1 G^T (G M^-1 G^T)^-1 G x: what is left is tangential to the constraints.
  void remove_normal(Span x) const;

  void apply(ConstSpan x, Span out) const;                   // G x
  void rate(ConstSpan v, Span out) const;                    // G v + g_t
  void subtract_reaction(ConstSpan lambda, Span out) const;  // out -= G^T lambda
  void multiply_mass(ConstSpan x, Span out) const;           // M x
  Matrix dense_jacobian() const;                             // G
  // max |G_ij| s_j, |g_t|, where s_j are the usual sizes of n components of the state from here on.
  double largest_gradient(const SizeNorm& sizes, std::size_t begin) const;
  // log det (G M^-1 G^T), of the independent rows alone if some are redundant.
  double log_determinant() const { return sparse_in_use() ? sparse_->log_determinant() : dense_->log_determinant(); }
  // A cheap lower bound of the condition of G M^-1 G^T; 1 if none is at hand.
  double pivot_ratio() const { return sparse_in_use() ? sparse_->pivot_ratio() : 1.0; }

 private:
  bool sparse_in_use() const { return sparse_ && !ill_conditioned_; }
  ManifoldStatus factorise_dense();
  ManifoldStatus explain_mass() const;
  void make_whole();

  std::shared_ptr<const Mechanical::Functions> f_;
  std::size_t n_, m_;
  const Mechanical::Functions::Structure* structure_;
  bool compressed_ = false;  // are values kept in the order of the patterns?
  std::unique_ptr<SparseKkt> sparse_;
  Vector mass_values_, g_values_, time_derivative_;
  bool ill_conditioned_ = false;
  // Where there is no structure, or it did not help.
  std::unique_ptr<Kkt> dense_;
  Matrix mass_, g_;
};

}  // namespace driftless
