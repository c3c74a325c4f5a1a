// Errors of fixed steps beside their bounds, sections 4 and 5 of Higueras and Soderlind 2003, for a model of the user's
// own: constants on a box around the run, residuals of its Newton iterations, local errors from a far more accurate
// run.
#pragma once

#include <optional>

#include "apps/driftless/commands/stability_request.h"
#include "apps/driftless/model/model.h"
#include "driftless/tableau/tableau.h"

namespace driftless::cli {

struct StepErrorsRequest {
  StabilityRequest where;  // model, box, norm, constraint, outputs
  std::string method = "implicit-euler";
  std::optional<std::size_t> steps;
  std::optional<double> newton;
};

struct StepError {
  double time = 0.0;
  double p = 0.0, q = 0.0;                           // |P e| and |Q e|, against the accurate run
  std::optional<double> p_bound = {}, q_bound = {};  // finite, or not there
  double p_from_q_residual = 0.0;                    // the part of p_bound that the constraint causes
};

struct StepErrors {
  std::string method, norm, norm_source;
  Names unknowns = {}, differential = {};
  Box box = {};
  bool box_given = false, scaled = false, proved = false, index_1 = false;
  double begin = 0.0, end = 0.0, h = 0.0;
  Majorant majorant = {};
  double step_limit = 0.0;  // below it the stages have exactly one solution; infinity if there is no limit
  std::optional<double> left_box_at = {};  // the run or the solution leaves a box that was given
  std::vector<StepError> errors = {};
  std::vector<std::string> sentences = {};  // all of this in words

  bool has_constraint() const { return differential.size() < unknowns.size(); }
  std::size_t bounded() const;  // how many errors have a bound
};

// Stop or FailedRun if the model is not of index 1, or a run fails.
StepErrors step_errors(const StepErrorsRequest& request, const Model& model);

}  // namespace driftless::cli
