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
  // In column order, the values of a full pattern are a dense matrix.
  bool is_full() const { return count() == rows * cols; }
  friend bool operator==(const Pattern&, const Pattern&) = default;
};

Pattern full_pattern(std::size_t rows, std::size_t cols);

// From the columns' sets of rows, ascending each.
Pattern pattern_from_columns(std::size_t rows, const std::vector<std::vector<std::uint32_t>>& columns);

// What is in one of them, or in both; of the same size.
Pattern union_of(const Pattern& a, const Pattern& b);
// Where the entries of `part` are in `whole`, which has all of them.
std::vector<std::uint32_t> places_in(const Pattern& whole, const Pattern& part);

// Columns of one colour share no row, so that one sweep gives all of them: the colour of each column, greedily.
std::vector<std::uint32_t> colour_columns(const Pattern& pattern);

// An elimination order of small fill for a symmetric pattern (both triangles given): repeatedly a vertex of least
// degree.
std::vector<std::uint32_t> minimum_degree_order(const Pattern& pattern);

}  // namespace driftless
