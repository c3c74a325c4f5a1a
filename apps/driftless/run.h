// A simulation as the program runs it: with progress, stopped by signals.
#pragma once

#include "apps/driftless/exit_codes.h"
#include "apps/driftless/solve_request.h"
#include "apps/driftless/terminal.h"
#include "driftless/simulate/simulate.h"

namespace driftless::cli {

struct Run : Simulation {
  ExitCode code = ExitCode::ok;
};

// Everything until the end, a failure, Ctrl-C or SIGTERM. Throws only what start() throws, and Misuse.
Run run_model(const Model& model, const Plan& plan, When progress);

}  // namespace driftless::cli
