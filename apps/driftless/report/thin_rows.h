// Level of detail: fewer rows of a table that draw the same picture.
#pragma once

#include "apps/driftless/report/table.h"

namespace driftless::cli {

// Rows to keep, in order: of every one of many equal pieces of the table its first row, and those in which some column
// is least or largest. As many pieces as `most_values` numbers allow; all rows if they fit. Rows stay what they are.
std::vector<std::size_t> rows_that_show(const Table& table, std::size_t most_values);

// Evenly spaced rows, first and last included, at most `most_rows`.
std::vector<std::size_t> rows_evenly(std::size_t rows, std::size_t most_rows);

}  // namespace driftless::cli
