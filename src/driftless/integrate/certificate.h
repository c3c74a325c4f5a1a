// How well a run kept its constraints: the largest residuals over all accepted steps and all states that are kept.
#pragma once

#include <optional>

namespace driftless {

// Of the constraints as the user wrote them, where SolveOptions::written says how they stand to those of the equations.
struct Certificate {
  double position = 0.0;        // |g|
  double velocity = 0.0;        // |Dg f + g_t|, the first hidden constraint
  double acceleration = 0.0;    // the second hidden constraint, with the multiplier
  double condition = 1.0;       // worst of the matrix that decides the index, see index_watch.h
  double condition_time = 0.0;  // when it was so
  std::optional<double> energy_at_start, energy_change;  // where the model states an energy: largest deviation
};

}  // namespace driftless
