// One explicit Runge-Kutta step on the underlying ODE u' = f(u, psi_0(u, t)): stages, error estimates, interpolant.
#pragma once

#include <utility>

#include "driftless/equations/manifold.h"
#include "driftless/step/stepper.h"
#include "driftless/tableau/explicit_pair.h"

namespace driftless {

class ExplicitStep {
 public:
  // `algebraic`: how many components at the end of a state (the multipliers) have no slope.
  ExplicitStep(Manifold& manifold, const ExplicitPair& pair, std::size_t size, std::size_t algebraic);
  virtual ~ExplicitStep() = default;

  const ExplicitPair& pair() const { return pair_; }
  // The slope at the beginning of a step; at the end of an accepted one, the slope there.
  Span first_slope() { return slopes_.view().column(pair_.begin_stage()); }
  Span end_slope() { return slopes_.view().column(pair_.stages); }
  ConstSpan slope(std::size_t stage) const { return slopes_.view().column(stage); }
  Matrix& slopes() { return slopes_; }
  const Matrix& slopes() const { return slopes_; }

  // next = x + h sum b_j k_j, not projected, with the multipliers of the last stage.
  virtual ManifoldStatus take(double t, ConstSpan x, double h, Span next);
  // Where the model was evaluated last.
  ConstSpan last_point() const { return point_; }
  double last_time() const { return point_time_; }
  // What take() and extend() cost since this was asked last, and Newton iterations among it.
  Work take_work() { return std::exchange(work_, {}); }
  int newton_iterations() const { return newton_iterations_; }

  // Slopes of the stages that only the interpolant needs.
  ManifoldStatus extend(double t, ConstSpan x, double h);
  // h sum_j weights_j k_j: the interpolant;
  void combine(ConstSpan weights, double h, Span out) const;
  // an error estimate, by the pair's error, coarse_error, fine_error or one of its differences.
  enum class Estimate { embedded, coarse, fine, difference_1, difference_2, difference_3, difference_4 };
  void estimate(Estimate which, double h, Span out) const;

 protected:
  const ExplicitPair& pair_;
  std::size_t size_, moving_;
  Matrix slopes_;
  Vector point_;
  double point_time_ = 0.0;
  Work work_;
  int newton_iterations_ = 0;

 private:
  ManifoldStatus evaluate(std::size_t stage, double t, ConstSpan x, double h);
  void add(std::size_t row, ConstSpan x, double h, Span out) const;
  using Term = ExplicitPair::Term;
  std::span<const Term> row(std::size_t i) const {
    return {pair_.terms.data() + pair_.row_begin[i], pair_.terms.data() + pair_.row_begin[i + 1]};
  }
  void add_terms(std::span<const Term> terms, const double* x, double h, double* out) const;

  Manifold& manifold_;
};

// The same with the stages of a half-explicit method, whose multipliers come from the constraint at the next stage.
class HalfExplicitStep final : public ExplicitStep {
 public:
  // Misuse unless the equations are of index 2 or mechanical.
  HalfExplicitStep(const Equations& equations, Manifold& manifold, const ExplicitPair& pair, std::size_t size,
                   std::size_t algebraic);
  ManifoldStatus take(double t, ConstSpan x, double h, Span next) override;

 private:
  std::unique_ptr<Stepper> stepper_;
  std::unique_ptr<Stepper::Workspace> workspace_;
  Attempt attempt_;
};

// Whichever of the two the pair is made for.
std::unique_ptr<ExplicitStep> make_explicit_step(const Equations& equations, Manifold& manifold,
                                                 const ExplicitPair& pair, std::size_t size, std::size_t algebraic);

}  // namespace driftless
