// The contract of a one-step method: an attempt is a value, it changes nothing but the memory handed to it.
#pragma once

#include <memory>
#include <optional>

#include "driftless/core/failure.h"
#include "driftless/step/method.h"
#include "driftless/step/newton_options.h"
#include "driftless/step/work.h"

namespace driftless {

// The outcome of one attempt.
struct Attempt {
  Vector state;               // the new point
  Vector mu1, mu2;            // multipliers of the projection, (2.7) of Schropp 2003; index 2: mu1 only
  Matrix slopes = {};         // of the stages, by half-explicit methods, if the caller gave it a size
  int newton_iterations = 0;  // the most of any stage
  Work work = {};             // also of an attempt that failed
  double contraction = 0.0;   // of the Newton corrections, their geometric mean
  // The stages as Z_i = X_i - x_n, one per column, for those who want to see them: implicit methods fill it if it has
  // the size for that, and never change it otherwise.
  Matrix increments = {};
};

class Stepper {
 public:
  virtual ~Stepper() = default;

  // Memory of one thread; throwing it away changes the cost of a step, never its result.
  class Workspace {
   public:
    virtual ~Workspace() = default;
  };
  virtual std::unique_ptr<Workspace> make_workspace() const = 0;
  virtual Attempt make_attempt() const = 0;

  // One step of size h from `state` at time t. Nothing is allocated unless it fails.
  virtual std::optional<Failure> attempt(double t, ConstSpan state, double h, Workspace& workspace,
                                         Attempt& out) const = 0;
};

// The method of `method` for these equations: projected implicit, or half-explicit if its tableau is explicit. Throws
// Misuse if the method does not suit the equations.
std::unique_ptr<Stepper> make_stepper(const Equations& equations, const Method& method,
                                      const NewtonOptions& newton = {});

}  // namespace driftless
