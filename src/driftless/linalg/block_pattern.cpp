#include "driftless/linalg/block_pattern.h"

#include <algorithm>
#include <numeric>

namespace driftless {

Pattern columns_of(const Pattern& pattern, std::size_t first, std::size_t count) {
  const std::uint32_t begin = pattern.begin[first], end = pattern.begin[first + count];
  Pattern part{.rows = pattern.rows,
               .cols = count,
               .begin = {},
               .row = {pattern.row.begin() + begin, pattern.row.begin() + end}};
  part.begin.reserve(count + 1);
  for (std::size_t j = first; j <= first + count; ++j) part.begin.push_back(pattern.begin[j] - begin);
  return part;
}

Pattern diagonal_pattern(std::size_t n) {
  Pattern pattern{
      .rows = n, .cols = n, .begin = std::vector<std::uint32_t>(n + 1), .row = std::vector<std::uint32_t>(n)};
  std::iota(pattern.begin.begin(), pattern.begin.end(), 0u);
  std::iota(pattern.row.begin(), pattern.row.end(), 0u);
  return pattern;
}

TransposedPattern transposed_pattern(const Pattern& pattern) {
  TransposedPattern result{.pattern = {.rows = pattern.cols,
                                       .cols = pattern.rows,
                                       .begin = std::vector<std::uint32_t>(pattern.rows + 1, 0),
                                       .row = std::vector<std::uint32_t>(pattern.count())},
                           .from = std::vector<std::uint32_t>(pattern.count())};
  auto& [rows, cols, begin, row] = result.pattern;
  for (const std::uint32_t i : pattern.row) ++begin[i + 1];
  for (std::size_t i = 0; i < cols; ++i) begin[i + 1] += begin[i];
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  for (std::uint32_t j = 0; j < rows; ++j)
    for (std::uint32_t k = pattern.begin[j]; k < pattern.begin[j + 1]; ++k) {
      const std::uint32_t at = next[pattern.row[k]]++;
      row[at] = j;
      result.from[at] = k;
    }
  return result;
}

BlockPattern block_pattern(std::size_t rows, std::size_t cols, std::span<const PlacedBlock> blocks) {
  BlockPattern result{.pattern = {.rows = rows, .cols = cols, .begin = {0}, .row = {}}, .places = {}};
  Pattern& all = result.pattern;
  all.begin.reserve(cols + 1);
  result.places.reserve(blocks.size());
  std::size_t most = 0;
  for (const PlacedBlock& block : blocks) {
    result.places.emplace_back(block.pattern.count());
    most += block.pattern.count();
  }
  all.row.reserve(std::min(most, rows * cols));
  for (std::size_t j = 0; j < cols; ++j) {
    const auto column_begin = static_cast<std::ptrdiff_t>(all.row.size());
    const auto each = [&](auto use) {
      for (std::size_t b = 0; b < blocks.size(); ++b) {
        const auto& [pattern, row, column] = blocks[b];
        if (j < column || j >= column + pattern.cols) continue;
        for (std::size_t k = pattern.begin[j - column]; k < pattern.begin[j - column + 1]; ++k)
          use(b, k, static_cast<std::uint32_t>(row + pattern.row[k]));
      }
    };
    each([&](std::size_t, std::size_t, std::uint32_t row) { all.row.push_back(row); });
    std::sort(all.row.begin() + column_begin, all.row.end());
    all.row.erase(std::unique(all.row.begin() + column_begin, all.row.end()), all.row.end());
    each([&](std::size_t b, std::size_t k, std::uint32_t row) {
      const auto found = std::lower_bound(all.row.begin() + column_begin, all.row.end(), row);
      result.places[b][k] = static_cast<std::uint32_t>(found - all.row.begin());
    });
    all.begin.push_back(static_cast<std::uint32_t>(all.row.size()));
  }
  return result;
}

BlockPattern blocks_in_full(std::size_t rows, std::size_t cols, std::span<const PlacedBlock> blocks) {
  BlockPattern result{.pattern = full_pattern(rows, cols), .places = {}};
  result.places.reserve(blocks.size());
  for (const auto& [pattern, row, column] : blocks) {
    auto& places = result.places.emplace_back(pattern.count());
    for (std::size_t j = 0, k = 0; j < pattern.cols; ++j)
      for (; k < pattern.begin[j + 1]; ++k)
        places[k] = static_cast<std::uint32_t>((column + j) * rows + row + pattern.row[k]);
  }
  return result;
}

}  // namespace driftless
