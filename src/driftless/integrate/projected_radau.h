// Projected Radau IIA, one attempt of a step at a time: matrices, Newton's iteration, error estimate, projection. It
// does what a proposal says and decides nothing.
#pragma once

#include "driftless/integrate/blame.h"
#include "driftless/integrate/linearisation.h"
#include "driftless/integrate/radau_error.h"

namespace driftless {

class ProjectedRadau {
 public:
  explicit ProjectedRadau(RadauForm& form);

  // From the end of `last`. A failure if no step from there can be tried at all; points where the model is not finite
  // are noted in `blame`.
  std::optional<Failure> attempt(const Clock& clock, const AcceptedStep& last, const RadauProposal& proposal,
                                 Blame& blame, RadauAttempt& out);
  // An accepted attempt becomes the last step.
  void accept(RadauAttempt& attempt, AcceptedStep& last) const;
  // The next Jacobian may be that of the point where the iteration failed.
  void remember_failed_point() { linearisation_.go_to(radau_.last_time(), radau_.last_point()); }

  int most_coupled_stages() const;  // 0 if there can be none
  std::size_t worst_component() const { return radau_.worst_component(); }

  // After a checkpoint: the matrices that are not due are those they were.
  void restore(const RefreshOrder& due, int stages, bool coupled, double h);
  template <class Visitor>
  void visit(Visitor&& visitor) {
    visitor(linearisation_, convergence_);
  }

 private:
  // The attempt at hand.
  struct Trial {
    const Clock& clock;
    const AcceptedStep& last;
    const RadauProposal& proposal;
    Blame& blame;
    RadauAttempt& out;
  };
  void run(const Trial& trial);
  std::optional<Failure> refresh(const Trial& trial);
  bool go_beyond_kink(const Trial& trial);
  bool linearise_ahead(const Trial& trial);
  bool linearise_here(const Trial& trial, ManifoldStatus& status);
  bool factorise(const Trial& trial);
  Failure explain_singular(const Trial& trial) const;
  void start_iteration(const Trial& trial);
  RadauNewton iterate(const Trial& trial);
  ManifoldStatus settle(const Trial& trial);
  bool moved_far(const Trial& trial) const;
  bool iteration_ended_early(const Trial& trial) const;
  void go_on_iterating(const Trial& trial);

  RadauForm& form_;
  RadauStep radau_;
  Linearisation linearisation_;
  ErrorScale scale_;
  RadauError error_;
  double convergence_ = 1.0;  // RADAU5's estimate theta / (1 - theta), which one iteration hands on to the next
  Matrix kept_increments_;
};

}  // namespace driftless
