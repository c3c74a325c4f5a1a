#include "driftless/linalg/blocks.h"

#include <algorithm>
#include <numeric>

namespace driftless {

namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

// What hangs together by entries that are not zero; square or not.
std::vector<MatrixBlock> connected_parts(ConstMatrixView a) {
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
  std::vector<MatrixBlock> parts(2 * n);
  for (std::size_t k = 0; k < 2 * n; ++k)
    (k < n ? parts[root(k)].rows : parts[root(k)].columns).push_back(k < n ? k : k - n);
  std::erase_if(parts, [](const MatrixBlock& part) { return part.rows.empty() && part.columns.empty(); });
  return parts;
}

// One row for each column, by augmenting paths; rows of `row_of` are `none` where there is not one for each.
class Diagonal {
 public:
  explicit Diagonal(ConstMatrixView a) : a_(a), row_of_(a.cols, none) {}

  bool cover(const MatrixBlock& part) {
    return part.rows.size() == part.columns.size() && std::ranges::all_of(part.rows, [&](std::size_t i) {
             seen_.assign(a_.cols, 0);
             return place(i, part);
           });
  }
  std::size_t row_of(std::size_t column) const { return row_of_[column]; }

 private:
  bool place(std::size_t i, const MatrixBlock& part) {
    for (const std::size_t j : part.columns) {
      if (a_(i, j) == 0.0 || seen_[j]) continue;
      seen_[j] = 1;
      if (row_of_[j] != none && !place(row_of_[j], part)) continue;
      row_of_[j] = i;
      return true;
    }
    return false;
  }

  ConstMatrixView a_;
  std::vector<std::size_t> row_of_;
  std::vector<char> seen_;
};

// reaches(j, l): column j needs column l, since the row on its diagonal has an entry there, or by way of others.
Matrix reaches(ConstMatrixView a, const Diagonal& diagonal, const MatrixBlock& part) {
  Matrix reach(a.cols, a.cols);
  for (const std::size_t j : part.columns)
    for (const std::size_t l : part.columns) reach(j, l) = a(diagonal.row_of(j), l) != 0.0;
  for (const std::size_t k : part.columns)
    for (const std::size_t j : part.columns)
      if (reach(j, k) != 0.0)
        for (const std::size_t l : part.columns) reach(j, l) = std::max(reach(j, l), reach(k, l));
  return reach;
}

}  // namespace

// Columns that need each other belong to one block, with the rows on their diagonal; which diagonal does not matter.
std::vector<MatrixBlock> triangular_blocks(ConstMatrixView a) {
  std::vector<MatrixBlock> blocks;
  for (const MatrixBlock& part : connected_parts(a)) {
    Diagonal diagonal(a);
    if (!diagonal.cover(part)) continue;
    const Matrix reach = reaches(a, diagonal, part);
    std::vector<char> done(a.cols, 0);
    for (const std::size_t j : part.columns) {
      if (done[j]) continue;
      MatrixBlock block;
      for (const std::size_t l : part.columns) {
        if (l != j && (reach(j, l) == 0.0 || reach(l, j) == 0.0)) continue;
        done[l] = 1;
        block.columns.push_back(l);
        block.rows.push_back(diagonal.row_of(l));
      }
      std::ranges::sort(block.rows);
      blocks.push_back(std::move(block));
    }
  }
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

bool mark_entries(ConstMatrixView a, Matrix& marks) {
  bool any = false;
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < a.cols; ++j)
      if (a(i, j) != 0.0 && marks(i, j) == 0.0) {
        marks(i, j) = 1.0;
        any = true;
      }
  return any;
}

bool has_unmarked(ConstMatrixView a, const Matrix& marks) {
  for (std::size_t i = 0; i < a.rows; ++i)
    for (std::size_t j = 0; j < a.cols; ++j)
      if (a(i, j) != 0.0 && marks(i, j) == 0.0) return true;
  return false;
}

}  // namespace driftless
