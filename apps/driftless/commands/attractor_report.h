// What `analyse attractor` found, for people, for programs and for pictures.
#pragma once

#include "apps/driftless/commands/analysis_request.h"
#include "driftless/analysis/geometric/attractor_kind.h"
#include "driftless/analysis/geometric/attractor_study.h"
#include "driftless/simulate/recording.h"

namespace driftless::cli {

struct AttractorFindings {
  std::string method;
  bool underlying_ode = false;
  double smallest_step = 0.0;
  std::optional<RecognisedAttractor> of_dae = {}, of_method = {};  // the latter with the smallest step
  std::optional<AttractorStudy> study = {};
  // Where the samples of a periodic orbit show no rate: the same on planes across it, where the orbit is one point.
  std::optional<AttractorStudy> across = {};
};

std::string attractor_text(const Model& model, const Index2Start& start, const AttractorFindings& findings);
Json attractor_json(const Model& model, const Index2Start& start, const AttractorFindings& findings);

// Whether the sets of the method agree with that of the equations, as far as can be seen; within which distance.
std::optional<double> agreement(const AttractorStudy& study);
// What `inward` is, where it does not fall.
extern const char* const inside_note;

std::string kind_text(const RecognisedAttractor& found);
// Why a row says less than it seems to; empty: it does not.
std::string remark(const AttractorStudy::Row& row, const AttractorStudy& study);

// One row per point: h (0 for the DAE itself), then u, and multipliers if they were sampled.
Recording attractor_points(const Index2Start& start, const AttractorStudy& study);

}  // namespace driftless::cli
