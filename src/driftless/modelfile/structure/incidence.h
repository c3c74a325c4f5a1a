// Which row contains which column: matchings, the parts that have too many rows or too few, and strong components.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace driftless {

struct Incidence {
  std::size_t columns = 0;
  std::vector<std::vector<std::uint32_t>> rows;  // the columns of each row
};

inline constexpr std::uint32_t unmatched = UINT32_MAX;

struct Matching {
  std::vector<std::uint32_t> column_of_row, row_of_column;
  std::size_t size = 0;
};

// As many pairs (row, column) as possible, no row or column twice (Hopcroft and Karp). Where `start` is given its pairs
// are a beginning: rows and columns matched in it stay matched, perhaps to another partner.
Matching maximum_matching(const Incidence& incidence, const Matching* start = nullptr);

// Dulmage and Mendelsohn: rows that are too many for their columns, and columns that are too many for their rows. All
// lists ascend; all are empty if the matching is perfect.
struct CoarseParts {
  std::vector<std::size_t> over_rows, over_columns, under_rows, under_columns;
};
CoarseParts coarse_parts(const Incidence& incidence, const Matching& matching);

// The strong components of a directed graph, given by its successors; a component comes after those that it leads to.
std::vector<std::vector<std::uint32_t>> strong_components(const std::vector<std::vector<std::uint32_t>>& successors);

// The pairs (row, column) that occur in some maximum matching: of columns that are too many for their rows, of rows
// that are too many for their columns, and inside a strong component of the rest. In every other pair the row has other
// columns to determine, and the column another row that determines it.
Incidence possible_pairs(const Incidence& incidence);

}  // namespace driftless
