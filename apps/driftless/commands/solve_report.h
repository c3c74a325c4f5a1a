// What `solve` says at the end: a page for people, or one JSON object for programs.
#pragma once

#include <string>

#include "apps/driftless/model/run.h"

namespace driftless::cli {

// What `solve --json` prints.
Json solve_result(const Model& model, const Plan& plan, const Run& run);
// The largest |x - reference| / max(1, |reference|) of each block at the end, where a reference is known.
std::vector<std::pair<std::string, double>> errors_of(const Model& model, const Run& run);

std::string text_report(const Model& model, const Plan& plan, const Run& run, const std::vector<std::string>& written);

}  // namespace driftless::cli
