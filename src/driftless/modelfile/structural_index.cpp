#include "driftless/modelfile/structural_index.h"

#include <algorithm>

namespace driftless {

namespace {

class Pantelides {
 public:
  Pantelides(std::size_t unknowns, const std::vector<std::vector<Occurrence>>& rows)
      : rows_(rows),
        c_(rows.size()),
        d_(unknowns),
        row_of_(unknowns, unmatched),
        row_seen_(rows.size()),
        unknown_seen_(unknowns) {
    for (const auto& row : rows)
      for (const Occurrence& o : row) d_[o.unknown] = std::max(d_[o.unknown], o.order);
  }

  StructuralIndex run(int most) {
    StructuralIndex result;
    for (std::uint32_t row = 0; row < rows_.size() && !result.too_high; ++row)
      while (!augment(row)) {
        if (seen_row_would_exceed(most)) {
          result.too_high = true;
          blame(result);
          break;
        }
        differentiate_seen();
      }
    result.differentiations = c_;
    result.orders = d_;
    const bool algebraic = std::ranges::find(d_, 0) != d_.end();
    result.index = (c_.empty() ? 0 : std::ranges::max(c_)) + (algebraic ? 1 : 0);
    return result;
  }

 private:
  // A path from the row to a free highest derivative, alternating between rows and the unknowns matched to them.
  bool augment(std::uint32_t first) {
    ++search_;
    path_.assign(1, {first, 0});
    row_seen_[first] = search_;
    while (!path_.empty()) {
      Frame& top = path_.back();
      if (top.next == rows_[top.row].size()) {
        path_.pop_back();
        continue;
      }
      const Occurrence o = rows_[top.row][top.next++];
      if (o.order + c_[top.row] != d_[o.unknown] || unknown_seen_[o.unknown] == search_) continue;
      unknown_seen_[o.unknown] = search_;
      const std::uint32_t owner = row_of_[o.unknown];
      if (owner == unmatched) {
        for (const Frame& frame : path_) row_of_[rows_[frame.row][frame.next - 1].unknown] = frame.row;
        return true;
      }
      row_seen_[owner] = search_;
      path_.push_back({owner, 0});
    }
    return false;
  }

  void differentiate_seen() {
    for (std::size_t row = 0; row < c_.size(); ++row) c_[row] += row_seen_[row] == search_;
    for (std::size_t unknown = 0; unknown < d_.size(); ++unknown) d_[unknown] += unknown_seen_[unknown] == search_;
  }

  bool seen_row_would_exceed(int most) const {
    for (std::size_t row = 0; row < c_.size(); ++row)
      if (row_seen_[row] == search_ && c_[row] == most) return true;
    return false;
  }

  void blame(StructuralIndex& result) const {
    for (std::size_t row = 0; row < c_.size(); ++row)
      if (row_seen_[row] == search_) result.blamed_rows.push_back(row);
    for (std::size_t unknown = 0; unknown < d_.size(); ++unknown)
      if (unknown_seen_[unknown] == search_) result.blamed_unknowns.push_back(unknown);
  }

  struct Frame {
    std::uint32_t row;
    std::size_t next;
  };
  const std::vector<std::vector<Occurrence>>& rows_;
  std::vector<int> c_, d_;
  std::vector<std::uint32_t> row_of_;
  std::vector<std::uint32_t> row_seen_, unknown_seen_;  // the last search that came by
  std::uint32_t search_ = 0;
  std::vector<Frame> path_;
};

}  // namespace

StructuralIndex structural_index(std::size_t unknowns, const std::vector<std::vector<Occurrence>>& rows, int most) {
  return Pantelides(unknowns, rows).run(most);
}

}  // namespace driftless
