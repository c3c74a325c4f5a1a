// What a simulation produced: results by name over time, events, certificate, counts, and how it ended.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "driftless/integrate/solution.h"
#include "driftless/simulate/equation_watch.h"
#include "driftless/simulate/range_watch.h"
#include "driftless/simulate/recording.h"

namespace driftless {

struct SimulationEvent {
  double time;
  std::string name;  // the relation as written
};

// States that no reinit named and that had to move at an event, so that the constraints hold; the impulses that moved
// them, where other constraints became active.
struct MovesAtEvent {
  double time;
  std::vector<StartChange> moves;
  std::vector<Impulse> impulses = {};
};

// Between two events, with the polynomials of the steps.
struct KeptStretch {
  Stretch stretch;
  Solution solution;
};

struct Simulation {
  Start start;
  Recording recording;
  double t = 0.0;       // where it ended
  Vector state = {};    // of the solver, there
  Vector results = {};  // there, in the order of Model::results
  Statistics statistics = {};
  Certificate certificate = {};
  std::vector<RunWarning> warnings = {};
  std::vector<RangeViolation> out_of_range = {};
  StepHistory history = {};  // if the options ask for it
  std::size_t events = 0;    // times at which some came
  std::vector<SimulationEvent> happened = {};
  std::vector<MovesAtEvent> moved = {};
  std::vector<MethodChange> method_changes = {};  // of the automatic method
  std::optional<std::string> ended_by = {};       // terminate()
  std::optional<Failure> failure = {};            // why it ended before its time
  std::optional<ErrorBound> error_bound = {};     // if asked for: up to the first event
  struct Verification {
    std::size_t rows = 0, not_evaluated = 0;
    EquationWatch::Sight worst = {};
  };
  std::optional<Verification> verification = {};  // if asked for
  std::vector<KeptStretch> kept = {};             // if SimulateOptions::dense asked for it
  double seconds = 0.0;

  bool ok() const { return !failure; }
  // Throws FailedRun with the whole message if the run did not reach its end.
  const Simulation& or_throw() const;

  // One result by its name: at the end, in a row, in all rows. Misuse if there is no such result or row.
  double final(std::string_view name) const;
  double value(std::string_view name, std::size_t row) const;
  Vector column(std::string_view name) const;  // "time" is one
  // All results at any time of the run; behind an event, where one is at t. Misuse if no polynomials were kept, or the
  // run did not come to t.
  Vector at(double t) const;
};

}  // namespace driftless
