// A simulation as the program runs it: with progress, within limits, stopped by signals.
#pragma once

#include "apps/driftless/commands/solve_request.h"
#include "apps/driftless/program/exit_codes.h"
#include "driftless/simulate/simulate.h"

namespace driftless::cli {

struct Run : Simulation {
  ExitCode code = ExitCode::ok;
};

// Everything until the end, a failure, or a stop. Throws only what start() throws, and Misuse.
Run run_model(const Model& model, const Plan& plan);

}  // namespace driftless::cli
