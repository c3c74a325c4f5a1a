// Stage equations of index 1 whose systems are solved by GMRES, with the approximate inverse that the model brings.
#pragma once

#include "driftless/equations/index1_preconditioner.h"
#include "driftless/step/stage_equations.h"

namespace driftless {

class IteratedIndex1Stage final : public StageEquations {
 public:
  static bool suits(const Index1& form);
  explicit IteratedIndex1Stage(const Index1& form);

  void residual(double t, ConstSpan x, ConstSpan slope, Span r) const override;
  void linearise(double t, ConstSpan x, ConstSpan slope) override;
  void reserve(std::size_t real, std::size_t complex) override;
  bool factorise_real(std::size_t slot, double c) override;
  bool factorise_complex(std::size_t slot, Complex c) override;
  std::size_t undetermined() const override { return undetermined_; }
  void solve_real(std::size_t slot, Span rho) const override;
  void solve_complex(std::size_t slot, Span re, Span im) const override;

 private:
  void subtract_jacobian(ConstSpan x, Span out) const;  // out -= f_x x

  std::shared_ptr<const Index1::Functions> f_;
  std::shared_ptr<const ProjectorParts> parts_;
  Pattern pattern_;  // of f_x
  Vector jacobian_;
  std::unique_ptr<Index1Preconditioner> inverse_;
  Vector real_;  // c by slot
  std::vector<Complex> complex_;
  std::size_t undetermined_ = 0;
};

}  // namespace driftless
