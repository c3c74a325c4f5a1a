// Results that were written to a file, as a report wants them.
#pragma once

#include "apps/driftless/report/report_run.h"

namespace driftless::cli {

ReportRun read_run(const std::string& path);  // Stop if it is no HDF5 file of `driftless solve`

}  // namespace driftless::cli
