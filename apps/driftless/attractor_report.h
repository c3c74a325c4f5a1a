// What `analyse attractor` found, for people, for programs and for pictures.
#pragma once

#include "apps/driftless/analysis_request.h"
#include "apps/driftless/recording.h"
#include "driftless/analysis/attractor_kind.h"
#include "driftless/analysis/attractor_study.h"

namespace driftless::cli {

struct AttractorFindings {
  std::string method;
  bool underlying_ode = false;
  double smallest_step = 0.0;
  std::optional<RecognisedAttractor> of_dae = {}, of_method = {};  // the latter with the smallest step
  std::optional<AttractorStudy> study = {};
};

std::string attractor_text(const Model& model, const Index2Start& start, const AttractorFindings& findings);
Json attractor_json(const Model& model, const Index2Start& start, const AttractorFindings& findings);

std::string kind_text(const RecognisedAttractor& found);
// Why a row says less than it seems to; empty: it does not.
std::string remark(const AttractorStudy::Row& row, double reference_gap);

// One row per point: h (0 for the DAE itself), then u, and multipliers if they were sampled.
Recording attractor_points(const Index2Start& start, const AttractorStudy& study);

}  // namespace driftless::cli
