// The Newton iteration of fixed steps.
#pragma once

namespace driftless {

// How far the Newton iteration for the stages is taken: |correction_j| h^power_j <= absolute + relative |x_j|. The
// default is the rounding level, as fixed steps have no tolerance to take it from.
struct NewtonOptions {
  double relative = 1e-15;
  double absolute = 1e-15;
  int limit = 50;
  // Where the matrix of the start of a step does not serve: new matrices, a Jacobian at each stage, and as much of a
  // correction as brings the next one down. For problems whose solutions approach each other, since their stages have
  // one solution for every step size; others may have several in long steps, and this may find any of them.
  bool damped = false;

  friend bool operator==(const NewtonOptions&, const NewtonOptions&) = default;
};

}  // namespace driftless
