// The table for people.
#include <fmt/format.h>

#include "apps/driftless/reproduce/counts_table.h"

namespace reproduce {

namespace {

constexpr const char* row_format = "{:>6} |{:>12}{:>12} |{:>12}{:>12}{:>11} |{:>12}{:>11}{:>9}\n";

constexpr const char* notes =
    "\n"
    "Function / Jacobian evaluations at rtol = atol = tol, without and with projection. Errors are those of u and v "
    "at\n"
    "the end against the reference, max |y - ref| / max(1, |ref|); classic's is that of the projected run.\n"
    "classic: RADAU5's strategies, order 5, index-3 form, velocity projection (2.8); the paper's own system.\n"
    "radau: the library's own, with its default options; the default method, automatic, begins explicit and counts "
    "other "
    "things.\nRatio: its function evaluations by the paper's with projection.\n";

std::string text(const Counts& counts) { return fmt::format("{}/{}", counts.evaluations, counts.jacobians); }
std::string text(double error) { return fmt::format("{:.1e}", error); }

double ratio(const TableRow& row) {
  return static_cast<double>(row.standard.counts.evaluations) / static_cast<double>(row.paper.with.evaluations);
}

}  // namespace

std::string as_text(const Table& table) {
  std::string out = fmt::format("{}: {}\n\n", table.experiment.item, table.experiment.title);
  out += fmt::format(row_format, "", "paper", "", "classic", "", "", "radau", "", "");
  out += fmt::format(row_format, "tol", "without", "with", "without", "with", "error", "counts", "error", "ratio");
  for (const TableRow& row : table.rows)
    out += fmt::format(row_format, fmt::format("{:.0e}", row.paper.tol), text(row.paper.without), text(row.paper.with),
                       text(row.without.counts), text(row.with.counts), text(row.with.error), text(row.standard.counts),
                       text(row.standard.error), fmt::format("{:.2f}", ratio(row)));
  return out + notes;
}

}  // namespace reproduce
