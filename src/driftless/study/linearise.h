// A model near one of its states: the linear system that small deviations obey, on the constraints.
//
// With a basis V of the directions in which the constraints, hidden ones included, let a state move, x = x_0 + V y to
// first order, and u' = F(u, p) the underlying equation:
//     y' = A y + B p,   w = C y + D p,
// with inputs p (parameters, less their values) and outputs w (results, less theirs). Eigenvalues of A do not depend
// on the basis where F = 0, at an equilibrium; elsewhere they belong to the basis.
#pragma once

#include <complex>
#include <optional>

#include "driftless/core/result.h"
#include "driftless/simulate/simulate.h"
#include "driftless/simulate/text_model.h"

namespace driftless {

struct LineariseOptions {
  std::optional<double> time = {};  // where a run from the start is then; none: at the start
  bool steady = false;              // at the equilibrium that Newton's method finds from there
  Names inputs = {};                // parameters
  Names outputs = {};               // results
  SolveOptions run = {};            // tolerance and method of the run to `time`
};

struct LinearMode {
  std::complex<double> eigenvalue;
  std::vector<std::complex<double>> shape;  // one number for each component, the largest 1 in its usual size
};

struct Linearisation {
  double time = 0.0;
  Names components = {};  // of the state, without multipliers
  Vector state = {};
  Vector results = {};  // there, in the order of Model::results
  Matrix basis = {};    // V: a row for each component
  Matrix a = {}, b = {}, c = {}, d = {};
  std::vector<LinearMode> modes = {};  // by descending real part
  double slope = 0.0;                  // the largest entry of F, in usual sizes: 0 at an equilibrium, to rounding
  double drift = 0.0;                  // of F with time: the equations are frozen at this one
  double accuracy = 0.0;               // of A, relative: how much halved differences change it

  double doubt = 0.0;  // how far the largest real part moves with the last correction of the state, and by rounding

  bool at_equilibrium() const;
  // Of an equilibrium, where the linear system decides: the largest real part is beyond doubt.
  bool stable() const { return modes.empty() || modes.front().eigenvalue.real() < -doubt; }
  bool unstable() const { return !modes.empty() && modes.front().eigenvalue.real() > doubt; }
};

// A Failure if there is no start, no run to the time, no equilibrium nearby, or if the equations are not smooth there.
// Misuse for unknown names, and for inputs in another mode than that of the start. The model has to be one with
// StateUnits::as_written.
Result<Linearisation> linearise(const TextModel& model, const LineariseOptions& options = {});

// C (i w - A)^-1 B + D at a frequency, outputs by inputs.
std::vector<std::complex<double>> frequency_response(const Linearisation& system, double angular_frequency);

// Outputs at these times after a step of one input from 0 to 1 at time 0: a row for each time.
Matrix step_response(const Linearisation& system, std::size_t input, ConstSpan times);

}  // namespace driftless
