// What makes a model harder to see through without changing its solution.
#pragma once

#include "model.h"

namespace driftless::fuzz {

// More names for unknowns, and equations that use them; the start may be stated under the other name.
void add_aliases(Model& model, Random& random);
// Terms in equations that depend on unknowns of earlier pieces and are zero along the solution.
void add_couplings(Model& model, Random& random);
// Unknowns measured in other units, with nominal.
void choose_units(Model& model, Random& random);

}  // namespace driftless::fuzz
