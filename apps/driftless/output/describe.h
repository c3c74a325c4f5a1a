// Equations and statistics in words.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "driftless/equations/equations.h"
#include "driftless/integrate/statistics.h"

namespace driftless::cli {

// "index 3, mechanical: 2 positions, 2 velocities, 1 multiplier"
std::string describe_form(const Equations& equations);

// "1 step", "2 steps"
std::string counted(std::size_t n, const char* one, const char* several);

// Every count with its name.
std::vector<std::pair<const char*, std::size_t>> named_counts(const Statistics& statistics);

}  // namespace driftless::cli
