#include "driftless/equations/mechanical_structure.h"

#include <fmt/format.h>

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

}  // namespace driftless
