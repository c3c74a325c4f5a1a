// Long runs, where single solutions mean nothing any more: who gets through, and what is left of energy and
// constraints.
#pragma once

#include <string>

#include "bench/contest.h"
#include "bench/peers/desolve.h"

namespace bench {

// The n-link pendulum with both ends fixed over 100 seconds.
std::string long_runs_as_markdown(const DeSolve* desolve, const ContestOptions& options);

}  // namespace bench
