#include "driftless/modelfile/structure/structural_index.h"

#include <algorithm>

namespace driftless {

namespace {

class Pantelides {
 public:
  Pantelides(std::size_t unknowns, const std::vector<std::vector<Occurrence>>& rows)
      : rows_(rows), c_(rows.size()), d_(unknowns), row_of_(unknowns, unmatched), unknown_seen_(unknowns) {
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
  bool is_highest(std::uint32_t row, const Occurrence& o) const { return o.order + c_[row] == d_[o.unknown]; }

  // A path from the row to a free highest derivative, alternating between rows and the unknowns matched to them. Free
  // ones are looked for first: otherwise a long chain would be walked from end to end for each of its links.
  bool augment(std::uint32_t first) {
    ++search_;
    rows_seen_.clear();
    unknowns_seen_.clear();
    path_.clear();
    if (enter(first)) return true;
    while (!path_.empty()) {
      Frame& top = path_.back();
      if (top.next == rows_[top.row].size()) {
        path_.pop_back();
        continue;
      }
      const Occurrence o = rows_[top.row][top.next++];
      if (!is_highest(top.row, o) || unknown_seen_[o.unknown] == search_) continue;
      unknown_seen_[o.unknown] = search_;
      unknowns_seen_.push_back(o.unknown);
      if (enter(row_of_[o.unknown])) return true;
    }
    return false;
  }

  // True if the row has a free unknown: every row of the path then takes the unknown that it looked at last.
  bool enter(std::uint32_t row) {
    rows_seen_.push_back(row);
    path_.push_back({row, 0});
    for (std::size_t k = 0; k < rows_[row].size(); ++k)
      if (is_highest(row, rows_[row][k]) && row_of_[rows_[row][k].unknown] == unmatched) {
        path_.back().next = k + 1;
        for (const Frame& frame : path_) row_of_[rows_[frame.row][frame.next - 1].unknown] = frame.row;
        return true;
      }
    return false;
  }

  void differentiate_seen() {
    for (const std::uint32_t row : rows_seen_) ++c_[row];
    for (const std::uint32_t unknown : unknowns_seen_) ++d_[unknown];
  }

  bool seen_row_would_exceed(int most) const {
    return std::ranges::any_of(rows_seen_, [&](std::uint32_t row) { return c_[row] == most; });
  }

  void blame(StructuralIndex& result) const {
    result.blamed_rows.assign(rows_seen_.begin(), rows_seen_.end());
    result.blamed_unknowns.assign(unknowns_seen_.begin(), unknowns_seen_.end());
    std::ranges::sort(result.blamed_rows);
    std::ranges::sort(result.blamed_unknowns);
  }

  struct Frame {
    std::uint32_t row;
    std::size_t next;
  };
  const std::vector<std::vector<Occurrence>>& rows_;
  std::vector<int> c_, d_;
  std::vector<std::uint32_t> row_of_;
  std::vector<std::uint32_t> unknown_seen_;               // the last search that came by
  std::vector<std::uint32_t> rows_seen_, unknowns_seen_;  // by the present search
  std::uint32_t search_ = 0;
  std::vector<Frame> path_;
};

}  // namespace

StructuralIndex structural_index(std::size_t unknowns, const std::vector<std::vector<Occurrence>>& rows, int most) {
  return Pantelides(unknowns, rows).run(most);
}

}  // namespace driftless
