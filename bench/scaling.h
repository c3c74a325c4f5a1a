// Cost per step against the number of links of a chain.
#pragma once

#include <string>

#include "bench/contest.h"
#include "bench/peers/desolve.h"

namespace bench {

std::string scaling_as_markdown(const DeSolve* desolve, const ContestOptions& options);

}  // namespace bench
