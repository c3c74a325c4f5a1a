// The runs of a study: the same model with other values, on all cores. A run that fails is a row with its reason.
#pragma once

#include <functional>

#include "driftless/core/execution.h"
#include "driftless/simulate/simulate.h"
#include "driftless/simulate/text_model.h"
#include "driftless/study/measure.h"
#include "driftless/study/study_design.h"

namespace driftless {

struct StudyRow {
  std::size_t run = 0;
  Vector values = {};    // of what is varied
  Vector measures = {};  // NaN where the run failed
  std::optional<Failure> failure = {};
  std::optional<RefusedModel::Stage> refused = {};  // the model has no run with these values, as the failure says
};

struct SweepOptions {
  SimulateOptions simulate = {};  // without rows, dense output and observer: the measures say what is kept
  Vector rows = {};               // times at which extremes and means look at a run
  Execution execution = {};
};

// Runs `runs` of the design, in any order; `done` is called for each that ended, never by two threads at once. False if
// it was stopped before all were done. Misuse if a name is not one of the model's, or a measure is not one of its
// results. Every variation has to be a parameter that can be set, or a start value that the model was given as a
// setting.
bool sweep(const TextModel& model, const StudyDesign& design, const std::vector<Measure>& measures,
           std::span<const std::size_t> runs, const SweepOptions& options,
           const std::function<void(const StudyRow&)>& done);

}  // namespace driftless
