// driftless: differential-algebraic equations of index 1, 2 and 3, without drift. This is the usual way in: state
// equations as C++ functions (model.h), check them and solve them (solve.h), choose a method (methods.h).
//
// Others, to be included where they are needed:
//     driftless/simulate.h    models from text, or from C++ functions with named parameters, with events
//     driftless/steps.h       adaptive steps one at a time, checkpoints
//     driftless/geometry.h    invariant manifolds, attracting sets, orbits, constrained minimisation
//     driftless/stability.h   logarithmic norms, Lipschitz constants on boxes, bounds of errors
#pragma once

#include "driftless/methods.h"
#include "driftless/model.h"
#include "driftless/solve.h"
