// What the sub-commands that take a model have in common.
#pragma once

#include "apps/driftless/command_line.h"
#include "apps/driftless/exit_codes.h"
#include "apps/driftless/solve_request.h"

namespace driftless::cli {

// MODEL and --set.
std::vector<Option> model_options(ModelRequest& request);

// On standard error.
void print_warnings(const Model& model);
void print_failure(const std::string& message, ExitCode code);

}  // namespace driftless::cli
