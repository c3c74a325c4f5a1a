// Functions of time that unknowns follow.
#pragma once

#include "model.h"

namespace driftless::fuzz {

// Smooth, with values between the bounds and rates of about that size; in terms of the time or of the model's clocks.
Formula signal(const Model& model, Random& random, double low = 0.4, double high = 1.8);

// States with simple equations of their own, out of which signals can be made: an oscillation and a decay.
void add_clocks(Model& model, Random& random);

}  // namespace driftless::fuzz
