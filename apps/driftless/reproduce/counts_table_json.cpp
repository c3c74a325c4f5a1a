// The table for programs.
#include <fmt/format.h>

#include "apps/driftless/reproduce/counts_table.h"

namespace reproduce {

namespace {

std::string json(const Counts& counts) { return fmt::format("[{}, {}]", counts.evaluations, counts.jacobians); }

std::string json(const TableRow& row) {
  return fmt::format(
      R"({{"tol": {:.0e}, "paper": {{"without": {}, "with": {}}}, )"
      R"("classic": {{"without": {}, "with": {}, "error_with": {:.3e}}}, "radau": {{"counts": {}, "error": {:.3e}}}}})",
      row.paper.tol, json(row.paper.without), json(row.paper.with), json(row.without.counts), json(row.with.counts),
      row.with.error, json(row.standard.counts), row.standard.error);
}

}  // namespace

std::string as_json(const Table& table) {
  std::string rows;
  for (const TableRow& row : table.rows) rows += (rows.empty() ? "" : ", ") + json(row);
  return fmt::format(R"({{"item": "{}", "rows": [{}]}})"
                     "\n",
                     table.experiment.item, rows);
}

}  // namespace reproduce
