// Every number that the adaptive integrators were tuned with, and where it comes from.
#pragma once

#include <cstddef>

namespace driftless {

// Calibrated on the reference problems, so that errors at the end are of the size of the tolerance, for 3, 5 and 7
// stages: the factor on the credited estimate, the share of the tolerance that the Newton iteration may use, and the
// relative tolerances from which 5 and 7 stages are worth their work. Stages on acceleration level solve for (a,
// lambda) exactly, which makes their Newton iteration the more accurate one.
struct Calibration {
  double error_factor[3];
  double newton_share[3];
  double five_stages_from, seven_stages_from;
};

// Calibrated on the reference problems, so that errors at the end are of the size of the tolerance and the work for an
// error is least: a factor on the estimate, and a smaller safety factor than the usual 0.9, since mechanisms keep
// changing their pace. `memory` is Gustafsson's stabilisation.
struct ExplicitControl {
  double error_factor, share, memory;
};

// When the factors of a Radau step serve the next one: if it wants to change by a factor between these, and if the
// iteration has contracted faster than this; if not, the Jacobian is taken anew as well.
struct Keeping {
  double from, to;
  double slow_contraction;
};

// They are many, and their names are short: calibrated::safety.
namespace calibrated {

// What all adaptive steps share. A remainder below a hundredth of a step is no step of its own (DOP853).
inline constexpr double stretch_to_end = 1.01;
// Errors of multipliers count little, but not nothing: they are functions of u and v, and steep ones if the mechanism
// is. Chosen here.
inline constexpr double multiplier_share = 0.03;

// Radau, step size: RADAU5 and RADAU (Hairer and Wanner).
inline constexpr double safety = 0.9;
inline constexpr double most_shrinking = 5.0;  // h_new >= h / 5
inline constexpr double most_growing = 0.125;  // h_new <= 8 h
inline constexpr Keeping usual_keeping{1.0, 1.2, 1e-3};
// What RADAU5 advises where factorisations are dear: from this many solutions on.
inline constexpr Keeping dear_keeping{0.99, 2.0, 0.1};
inline constexpr double dear_factors = 5.0;
inline constexpr const Keeping& keeping_for(double factor_cost) {
  return factor_cost < dear_factors ? usual_keeping : dear_keeping;
}
inline constexpr double least_remembered_error = 1e-2;
inline constexpr int newton_limit(int stages) { return 7 + (stages - 3); }
inline constexpr double cut_at_first = 0.1;  // h of a first step with a large error, or one that is not finite
inline constexpr double cut_after_projection = 0.5;

// Radau, order: the rule of RADAU, and the last one from here.
inline constexpr double raise_below_3 = 0.002, raise_below_5 = 0.0005;  // contraction, with 3 and with 5 stages
inline constexpr double lower_above = 0.8;                              // contraction
inline constexpr double steady_from = 0.8, steady_to = 1.2;             // step ratio
inline constexpr int steps_before_raising = 10;
inline constexpr int failures_before_lowering = 3;  // of Newton, since the last step

// Radau, by the level of its constraint: calibrated on the reference problems.
inline constexpr Calibration on_acceleration_level{{3.0, 10.0, 60.0}, {0.05, 0.05, 0.04}, 1e-5, 1e-9};
inline constexpr Calibration on_other_levels{{4.0, 40.0, 400.0}, {0.15, 0.05, 0.01}, 3e-8, 1e-11};
// With a Jacobian at each stage Newton's iteration is accurate on every level, steps are long, and stages pay earlier.
inline constexpr Calibration coupled_on_acceleration_level{{3.0, 10.0, 60.0}, {0.05, 0.05, 0.04}, 1e-3, 1e-7};
inline constexpr Calibration coupled_on_other_levels{{3.0, 10.0, 60.0}, {0.05, 0.05, 0.04}, 1e-5, 1e-9};
inline constexpr const Calibration& calibration_for(bool acceleration_level, bool coupled) {
  if (coupled) return acceleration_level ? coupled_on_acceleration_level : coupled_on_other_levels;
  return acceleration_level ? on_acceleration_level : on_other_levels;
}
inline constexpr std::size_t row_of(int stages) { return static_cast<std::size_t>(stages - 3) / 2; }

// Radau, error estimate: chosen here; the share of the stiff part measured.
inline constexpr double trust_in_decay = 0.1;  // share of the ratio of differences that is kept without credit
// For exp(z tau) and small z: |estimate| / |last divided difference| s / z, with 3, 5, 7 stages.
inline constexpr double estimate_of_difference[] = {0.0816, 0.00629, 0.000456};
inline constexpr double stiff_share = 0.1;  // of the stiff part, coupled: velocities off by 20 tolerances, not 100
inline constexpr double most_between_steps = 30.0;  // tolerances, where errors at the steps stay below a hundred
inline constexpr double most_of_multipliers = 3.0;  // a hundred tolerances, with their share
inline constexpr double largest_product[] = {0.0183, 0.00115, 0.0000699};  // of |tau - c_k|, with 3, 5, 7 stages

// Radau, Newton's iteration: chosen here; where the Jacobian is taken, measured on the reference problems.
inline constexpr double linearisation_point = 0.7;             // of the coming step, where its Jacobian is taken
inline constexpr double least_unseen_contraction = 0.1;        // after one iteration; 1.2 % of the evaluations
inline constexpr double wanted_contraction = 0.1;              // the next step is expected to have at most this one
inline constexpr double failed_margin = 0.9;                   // of the step that failed, for those to come
inline constexpr double patience = 1.03, fast_patience = 2.0;  // how that bound grows with every step
inline constexpr double coupled_growth = 2.5;      // of h: the Jacobians of stages are only as good as the prediction
inline constexpr double visible_correction = 0.1;  // tolerances that the projection may find the iteration off by
inline constexpr int most_passes = 2;              // more of the iteration, if it was more
inline constexpr double far_move = 0.1;            // share of the point that only another root explains
inline constexpr int late_failures = 4;            // in a row: a kink, perhaps

// Radau, coupled stages: chosen here. Limits in a row that couple them, and steps until it is tried without.
inline constexpr int first_limits_wanted = 2, most_limits_wanted = 16;
inline constexpr std::size_t first_probe = 8;

// Explicit pairs, step size: limits of DOP853 (Hairer and Wanner), and a cut after a point that is lost.
inline constexpr double explicit_shrinking = 1.0 / 3.0, explicit_growing = 6.0, explicit_cut = 0.3;
inline constexpr ExplicitControl explicit_control(int order) {
  return order < 8 ? ExplicitControl{1.0, 0.8, 0.06} : ExplicitControl{2.5, 0.77, 0.0};
}
// On the finer of two estimates, which makes both about the error of a step on the reference problems.
inline constexpr double fine_factor = 17.0;
// How estimates grow from step to step: noticed from here on, believed up to there while it is steady; a burst, and
// the most that counts of it, so that kinks do not stop a run.
inline constexpr double noticeable_growth = 1.3, most_steady_growth = 10.0, burst_growth = 12.0, most_growth = 30.0;

// The automatic choice: h |eigenvalue| in units of the stability limit, where explicit steps are at their limit, and
// where Radau's steps could as well be explicit.
inline constexpr double unresolved = 0.75, resolved = 0.5;
// The same in the mean over many steps, each counted up to `most_tried`.
inline constexpr double at_limit = 0.85, cleared = 0.65, most_tried = 1.2;
inline constexpr std::size_t check_every = 8;  // steps
// From so many unknowns on it is worth some evaluations to know at the first step whether those to come are stiff: it
// went so far beyond the stability limit, and steps at the limit would cost more than so many implicit ones. Their
// price by counts of multiplications, measured on grids of heat conduction and of the Brusselator.
inline constexpr std::size_t many_unknowns = 500, first_iterations = 8;
inline constexpr double clearly_unresolved = 1.5, implicit_steps = 20.0;
inline constexpr double solutions_a_step = 10.0, explicit_work_an_unknown = 170.0;
inline constexpr double oscillation = 1.6, no_oscillation = 0.7;
inline constexpr std::size_t oscillating_checks_wanted = 6;
// What longer steps gain there is a small factor, and implicit steps are dense: measured on chains, they cost 10 times
// an explicit one with 50 unknowns, 90 times with 250.
inline constexpr std::size_t largest_dense = 40;
inline constexpr std::size_t soon = 200, most_patience = 1000;  // steps

}  // namespace calibrated

}  // namespace driftless
