// Implicit Euler and Radau IIA for heat conduction on large meshes. Temperatures are iterated by a simplified Newton
// method, fluxes are solved from their law at every iterate, so that the constraint holds to rounding.
#pragma once

#include <optional>

#include "driftless/core/failure.h"
#include "driftless/heat/heat_solver.h"

namespace driftless {

struct HeatOptions {
  int stages = 1;  // of Radau IIA; 1 is implicit Euler
  HeatSolver solver = HeatSolver::multilevel;
  double newton = 1e-10;  // corrections relative to the temperatures, in the discrete norm
  int limit = 60;         // of Newton iterations in a step
};

struct HeatStatistics {
  std::size_t steps = 0, newton_iterations = 0, matrices = 0;  // matrices: how often they were made anew
  HeatLinearStatistics linear;
  std::size_t bytes = 0;  // of all that a stepper holds
};

class HeatStepper {
 public:
  // The problem must outlive the stepper.
  HeatStepper(const HeatProblem& problem, const HeatOptions& options);
  ~HeatStepper();
  HeatStepper(HeatStepper&&) noexcept;

  // `state` is (theta, q); it is left alone if the step fails.
  std::optional<Failure> step(double t, double h, Span state);
  HeatStatistics statistics() const;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

// Two runs from different temperatures, step by step, and their distance in the discrete norm.
struct HeatContraction {
  Vector times, distance;
  double largest_quotient = 0.0;  // of distances after and before a step
  bool contractive = false;       // it never exceeded 1
  HeatStatistics first, second;
};
struct HeatContractionOptions {
  HeatOptions method = {};
  double h = 0.01;
  std::size_t steps = 10;
};
HeatContraction heat_contraction(const HeatProblem& problem, ConstSpan theta_1, ConstSpan theta_2,
                                 const HeatContractionOptions& options);  // throws FailedRun if a step fails

}  // namespace driftless
