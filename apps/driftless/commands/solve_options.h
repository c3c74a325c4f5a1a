// The options of `solve` that other commands have as well, in groups.
#pragma once

#include "apps/driftless/commands/solve_request.h"
#include "apps/driftless/program/command_line.h"

namespace driftless::cli {

std::vector<Option> run_options(SolveRequest& request);
std::vector<Option> accuracy_options(SolveRequest& request);
std::vector<Option> constraint_options(SolveRequest& request);

}  // namespace driftless::cli
