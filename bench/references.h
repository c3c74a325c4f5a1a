// Reference solutions where the test set has none: in extended precision, by extrapolation with fixed steps on
// equations without constraints, written apart from everything that takes part in the benchmark.
#pragma once

#include <string>

#include "bench/problems.h"

namespace bench {

// The text of a file of bench/references, with the difference between two step sizes and that to driftless at a tight
// tolerance. Throws std::runtime_error if they do not agree, or if the problem is none of those without a reference.
std::string compute_reference(const BenchProblem& problem);

}  // namespace bench
