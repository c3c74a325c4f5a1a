// What an animation shows of a model: from the annotation of a file, also for reference problems, whose model files are
// shipped.
#pragma once

#include "apps/driftless/model/model.h"
#include "driftless/modelfile/compiled/compiled_model.h"

namespace driftless::cli {

// Points from the results of the compiled model, in the order of its variables.
std::optional<Drawing> drawing_of(const CompiledModel& model);

// Points from the unknowns of a reference problem: its model file computes what else the drawing needs.
std::optional<Drawing> drawing_of_problem(const std::string& problem, const Names& unknowns, double begin);

}  // namespace driftless::cli
