// Half-explicit Runge-Kutta steps, (2.8)-(2.9) of Schropp 2001 and (2.10) of the attracting-sets paper: the constraint
// at stage i + 1 determines the multiplier of stage i.
#pragma once

#include "driftless/equations/manifold.h"
#include "driftless/step/stepper.h"

namespace driftless {

// Gamma(u, t) u' = f(u, t, lambda), 0 = g(u, t): one small nonlinear system for each multiplier.
class HalfExplicitIndex2 final : public Stepper {
 public:
  HalfExplicitIndex2(const Index2& form, const Method& method, const NewtonOptions& newton);

  std::unique_ptr<Workspace> make_workspace() const override;
  Attempt make_attempt() const override;
  std::optional<Failure> attempt(double t, ConstSpan state, double h, Workspace& workspace,
                                 Attempt& out) const override;

 private:
  struct Memory;
  std::optional<Failure> stage(std::size_t i, double t, ConstSpan state, double h, Memory& memory, Attempt& out) const;

  Equations equations_;
  std::shared_ptr<const Index2::Functions> f_;
  Method method_;
  NewtonOptions newton_;
  Matrix shifted_;  // A~ of (2.9): rows 2..s of A, then b
  Vector nodes_;    // c_2..c_s, 1
  std::size_t n_, m_;
};

// Mechanical equations with the velocity constraint in the stages, where multipliers enter linearly; position and
// velocity are projected after the step.
class HalfExplicitMechanical final : public Stepper {
 public:
  HalfExplicitMechanical(const Mechanical& form, const Method& method);

  std::unique_ptr<Workspace> make_workspace() const override;
  Attempt make_attempt() const override;
  std::optional<Failure> attempt(double t, ConstSpan state, double h, Workspace& workspace,
                                 Attempt& out) const override;

 private:
  struct Memory;
  ManifoldStatus stage(std::size_t i, double t, ConstSpan state, double h, Memory& memory) const;
  std::optional<Failure> settle(double t, double h, Memory& memory, Attempt& out) const;
  void copy_slopes(const Memory& memory, Matrix& out) const;

  Equations equations_;
  std::shared_ptr<const Mechanical::Functions> f_;
  Method method_;
  Projection projection_;
  Matrix shifted_;
  Vector nodes_;
  std::size_t n_, r_, m_;
};

// The same for the wide form, where also constraints on velocities are stated, and M may be singular.
class HalfExplicitWide final : public Stepper {
 public:
  HalfExplicitWide(const WideMechanical& form, const Method& method);

  std::unique_ptr<Workspace> make_workspace() const override;
  Attempt make_attempt() const override;
  std::optional<Failure> attempt(double t, ConstSpan state, double h, Workspace& workspace,
                                 Attempt& out) const override;

 private:
  struct Memory;
  ManifoldStatus stage(std::size_t i, double t, ConstSpan state, double h, Memory& memory) const;
  // from + h sum_{j <= i} a~_ij slope_j
  void advance(const Matrix& slopes, std::size_t i, ConstSpan from, double h, Span out) const;
  void set_saddle(ConstSpan q, double t, Memory& memory) const;
  std::optional<Failure> settle(double t, double h, Memory& memory, Attempt& out) const;

  WideMechanical form_;
  Equations equations_;
  std::shared_ptr<const WideMechanical::Functions> f_;
  Method method_;
  Projection projection_;
  Matrix shifted_;
  Vector nodes_;
  std::size_t n_, p_, r_, m_;
};

}  // namespace driftless
