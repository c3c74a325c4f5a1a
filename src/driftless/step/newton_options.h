// The Newton iteration of fixed steps.
#pragma once

namespace driftless {

// How far the Newton iteration for the stages is taken: |correction_j| h^power_j <= absolute + relative |x_j|. The
// default is the rounding level, as fixed steps have no tolerance to take it from.
struct NewtonOptions {
  double relative = 1e-15;
  double absolute = 1e-15;
  int limit = 50;

  friend bool operator==(const NewtonOptions&, const NewtonOptions&) = default;
};

}  // namespace driftless
