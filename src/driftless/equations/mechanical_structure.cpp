#include "driftless/equations/mechanical_structure.h"

#include <map>
#include <set>

namespace driftless {

struct TracedEntries::Places {
  std::map<std::pair<std::uint32_t, std::uint32_t>, Tracer> by_column;  // then row
};

TracedEntries::TracedEntries() : places_(std::make_unique<Places>()) {}
TracedEntries::~TracedEntries() = default;

Tracer& TracedEntries::at(std::size_t i, std::size_t j) {
  return places_->by_column[{static_cast<std::uint32_t>(j), static_cast<std::uint32_t>(i)}];
}

Pattern traced_pattern(const TracedEntries& entries, std::size_t size) {
  std::vector<std::set<std::uint32_t>> rows(size);
  for (std::uint32_t j = 0; j < size; ++j) rows[j].insert(j);
  for (const auto& [place, x] : entries.places_->by_column)
    if (!is_constant(x) || x.value != 0.0) {
      rows[place.first].insert(place.second);
      rows[place.second].insert(place.first);
    }
  std::vector<std::vector<std::uint32_t>> columns;
  for (const auto& set : rows) columns.emplace_back(set.begin(), set.end());
  return pattern_from_columns(size, columns);
}

Pattern traced_dependence(std::span<const Tracer> results, std::size_t cols) {
  std::vector<std::vector<std::uint32_t>> columns(cols);
  for (std::uint32_t i = 0; i < results.size(); ++i)
    for (const std::uint32_t j : results[i].d.from)
      if (j < cols) columns[j].push_back(i);
  return pattern_from_columns(results.size(), columns);
}

std::vector<Tracer> traced_arguments(std::size_t count) {
  std::vector<Tracer> x(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    x[i].value = 0.5 + 0.1 * i;
    x[i].d.from = {i};
  }
  return x;
}

CompressedColumns compress(const Pattern& pattern) {
  CompressedColumns columns{.colour = colour_columns(pattern),
                            .row = pattern.row,
                            .entry_colour = {},
                            .row_begin = {0},
                            .column = {},
                            .colours = 0};
  std::vector<std::vector<std::uint32_t>> rows(pattern.rows);
  for (std::uint32_t j = 0; j < pattern.cols; ++j) {
    columns.colours = std::max(columns.colours, columns.colour[j] + 1);
    for (std::size_t k = pattern.begin[j]; k < pattern.begin[j + 1]; ++k) {
      columns.entry_colour.push_back(columns.colour[j]);
      rows[pattern.row[k]].push_back(j);
    }
  }
  for (const auto& row : rows) {
    columns.column.insert(columns.column.end(), row.begin(), row.end());
    columns.row_begin.push_back(static_cast<std::uint32_t>(columns.column.size()));
  }
  return columns;
}

}  // namespace driftless
