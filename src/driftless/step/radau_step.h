// One step of Radau IIA with any odd number of stages on any stage equations: the Newton iteration with RADAU5's
// monitoring, and the embedded error estimate. Decisions about step size, order and Jacobians are the caller's.
#pragma once

#include <utility>

#include "driftless/step/collocation.h"
#include "driftless/step/stage_equations.h"
#include "driftless/step/work.h"

namespace driftless {

struct RadauNewtonOptions {
  int limit = 7;
  double tolerance = 0.01;    // of the weighted norm of the remaining error
  double least_unseen = 0.0;  // what the contraction counts at least after one iteration, which does not show it
};

struct RadauNewton {
  enum class Outcome { converged, too_slow, diverged, not_finite };
  Outcome outcome = Outcome::diverged;
  int iterations = 0;
  double contraction = 0.0;   // theta
  double retry_factor = 0.5;  // step size factor to try next, unless converged
};

class RadauStep {
 public:
  // `largest` stage number that will ever be used.
  RadauStep(StageEquations& equations, int largest);

  void set_stages(int stages) { constants_ = &radau_constants(stages); }
  int stages() const { return constants_->stages; }
  const RadauConstants& constants() const { return *constants_; }
  bool factorise(double h);
  double factor_cost() const { return equations_.factor_cost(); }
  // Newton's iteration with a Jacobian at each stage, evaluated and factorised by every solve().
  bool can_couple(int stages) const { return coupled_ && coupled_->covers(static_cast<std::size_t>(stages)); }
  void couple(bool coupled) { is_coupled_ = coupled; }
  bool is_coupled() const { return is_coupled_; }

  // Increments for the iteration to start from: 0, or the polynomial of the last step continued by h / h_last.
  void start_from_zero();
  void continue_polynomial(const Matrix& last, int last_stages, double ratio);
  // Adds to x, the end of the last step, what its polynomial does between 1 and tau.
  static void continue_to(const Matrix& last, int last_stages, double tau, Span x);

  // `weights`: 1 / tolerance of each component, 0 for those that do not count. Evaluates `stages()` residuals per
  // iteration.
  RadauNewton solve(double t, ConstSpan x, double h, ConstSpan weights, const RadauNewtonOptions& options,
                    double& faccon);
  // The estimate at x_n, (gamma/h B - J)^-1 (F(y) + B sum e_i Z_i / h) with y = x_n, or x_n plus a first estimate.
  void error(double t, ConstSpan y, double h, Span out) const;

  // What of an error is stiff: (I - (gamma/h) (gamma/h B - J)^-1 B)^4 error, where only modes that are fast on the
  // scale of the step survive. Takes it out of `error`. After a coupled step.
  void split_stiff(double h, Span error, Span stiff) const;

  void set_increments(const Matrix& z) { z_ = z; }
  const Matrix& increments() const { return z_; }  // size x largest; the first stages() columns count
  std::size_t worst_component() const { return worst_; }
  // What solve() and error() cost since this was asked last.
  Work take_work() { return std::exchange(work_, {}); }
  // The stage evaluated last: after an outcome that is not finite, the one to blame.
  ConstSpan last_point() const { return point_; }
  double last_time() const { return point_time_; }

 private:
  bool evaluate_stage(double t, ConstSpan x, double h, std::size_t i);
  bool linearise_stages(double t, ConstSpan x, double h);
  void correct(double h);
  void apply_corrections();
  double weighted_square(std::size_t component, double weight) const;
  double correction_norm(ConstSpan weights);

  StageEquations& equations_;
  std::unique_ptr<CoupledStages> coupled_;
  bool is_coupled_ = false;
  const RadauConstants* constants_ = nullptr;
  std::size_t size_;
  Matrix z_, slopes_, residual_, correction_;
  Vector point_;
  double point_time_ = 0.0;
  mutable Vector slope_;
  mutable Work work_;
  std::size_t worst_ = 0;
};

}  // namespace driftless
