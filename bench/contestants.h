// Who takes part: configurations of this project, and of the peers that were found.
#pragma once

#include "bench/contest.h"
#include "bench/peers/desolve.h"

namespace bench {

std::vector<Contestant> our_methods(const BenchProblem& problem);
// The problem must outlive them. `desolve` may be null.
std::vector<Contestant> peer_methods(const BenchProblem& problem, const DeSolve* desolve);

// A mechanism with the accelerations at its start, which the peers must be told.
MechanismStart start_of(const BenchProblem& problem);

}  // namespace bench
