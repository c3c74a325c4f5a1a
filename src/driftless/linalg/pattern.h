// Which entries of a matrix can differ from zero, column by column.
#pragma once

#include <cstdint>
#include <vector>

namespace driftless {

struct Pattern {
  std::size_t rows = 0, cols = 0;
  std::vector<std::uint32_t> begin = {0};  // of each column in `row`, and the end
  std::vector<std::uint32_t> row;          // ascending within a column

  std::size_t count() const { return row.size(); }
};

// From the columns' sets of rows, ascending each.
Pattern pattern_from_columns(std::size_t rows, const std::vector<std::vector<std::uint32_t>>& columns);

// Columns of one colour share no row, so that one sweep gives all of them: the colour of each column, greedily.
std::vector<std::uint32_t> colour_columns(const Pattern& pattern);

// An elimination order of small fill for a symmetric pattern (both triangles given): repeatedly a vertex of least
// degree.
std::vector<std::uint32_t> minimum_degree_order(const Pattern& pattern);

}  // namespace driftless
