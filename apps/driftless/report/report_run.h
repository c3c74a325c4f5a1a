// Everything a report tells about one run, whether it has just ended or comes out of a file.
#pragma once

#include "apps/driftless/model/run.h"
#include "apps/driftless/report/remark.h"
#include "apps/driftless/report/table.h"

namespace driftless::cli {

struct ReportRun {
  Json about;        // what is not a table: model, options, statistics, summary in words, ... (see report_run.cpp)
  Table series;      // time and the results
  Table steps;       // time, h, order, newton, and residuals of the constraint levels
  Table rejections;  // time, h, cause (0 error, 1 Newton, 2 projection)
  Table frames;      // time and coordinates of the drawn points; empty without a drawing
};

ReportRun report_of(const Model& model, const Plan& plan, const Run& run);

// Pictures have time to the right, also of a run that went back.
void put_in_order(Table& table);

// Sentences: did it work, how accurate is it, what to look at.
std::vector<Remark> summary_of(const Model& model, const Plan& plan, const Run& run);

}  // namespace driftless::cli
