// What the sub-commands that take a model have in common.
#pragma once

#include "apps/driftless/commands/solve_request.h"
#include "apps/driftless/program/command_line.h"
#include "apps/driftless/program/exit_codes.h"

namespace driftless::cli {

// MODEL and --set.
std::vector<Option> model_options(ModelRequest& request);

// On standard error.
void print_warnings(const Model& model);
void print_failure(const std::string& message, ExitCode code);

}  // namespace driftless::cli
