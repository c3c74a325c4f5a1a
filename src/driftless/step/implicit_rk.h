// The projected implicit Runge-Kutta step (2.5)-(2.7) for every form and every stage number.
#pragma once

#include "driftless/equations/manifold.h"
#include "driftless/nonlinear/convergence.h"
#include "driftless/step/stage_equations.h"
#include "driftless/step/stepper.h"
#include "driftless/tableau/eigenbasis.h"

namespace driftless {

class ImplicitRk final : public Stepper {
 public:
  ImplicitRk(const Equations& equations, const Method& method, const NewtonOptions& newton);

  std::unique_ptr<Workspace> make_workspace() const override;
  Attempt make_attempt() const override;
  std::optional<Failure> attempt(double t, ConstSpan state, double h, Workspace& workspace,
                                 Attempt& out) const override;

 private:
  struct Memory;
  struct Step;

  struct Columns;  // of the stages that are found together: all of them, or one

  bool factorise(const Step& step) const;
  bool linearise_amid(const Step& step, const Columns& stages) const;
  void predict(const Step& step) const;
  template <class Iteration>
  Convergence for_all_stages(Iteration&& iterate) const;
  Convergence iterate(const Step& step, const Columns& stages, Attempt& out) const;
  Convergence iterate_damped(const Step& step, const Columns& stages, Attempt& out) const;
  double correction(const Step& step, const Columns& stages) const;
  void residuals(const Step& step, const Columns& stages) const;
  void apply_inverse(const Step& step, const Columns& stages) const;
  Matrix newton_direction(const Step& step, const Columns& stages) const;
  double stagnation() const;
  void move(const Step& step, const Columns& stages, double length, const Matrix& direction) const;
  void stage_point(const Step& step, std::size_t i) const;
  void stage_residual(const Step& step, std::size_t i, Span r) const;
  double correction_norm(const Step& step, ConstSpan correction) const;
  void finish(const Step& step, Attempt& out) const;
  std::optional<Failure> settle(const Step& step, Attempt& out) const;
  Failure explain_newton(const Step& step, const Attempt& out, bool singular) const;

  Equations equations_;
  Method method_;
  Projection projection_;
  NewtonOptions newton_;
  std::size_t size_, stages_;
  bool triangular_;                // stages one after another
  Matrix omega_;                   // A^-1
  Vector d_;                       // b^T A^-1
  Eigenbasis basis_;               // empty if triangular
  std::vector<std::size_t> slot_;  // triangular: which factorisation belongs to stage i
  Vector diagonal_;                // triangular: the distinct diagonal entries of A^-1
  std::vector<int> power_;
};

}  // namespace driftless
