// Figures for programs: {"item", "runs": [{"problem", "tol", "projection": bool, "columns": {name: [values]}}]}.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/driftless/reproduce/figures.h"

namespace reproduce {

namespace {

std::string json(const Trace& trace) {
  std::string columns;
  for (const Column& column : trace.columns)
    columns +=
        fmt::format(R"({}"{}": [{:.12e}])", columns.empty() ? "" : ", ", column.name, fmt::join(column.values, ", "));
  return fmt::format(R"({{"problem": "{}", "tol": {:.0e}, "projection": {}, "columns": {{{}}}}})",
                     trace.experiment.problem, figure_tolerance, trace.projected, columns);
}

}  // namespace

std::string as_json(const std::vector<Trace>& traces) {
  std::string runs;
  for (const Trace& trace : traces) runs += (runs.empty() ? "" : ", ") + json(trace);
  return fmt::format(R"({{"item": "figures", "runs": [{}]}})"
                     "\n",
                     runs);
}

}  // namespace reproduce
