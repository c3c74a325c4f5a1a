#include "bench/assembly.h"

#include <algorithm>
#include <queue>
#include <set>

namespace bench {

void Assembly::add(const Entries& entries, const std::vector<double>& values, const Placement& at) {
  if (entries.size() == 0) return;
  pieces_.push_back({values.data(), entries.size(), at.factor, at.times_cj});
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const int i = at.transposed ? entries.col[k] : entries.row[k], j = at.transposed ? entries.row[k] : entries.col[k];
    row_.push_back(at.row + i);
    col_.push_back(at.col + j);
  }
}

void Assembly::add_identity(int size, const Placement& at) {
  Entries diagonal;
  for (int i = 0; i < size; ++i) diagonal.add(i, i);
  ones_.emplace_back(static_cast<std::size_t>(size), 1.0);
  add(diagonal, ones_.back(), at);
}

void Assembly::store_dense(int first_row, int rows, int cols) {
  size_ = static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols);
  where_.clear();
  for (std::size_t k = 0; k < row_.size(); ++k)
    where_.push_back(row_[k] < first_row ? size_
                                         : static_cast<std::size_t>(row_[k] - first_row) +
                                               static_cast<std::size_t>(col_[k]) * static_cast<std::size_t>(rows));
}

void Assembly::store_band(const BandOrder& order, int diagonal, int height) {
  size_ = order.place.size() * static_cast<std::size_t>(height);
  where_.clear();
  for (std::size_t k = 0; k < row_.size(); ++k) {
    const int i = order.place[static_cast<std::size_t>(row_[k])], j = order.place[static_cast<std::size_t>(col_[k])];
    where_.push_back(static_cast<std::size_t>(i - j + diagonal) +
                     static_cast<std::size_t>(j) * static_cast<std::size_t>(height));
  }
}

void Assembly::store_sparse(int cols) {
  std::vector<std::pair<int, int>> all;
  for (std::size_t k = 0; k < row_.size(); ++k) all.emplace_back(col_[k], row_[k]);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  size_ = all.size();
  column_begin_.assign(static_cast<std::size_t>(cols) + 1, 0);
  row_index_.clear();
  for (const auto& [col, row] : all) {
    row_index_.push_back(row);
    ++column_begin_[static_cast<std::size_t>(col) + 1];
  }
  for (std::size_t j = 0; j + 1 < column_begin_.size(); ++j) column_begin_[j + 1] += column_begin_[j];
  where_.clear();
  for (std::size_t k = 0; k < row_.size(); ++k)
    where_.push_back(
        static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), std::pair(col_[k], row_[k])) - all.begin()));
}

void Assembly::fill(double cj, double* out) const {
  std::fill(out, out + size_, 0.0);
  const std::size_t* where = where_.data();
  for (const Piece& piece : pieces_) {
    const double factor = piece.times_cj ? cj * piece.factor : piece.factor;
    for (std::size_t k = 0; k < piece.count; ++k, ++where)
      if (*where < size_) out[*where] += factor * piece.values[k];
  }
}

BandOrder Assembly::band_order(int unknowns) const {
  const auto n = static_cast<std::size_t>(unknowns);
  std::vector<std::set<int>> neighbours(n);
  for (std::size_t k = 0; k < row_.size(); ++k)
    if (row_[k] != col_[k]) {
      neighbours[static_cast<std::size_t>(row_[k])].insert(col_[k]);
      neighbours[static_cast<std::size_t>(col_[k])].insert(row_[k]);
    }
  const auto degree = [&](int i) { return neighbours[static_cast<std::size_t>(i)].size(); };
  // Breadth first from `root`, neighbours of low degree first; appends to `order`.
  const auto visit = [&](int root, std::vector<bool>& seen, std::vector<int>& order) {
    std::queue<int> waiting;
    waiting.push(root);
    seen[static_cast<std::size_t>(root)] = true;
    while (!waiting.empty()) {
      const int i = waiting.front();
      waiting.pop();
      order.push_back(i);
      std::vector<int> next;
      for (const int j : neighbours[static_cast<std::size_t>(i)])
        if (!seen[static_cast<std::size_t>(j)]) next.push_back(j);
      std::sort(next.begin(), next.end(), [&](int a, int b) { return degree(a) < degree(b); });
      for (const int j : next) {
        seen[static_cast<std::size_t>(j)] = true;
        waiting.push(j);
      }
    }
  };
  std::vector<bool> seen(n, false);
  std::vector<int> order;
  for (int i = 0; i < unknowns; ++i) {
    if (seen[static_cast<std::size_t>(i)]) continue;
    int root = i;
    for (int pass = 0; pass < 2; ++pass) {  // the last one visited is far out
      std::vector<bool> trial_seen = seen;
      std::vector<int> trial;
      visit(root, trial_seen, trial);
      root = trial.back();
    }
    visit(root, seen, order);
  }
  std::reverse(order.begin(), order.end());
  BandOrder band{std::vector<int>(n)};
  for (std::size_t k = 0; k < n; ++k) band.place[static_cast<std::size_t>(order[k])] = static_cast<int>(k);
  for (std::size_t k = 0; k < row_.size(); ++k) {
    const int below = band.place[static_cast<std::size_t>(row_[k])] - band.place[static_cast<std::size_t>(col_[k])];
    band.lower = std::max(band.lower, below);
    band.upper = std::max(band.upper, -below);
  }
  return band;
}

}  // namespace bench
