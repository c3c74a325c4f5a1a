#include "driftless/linalg/pattern.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>

namespace driftless {

Pattern pattern_from_columns(std::size_t rows, const std::vector<std::vector<std::uint32_t>>& columns) {
  Pattern pattern{.rows = rows, .cols = columns.size(), .begin = {0}, .row = {}};
  for (const auto& column : columns) {
    pattern.row.insert(pattern.row.end(), column.begin(), column.end());
    pattern.begin.push_back(static_cast<std::uint32_t>(pattern.row.size()));
  }
  return pattern;
}

Pattern full_pattern(std::size_t rows, std::size_t cols) {
  Pattern pattern{.rows = rows,
                  .cols = cols,
                  .begin = std::vector<std::uint32_t>(cols + 1),
                  .row = std::vector<std::uint32_t>(rows * cols)};
  for (std::size_t j = 0; j < cols; ++j) {
    const auto column = pattern.row.begin() + static_cast<std::ptrdiff_t>(j * rows);
    std::iota(column, column + static_cast<std::ptrdiff_t>(rows), 0U);
    pattern.begin[j + 1] = static_cast<std::uint32_t>((j + 1) * rows);
  }
  return pattern;
}

Pattern union_of(const Pattern& a, const Pattern& b) {
  Pattern both{.rows = a.rows, .cols = a.cols, .begin = {0}, .row = {}};
  both.row.reserve(std::max(a.count(), b.count()));
  for (std::size_t j = 0; j < a.cols; ++j) {
    std::set_union(a.row.begin() + a.begin[j], a.row.begin() + a.begin[j + 1], b.row.begin() + b.begin[j],
                   b.row.begin() + b.begin[j + 1], std::back_inserter(both.row));
    both.begin.push_back(static_cast<std::uint32_t>(both.row.size()));
  }
  return both;
}

std::vector<std::uint32_t> places_in(const Pattern& whole, const Pattern& part) {
  std::vector<std::uint32_t> places(part.count());
  for (std::size_t j = 0; j < part.cols; ++j) {
    std::uint32_t at = whole.begin[j];
    for (std::size_t k = part.begin[j]; k < part.begin[j + 1]; ++k) {
      while (whole.row[at] != part.row[k]) ++at;
      places[k] = at;
    }
  }
  return places;
}

std::vector<std::uint32_t> colour_columns(const Pattern& pattern) {
  std::vector<std::vector<std::uint32_t>> colours_in_row(pattern.rows);
  std::vector<std::uint32_t> colour(pattern.cols, 0);
  std::vector<std::size_t> taken_by(pattern.cols + 1, pattern.cols);  // the last column that could not have this colour
  for (std::size_t j = 0; j < pattern.cols; ++j) {
    for (std::size_t k = pattern.begin[j]; k < pattern.begin[j + 1]; ++k)
      for (const std::uint32_t used : colours_in_row[pattern.row[k]]) taken_by[used] = j;
    while (taken_by[colour[j]] == j) ++colour[j];
    for (std::size_t k = pattern.begin[j]; k < pattern.begin[j + 1]; ++k)
      colours_in_row[pattern.row[k]].push_back(colour[j]);
  }
  return colour;
}

std::vector<std::uint32_t> minimum_degree_order(const Pattern& pattern) {
  const std::size_t n = pattern.cols;
  std::vector<std::set<std::uint32_t>> neighbours(n);
  for (std::uint32_t j = 0; j < n; ++j)
    for (std::size_t k = pattern.begin[j]; k < pattern.begin[j + 1]; ++k)
      if (pattern.row[k] != j) neighbours[j].insert(pattern.row[k]);
  std::set<std::pair<std::size_t, std::uint32_t>> by_degree;
  for (std::uint32_t j = 0; j < n; ++j) by_degree.insert({neighbours[j].size(), j});
  std::vector<std::uint32_t> order;
  while (!by_degree.empty()) {
    const std::uint32_t vertex = by_degree.begin()->second;
    by_degree.erase(by_degree.begin());
    order.push_back(vertex);
    for (const std::uint32_t a : neighbours[vertex]) {
      by_degree.erase({neighbours[a].size(), a});
      neighbours[a].erase(vertex);
      for (const std::uint32_t b : neighbours[vertex])
        if (a != b) neighbours[a].insert(b);
      by_degree.insert({neighbours[a].size(), a});
    }
    neighbours[vertex].clear();
  }
  return order;
}

}  // namespace driftless
