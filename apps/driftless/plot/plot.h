// Static pictures of runs, for papers and for terminals without a browser.
#pragma once

#include "apps/driftless/report/report_run.h"

namespace driftless::cli {

// What a picture shows: all (results, constraints, step size), results, constraints, steps, phase, motion.
inline const std::vector<std::string> plot_views = {"all", "results", "constraints", "steps", "phase", "motion"};

// A picture of the runs, as the ending of `path` asks for. Stop if they have nothing of what is asked for.
std::string plot_picture(const std::string& path, const std::string& view, const std::vector<ReportRun>& runs);

// What tells several runs apart, one label each; empty for a single one.
std::vector<std::string> run_labels(const std::vector<ReportRun>& runs);

}  // namespace driftless::cli
