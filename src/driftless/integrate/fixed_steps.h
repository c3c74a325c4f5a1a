// Steps of one size as an integrator: nothing is chosen, nothing is rejected.
#pragma once

#include "driftless/integrate/fixed_grid.h"
#include "driftless/integrate/integrator.h"
#include "driftless/step/stepper.h"

namespace driftless {

class FixedSteps final : public Integrator {
 public:
  // From `begin`, the start of the grid or an event between two of its times, to the end of the grid. `state` must be
  // consistent; stepper and grid must outlive this.
  FixedSteps(const Equations& equations, const Stepper& stepper, const Method& method, const FixedGrid& grid,
             double begin, ConstSpan state);

  std::optional<Failure> step() override;
  bool finished() const override { return finished_; }
  double time() const override { return t_; }
  double step_size() const override { return last_h_; }
  int order() const override { return order_; }
  ConstSpan state() const override { return state_; }
  // Methods of collocation have their polynomial; others know both ends, and an order that slopes can reach.
  DenseStep dense() override;
  const Statistics& statistics() const override { return statistics_; }
  void regularity(Regularity& out) const override { manifold_->regularity(t_, state_, out); }
  // Misuse: a step depends on nothing but time and state.
  std::string checkpoint() const override;

 private:
  void fill_by_stages(DenseStep& dense) const;

  const Equations& equations_;
  const Stepper& stepper_;
  const Method& method_;
  const FixedGrid& grid_;
  std::unique_ptr<Manifold> manifold_;
  std::unique_ptr<Stepper::Workspace> workspace_;
  Attempt attempt_;
  int order_;
  bool collocation_;  // the stages are values of one polynomial
  std::size_t next_;  // number of the time that the next step goes to
  double t_, last_h_ = 0.0;
  Vector state_, base_;
  bool finished_ = false;
  Statistics statistics_;
};

}  // namespace driftless
