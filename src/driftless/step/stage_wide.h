// Stage equations of the wide form of mechanics, on each level of its constraints.
#pragma once

#include "driftless/equations/manifold_wide.h"
#include "driftless/step/stage_equations_forms.h"

namespace driftless {

// Acceleration level: q' = T v + k, v' = a, s' = r, where (a, lambda, nu) solve the balance and the second derivative
// of the constraints, so that stages keep the classical order in everything; drift is the projection's business.
// Unknowns (dq, dv, ds) with I - J/c, J = d(q', a, r)/d(q, v, s); multipliers follow.
class WideAccelerationStage final : public StageOf<WideAccelerationStage> {
 public:
  explicit WideAccelerationStage(const WideMechanical& form);
  void residual(double t, ConstSpan x, ConstSpan slope, Span r) const override;
  void linearise(double t, ConstSpan x, ConstSpan slope) override;
  std::unique_ptr<CoupledStages> couple() const override { return couple_first_order(n_ + p_ + r_, m_ + drifts_); }
  StageMatrices matrices() const override { return {a0_, whole_, a2_}; }
  void linearise_stage(double t, ConstSpan x, ConstSpan slope, ConstSpan residual) override;
  void apply_leading(ConstSpan w, Span out) const override;
  template <class S>
  void reduce_any(S c, std::span<const S> rho, std::span<S> out) const;
  template <class S>
  void expand_any(S c, std::span<const S> x, std::span<S> rho) const;

 private:
  std::size_t component(std::size_t column) const override { return column; }
  void evaluate(double t, ConstSpan x, ConstSpan a);
  void differentiate();

  std::shared_ptr<const WideMechanical::Functions> f_;
  std::size_t n_, p_, r_, m_, drifts_;
  Matrix mass_, c_, rates_, force_, momentum_, reaction_, second_, states_;
  Matrix whole_;  // -d(q', a, r)/d(q, v, s), and below it -d(lambda, nu)/d(q, v, s) and no change of invariants
  WideLinearisation at_;
  std::unique_ptr<Manifold> manifold_;  // residual() solves for (a, lambda, nu) as an explicit stage does
};

// The other levels:
//     velocity   q' = T v + k, the balance, 0 = w(q, v, t)                                  (index 2)
//     ggl        q' = T v + k - T T^T G^T mu, the balance, 0 = w(q, v, t), 0 = g(q, t)      (index 2)
//     position   q' = T v + k, the balance, 0 = g(q, t), 0 = A v + b                        (index 3)
// Unknowns (dq, dv/c^e, ds, d(lambda, nu)/c^(1 + e), dmu/c), e = 1 on position level and 0 on others; rows are scaled
// likewise, so that the limit for h -> 0 is regular exactly if [M C^T; C 0] is. Rows of C that depend on the others
// give way to multipliers of least norm.
enum class WideLevel : std::uint8_t { velocity, ggl, position };

class WideLevelStage final : public StageOf<WideLevelStage> {
 public:
  WideLevelStage(const WideMechanical& form, WideLevel level);
  void residual(double t, ConstSpan x, ConstSpan slope, Span r) const override;
  void linearise(double t, ConstSpan x, ConstSpan slope) override;
  std::unique_ptr<CoupledStages> couple() const override;
  StageMatrices matrices() const override;
  void apply_leading(ConstSpan w, Span out) const override;
  template <class S>
  void reduce_any(S c, std::span<const S> rho, std::span<S> out) const;
  template <class S>
  void expand_any(S c, std::span<const S> x, std::span<S> rho) const;

 private:
  std::size_t component(std::size_t column) const override { return column; }
  void find_redundant_rows();
  void evaluate(double t, ConstSpan x, ConstSpan slope);
  void place_motion();
  void place_constraints();
  void add(ConstMatrixView block, double factor, int power, std::size_t row, std::size_t column);
  void add_ones(std::size_t count, std::size_t first);

  std::shared_ptr<const WideMechanical::Functions> f_;
  WideLevel level_;
  int lift_;  // e
  std::size_t n_, p_, r_, g_, m_, drifts_, v_, s_, lambda_, drift_, mu_;
  Matrix mass_, rates_, force_, momentum_, reaction_, states_, velocity_, gradient_;
  WideLinearisation at_;
  Redundancy redundant_;
  mutable Matrix marks_;  // of its rows, for coupled stages
};

}  // namespace driftless
