// Variables in units of their size: what the model calls nominal = 1e-20 is a number about 1 for the solver, so that no
// iteration, projection or rank decision has to know how large it is. Units are powers of two: nothing is rounded.
#pragma once

#include "driftless/modelfile/flatten/flat_model.h"

namespace driftless {

// For continuous variables with a nominal value far from 1. From then on their slots, those of their derivatives,
// start, nominal, min and max are in FlatVariable::solver_unit; everything that reads them is rewritten. The drawing is
// not: it is made from results, which stay in the user's units.
void use_nominal_units(FlatModel& model);

}  // namespace driftless
