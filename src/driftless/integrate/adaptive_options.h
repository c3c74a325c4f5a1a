// How the adaptive integrators work; the defaults are the measured best, "classic" is the paper's system.
#pragma once

#include <optional>

#include "driftless/core/matrix.h"
#include "driftless/step/method.h"

namespace driftless {

// |error_i| is kept near absolute_i + relative |x_i| in the root mean square over the components.
struct Tolerance {
  double relative = 1e-6;
  double absolute = 1e-9;
  Vector absolute_by_component = {};  // instead of `absolute`, in the layout of the equations

  double absolute_of(std::size_t component) const {
    return component < absolute_by_component.size() ? absolute_by_component[component] : absolute;
  }
  friend bool operator==(const Tolerance&, const Tolerance&) = default;
};

struct Stepping {
  std::optional<double> first = {};  // size of the first step; chosen if not given
  double largest = 0.0;              // 0: no limit
  double first_at_most = 0.0;        // a limit of the first step that is chosen; 0: none
  std::size_t limit = 10'000'000;    // of attempts
};

enum class AdaptiveMethod {
  automatic,  // explicit until the equations turn out to be stiff, then radau, and back when they are not any more
  radau,      // projected Radau IIA, orders 5, 9, 13
  dop853,     // projected explicit Runge-Kutta on the underlying ODE: Dormand and Prince, order 8
  dopri5,     // the same with order 5
  hem3,       // half-explicit Runge-Kutta of order 3, for index 2 and mechanical problems
  hem4,       // of order 4
  hem5,       // of order 5
};

// The level on which the constraint of a mechanical problem enters the stages; the projection is the same for all.
enum class ConstraintLevel {
  acceleration,                 // index 1: full order and honest errors in v and lambda
  velocity,                     // index 2
  position,                     // index 3, as in Schropp 2003
  position_with_accelerations,  // index 3 with w = v' as unknowns, M and G alone in the Jacobian: Andrews in the paper
  ggl,                          // Gear, Gupta and Leimkuhler: position and velocity with a second multiplier, index 2
};

// What the error norm sees.
enum class ErrorNorm {
  tangential,  // u and v, with the part normal to the manifold removed: what a projected method propagates
  classic,     // every component, those of higher index weighted by h and h^2, as RADAU5 does
};

struct RadauOptions {
  int least_stages = 3;  // 3, 5, 7: orders 5, 9, 13
  int most_stages = 7;
  ConstraintLevel level = ConstraintLevel::acceleration;
  ErrorNorm norm = ErrorNorm::tangential;
  Projection projection = Projection::full;
  MultiplierRule multiplier = MultiplierRule::hidden_constraint;
  double newton_share = 0.0;  // of the tolerance, for the Newton iteration; 0: calibrated
  // States between the steps are read, at output times or by events: their error counts as well. `solve` sets it.
  bool between_steps = false;

  friend bool operator==(const RadauOptions&, const RadauOptions&) = default;
};

// RADAU5 with a velocity projection after each accepted step, the system of Schropp 2003, section 4 (or without it).
inline RadauOptions classic_radau5(bool projected) {
  return {.least_stages = 3,
          .most_stages = 3,
          .level = ConstraintLevel::position,
          .norm = ErrorNorm::classic,
          .projection = projected ? Projection::hidden : Projection::none,
          .multiplier = MultiplierRule::stages};
}

struct AdaptiveOptions {
  AdaptiveMethod method = AdaptiveMethod::automatic;
  Tolerance tolerance = {};
  Stepping stepping = {};
  RadauOptions radau = {};
  bool begin_implicit = false;  // where the automatic choice begins, say after an event in a stiff phase
};

}  // namespace driftless
