// What the user asks of `analyse stability`: where, in which norm, how accurately.
#pragma once

#include "apps/driftless/command_line.h"
#include "apps/driftless/solve_request.h"
#include "driftless/analysis/stability_along.h"

namespace driftless::cli {

struct StabilityRequest {
  ModelRequest model;
  std::string norm = "2", constraint = "auto", time, csv, report;
  std::vector<std::string> weights, box;
  bool along = false, json = false;
  std::optional<double> t_end, rtol, tube, accuracy;
  std::optional<double> perturb_start, perturb_differential, perturb_constraint;
  std::optional<std::size_t> boxes;

  PerturbationSizes perturbation() const;
};

std::vector<Option> stability_options(StabilityRequest& request);

// The norm, with weights if there are any; Stop if a name is not one of the unknowns or a weight not positive.
Norm norm_from(const StabilityRequest& request, const Names& unknowns);

// --box NAME=LOW:HIGH, several separated by commas, or LOW:HIGH for all that are not named. Stop unless every unknown
// has its interval.
Box box_from(const StabilityRequest& request, const Names& unknowns, Interval time);

// LOW:HIGH; Stop, naming the option, unless it is an interval.
Interval interval_from(const std::string& option, const std::string& text);

}  // namespace driftless::cli
