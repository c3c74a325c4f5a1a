// A run from its start to its end, over all events: stretch after stretch, watched.
#pragma once

#include <optional>
#include <string>

#include "apps/driftless/equation_watch.h"
#include "apps/driftless/exit_codes.h"
#include "apps/driftless/range_watch.h"
#include "apps/driftless/recording.h"
#include "apps/driftless/solve_request.h"
#include "driftless/integrate/solution.h"

namespace driftless::cli {

// Why a run ended before its time.
struct RunFailure {
  ExitCode code;
  double time;
  std::string what, where, to_try;
  std::string message;  // all of it, for people
};

struct RunEvent {
  double time;
  std::string name;
};

// States that no reinit named and that had to move at an event, so that the constraints hold.
struct MovesAtEvent {
  double time;
  std::vector<StartChange> moves;
};

struct Run {
  Start start;
  Recording recording;
  double t = 0.0;     // where it ended
  Vector state = {};  // there
  Vector results = {};
  Statistics statistics = {};
  Certificate certificate = {};
  std::vector<RunWarning> warnings = {};
  std::vector<RangeViolation> out_of_range = {};
  std::size_t events = 0;
  StepHistory history = {};  // if the options ask for it
  std::vector<RunEvent> happened = {};
  std::vector<MovesAtEvent> moved = {};
  std::vector<MethodChange> method_changes = {};  // of the automatic method
  std::optional<std::string> ended_by = {};       // terminate()
  std::optional<RunFailure> failure = {};
  std::optional<ErrorBound> error_bound = {};  // if asked for: up to the first event
  struct Verification {
    std::size_t rows = 0, not_evaluated = 0;
    EquationWatch::Sight worst = {};
  };
  std::optional<Verification> verification = {};  // if asked for
  double seconds = 0.0;

  ExitCode code() const { return failure ? failure->code : ExitCode::ok; }
};

// Everything until the end, a failure, or a stop. Throws only what start() throws, and Misuse.
Run run_model(const Model& model, const Plan& plan);

}  // namespace driftless::cli
