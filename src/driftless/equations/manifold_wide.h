// The manifold of the wide form of mechanics. Level 1 has g (and invariants of positions), level 2 all constraints on
// velocities (and invariants of velocities), level 3 their derivatives along the motion, which determine (lambda, nu).
#pragma once

#include "driftless/equations/manifold.h"
#include "driftless/equations/size_norm.h"
#include "driftless/equations/wide_linearisation.h"
#include "driftless/linalg/saddle_system.h"

namespace driftless {

class WideManifold final : public Manifold {
 public:
  explicit WideManifold(const WideMechanical& form);

  int levels() const override { return 3; }
  std::size_t constraint_count() const override { return all_; }
  ManifoldStatus residual(int level, double t, ConstSpan state, Span out) override;
  ManifoldStatus derivative(double t, ConstSpan state, Span out) override;
  ManifoldStatus set_multipliers(double t, Span state) override;
  ManifoldStatus flow(double t, Span state, Span slope) override;
  ManifoldStatus project(double t, Span state, bool positions, Span mu1, Span mu2_by_h) override;
  ManifoldStatus settle(double t, Span state) override;
  ManifoldStatus remove_normal(double t, ConstSpan state, Span change) override;
  ManifoldStatus project_nearby(double t, Span state) override;
  ManifoldStatus remove_normal_nearby(double t, ConstSpan state, Span change) override;
  ManifoldStatus decisive_matrix(double t, ConstSpan state, Matrix& out) override;
  int level_of_gradients() const override { return 2; }
  Range determined_by(int level) const override;
  ManifoldStatus level_jacobian(int level, double t, ConstSpan state, Matrix& out) override;
  ManifoldStatus regularity(double t, ConstSpan state, Regularity& out) override;
  void regularity_nearby(Regularity& out) const override;
  std::size_t failed_row() const { return at_.failed_row(); }
  // T M^-1 G^T for positions, M^-1 C^T for velocities; along their own gradients for invariants.
  ManifoldStatus jump_directions(int level, double t, ConstSpan state, Matrix& out);

 private:
  template <class T>
  struct Parts {
    std::span<T> q, v, s, lambda, drift;
  };
  Parts<double> split(Span x) const;
  Parts<const double> split(ConstSpan x) const;

  bool is_known(double t, ConstSpan q) const;
  void evaluate_directions(double t, ConstSpan q);
  ManifoldStatus factorise(double t, ConstSpan q);
  void evaluate_rates(double t, ConstSpan q);
  void move(ConstSpan along, Span q) const;  // q += T along
  ManifoldStatus project_positions(double t, Span q, Span mu);
  ManifoldStatus project_velocities(double t, ConstSpan q, Span v, Span mu);
  ManifoldStatus project_invariants(double t, Span state);
  void invariants_residual(double t, ConstSpan q, ConstSpan v, Span out) const;
  void invariants_gradients(double t, ConstSpan q, ConstSpan v, Matrix& out) const;
  bool correct_nearby(double t, Span q, Span v);
  bool contradicts(double t, ConstSpan q, ConstSpan v);

  std::shared_ptr<const WideMechanical::Functions> f_;
  std::size_t n_, p_, r_, g_, m_, i_, j_, all_;  // q, v, s, rows of g, of w, invariants, everything
  WideLinearisation at_;
  Matrix rates_;  // T and the columns for q and t beside it
  Vector at_q_;
  double at_t_ = 0.0;
  bool known_ = false, rates_known_ = false;
  SizeNorm norm_;
};

}  // namespace driftless
