// Whether the parts of a run that comes out of a file fit together, so that everybody after it may rely on that.
#pragma once

#include "apps/driftless/report/report_run.h"

namespace driftless::cli {

// What does not fit, in words; empty if everything does.
std::string misfit_of(const ReportRun& run);

}  // namespace driftless::cli
