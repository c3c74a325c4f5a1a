#include "driftless/linalg/blocks.h"

#include <algorithm>
#include <numeric>

namespace driftless {

std::vector<MatrixBlock> diagonal_blocks(ConstMatrixView a) {
  const std::size_t n = a.rows;
  std::vector<std::size_t> group(2 * n);  // rows, then columns
  std::iota(group.begin(), group.end(), std::size_t{0});
  const auto root = [&](std::size_t k) {
    while (group[k] != k) k = group[k] = group[group[k]];
    return k;
  };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      if (a(i, j) != 0.0) group[root(n + j)] = root(i);
  std::vector<MatrixBlock> members(2 * n), blocks;
  for (std::size_t k = 0; k < 2 * n; ++k)
    (k < n ? members[root(k)].rows : members[root(k)].columns).push_back(k < n ? k : k - n);
  for (MatrixBlock& block : members)
    if (!block.rows.empty() && block.rows.size() == block.columns.size()) blocks.push_back(std::move(block));
  std::ranges::sort(blocks, {}, [](const MatrixBlock& block) { return block.rows.front(); });
  return blocks;
}

Matrix copy_of(ConstMatrixView a, const MatrixBlock& block) {
  const std::size_t n = block.rows.size();
  Matrix copy(n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) copy(i, j) = a(block.rows[i], block.columns[j]);
  return copy;
}

bool stands_alone(ConstMatrixView a, const MatrixBlock& block) {
  for (const std::size_t i : block.rows)
    for (std::size_t j = 0; j < a.cols; ++j)
      if (a(i, j) != 0.0 && !std::ranges::binary_search(block.columns, j)) return false;
  for (const std::size_t j : block.columns)
    for (std::size_t i = 0; i < a.rows; ++i)
      if (a(i, j) != 0.0 && !std::ranges::binary_search(block.rows, i)) return false;
  return true;
}

}  // namespace driftless
