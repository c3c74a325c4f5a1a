#include "driftless/linalg/sparse_lexicographic.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "driftless/core/stop.h"
#include "driftless/linalg/fill_order.h"
#include "driftless/linalg/lexicographic.h"
#include "driftless/linalg/sparse_lu.h"

namespace driftless {

namespace {

constexpr std::size_t largest_dense = 64;  // unknowns of a group
constexpr double weight_ratio = 1e-5;
constexpr double row_regularisation = 1e-13;   // what keeps a_0 with dependent rows solvable
constexpr int most_refinements = 30;           // at most, of each level
constexpr double smallest_refinement = 1e-13;  // steps that are so small, relative to x, are the last
constexpr double open_share = 1e-6;

// Unknowns that rows connect, with these rows, all numbered anew.
struct Group {
  std::vector<std::uint32_t> unknowns;
  std::vector<SparseRows> levels;
};

std::vector<Group> groups_of(std::size_t unknowns, std::span<const SparseRows> levels) {
  std::vector<std::uint32_t> parent(unknowns), group(unknowns), place(unknowns);
  std::iota(parent.begin(), parent.end(), 0U);
  const auto find = [&](std::uint32_t k) {
    while (parent[k] != k) k = parent[k] = parent[parent[k]];
    return k;
  };
  constexpr std::uint32_t none = UINT32_MAX;
  std::vector<std::vector<std::uint32_t>> first(levels.size());  // an unknown of each row
  for (std::size_t l = 0; l < levels.size(); ++l) {
    first[l].assign(levels[l].right.size(), none);
    for (const auto& [row, column, value] : levels[l].entries) {
      if (first[l][row] == none) first[l][row] = column;
      parent[find(column)] = find(first[l][row]);
    }
  }
  std::vector<Group> groups;
  std::fill(group.begin(), group.end(), none);
  for (std::uint32_t k = 0; k < unknowns; ++k) {
    std::uint32_t& number = group[find(k)];
    if (number == none) {
      number = static_cast<std::uint32_t>(groups.size());
      groups.emplace_back().levels.resize(levels.size());
    }
    place[k] = static_cast<std::uint32_t>(groups[number].unknowns.size());
    groups[number].unknowns.push_back(k);
  }
  for (std::size_t l = 0; l < levels.size(); ++l) {
    std::vector<std::uint32_t> row_place(first[l].size());
    for (std::size_t row = 0; row < row_place.size(); ++row) {
      if (first[l][row] == none) continue;
      Vector& right = groups[group[find(first[l][row])]].levels[l].right;
      row_place[row] = static_cast<std::uint32_t>(right.size());
      right.push_back(levels[l].right[row]);
    }
    for (const auto& [row, column, value] : levels[l].entries)
      groups[group[find(column)]].levels[l].entries.push_back({row_place[row], place[column], value});
  }
  return groups;
}

Lexicographic dense_group(const Group& group) {
  Lexicographic result(group.unknowns.size());
  for (const SparseRows& level : group.levels) {
    if (level.right.empty()) continue;
    Matrix a(level.right.size(), group.unknowns.size());
    for (const auto& [row, column, value] : level.entries) a(row, column) += value;
    result.add(a, level.right);
  }
  return result;
}

// A row of the first level may have any factor. With entries of at most 1 none of them is taken for a pivot in the
// place of a number of D that is 1.
Group with_rows_of_size_one(Group group) {
  SparseRows& first = group.levels[0];
  Vector size(first.right.size(), 0.0);
  for (const auto& [row, column, value] : first.entries) size[row] = std::max(size[row], std::abs(value));
  for (double& one : size) one = one > 0.0 ? one : 1.0;
  for (auto& [row, column, value] : first.entries) value /= size[row];
  for (std::size_t row = 0; row < size.size(); ++row) first.right[row] /= size[row];
  return group;
}

// [D A_0^T A^T; A_0 -e; A -1/w]: D has the rows with one entry, A the others.
class Weighted {
 public:
  explicit Weighted(Group group)
      : own_(with_rows_of_size_one(std::move(group))),
        levels_(own_.levels),
        unknowns_(own_.unknowns.size()),
        size_(unknowns_),
        x_(unknowns_, 0.0) {
    weigh();
    for (const SparseRows& level : levels_) {
      auto& count = entries_in_row_.emplace_back(level.right.size(), 0);
      for (const auto& entry : level.entries) ++count[entry.row];
      auto& place = place_.emplace_back(level.right.size(), 0);
      for (std::size_t row = 0; row < count.size(); ++row)
        if (is_apart(place_.size() - 1, row)) place[row] = static_cast<std::uint32_t>(size_++);
    }
    assemble();
  }

  // The unknowns come first: the place of a_0 on the diagonal is empty until they are gone, and a pivot from elsewhere
  // would fill the matrix. All levels count, then those before the last, and so on, each time for what is left of them.
  Vector solution() {
    SparseLu lu(pattern_, diagonal_saddle_order(pattern_, unknowns_), SparsePivots::by_blocks_if_faster);
    if (!lu.factorise(values_)) return x_;
    improve(lu, levels_.size());
    for (std::size_t count = levels_.size(); count-- > 1;) {
      const bool has_rows = std::ranges::any_of(levels_.subspan(count), [](const auto& l) { return !l.right.empty(); });
      for (int k = 0; k < most_refinements && has_rows; ++k)
        if (!(improve(lu, count) > smallest_refinement)) break;
    }
    return x_;
  }

 private:
  bool is_apart(std::size_t level, std::size_t row) const { return level == 0 || entries_in_row_[level][row] != 1; }
  double weight(std::size_t level) const { return weight_[level]; }

  // 1 for the first level that has rows, behind that of a_0, and so on: were all of D tiny, pivots would be looked for
  // elsewhere, and fill the matrix.
  void weigh() {
    double next = 1.0;
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      weight_.push_back(next);
      if (l > 0 && !levels_[l].right.empty()) next *= weight_ratio;
    }
    weight_.push_back(next);  // of what no level asks for
  }

  void assemble() {
    struct Value {
      std::uint32_t row;
      double value;
    };
    std::vector<std::vector<Value>> columns(size_);
    for (std::uint32_t k = 0; k < unknowns_; ++k) columns[k].push_back({k, 1e-3 * weight(levels_.size())});
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      for (const auto& [row, column, value] : levels_[l].entries) {
        if (!is_apart(l, row)) {
          columns[column][0].value += weight(l) * value * value;
          continue;
        }
        columns[column].push_back({place_[l][row], value});
        columns[place_[l][row]].push_back({column, value});
      }
      for (std::size_t row = 0; row < place_[l].size(); ++row)
        if (is_apart(l, row))
          columns[place_[l][row]].push_back({place_[l][row], l == 0 ? -row_regularisation : -1.0 / weight(l)});
    }
    std::vector<std::vector<std::uint32_t>> rows(size_);
    for (std::size_t k = 0; k < size_; ++k) {
      std::ranges::sort(columns[k], {}, &Value::row);
      for (const auto& [row, value] : columns[k]) {
        if (!rows[k].empty() && rows[k].back() == row) {
          values_.back() += value;
          continue;
        }
        rows[k].push_back(row);
        values_.push_back(value);
      }
    }
    pattern_ = pattern_from_columns(size_, rows);
  }

  // A step for what is left of the first `count` levels; the others ask that x stays. Its size, relative to x.
  double improve(SparseLu& lu, std::size_t count) {
    check_stop();
    Vector right(size_, 0.0);
    for (std::size_t l = 0; l < count; ++l) {
      Vector left = levels_[l].right;
      for (const auto& [row, column, value] : levels_[l].entries) left[row] -= value * x_[column];
      for (std::size_t row = 0; row < left.size(); ++row)
        if (is_apart(l, row)) right[place_[l][row]] = left[row];
      for (const auto& [row, column, value] : levels_[l].entries)
        if (!is_apart(l, row)) right[column] += weight(l) * value * left[row];
    }
    lu.solve(right);
    double step = 0.0, size = 0.0;
    for (std::size_t k = 0; k < unknowns_; ++k) {
      x_[k] += right[k];
      step = std::max(step, std::abs(right[k]));
      size = std::max(size, std::abs(x_[k]));
    }
    return size > 0.0 ? step / size : 0.0;
  }

  const Group own_;
  const std::span<const SparseRows> levels_;
  std::size_t unknowns_, size_;
  std::vector<std::vector<std::uint32_t>> entries_in_row_, place_;  // by level and row
  Vector weight_;                                                   // by level
  Pattern pattern_;
  Vector values_, x_;
};

}  // namespace

Vector lexicographic_solution(std::size_t unknowns, std::span<const SparseRows> levels) {
  Vector x(unknowns, 0.0);
  for (Group& group : groups_of(unknowns, levels)) {
    const std::vector<std::uint32_t> members = group.unknowns;
    const Vector own =
        members.size() <= largest_dense ? dense_group(group).solution() : Weighted(std::move(group)).solution();
    for (std::size_t k = 0; k < own.size(); ++k) x[members[k]] = own[k];
  }
  return x;
}

// In a large group: what is left of a random vector after the levels, all of which ask for 0.
std::vector<std::size_t> open_unknowns(std::size_t unknowns, std::span<const SparseRows> levels) {
  std::vector<std::size_t> result;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> size(0.5, 1.0);
  for (Group& group : groups_of(unknowns, levels)) {
    const std::size_t n = group.unknowns.size();
    std::vector<char> is_open(n, 0);
    if (n <= largest_dense) {
      const Lexicographic known = dense_group(group);
      const Matrix& open = known.open();
      for (std::size_t k = 0; k < n; ++k)
        for (std::size_t c = 0; c < open.cols(); ++c) is_open[k] |= std::abs(open(k, c)) > open_share;
    } else {
      for (SparseRows& level : group.levels) std::ranges::fill(level.right, 0.0);
      SparseRows& last = group.levels.emplace_back();
      for (std::uint32_t k = 0; k < n; ++k) {
        last.entries.push_back({k, k, 1.0});
        last.right.push_back(size(random));
      }
      const Vector left = Weighted(group).solution();
      for (std::size_t k = 0; k < n; ++k) is_open[k] = std::abs(left[k]) > open_share;
    }
    for (std::size_t k = 0; k < n; ++k)
      if (is_open[k]) result.push_back(group.unknowns[k]);
  }
  std::ranges::sort(result);
  return result;
}

}  // namespace driftless
