// The pieces that models are made of. Each adds unknowns with their solution and equations that it satisfies, well
// conditioned along it; `size` is about the number of unknowns. What they ask of the program is said beside each.
#pragma once

#include "model.h"

namespace driftless::fuzz {

using Generate = void (*)(Model& model, Random& random, int size);

// Index 0.
void generate_ode(Model& model, Random& random, int size);  // coupled states, some stiff, some with der() twice
// Index 1.
void generate_chain(Model& model, Random& random, int size);           // one after the other, explicit or monotone
void generate_linear_loop(Model& model, Random& random, int size);     // dominant diagonal, hidden by the order
void generate_array_loop(Model& model, Random& random, int size);      // the same with arrays and for
void generate_nonlinear_loop(Model& model, Random& random, int size);  // one root
void generate_roots(Model& model, Random& random, int size);           // several roots: the stated start decides
void generate_derivatives(Model& model, Random& random, int size);     // der() of expressions and of algebraic unknowns
// Index 2 and 3.
void generate_index2(Model& model, Random& random, int size);
void generate_mechanism(Model& model, Random& random, int size);
void generate_wide(Model& model, Random& random, int size);
// Events at known times.
void generate_time_events(Model& model, Random& random, int size);
void generate_state_events(Model& model, Random& random, int size);
void generate_branches(Model& model, Random& random, int size);
void generate_sawtooth(Model& model, Random& random, int size);

// Nothing to be found: the run must end with a failure.
void generate_dead_end(Model& model, Random& random, int size);

// A smooth state of the model, or nothing.
const Unknown* some_state(const Model& model, Random& random);
// A function of an unknown with values and slopes of about one.
Formula mild(const Formula& x, Random& random);
// One that grows at most as fast as its argument, everywhere.
Formula slow(const Formula& x, Random& random);

}  // namespace driftless::fuzz
