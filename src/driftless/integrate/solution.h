// What a run produced: states over time, what it cost, and how it ended. To be read only: solve() makes it.
#pragma once

#include <optional>

#include "driftless/equations/constraint_residuals.h"
#include "driftless/integrate/certificate.h"
#include "driftless/integrate/consistent_start.h"
#include "driftless/integrate/dense_step.h"
#include "driftless/integrate/error_bound.h"
#include "driftless/integrate/events.h"
#include "driftless/integrate/run_warning.h"
#include "driftless/integrate/statistics.h"
#include "driftless/integrate/step_history.h"

namespace driftless {

class Solution {
 public:
  // Did the run reach the end of its span? If not, everything up to the failure is here.
  bool ok() const { return !failure_; }
  // How it ended if it did not; Misuse for a run that is ok().
  const Failure& failure() const;
  // Throws FailedRun with the whole message if the run did not reach its end.
  const Solution& or_throw() const;

  const Equations& equations() const { return equations_; }
  const ConsistentStart& start() const { return start_; }
  const Statistics& statistics() const { return statistics_; }

  std::size_t size() const { return times_.size(); }  // number of states kept, the start included
  // State i, 0 the start, size() - 1 the last; Misuse beyond.
  double time(std::size_t i) const { return times_[kept(i)]; }
  ConstSpan state(std::size_t i) const { return {states_.data() + kept(i) * width_, width_}; }
  // A block by its symbol: u, v, lambda; q, v, s, lambda; x.
  ConstSpan block(std::string_view symbol, std::size_t i) const;
  // One component by its name at state i, or at the end.
  double value(std::string_view name, std::size_t i) const;
  double final(std::string_view name) const;
  // One component by its name at an event, before the jump.
  double value(std::string_view name, const EventRecord& event) const;
  // d_1, d_2, d_3 of Schropp 2003 at state i.
  ConstraintResiduals residuals(std::size_t i) const;

  // The state at any time of the run, from the collocation polynomials: order s + 1 in u and v between the steps.
  // Projected on the manifold with its multiplier unless told otherwise. Misuse if the run kept no dense output or did
  // not reach t.
  Vector at(double t, bool projected = true) const;

  const Certificate& certificate() const { return certificate_; }
  // What a run that reached its end has to say against itself.
  const std::vector<RunWarning>& warnings() const { return warnings_; }
  // If SolveOptions::error_bound asked for it.
  const std::optional<ErrorBound>& error_bound() const { return error_bound_; }
  const std::vector<EventRecord>& events() const { return events_; }
  // If SolveOptions::history asked for it.
  const StepHistory& history() const { return history_; }
  // Where the automatic choice went from one method to another, and why.
  const std::vector<MethodChange>& method_changes() const { return changes_; }
  // What a run that goes on behind an event at the end should begin with, at most; 0: not known.
  double restart_size() const { return restart_size_; }
  // Name of the event that ended the run, if one did.
  const std::optional<std::string>& ended_by() const { return ended_by_; }

 private:
  friend class SolutionRecorder;
  Solution(Equations equations, ConsistentStart start);

  std::size_t kept(std::size_t i) const {
    if (i >= times_.size()) refuse_index(i);
    return i;
  }
  [[noreturn]] void refuse_index(std::size_t i) const;

  Equations equations_;
  ConsistentStart start_;
  std::size_t width_;
  Vector times_, states_;
  Statistics statistics_;
  std::optional<Failure> failure_;
  std::vector<DenseStep> dense_;
  Certificate certificate_;
  std::vector<RunWarning> warnings_;
  std::optional<ErrorBound> error_bound_;
  std::vector<EventRecord> events_;
  StepHistory history_;
  std::vector<MethodChange> changes_;
  std::optional<std::string> ended_by_;
  double restart_size_ = 0.0;
};

}  // namespace driftless
