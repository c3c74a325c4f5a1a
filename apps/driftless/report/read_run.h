// Results that were written to a file, as a report wants them.
#pragma once

#include "apps/driftless/report/report_run.h"

namespace driftless::cli {

// Stop if it is no HDF5 file of `driftless solve`, or a damaged one. It is read in a process of its own, with limits of
// time and memory, and what came out of it fits together.
ReportRun read_run(const std::string& path);

std::string not_ours(const std::string& path);  // the sentence about a file that lacks something

}  // namespace driftless::cli
