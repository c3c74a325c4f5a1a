// The invariant manifold of a method with step size h, Theorem 2.1 of Schropp 2001 (Lemma 2.1 of the attracting-sets
// paper): M_{0,h} = {(u, t, lambda) : g(u, t) = 0, lambda = psi_{0,h}(u, t)}.
#pragma once

#include <memory>

#include "driftless/analysis/geometric/index2_problem.h"
#include "driftless/step/stepper.h"

namespace driftless {

// |R(infinity)| as the multiplier feels it: 0 for half-explicit methods and where lambda is taken from the hidden
// constraint, because then nothing of lambda_n survives a step.
double multiplier_damping(const Method& method);

// What the theorem promises for |psi_0 - psi_{0,h}|: the stage order q, or r of (B3') for half-explicit methods. None
// (psi_{0,h} = psi_0) where lambda is taken from the hidden constraint.
struct PromisedCloseness {
  std::optional<int> order = {};
  std::string symbol = {};  // "q" or "r"
};
PromisedCloseness promised_closeness(const Method& method);

// psi_{0,h} is the fixed point of the graph transform: lambda at (u, t) is what the method makes of the lambda at the
// point from which its step leads to u. Following the orbit back k steps and starting there with psi_0 leaves an error
// of |R(infinity)|^k; one step is enough if R(infinity) = 0. One object per thread.
class DiscreteManifold {
 public:
  // Misuse if the step size is not positive, or if |R(infinity)| >= 1, for then there is no such manifold.
  // All it computes together may take `step_limit` steps; FailedRun after that.
  DiscreteManifold(const Index2& equations, const Method& method, double step_size,
                   std::size_t step_limit = usual_step_limit);
  static constexpr std::size_t usual_step_limit = 2'000'000;
  ~DiscreteManifold();

  double step_size() const;
  std::size_t u_size() const;
  std::size_t memory_length() const;  // steps after which nothing of a multiplier is left, up to rounding

  struct Value {
    Vector state;              // (u, psi_{0,h}(u, t))
    Vector continuous;         // (u, psi_0(u, t))
    std::size_t history = 0;   // steps that were followed back
    double uncertainty = 0.0;  // what the steps not followed may change: |R(infinity)|^history |psi_0 - psi_{0,h}|
  };
  // At a point of the constraint. A Failure if not even one step back exists.
  Result<Value> at(const ManifoldPoint& point);

  // The orbit on the manifold that ends in the point: states at t - steps h, ..., t - h, t.
  Result<std::vector<Vector>> orbit_to(const ManifoldPoint& point, std::size_t steps);

  // One step of the method from any state near the manifold.
  std::optional<Failure> step(double t, Span state);

  // Below this a difference of multipliers is rounding: one of a difference quotient with step size h.
  double rounding(double t, ConstSpan state) const;

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

}  // namespace driftless
