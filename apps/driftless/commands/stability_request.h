// What the user asks of `analyse stability`: where, in which norm, how accurately.
#pragma once

#include "apps/driftless/commands/norm_option.h"
#include "apps/driftless/commands/solve_request.h"
#include "apps/driftless/program/command_line.h"
#include "driftless/analysis/stability/stability_along.h"

namespace driftless::cli {

struct StabilityRequest {
  ModelRequest model;
  NormRequest norm;
  std::string constraint = "auto", time, csv, report;
  std::vector<std::string> weights, box;
  bool along = false, json = false;
  std::optional<double> t_end, rtol, tube, accuracy;
  std::optional<double> perturb_start, perturb_differential, perturb_constraint;
  std::optional<std::size_t> boxes;

  PerturbationSizes perturbation() const;
};

std::vector<Option> stability_options(StabilityRequest& request);

// The norm, with weights if there are any; Stop if a name is not one of the unknowns, a weight not positive, or the
// norm is given by a matrix, which has weights of its own.
Norm norm_from(const StabilityRequest& request, const Names& unknowns);
// The matrix of the norm in words, and the order of its rows; empty if there is none.
std::string norm_source(const StabilityRequest& request, const Names& unknowns);

// --box NAME=LOW:HIGH, several separated by commas, or LOW:HIGH for all that are not named. Stop unless every unknown
// has its interval.
Box box_from(const StabilityRequest& request, const Names& unknowns, Interval time);

// The equations of a model of index 1, or without constraints; Stop, with the reason, for others.
Index1 index1_of(const Model& model, const Equations& equations);

// Components that P leaves alone or mixes: the unknowns with a derivative.
Names differential_names(const Index1& form);

// LOW:HIGH; Stop, naming the option, unless it is an interval.
Interval interval_from(const std::string& option, const std::string& text);

}  // namespace driftless::cli
