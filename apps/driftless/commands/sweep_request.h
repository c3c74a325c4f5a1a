// What the user asks of `sweep`, and the study that it means for a model.
#pragma once

#include "apps/driftless/commands/solve_request.h"
#include "apps/driftless/study/shard.h"
#include "apps/driftless/study/study_results.h"
#include "driftless/study/sweep.h"

namespace driftless::cli {

struct SweepRequest {
  SolveRequest solve;
  std::string set_file, combine = "grid", sampling = "latin", show, shard, report;
  std::optional<std::size_t> samples, seed, threads;
  std::vector<std::string> outputs;
  bool metadata = true, json = false, quiet = false;
};

struct Study {
  TextModel model;
  StudyDesign design;
  std::vector<Measure> measures;
  SweepOptions options = {};
  std::string identity = {};  // of everything that the rows depend on
  StudyResults results = {};  // without rows
};

// Stop or Misuse for what cannot be meant.
Study study_of(const SweepRequest& request);

}  // namespace driftless::cli
