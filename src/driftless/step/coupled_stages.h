// Newton's matrix of all stages of a step at once, each stage with a Jacobian of its own.
//
// With one Jacobian for all stages the system falls apart into one of the size of the problem for each eigenvalue of A,
// but its iteration contracts like the change of the Jacobian over the step, and where a stiff direction turns, as that
// of a spring does, by its stiffness more: k h^2 dphi^2 for a spring k that turns by dphi. Then it is Newton that
// limits the step, not the error, at any tolerance. With a Jacobian for each stage, where the last step predicts it,
// what counts is the error of the prediction. The price is one matrix s times as large, so this is for small systems.
#pragma once

#include <memory>
#include <vector>

#include "driftless/linalg/lu.h"
#include "driftless/step/collocation.h"

namespace driftless {

// A_0 + A_1/c + A_2/c^2, the scaled matrix of a linearised stage; see StageEquations. Of index 2, where A_2 is zero, it
// is a column that marks the rows for multipliers of least norm, if there are any.
struct StageMatrices {
  const Matrix &a0, &a1, &a2;
};

class CoupledStages {
 public:
  virtual ~CoupledStages() = default;

  // Room for up to `largest` stages, where that many are affordable.
  void reserve(std::size_t largest);
  bool covers(std::size_t stages) const;

  // The linearisation of one stage.
  virtual void keep(std::size_t stage, const StageMatrices& matrices) = 0;
  bool factorise(const RadauConstants& radau, double h);
  // From the residuals of the stages, column by column, to the corrections of their increments.
  virtual void solve(const RadauConstants& radau, double h, const Matrix& residual, Matrix& correction) const = 0;

 protected:
  explicit CoupledStages(std::size_t unknowns) : unknowns_(unknowns) {}

  virtual void reserve_stages(std::size_t largest) = 0;
  // Every entry of the system of all stages, whose blocks have unknowns() rows and columns.
  virtual void assemble(const RadauConstants& radau, double h, Matrix& out) const = 0;
  std::size_t unknowns() const { return unknowns_; }
  void solve_all(Span rhs) const { in_use_->solve(rhs); }

 private:
  std::size_t unknowns_;
  std::vector<RealLu> lu_;  // for 1, 3, 5, ... stages
  RealLu* in_use_ = nullptr;
};

// Gamma u' = f with its constraint, and mechanical equations on acceleration level.
std::unique_ptr<CoupledStages> couple_index2(std::size_t u_size, std::size_t lambda_size);
std::unique_ptr<CoupledStages> couple_acceleration(std::size_t q_size, std::size_t s_size, std::size_t lambda_size);
// x' = f(x, t) with unknowns that follow from x.
std::unique_ptr<CoupledStages> couple_first_order(std::size_t moving, std::size_t following);

}  // namespace driftless
