// Adaptive Radau IIA with projection, one accepted step at a time.
#pragma once

#include <limits>
#include <string>

#include "driftless/integrate/integrator.h"
#include "driftless/integrate/kink_leap.h"
#include "driftless/integrate/radau_calibration.h"
#include "driftless/step/radau_step.h"

namespace driftless {

class AdaptiveRadau final : public Integrator {
 public:
  // `state` must be consistent. Steps go towards `end` and stop exactly there.
  AdaptiveRadau(const Equations& equations, const AdaptiveOptions& options, double begin, double end, ConstSpan state);
  // Continues where checkpoint() was called.
  AdaptiveRadau(const Equations& equations, const AdaptiveOptions& options, const std::string& checkpoint);
  std::string checkpoint() const override;

  std::optional<Failure> step() override;
  bool finished() const override { return finished_; }

  double time() const override { return t_; }
  double step_size() const override { return last_h_; }
  int stages() const { return last_stages_; }
  int order() const override { return 2 * last_stages_ - 1; }
  ConstSpan state() const override { return ConstSpan(x_).subspan(0, size_); }
  DenseStep dense() override;
  const Statistics& statistics() const override { return statistics_; }
  void regularity(Regularity& out) const override;
  bool implicit() const override { return true; }

 private:
  enum class Verdict { accepted, retry };

  AdaptiveRadau(const Equations& equations, const AdaptiveOptions& options);
  template <class Self, class Visitor>
  static void visit_memory(Self& self, Visitor&& visit);

  void set_weights();
  ManifoldStatus prepare_linearisation();
  bool linearise_inside();
  bool linearise_beyond();
  bool linearise_here();
  bool evaluate_jacobian();
  bool factorise();
  bool linearise_at_beginning();
  void refresh_matrices();
  Verdict attempt();
  RadauNewton iterate();
  void count_work();
  bool iteration_ended_early() const;
  void go_on_iterating();
  Verdict retry_with(double factor);
  void choose_another_start();
  double step_across_kink();
  bool look_beyond_kink(double h);
  bool is_continuous_until(double h, Vector there);
  void start_beyond_kink();
  ManifoldStatus settle_ahead(double h, Span out);
  Verdict reject_newton(const RadauNewton& newton);
  Verdict reject_error(double error);
  Verdict reject_projection(ManifoldStatus status);
  void blame(double t, ConstSpan point);
  double estimate_error(double t);
  double error_between_steps() const;
  struct Differences {
    double last, before;
  };
  Differences last_differences(std::size_t components) const;
  double least_share() const;
  void credit_superconvergence(Span error) const;
  bool multipliers_follow() const;
  bool velocities_count_in_full() const;
  void carry_to_multipliers(double t, Span error);
  double multiplier_error_inside(double t);
  double error_norm(ConstSpan error) const;
  ManifoldStatus set_accelerations(double t, Span x);
  ManifoldStatus project_and_set_multipliers(double t);
  ManifoldStatus settle();
  bool moved_far(ConstSpan increment) const;
  double largest_for_newton(double contraction);
  void watch_coupling();
  bool couple_after_another_limit();
  void couple();
  void uncouple();
  void probe();
  void end_probe(bool well);
  double rejection_exponent(double error);
  void accept(double error, const RadauNewton& newton);
  void choose_order(const RadauNewton& newton, double ratio);
  const Calibration& calibration() const;
  int first_stages() const;
  void set_stages(int stages);
  Failure too_small() const;

  Equations equations_;
  RadauOptions options_;
  Stepping stepping_;
  Tolerance tolerance_;
  std::unique_ptr<Manifold> manifold_;
  std::unique_ptr<StageEquations> stage_equations_;
  RadauStep radau_;
  std::size_t size_, extended_, multipliers_;
  double t_ = 0.0, end_ = 0.0, h_ = 0.0, last_h_ = 0.0;
  Vector x_, next_, weights_, newton_weights_, error_, credited_, stiff_, mu1_, mu2_, base_;
  Matrix last_increments_, kept_increments_;
  double jacobian_t_ = 0.0;  // where the Jacobian in use was evaluated
  Vector jacobian_x_, jacobian_slope_;
  Vector correction_;
  Vector blamed_;  // where the model was not finite
  double blamed_t_ = 0.0;
  int last_stages_ = 0;

  bool on_acceleration_level_ = false, with_accelerations_ = false;

  // The controller's memory.
  bool finished_ = false, first_ = true, rejected_ = false, last_ = false, start_from_zero_ = true;
  bool need_jacobian_ = true, need_factors_ = true, jacobian_is_fresh_ = false;
  bool beyond_ = false;  // is the Jacobian that of the point where the iteration failed?
  double faccon_ = 1.0, accepted_h_ = 0.0, accepted_error_ = 0.0;
  double newton_tolerance_ = 0.01, relative_ = 0.0, scale_ = 1.0, error_exponent_ = 0.25;
  int since_order_change_ = 0, newton_failures_ = 0, failures_in_a_row_ = 0;
  bool met_not_finite_ = false;  // since the last step of a reasonable size
  std::size_t attempts_ = 0;
  double failed_below_ = std::numeric_limits<double>::infinity();  // Newton failed with steps from here on
  bool limited_by_newton_ = false;  // rather than by the error: a higher order would be of no use
  // How often Newton was the limit, one time after the other, and how often it takes to couple the stages; for how many
  // steps they have been coupled, and when it is tried without.
  static constexpr int most_limits_wanted = 16;
  static constexpr std::size_t first_probe = 8;
  int newton_limits_ = 0, limits_wanted_ = 2;
  std::size_t steps_coupled_ = 0, next_probe_ = first_probe;
  bool probing_ = false;
  double rejected_error_ = 0.0, rejected_h_ = 0.0;  // of the last attempt, if its error was too large
  KinkLeap kink_;
  bool leaping_ = false;  // is this step one across a kink?
  std::optional<Failure> failure_;
  Statistics statistics_;
};

}  // namespace driftless
