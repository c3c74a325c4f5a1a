// What a study found: its rows by run, and where they come from.
#pragma once

#include <map>

#include "apps/driftless/output/json.h"
#include "apps/driftless/study/study_row.h"
#include "driftless/simulate/recording.h"

namespace driftless::cli {

struct StudyResults {
  Json about = Json::object();                // program, model, options; what makes the study what it is
  std::vector<ResultColumn> columns = {};     // what was varied, then what is shown
  std::size_t varied = 0;                     // how many of them
  std::size_t total = 0;                      // runs of the whole study
  std::map<std::size_t, TableRow> rows = {};  // of this part of it

  std::vector<std::string> names(std::size_t begin, std::size_t end) const;
  std::size_t failed() const;
};

// Smallest, largest, mean, ... of what is shown, over the runs that went well.
struct ColumnStatistics {
  std::size_t count = 0;
  double mean = 0.0, deviation = 0.0;  // of the sample: divided by count - 1
  double smallest = 0.0, largest = 0.0;
  std::size_t smallest_run = 0, largest_run = 0;
  double low = 0.0, median = 0.0, high = 0.0;  // 5, 50 and 95 of 100 are below
};
ColumnStatistics statistics_of(const StudyResults& results, std::size_t column);

std::string study_text(const StudyResults& results, const std::vector<std::string>& written);
Json study_json(const StudyResults& results);

}  // namespace driftless::cli
