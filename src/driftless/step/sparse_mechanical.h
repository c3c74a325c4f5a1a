// Stage equations of mechanical problems with many unknowns: the saddle-point systems of stage_equations_forms.h as
// they are, on the patterns of the model, so that nothing of size n x n is made. Unknowns are (dq or dv, ds, dlambda),
// scaled; all derivatives that they need are blocks of one matrix in three parts A_0 + A_1/c + A_2/c^2.
#pragma once

#include "driftless/linalg/fill_order.h"
#include "driftless/step/stage_equations_forms.h"

namespace driftless {

class SparseMechanicalStage : public FactorisedStage {
 public:
  // Would this form have a sparse matrix?
  static bool suits(const Mechanical& form);

 protected:
  using Derivatives = Mechanical::Functions::Derivatives;
  SparseMechanicalStage(const Mechanical& form, std::vector<int> power, const Derivatives& patterns);

  // Blocks of the matrix, by the derivatives in them.
  enum Block : std::size_t {
    mass,
    gradient,
    reaction_forces,  // G^T
    momentum_by_q,
    reaction_by_q,
    force_by_q,
    force_by_v,
    force_by_s,
    states_by_q,
    states_by_v,
    states_by_s,
    one_of_s
  };
  // M and G alone, or all derivatives with accelerations a and multipliers lambda held.
  void evaluate_gradients(double t, ConstSpan q);
  void evaluate(double t, ConstSpan x, ConstSpan a);
  void add(Block block, ConstSpan values, double factor, Vector& part) const;
  // M, G, G^T and the identity of s to A_0; rows that depend on the others are left out then.
  void set_saddle();
  void leave_out_redundant_rows();
  // Balance of forces, states and constraint of (q, v, s, lambda) with the accelerations a.
  void residual_of(double t, ConstSpan x, ConstSpan a, Span balance, Span states, Span constraint) const;

  // out += factor A x for the first x.size() unknowns.
  template <class S>
  void add_product(const Vector& part, S factor, std::span<const S> x, std::span<S> out) const;

  Pattern pattern() const override { return blocks_.pattern; }
  ShiftedValues values() const override { return {a0_, a1_, a2_}; }
  std::vector<std::uint32_t> order() const override { return saddle_order(blocks_.pattern, n_ + r_, a0_); }
  bool is_redundant(std::size_t row) const { return !redundant_.empty() && redundant_[row]; }

  std::shared_ptr<const Mechanical::Functions> f_;
  std::size_t n_, r_, m_;
  Derivatives patterns_;
  TransposedPattern across_;  // of G^T
  BlockPattern blocks_;
  Vector force_, states_, momentum_, reaction_, first_, second_;
  Vector a0_, a1_, a2_;

 private:
  void find_redundant_rows();

  mutable MechanicalLinearisation at_;
  bool looked_ = false;
  std::vector<char> redundant_;          // empty: none
  std::vector<std::uint32_t> diagonal_;  // places of the diagonal of lambda, if some are redundant
};

// As AccelerationStage with lambda kept among the unknowns: (dv, ds, dlambda*/c), dq = (dv + rho_q)/c,
//     [ M + B_v/c + B_q/c^2      B_s/c        G^T ]      B = M a + G^T lambda - F,   C = G a + curvature
//     [ -r_v/c - r_q/c^2         I - r_s/c    0   ]
//     [ G + C_v/c + C_q/c^2      0            0   ]
class SparseAccelerationStage final : public StageOf<SparseAccelerationStage, SparseMechanicalStage> {
 public:
  explicit SparseAccelerationStage(const Mechanical& form);
  void residual(double t, ConstSpan x, ConstSpan slope, Span r) const override;
  void linearise(double t, ConstSpan x, ConstSpan slope) override;
  template <class S>
  void reduce_any(S c, std::span<const S> rho, std::span<S> out) const;
  template <class S>
  void expand_any(S c, std::span<const S> x, std::span<S> rho) const;

 private:
  std::size_t component(std::size_t column) const override { return column + n_; }
  std::unique_ptr<Manifold> manifold_;
};

// As MechanicalStage.
class SparsePositionStage final : public StageOf<SparsePositionStage, SparseMechanicalStage> {
 public:
  explicit SparsePositionStage(const Mechanical& form);
  void residual(double t, ConstSpan x, ConstSpan slope, Span r) const override;
  void linearise(double t, ConstSpan x, ConstSpan slope) override;
  template <class S>
  void reduce_any(S c, std::span<const S> rho, std::span<S> out) const;
  template <class S>
  void expand_any(S c, std::span<const S> x, std::span<S> rho) const;

 private:
  std::size_t component(std::size_t column) const override { return column < n_ ? column : column + n_; }
};

// As PaperStage, with the states, whose rows are I ds = rho_s/c.
class SparsePaperStage final : public StageOf<SparsePaperStage, SparseMechanicalStage> {
 public:
  explicit SparsePaperStage(const Mechanical& form);
  void residual(double t, ConstSpan x, ConstSpan slope, Span r) const override;
  void linearise(double t, ConstSpan x, ConstSpan slope) override;
  template <class S>
  void reduce_any(S c, std::span<const S> rho, std::span<S> out) const;
  template <class S>
  void expand_any(S c, std::span<const S> x, std::span<S> rho) const;

 private:
  std::size_t component(std::size_t column) const override { return column < n_ ? column : column + n_; }
};

}  // namespace driftless
