// The inverse of a step: the point from which a method arrives at a given one.
#pragma once

#include <memory>
#include <optional>

#include "driftless/analysis/geometric/index2_problem.h"
#include "driftless/equations/manifold.h"
#include "driftless/step/stepper.h"

namespace driftless {

class StepBack {
 public:
  // After `limit` steps FailedRun is thrown, too_many_steps: orbits of a bad method or model go back far.
  StepBack(const Index2& equations, const Method& method, std::size_t limit);

  // `state` becomes the state one step later.
  std::optional<Failure> forward(double t, Span state, double h);

  // A state (u, lambda) at t - h from which a step of size h leads to the u of `target` at t. lambda is that of
  // `guess`, which also is where the search begins; without one it is psi_0 and the search begins with a step of -h.
  Result<Vector> solve(double t, ConstSpan target, double h, ConstSpan guess = {});

 private:
  std::optional<Failure> predict(double t, ConstSpan target, double h, Vector& state);
  bool project(double t, Span state);
  bool set_psi_0(double t, Span state);

  Index2 equations_;
  std::size_t n_;
  std::unique_ptr<Stepper> stepper_;
  std::unique_ptr<Stepper::Workspace> workspace_;
  Attempt attempt_;
  std::unique_ptr<Manifold> manifold_;
  Vector mu1_, mu2_;
  const std::size_t limit_;
  std::size_t steps_ = 0;
};

}  // namespace driftless
