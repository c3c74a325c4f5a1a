// What `analyse stability` found, for people and for programs.
#pragma once

#include "apps/driftless/commands/stability_measured.h"
#include "apps/driftless/model/model.h"
#include "driftless/analysis/stability/stability_along.h"

namespace driftless::cli {

// Constants on a box, and what perturbations do if any are given.
struct BoxFindings {
  StabilityReport report;
  Names unknowns, differential;  // all of them; those in Im P
  std::string norm_source = {};  // the matrix of the norm, if it is one of a file
  PerturbationSizes perturbation = {};
  std::vector<DeviationBound> deviation = {};
  double lasting = 0.0;                            // |P dx| never exceeds this
  std::optional<MeasuredDeviation> measured = {};  // for pages
};

struct AlongFindings {
  StabilityAlong along;
  std::string norm_source = {};
  bool scaled = false;
  std::string ended;  // why the run ended before its end, if it did
  PerturbationSizes perturbation = {};
  std::optional<MeasuredDeviation> measured_error = {}, measured_deviation = {};  // for pages
};

const char* meaning_of(driftless::Quantity quantity);  // of a constant, in words
void print(const Model& model, const BoxFindings& findings);
void print(const Model& model, const AlongFindings& findings);
Json as_json(const Model& model, const BoxFindings& findings);
Json as_json(const Model& model, const AlongFindings& findings);
std::string as_csv(const BoxFindings& findings);
std::string as_csv(const AlongFindings& findings);

}  // namespace driftless::cli
