// What `solve` says at the end: a page for people, or one JSON object for programs.
#pragma once

#include <string>

#include "apps/driftless/run.h"

namespace driftless::cli {

std::string json_report(const Model& model, const Plan& plan, const Run& run);
std::string text_report(const Model& model, const Plan& plan, const Run& run, const std::vector<std::string>& written);

}  // namespace driftless::cli
