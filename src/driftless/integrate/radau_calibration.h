// Numbers of the adaptive Radau method that its parts share.
#pragma once

namespace driftless {

// Parameters of RADAU5 and RADAU (Hairer and Wanner).
inline constexpr double safety = 0.9;
inline constexpr double most_shrinking = 5.0;     // h_new >= h / 5
inline constexpr double most_growing = 0.125;     // h_new <= 8 h
inline constexpr double slow_contraction = 1e-3;  // a Jacobian is kept as long as the iteration contracts faster

// Calibrated on the reference problems, so that errors at the end are of the size of the tolerance, for 3, 5 and 7
// stages: the factor on the credited estimate, the share of the tolerance that the Newton iteration may use, and the
// relative tolerances from which 5 and 7 stages are worth their work. Stages on acceleration level solve for (a,
// lambda) exactly, which makes their Newton iteration the more accurate one.
struct Calibration {
  double error_factor[3];
  double newton_share[3];
  double five_stages_from, seven_stages_from;
};
inline constexpr Calibration on_acceleration_level{{3.0, 10.0, 60.0}, {0.05, 0.05, 0.04}, 1e-5, 1e-9};
inline constexpr Calibration on_other_levels{{4.0, 40.0, 400.0}, {0.15, 0.05, 0.01}, 3e-8, 1e-11};
// With a Jacobian at each stage Newton's iteration is accurate on every level, steps are long, and stages pay earlier.
inline constexpr Calibration coupled_on_acceleration_level{{3.0, 10.0, 60.0}, {0.05, 0.05, 0.04}, 1e-3, 1e-7};
inline constexpr Calibration coupled_on_other_levels{{3.0, 10.0, 60.0}, {0.05, 0.05, 0.04}, 1e-5, 1e-9};
inline int row_of(int stages) { return (stages - 3) / 2; }

}  // namespace driftless
