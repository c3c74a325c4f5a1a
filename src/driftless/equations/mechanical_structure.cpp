#include "driftless/equations/mechanical_structure.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "driftless/core/failure.h"

namespace driftless {

struct TracedEntries::Places {
  std::map<std::pair<std::uint32_t, std::uint32_t>, Tracer> by_column;  // then row
};

TracedEntries::TracedEntries() : places_(std::make_unique<Places>()) {}
TracedEntries::~TracedEntries() = default;

Tracer& TracedEntries::at(std::size_t i, std::size_t j) {
  return places_->by_column[{static_cast<std::uint32_t>(j), static_cast<std::uint32_t>(i)}];
}

void refuse_index(std::size_t i, std::size_t j, std::size_t size) {
  throw Misuse(fmt::format("entry ({}, {}) of a matrix of size {} does not exist", i, j, size));
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

namespace {

// The arguments that meet in a constraint, and where each two of them are in their pattern.
Pattern pairs_of(const CompressedColumns& constraint, std::vector<std::uint32_t>& place) {
  const std::size_t n = constraint.colour.size(), rows = constraint.row_begin.size() - 1;
  std::vector<std::vector<std::uint32_t>> columns(n);
  const auto each_pair = [&](auto use) {
    for (std::size_t i = 0; i < rows; ++i)
      for (std::uint32_t a = constraint.row_begin[i]; a < constraint.row_begin[i + 1]; ++a)
        for (std::uint32_t b = constraint.row_begin[i]; b < constraint.row_begin[i + 1]; ++b)
          use(constraint.column[a], constraint.column[b]);
  };
  each_pair([&](std::uint32_t row, std::uint32_t column) { columns[column].push_back(row); });
  for (auto& column : columns) {
    std::ranges::sort(column);
    column.erase(std::unique(column.begin(), column.end()), column.end());
  }
  Pattern pattern = pattern_from_columns(n, columns);
  each_pair([&](std::uint32_t row, std::uint32_t column) {
    const auto first = pattern.row.begin() + pattern.begin[column];
    const auto found = std::lower_bound(first, pattern.row.begin() + pattern.begin[column + 1], row);
    place.push_back(static_cast<std::uint32_t>(found - pattern.row.begin()));
  });
  return pattern;
}

}  // namespace

TracedDerivatives traced_derivatives(Pattern force, Pattern states, Pattern momentum,
                                     const CompressedColumns& constraint) {
  TracedDerivatives found{.patterns = {},
                          .force = compress(force),
                          .states = compress(states),
                          .momentum = compress(momentum),
                          .reaction_place = {}};
  found.patterns.reaction = pairs_of(constraint, found.reaction_place);
  found.patterns.force = std::move(force);
  found.patterns.states = std::move(states);
  found.patterns.momentum = std::move(momentum);
  return found;
}

}  // namespace driftless
