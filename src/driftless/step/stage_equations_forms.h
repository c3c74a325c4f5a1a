// Stage equations of each form.
#pragma once

#include <initializer_list>
#include <utility>

#include "driftless/equations/index2_normal.h"
#include "driftless/equations/index3_normal.h"
#include "driftless/equations/manifold.h"
#include "driftless/equations/mechanical_linearisation.h"
#include "driftless/linalg/block_pattern.h"
#include "driftless/linalg/kkt.h"
#include "driftless/linalg/pattern_product.h"
#include "driftless/linalg/rank.h"
#include "driftless/step/stage_equations.h"

namespace driftless {

// The powers of h block by block: {{count, power}, ...}.
inline std::vector<int> powers(std::initializer_list<std::pair<std::size_t, int>> blocks) {
  std::vector<int> result;
  for (auto [count, power] : blocks) result.insert(result.end(), count, power);
  return result;
}

// Products and reciprocals of finite numbers: those of std::complex look for infinities first, which costs more than
// the product.
inline double times(double x, double y) { return x * y; }
inline Complex times(Complex x, Complex y) {
  return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
}
inline double reciprocal(double x) { return 1.0 / x; }
inline Complex reciprocal(Complex x) { return std::conj(x) / std::norm(x); }

// A full pattern: matrices in column order.
class DenseStage : public FactorisedStage {
 public:
  StageMatrices matrices() const override { return {a0_, a1_, a2_}; }

 protected:
  DenseStage(std::vector<int> power, std::size_t reduced);
  Pattern pattern() const override { return full_pattern(a0_.rows(), a0_.cols()); }
  ShiftedValues values() const override;

  Matrix a0_, a1_, a2_;
};

// Forwards the scalar-dependent parts of a form to one template each: `Form::reduce_any<S>` and `expand_any<S>`.
template <class Form, class Values = DenseStage>
class StageOf : public Values {
 protected:
  using Values::Values;
  void reduce(double c, std::span<const double> rho, std::span<double> out) const override {
    self().reduce_any(c, rho, out);
  }
  void reduce(Complex c, std::span<const Complex> rho, std::span<Complex> out) const override {
    self().reduce_any(c, rho, out);
  }
  void expand(double c, std::span<const double> x, std::span<double> rho) const override {
    self().expand_any(c, x, rho);
  }
  void expand(Complex c, std::span<const Complex> x, std::span<Complex> rho) const override {
    self().expand_any(c, x, rho);
  }

 private:
  const Form& self() const { return static_cast<const Form&>(*this); }
};

// (P/c + Q)(c P - J) = P - P J/c - Q J, that is A_0 = P + P J - J and A_1 = -P J.
class Index1Stage final : public StageOf<Index1Stage, FactorisedStage> {
 public:
  explicit Index1Stage(const Index1& form);
  void residual(double t, ConstSpan x, ConstSpan slope, Span r) const override;
  void linearise(double t, ConstSpan x, ConstSpan slope) override;
  template <class S>
  void reduce_any(S c, std::span<const S> rho, std::span<S> out) const;
  template <class S>
  void expand_any(S c, std::span<const S> x, std::span<S> rho) const;

 private:
  std::size_t component(std::size_t column) const override { return column; }
  Pattern pattern() const override { return pattern_; }
  ShiftedValues values() const override { return {a0_, a1_}; }
  bool reduce_parts(Complex c, ConstSpan re, ConstSpan im, Span x, Span y) const override;
  void scatter();

  std::shared_ptr<const Index1::Functions> f_;
  std::shared_ptr<const ProjectorParts> parts_;
  PatternProduct product_;  // P J
  Pattern pattern_;
  bool is_full_;  // so are the patterns of J and P J
  std::vector<std::uint32_t> place_of_p_, place_of_j_, place_of_product_;
  Vector p_values_, jacobian_, along_, a0_, a1_;
};

// Unknowns (du, dlambda/c), rows (1/c, 1): [Gamma - J_uu/c, -f_lambda; -g_u, 0], J_uu = f_u - d(Gamma u')/du.
// Redundant constraints as for Index3Stage, below.
class Index2Stage final : public StageOf<Index2Stage, FactorisedStage> {
 public:
  explicit Index2Stage(const Index2& form);
  void residual(double t, ConstSpan x, ConstSpan slope, Span r) const override;
  void linearise(double t, ConstSpan x, ConstSpan slope) override;
  std::unique_ptr<CoupledStages> couple() const override { return couple_index2(n_, m_); }
  StageMatrices matrices() const override;
  void apply_leading(ConstSpan w, Span out) const override;
  template <class S>
  void reduce_any(S c, std::span<const S> rho, std::span<S> out) const;
  template <class S>
  void expand_any(S c, std::span<const S> x, std::span<S> rho) const;

 private:
  Index2Stage(const Index2& form, Index2::Functions::Patterns patterns);
  std::size_t component(std::size_t column) const override { return column; }
  Pattern pattern() const override { return blocks_.pattern; }
  ShiftedValues values() const override { return {a0_, a1_}; }
  std::vector<std::uint32_t> order() const override;
  void add_gamma(ConstSpan values, ConstSpan x, Span out) const;
  void find_redundant_rows(double t, ConstSpan u, ConstSpan lambda);
  void leave_out_redundant_rows();

  std::shared_ptr<const Index2::Functions> f_;
  std::size_t n_, m_;
  bool has_gamma_;
  Pattern gamma_pattern_;
  BlockPattern blocks_;  // Gamma, f by (u, lambda), g_u, Gamma w by u
  std::size_t f_by_u_;   // entries of f_u, which come first
  Vector gamma_, f_jacobian_, g_jacobian_, gamma_jacobian_, a0_, a1_;
  mutable Matrix whole0_, whole1_, marks_;  // for coupled stages, which are dense
  Vector lambda_sizes_;                     // empty: all 1
  std::unique_ptr<Index2Normal> normal_;    // tells which rows are redundant
  Redundancy redundant_;
};

// Unknowns (du, dv/c, dlambda/c^2), rows (1/c, 1/c^2, 1):
// [I - f_u/c, -f_v, 0; -k_u/c^2, I - k_v/c, -k_lambda; -g_u, 0, 0].
// Constraints that depend on the others are left out, if there are any where it is linearised first, and multipliers
// are of least norm instead: rows (0, 0, n^T).
class Index3Stage final : public StageOf<Index3Stage, FactorisedStage> {
 public:
  explicit Index3Stage(const Index3& form);
  void residual(double t, ConstSpan x, ConstSpan slope, Span r) const override;
  void linearise(double t, ConstSpan x, ConstSpan slope) override;
  template <class S>
  void reduce_any(S c, std::span<const S> rho, std::span<S> out) const;
  template <class S>
  void expand_any(S c, std::span<const S> x, std::span<S> rho) const;

 private:
  Index3Stage(const Index3& form, Index3::Functions::Patterns patterns);
  std::size_t component(std::size_t column) const override { return column; }
  Pattern pattern() const override { return blocks_.pattern; }
  ShiftedValues values() const override { return {a0_, a1_, a2_}; }
  std::vector<std::uint32_t> order() const override;
  void find_redundant_rows(double t, ConstSpan x);
  void leave_out_redundant_rows();

  std::shared_ptr<const Index3::Functions> f_;
  std::size_t n_, p_, m_;
  BlockPattern blocks_;           // ones, f by (u, v), k by (u, v, lambda), g_u
  std::size_t f_by_u_, f_by_uv_;  // entries of f_u, and with those of f_v, which come first
  std::size_t k_by_u_, k_by_uv_;
  Vector f_values_, k_values_, g_values_, a0_, a1_, a2_;
  Vector lambda_sizes_;                   // empty: all 1
  std::unique_ptr<Index3Normal> normal_;  // tells which rows are redundant
  Redundancy redundant_;
};

// dv = c dq - rho_q is eliminated: n + r + m unknowns (dq, ds, dlambda/c^2),
//     [ M - F_v/c + K/c^2     -F_s/c^2     G^T ]            K = d(M v' - F + G^T lambda)/dq
//     [ -r_v - r_q/c          I - r_s/c    0   ]
//     [ G                     0            0   ]
// Rows of G that depend on the others are left out (their multipliers keep their values), so that redundant constraints
// do not make the matrix singular.
class MechanicalStage final : public StageOf<MechanicalStage> {
 public:
  explicit MechanicalStage(const Mechanical& form);
  void residual(double t, ConstSpan x, ConstSpan slope, Span r) const override;
  void linearise(double t, ConstSpan x, ConstSpan slope) override;
  template <class S>
  void reduce_any(S c, std::span<const S> rho, std::span<S> out) const;
  template <class S>
  void expand_any(S c, std::span<const S> x, std::span<S> rho) const;

 private:
  std::size_t component(std::size_t column) const override { return column < n_ ? column : column + n_; }
  void find_redundant_rows();
  std::shared_ptr<const Mechanical::Functions> f_;
  std::size_t n_, r_, m_;
  Matrix mass_, g_, force_, states_, reaction_, momentum_;
  std::vector<char> redundant_;
  Kkt rows_;
};

// Mechanical equations on acceleration level: q' = v, v' = a(q, v, s, t), s' = r(q, v, s, t), where (a, lambda) solves
// the balance and the constraint G v' + curvature(q, v, t) = 0, so that stages keep the classical order in v and lambda
// too; drift is the projection's business. dq = (dv + rho_q)/c is eliminated: unknowns (dv, ds),
//     I + B1/c + B2/c^2,    B1 = -d(a, r)/d(v, s),  B2 = -d(a, r)/dq,
// and dlambda follows.
class AccelerationStage final : public StageOf<AccelerationStage> {
 public:
  explicit AccelerationStage(const Mechanical& form);
  void residual(double t, ConstSpan x, ConstSpan slope, Span r) const override;
  void linearise(double t, ConstSpan x, ConstSpan slope) override;
  std::unique_ptr<CoupledStages> couple() const override { return couple_acceleration(n_, r_, m_); }
  StageMatrices matrices() const override { return {a0_, b1_, b2_}; }
  void linearise_stage(double t, ConstSpan x, ConstSpan slope, ConstSpan residual) override;
  void apply_leading(ConstSpan w, Span out) const override;
  template <class S>
  void reduce_any(S c, std::span<const S> rho, std::span<S> out) const;
  template <class S>
  void expand_any(S c, std::span<const S> x, std::span<S> rho) const;

 private:
  std::size_t component(std::size_t column) const override { return column + n_; }
  void find_rank(double t, ConstSpan x);
  void differentiate();
  std::shared_ptr<const Mechanical::Functions> f_;
  std::size_t n_, r_, m_;
  Matrix mass_, g_, balance_, constraint_, states_;  // see Mechanical::Functions::acceleration_jacobians
  MechanicalLinearisation at_;
  bool knows_rank_ = false;             // and that it is m
  Matrix b1_, b2_;                      // with rows for lambda below
  std::unique_ptr<Manifold> manifold_;  // residual() solves for (a, lambda) as an explicit stage does
};

// The mechanical form with w = v' among the unknowns and the approximate Jacobian of Hairer and Wanner, p. 540, as in
// Schropp 2003: M (dq) + G^T (dlambda/c^2), G dq, whatever c is; see stage_paper.cpp.
class PaperStage final : public StageOf<PaperStage> {
 public:
  explicit PaperStage(const Mechanical& form);
  void residual(double t, ConstSpan x, ConstSpan slope, Span r) const override;
  void linearise(double t, ConstSpan x, ConstSpan slope) override;
  template <class S>
  void reduce_any(S c, std::span<const S> rho, std::span<S> out) const;
  template <class S>
  void expand_any(S c, std::span<const S> x, std::span<S> rho) const;

 private:
  std::size_t component(std::size_t column) const override { return column < n_ ? column : column + n_ + r_; }
  std::shared_ptr<const Mechanical::Functions> f_;
  std::size_t n_, r_, m_;
  Matrix mass_, g_;
  std::vector<char> redundant_;
  Kkt rows_;
};

}  // namespace driftless
