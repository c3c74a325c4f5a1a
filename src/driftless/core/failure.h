// Numerical trouble as a value, and misuse as an exception.
#pragma once

#include <stdexcept>
#include <string>

namespace driftless {

enum class FailureKind {
  not_finite,               // a user function returned NaN or infinity
  newton_did_not_converge,  // the stage equations
  singular_matrix,          // a Newton matrix could not be factorised
  rank_deficient,           // constraints depend on each other and contradict
  inconsistent_start,       // no consistent values near the given ones
  projection_failed,        // the step left the neighbourhood of the manifold
  step_size_too_small,      // no step size satisfies the tolerance
  too_many_steps,           // the limit of steps was reached
  diverged,                 // a solution, or an iteration, left every bounded region
  assumption_violated,      // what a theorem asks for does not hold here
  stopped,                  // the caller asked for it
  index_lost,               // the matrix that decides the index became singular on the way
  assertion_failed,         // something that the model asserts does not hold
  equation_violated,        // results put back into the equations as written do not satisfy them
  other_structure,          // an event leads to equations of another index or number of constraints
  limit_reached,            // more memory or work than is allowed
};

const char* name_of(FailureKind kind);

// What went wrong in a run, in words for the person who has to repair the model.
struct Failure {
  FailureKind kind;
  double time = 0.0;
  std::string what_happened;
  std::string what_to_try;
  std::string where;  // the variable, equation or function to blame, by name

  // One paragraph: kind, time, what, where, what to try. What quotes lines of a model begins a line of its own.
  std::string message() const;
};

// A call that cannot be right whatever the numbers: wrong sizes, unknown names, a method that violates its conditions.
class Misuse : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

// Thrown by Result::value() when there is none.
class FailedRun : public std::runtime_error {
 public:
  explicit FailedRun(Failure failure) : std::runtime_error(failure.message()), failure_(std::move(failure)) {}
  const Failure& failure() const { return failure_; }

 private:
  Failure failure_;
};

}  // namespace driftless
