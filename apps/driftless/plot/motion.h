// A mechanism in motion: several positions in one picture, or all of them in an animated one.
#pragma once

#include "apps/driftless/report/report_run.h"

namespace driftless::cli {

// Stop if the model has no drawing.
std::string motion_picture(const std::string& path, const ReportRun& run);

}  // namespace driftless::cli
