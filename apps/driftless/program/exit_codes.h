// How the program ends: one number for each kind of failure, so that scripts can tell them apart.
#pragma once

#include <span>
#include <stdexcept>
#include <string>

#include "driftless/simulate/model.h"

namespace driftless::cli {

enum class ExitCode : int {
  ok = 0,
  internal_error = 1,
  usage = 2,
  file = 3,
  model_text = 4,
  model_structure = 5,
  limit = 6,
  not_finite = 10,
  newton_did_not_converge = 11,
  singular_matrix = 12,
  rank_deficient = 13,
  inconsistent_start = 14,
  projection_failed = 15,
  step_size_too_small = 16,
  too_many_steps = 17,
  assertion_failed = 18,
  diverged = 19,
  assumption_violated = 20,
  index_lost = 21,
  equation_violated = 22,
  runs_failed = 23,
  hung_up = 129,      // 128 + SIGHUP, as shells have it
  interrupted = 130,  // 128 + SIGINT
  terminated = 143,   // 128 + SIGTERM
};

// What `driftless explain` knows about one way to end.
struct Explanation {
  ExitCode code;
  const char* name;     // "step-size-too-small": in JSON, and for explain
  const char* meaning;  // one sentence or two
  const char* causes;   // the usual ones, one per line
  const char* remedies;
};

std::span<const Explanation> explanations();  // by ascending code
const Explanation& explanation_of(ExitCode code);

ExitCode exit_code_of(FailureKind kind);
ExitCode exit_code_of(RefusedModel::Stage stage);

// Ends the program with a message for the user and this code.
class Stop : public std::runtime_error {
 public:
  Stop(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

}  // namespace driftless::cli
