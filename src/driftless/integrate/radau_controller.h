// The decisions of adaptive Radau steps, made of values that know no equations: what is tried next, and what becomes of
// an attempt.
#pragma once

#include "driftless/integrate/clock.h"
#include "driftless/integrate/coupling.h"
#include "driftless/integrate/kink_leap.h"
#include "driftless/integrate/newton_limit.h"
#include "driftless/integrate/order_choice.h"
#include "driftless/integrate/radau_attempt.h"
#include "driftless/integrate/statistics.h"
#include "driftless/integrate/step_history.h"
#include "driftless/integrate/step_size.h"

namespace driftless {

class RadauController {
 public:
  // `most_coupled_stages` is 0 where stages cannot be coupled; `may_leap`: across kinks.
  RadauController(const AdaptiveOptions& options, bool on_acceleration_level, int most_coupled_stages,
                  bool may_leap = false);

  struct Verdict {
    bool accepted = false;
    std::optional<RejectionCause> cause = {};  // of a rejection that counts
    bool remember_point = false;               // where the iteration failed: the next Jacobian may be taken there
  };

  // The next attempt, from where the clock stands.
  RadauProposal propose(const Clock& clock);
  // Accepted, and the clock goes on; or rejected, and the clock tries another step.
  Verdict judge(const RadauAttempt& attempt, Clock& clock);

  int stages() const { return stages_; }
  bool coupled() const { return coupling_.coupled(); }
  const Refresh& refresh() const { return refresh_; }
  // What it has counted.
  void count(Statistics& statistics) const;

  template <class Visitor>
  void visit(Visitor&& visitor) {
    visitor(step_size_, order_, newton_limit_, coupling_, refresh_, kink_, stages_);
  }
  // After reading it. Misuse if it cannot be: a checkpoint of other options.
  void restore();

 private:
  const Calibration& calibration() const {
    return calibrated::calibration_for(on_acceleration_level_, coupling_.coupled());
  }
  void set_stages(int stages);
  Verdict reject(RejectionCause cause, double factor, Clock& clock);
  Verdict newton_failed(const RadauAttempt& attempt, Clock& clock);
  void accept(const RadauAttempt& attempt, Clock& clock);
  double limit_for_newton(double wanted, double h, double contraction, bool& limited);
  void begin_with_first_stages();

  RadauOptions options_;
  double relative_tolerance_;
  bool on_acceleration_level_;
  int most_coupled_stages_;
  StepSize step_size_;
  OrderChoice order_;
  NewtonLimit newton_limit_;
  Coupling coupling_;
  Refresh refresh_;
  KinkLeap kink_;
  int stages_ = 0;
  Accuracy accuracy_;  // with this number of stages
};

}  // namespace driftless
