// Where a problem stops being of index 1 along a run: M_Q+[Qf] reaches zero, the constraint no longer determines the
// algebraic part, and the bounds of Higueras and Soderlind 2003 break down.
#pragma once

#include "driftless/analysis/stability/stability_report.h"
#include "driftless/integrate/solve.h"

namespace driftless {

struct IndexLossOptions {
  Norm norm = Norm::two();
  // As the sign and the scale of a constraint are a matter of taste, it is scaled to M_Q+[Qf] = -1 at the start.
  ConstraintScaling scaling = ConstraintScaling::newton;
};

struct IndexWatchPoint {
  double time = 0.0;
  double monotonicity = 0.0;  // M_Q+[Qf] of the linearisation
  double regularity = 0.0;    // smallest singular value of Q f_x on Im Q, scaled alike: the index is 1 while it is > 0
};

struct IndexLoss {
  bool lost = false;
  double time = 0.0;                     // when M_Q+[Qf] reaches 0
  double uncertainty = 0.0;              // of that time
  bool extrapolated = false;             // the run ended before; the time is where the values lead to
  bool singular = false;                 // the constraint itself becomes singular there: the index is no longer 1
  std::vector<IndexWatchPoint> history;  // at the states of the run
  std::string verdict;                   // in words
};

// Looks at the states of a run and between them. Misuse unless it is of index 1.
IndexLoss find_index_loss(const Solution& solution, const IndexLossOptions& options = {});

// An event that ends a run where M_Q+[Qf], scaled at the start, rises above `limit`, before the steps break down.
Event index_loss_event(const Index1& form, double t, ConstSpan start, double limit = -1e-3,
                       const IndexLossOptions& options = {});

}  // namespace driftless
