// The equations of one Runge-Kutta stage, B(x, t) x' = F(x, t), and the linear systems (c B - J) d = rho of the
// simplified Newton iteration, for real c = gamma/h and complex c = (alpha + i beta)/h.
//
// Scaled by powers of c that follow the index, the matrix is A_0 + A_1/c + A_2/c^2 with A_0 regular exactly if the
// index condition holds: no 1/h or 1/h^2 is left in it, so its condition stays bounded as h -> 0.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "driftless/equations/equations.h"
#include "driftless/linalg/linear_system.h"
#include "driftless/step/coupled_stages.h"

namespace driftless {

using Complex = std::complex<double>;

class StageEquations {
 public:
  virtual ~StageEquations() = default;

  std::size_t size() const { return power_.size(); }
  // d in component j enters the error of the solution like h^power: 0 for u, 1 for v resp. the multiplier of index 2, 2
  // for the multiplier of index 3.
  const std::vector<int>& power() const { return power_; }

  // r = B(x, t) x' - F(x, t)
  virtual void residual(double t, ConstSpan x, ConstSpan slope, Span r) const = 0;
  // J = d/dx (F - B x') at this point, kept until the next call.
  virtual void linearise(double t, ConstSpan x, ConstSpan slope) = 0;

  // For Newton's iteration with a Jacobian at each stage, if this form has it: its system, the matrices it takes, and
  // the linearisation at a stage with this residual.
  virtual std::unique_ptr<CoupledStages> couple() const { return nullptr; }
  virtual StageMatrices matrices() const;
  virtual void linearise_stage(double t, ConstSpan x, ConstSpan slope, ConstSpan) { linearise(t, x, slope); }
  // B w where it was linearised, for forms that can be coupled.
  virtual void apply_leading(ConstSpan w, Span out) const;

  // Room for this many factorisations, to be called once.
  virtual void reserve(std::size_t real, std::size_t complex) = 0;
  // False if the matrix is singular; undetermined() then names an unknown that it leaves open.
  virtual bool factorise_real(std::size_t slot, double c) = 0;
  virtual bool factorise_complex(std::size_t slot, Complex c) = 0;
  virtual std::size_t undetermined() const = 0;
  // rho becomes d.
  virtual void solve_real(std::size_t slot, Span rho) const = 0;
  virtual void solve_complex(std::size_t slot, Span re, Span im) const = 0;
  // What a factorisation costs, in solutions; 0 where systems are dense or iterated.
  virtual double factor_cost() const { return 0.0; }

 protected:
  explicit StageEquations(std::vector<int> power) : power_(std::move(power)) {}

 private:
  std::vector<int> power_;
};

// Whose systems are factorised.
class FactorisedStage : public StageEquations {
 public:
  void reserve(std::size_t real, std::size_t complex) final;
  bool factorise_real(std::size_t slot, double c) final;
  bool factorise_complex(std::size_t slot, Complex c) final;
  std::size_t undetermined() const final { return undetermined_; }
  void solve_real(std::size_t slot, Span rho) const final;
  void solve_complex(std::size_t slot, Span re, Span im) const final;
  double factor_cost() const final;

 protected:
  FactorisedStage(std::vector<int> power, std::size_t reduced) : StageEquations(std::move(power)), reduced_(reduced) {}

  // Which entries of the scaled matrix can differ from zero, and A_0, A_1, A_2 on this pattern where it was linearised.
  virtual Pattern pattern() const = 0;
  virtual ShiftedValues values() const = 0;
  // An order of elimination for sparse matrices, by the first values; empty: any that has little fill.
  virtual std::vector<std::uint32_t> order() const { return {}; }
  // The scaled and possibly reduced right-hand side, and the way back; `rho` is still the original in expand().
  virtual void reduce(double c, std::span<const double> rho, std::span<double> reduced) const = 0;
  virtual void reduce(Complex c, std::span<const Complex> rho, std::span<Complex> reduced) const = 0;
  virtual void expand(double c, std::span<const double> reduced, std::span<double> rho) const = 0;
  virtual void expand(Complex c, std::span<const Complex> reduced, std::span<Complex> rho) const = 0;
  // Reduced by real and imaginary parts, which is cheaper; false where a form does not, or its solutions are expanded.
  virtual bool reduce_parts(Complex, ConstSpan, ConstSpan, Span, Span) const { return false; }
  // The component of x that column j of the reduced system stands for.
  virtual std::size_t component(std::size_t column) const = 0;

 private:
  std::size_t reduced_;
  struct RealSlot {
    std::optional<LinearSystem> system;  // sparse ones are analysed when they are first needed
    double c = 0.0;
  };
  struct ComplexSlot {
    std::optional<ComplexLinearSystem> system;
    Complex c;
  };
  std::vector<RealSlot> real_;
  std::vector<ComplexSlot> complex_;
  std::size_t undetermined_ = 0;
};

std::unique_ptr<StageEquations> make_stage_equations(const Equations& equations);

// The mechanical form with its constraint on acceleration level.
std::unique_ptr<StageEquations> make_acceleration_stage(const Mechanical& form);

// The wide form with its constraints on acceleration level, on velocity level, and on that and position level at once
// (its unknowns mu are appended to the layout of the form).
std::unique_ptr<StageEquations> make_acceleration_stage(const WideMechanical& form);
std::unique_ptr<StageEquations> make_velocity_stage(const WideMechanical& form);
std::unique_ptr<StageEquations> make_ggl_stage(const WideMechanical& form);

// The mechanical form on position level with unknowns (q, v, s, lambda, w = v') and an approximate Jacobian, as in
// Schropp 2003: w is appended to the layout of the form.
std::unique_ptr<StageEquations> make_paper_stage(const Mechanical& form);

}  // namespace driftless
