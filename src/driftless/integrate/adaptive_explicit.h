// Adaptive explicit Runge-Kutta on the underlying ODE, positions and velocities projected after each step.
#pragma once

#include "driftless/integrate/blame.h"
#include "driftless/integrate/integrator.h"
#include "driftless/integrate/step_size.h"
#include "driftless/step/explicit_step.h"

namespace driftless {

class AdaptiveExplicit final : public Integrator {
 public:
  // `state` must be consistent. Steps go towards `end` and stop exactly there.
  AdaptiveExplicit(const Equations& equations, const AdaptiveOptions& options, const ExplicitPair& pair, double begin,
                   double end, ConstSpan state);
  AdaptiveExplicit(const Equations& equations, const AdaptiveOptions& options, const ExplicitPair& pair,
                   const std::string& checkpoint);
  std::string checkpoint() const override;

  std::optional<Failure> step() override;
  bool finished() const override { return clock_.finished(); }

  double time() const override { return clock_.time(); }
  double step_size() const override { return clock_.last_h(); }
  double next_step_size() const { return clock_.h(); }
  // The first size that was tried for the last step.
  double tried_step_size() const { return tried_h_; }
  // Did a trial step meet a point from which the constraints or the multiplier could not be reached?
  bool met_lost_point() const { return met_lost_point_; }
  int order() const override { return stepper_->pair().order; }
  double restart_size() const override;
  ConstSpan state() const override { return x_; }
  DenseStep dense() override;
  const Statistics& statistics() const override { return statistics_; }
  void regularity(Regularity& out) const override { manifold_->regularity_nearby(out); }
  bool decisive(Matrix& out) const override { return manifold_->decisive_nearby(out); }

  template <class Visitor>
  void visit(Visitor&& visitor) {
    visitor(clock_, x_, base_, raw_, stepper_->slopes(), ended_, step_size_, last_estimates_, blame_, met_lost_point_,
            statistics_);
  }

 private:
  enum class Verdict { accepted, retry };

  AdaptiveExplicit(const Equations& equations, const AdaptiveOptions& options, const ExplicitPair& pair, double begin,
                   double end);

  Verdict attempt();
  Verdict reject(RejectionCause cause, double factor);
  Verdict reject_point(ManifoldStatus status, double t, ConstSpan point);
  double multiplier_gain();
  double estimate_error();
  double extrapolated(double coarse, double error, double fine) const;
  void expect_growth();
  void estimate_tangential(ExplicitStep::Estimate which);
  double tangential_norm(ExplicitStep::Estimate which);
  void add_quadrature_error();
  double largest_scaled(ConstSpan error);
  ManifoldStatus project(double t);
  ManifoldStatus settle(double t);
  void accept(double error);
  void set_weights();
  bool solves_equations_inside();
  bool fill_by_steps(const Vector& c, DenseStep& dense);
  void fill_by_ends(const Vector& c, DenseStep& dense);

  Equations equations_;
  Tolerance tolerance_;
  bool between_steps_;
  std::unique_ptr<Manifold> manifold_;
  std::unique_ptr<Manifold> steep_;  // where multipliers may be steep functions: asked away from the step at hand
  std::size_t size_, moving_;
  std::unique_ptr<ExplicitStep> stepper_;
  Clock clock_;
  double tried_h_ = 0.0;
  Vector x_, next_, base_, raw_, error_, weights_;
  std::size_t worst_ = 0;
  bool ended_ = false;  // the slope at the beginning of the next step is that at the end of the last one
  ExplicitStepSize step_size_;
  // Of the step at hand and the last one accepted: the coarse estimate (0: not made), how it grew with the step size
  // taken out, and the estimate that counts.
  struct Estimates {
    double coarse = 0.0, growth = 0.0, error = 0.0;
    double embedded = 0.0;  // without credit for the order; the next step does not depend on it

    template <class Visitor>
    void visit(Visitor&& visitor) {
      visitor(coarse, growth, error);
    }
  };
  Estimates estimates_, last_estimates_;
  Blame blame_;
  bool met_lost_point_ = false;
  Statistics statistics_;
};

}  // namespace driftless
