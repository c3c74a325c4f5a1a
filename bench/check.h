// Are the peers given what they should be given?
#pragma once

#include <string>

#include "bench/problems.h"

namespace bench {

// Compares the Jacobians of every exact form and storage with differences of its function, at the start and off it.
// Throws std::runtime_error with the first entry that is wrong; returns what was checked.
std::string check_systems(const BenchProblem& problem);

}  // namespace bench
