// Adaptive Radau IIA with projection, one accepted step at a time.
#pragma once

#include <string>

#include "driftless/integrate/integrator.h"
#include "driftless/integrate/projected_radau.h"
#include "driftless/integrate/radau_controller.h"

namespace driftless {

class AdaptiveRadau final : public Integrator {
 public:
  // `state` must be consistent. Steps go towards `end` and stop exactly there.
  AdaptiveRadau(const Equations& equations, const AdaptiveOptions& options, double begin, double end, ConstSpan state);
  // Continues where checkpoint() was called.
  AdaptiveRadau(const Equations& equations, const AdaptiveOptions& options, const std::string& checkpoint);
  std::string checkpoint() const override;

  std::optional<Failure> step() override;
  bool finished() const override { return clock_.finished(); }

  double time() const override { return clock_.time(); }
  double step_size() const override { return clock_.last_h(); }
  int stages() const { return last_.stages; }
  int order() const override { return 2 * last_.stages - 1; }
  ConstSpan state() const override { return ConstSpan(last_.state).first(form_->size); }
  DenseStep dense() override;
  const Statistics& statistics() const override { return statistics_; }
  void regularity(Regularity& out) const override;
  bool implicit() const override { return true; }

  template <class Visitor>
  void visit(Visitor&& visitor) {
    visitor(clock_, last_, controller_, radau_, blame_, statistics_);
  }

 private:
  AdaptiveRadau(const Equations& equations, const AdaptiveOptions& options, double begin, double end);
  std::optional<Failure> hopeless();
  void count_attempt(double t, double h, const RadauController::Verdict& verdict);

  std::unique_ptr<RadauForm> form_;  // its address stays
  ProjectedRadau radau_;
  RadauController controller_;
  Clock clock_;
  AcceptedStep last_;
  RadauAttempt attempt_;
  Blame blame_;
  Statistics statistics_;
};

}  // namespace driftless
