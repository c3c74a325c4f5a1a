// The rows of a study as text: "run", what was varied, what is shown, how the run ended and why.
#pragma once

#include <optional>

#include "apps/driftless/program/exit_codes.h"
#include "driftless/study/sweep.h"

namespace driftless::cli {

struct TableRow {
  std::size_t run = 0;
  Vector values = {};       // what was varied, then what is shown; NaN where there is none
  std::string status = {};  // "ok", or the name of an exit code
  std::string reason = {};  // one line

  bool ok() const { return status == explanation_of(ExitCode::ok).name; }
};

TableRow table_row(const StudyRow& row);

// A line of CSV with its end; numbers read back to the same bits.
std::string title_line(const std::vector<std::string>& varied, const std::vector<std::string>& shown);
std::string text_of(const TableRow& row);
// None if the line is not such a row with this many numbers.
std::optional<TableRow> row_in(std::string_view line, std::size_t numbers);

}  // namespace driftless::cli
