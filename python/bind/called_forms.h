// The forms of equations, with functions of Python that are called for every value.
#pragma once

#include <optional>

#include "called_function.h"
#include "driftless/equations/equations.h"

namespace driftless::python {

// Each function takes its arguments one behind another, the time last. Derivatives that are not given are differences.

// P x' = f(x, t), P = diag(differential); f_x with the values on `pattern`, or without one as a matrix row by row.
struct CalledIndex1 {
  CalledFunction f;
  std::vector<bool> differential;
  Names names;
  std::optional<CalledFunction> jacobian;
  std::optional<Pattern> pattern;
};
Equations equations_of(const CalledIndex1& given);

// u' = f(u, lambda, t), 0 = g(u, t). `restoring`: f does not know lambda, and u' = f(u, t) + G^T lambda.
struct CalledIndex2 {
  CalledFunction f, g;
  Names names, lambda_names;
  bool restoring = false;
  std::optional<CalledFunction> g_jacobian;
};
Equations equations_of(const CalledIndex2& given);

struct CalledMechanical {
  CalledFunction force, constraint;
  std::optional<CalledFunction> mass, states, constraint_jacobian;
  bool moving = true;  // the constraint depends on time
  Names q_names, v_names, s_names, lambda_names;
};
Equations equations_of(const CalledMechanical& given);
// The same with 0 = h(q, v, t), which must be linear in v.
Equations equations_of(const CalledMechanical& given, const CalledFunction& velocity_constraint, const Names& nu_names);

}  // namespace driftless::python
