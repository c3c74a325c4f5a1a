#include "driftless/equations/tracing.h"

#include <algorithm>

#include "driftless/core/memory.h"
#include "driftless/linalg/linear_system.h"

namespace driftless {

// Hundreds of entries a row for 10^5 unknowns, beyond which factors would not fit. A few unknowns have short lists.
std::size_t traceable_bytes(std::size_t unknowns) {
  constexpr std::size_t few = 200;
  return unknowns <= few ? SIZE_MAX / 2 : memory_limit() / 32;
}

bool pattern_is_worth_tracing(std::size_t unknowns) { return wants_pattern(unknowns); }

Pattern traced_dependence(std::span<const Tracer> results, std::size_t cols) {
  Pattern pattern{.rows = results.size(), .cols = cols, .begin = std::vector<std::uint32_t>(cols + 1, 0), .row = {}};
  for (const Tracer& result : results)
    for (const std::uint32_t j : result.d.from)
      if (j < cols) ++pattern.begin[j + 1];
  for (std::size_t j = 0; j < cols; ++j) pattern.begin[j + 1] += pattern.begin[j];
  std::vector<std::uint32_t> next(pattern.begin.begin(), pattern.begin.end() - 1);
  pattern.row.resize(pattern.begin.back());
  for (std::uint32_t i = 0; i < results.size(); ++i)
    for (const std::uint32_t j : results[i].d.from)
      if (j < cols) pattern.row[next[j]++] = i;
  return pattern;
}

bool traced_constant(std::span<const Tracer> results, std::size_t first, std::size_t count) {
  const auto meant = [&](std::uint32_t j) { return j >= first && j < first + count; };
  return std::ranges::none_of(results, [&](const Tracer& x) { return std::ranges::any_of(x.d.curved, meant); });
}

std::vector<Tracer> traced_arguments(std::size_t count) {
  std::vector<Tracer> x(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    x[i].value = 0.5 + 0.1 * i;
    x[i].d.from = {i};
  }
  return x;
}

CompressedColumns compress(const Pattern& pattern, std::size_t held) {
  CompressedColumns columns{.colour = colour_columns(pattern),
                            .row = pattern.row,
                            .entry_colour = {},
                            .row_begin = {0},
                            .column = {},
                            .colours = 0};
  columns.row_begin.assign(pattern.rows + 1, 0);
  for (const std::uint32_t i : pattern.row) ++columns.row_begin[i + 1];
  for (std::size_t i = 0; i < pattern.rows; ++i) columns.row_begin[i + 1] += columns.row_begin[i];
  std::vector<std::uint32_t> next(columns.row_begin.begin(), columns.row_begin.end() - 1);
  columns.column.resize(pattern.count());
  for (std::uint32_t j = 0; j < pattern.cols; ++j) {
    columns.colours = std::max(columns.colours, columns.colour[j] + 1);
    for (std::size_t k = pattern.begin[j]; k < pattern.begin[j + 1]; ++k) {
      columns.entry_colour.push_back(columns.colour[j]);
      columns.column[next[pattern.row[k]]++] = j;
    }
  }
  columns.colour.insert(columns.colour.begin(), held, UINT32_MAX);
  return columns;
}

}  // namespace driftless
