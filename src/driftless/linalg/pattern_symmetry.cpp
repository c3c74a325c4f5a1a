#include "driftless/linalg/pattern_symmetry.h"

#include <numeric>

namespace driftless {

bool is_nearly_symmetric(const Pattern& pattern, std::span<const int> rows, std::span<const int> columns) {
  constexpr std::size_t one_of = 10;  // may be alone
  const std::size_t n = pattern.cols;
  std::vector<std::uint32_t> position(n), mark(n, UINT32_MAX);
  for (std::uint32_t k = 0; k < n; ++k) position[static_cast<std::size_t>(rows[k])] = k;
  Pattern turned{n, n, std::vector<std::uint32_t>(n + 1, 0), std::vector<std::uint32_t>(pattern.count())};
  for (const std::uint32_t i : pattern.row) ++turned.begin[position[i] + 1];
  std::partial_sum(turned.begin.begin(), turned.begin.end(), turned.begin.begin());
  std::vector<std::uint32_t> next(turned.begin.begin(), turned.begin.end() - 1);
  const auto column = [&](std::size_t k) {
    const auto j = static_cast<std::size_t>(columns[k]);
    return std::span(pattern.row).subspan(pattern.begin[j], pattern.begin[j + 1] - pattern.begin[j]);
  };
  for (std::uint32_t k = 0; k < n; ++k)
    for (const std::uint32_t i : column(k)) turned.row[next[position[i]]++] = k;
  std::size_t alone = 0;
  for (std::uint32_t k = 0; k < n; ++k) {
    for (std::uint32_t e = turned.begin[k]; e < turned.begin[k + 1]; ++e) mark[turned.row[e]] = k;
    for (const std::uint32_t i : column(k)) alone += mark[position[i]] != k;
  }
  return one_of * alone <= pattern.count();
}

}  // namespace driftless
