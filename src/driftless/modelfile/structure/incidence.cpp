#include "driftless/modelfile/structure/incidence.h"

#include <algorithm>

namespace driftless {

namespace {

class HopcroftKarp {
 public:
  HopcroftKarp(const Incidence& incidence, Matching& matching)
      : incidence_(incidence), m_(matching), level_(incidence.rows.size()), next_(incidence.rows.size()) {}

  void run() {
    while (layer()) {
      std::fill(next_.begin(), next_.end(), 0);
      for (std::uint32_t row = 0; row < m_.column_of_row.size(); ++row)
        if (m_.column_of_row[row] == unmatched && augment(row)) ++m_.size;
    }
  }

 private:
  // Distances of rows from the unmatched ones along alternating paths; false if no path ends in a free column.
  bool layer() {
    std::fill(level_.begin(), level_.end(), unmatched);
    queue_.clear();
    for (std::uint32_t row = 0; row < level_.size(); ++row)
      if (m_.column_of_row[row] == unmatched) {
        level_[row] = 0;
        queue_.push_back(row);
      }
    bool reached = false;
    for (std::size_t k = 0; k < queue_.size(); ++k)
      for (const std::uint32_t column : incidence_.rows[queue_[k]]) {
        const std::uint32_t row = m_.row_of_column[column];
        if (row == unmatched)
          reached = true;
        else if (level_[row] == unmatched) {
          level_[row] = level_[queue_[k]] + 1;
          queue_.push_back(row);
        }
      }
    return reached;
  }

  bool augment(std::uint32_t first) {
    path_.assign(1, first);
    while (!path_.empty()) {
      const std::uint32_t row = path_.back();
      if (next_[row] == incidence_.rows[row].size()) {
        path_.pop_back();
        continue;
      }
      const std::uint32_t column = incidence_.rows[row][next_[row]++];
      const std::uint32_t other = m_.row_of_column[column];
      if (other == unmatched) {
        flip(column);
        return true;
      }
      if (level_[other] == level_[row] + 1) path_.push_back(other);
    }
    return false;
  }

  // Every row of the path takes the column that it looked at last.
  void flip(std::uint32_t column) {
    for (auto row = path_.rbegin(); row != path_.rend(); ++row) {
      std::swap(m_.column_of_row[*row], column);
      m_.row_of_column[m_.column_of_row[*row]] = *row;
    }
  }

  const Incidence& incidence_;
  Matching& m_;
  std::vector<std::uint32_t> level_, queue_, path_;
  std::vector<std::size_t> next_;
};

std::vector<std::size_t> marked(const std::vector<char>& marks) {
  std::vector<std::size_t> result;
  for (std::size_t k = 0; k < marks.size(); ++k)
    if (marks[k]) result.push_back(k);
  return result;
}

class Tarjan {
 public:
  explicit Tarjan(const std::vector<std::vector<std::uint32_t>>& successors)
      : successors_(successors),
        index_(successors.size(), unmatched),
        low_(successors.size()),
        on_(successors.size()) {}

  std::vector<std::vector<std::uint32_t>> run() {
    for (std::uint32_t node = 0; node < index_.size(); ++node)
      if (index_[node] == unmatched) visit(node);
    return std::move(components_);
  }

 private:
  struct Frame {
    std::uint32_t node;
    std::size_t next;
  };

  void enter(std::uint32_t node) {
    index_[node] = low_[node] = count_++;
    on_[node] = 1;
    stack_.push_back(node);
    frames_.push_back({node, 0});
  }

  void visit(std::uint32_t first) {
    enter(first);
    while (!frames_.empty()) {
      const std::uint32_t node = frames_.back().node;
      if (frames_.back().next < successors_[node].size()) {
        const std::uint32_t to = successors_[node][frames_.back().next++];
        if (index_[to] == unmatched)
          enter(to);
        else if (on_[to])
          low_[node] = std::min(low_[node], index_[to]);
        continue;
      }
      frames_.pop_back();
      if (!frames_.empty()) low_[frames_.back().node] = std::min(low_[frames_.back().node], low_[node]);
      if (low_[node] == index_[node]) close(node);
    }
  }

  void close(std::uint32_t root) {
    std::vector<std::uint32_t> component;
    std::uint32_t node;
    do {
      node = stack_.back();
      stack_.pop_back();
      on_[node] = 0;
      component.push_back(node);
    } while (node != root);
    std::sort(component.begin(), component.end());
    components_.push_back(std::move(component));
  }

  const std::vector<std::vector<std::uint32_t>>& successors_;
  std::vector<std::uint32_t> index_, low_, stack_;
  std::vector<char> on_;
  std::vector<Frame> frames_;
  std::vector<std::vector<std::uint32_t>> components_;
  std::uint32_t count_ = 0;
};

}  // namespace

Matching maximum_matching(const Incidence& incidence, const Matching* start) {
  Matching matching{.column_of_row = std::vector<std::uint32_t>(incidence.rows.size(), unmatched),
                    .row_of_column = std::vector<std::uint32_t>(incidence.columns, unmatched)};
  if (start) matching = *start;
  HopcroftKarp(incidence, matching).run();
  return matching;
}

CoarseParts coarse_parts(const Incidence& incidence, const Matching& matching) {
  const std::size_t rows = incidence.rows.size();
  std::vector<std::vector<std::uint32_t>> rows_of(incidence.columns);
  for (std::uint32_t row = 0; row < rows; ++row)
    for (const std::uint32_t column : incidence.rows[row]) rows_of[column].push_back(row);

  std::vector<char> over_rows(rows), over_columns(incidence.columns), under_rows(rows),
      under_columns(incidence.columns);
  std::vector<std::uint32_t> queue;
  for (std::uint32_t row = 0; row < rows; ++row)
    if (matching.column_of_row[row] == unmatched) {
      over_rows[row] = 1;
      queue.push_back(row);
    }
  for (std::size_t k = 0; k < queue.size(); ++k)
    for (const std::uint32_t column : incidence.rows[queue[k]]) {
      over_columns[column] = 1;
      const std::uint32_t row = matching.row_of_column[column];
      if (row == unmatched || over_rows[row]) continue;
      over_rows[row] = 1;
      queue.push_back(row);
    }
  queue.clear();
  for (std::uint32_t column = 0; column < incidence.columns; ++column)
    if (matching.row_of_column[column] == unmatched) {
      under_columns[column] = 1;
      queue.push_back(column);
    }
  for (std::size_t k = 0; k < queue.size(); ++k)
    for (const std::uint32_t row : rows_of[queue[k]]) {
      under_rows[row] = 1;
      const std::uint32_t column = matching.column_of_row[row];
      if (column == unmatched || under_columns[column]) continue;
      under_columns[column] = 1;
      queue.push_back(column);
    }
  return {marked(over_rows), marked(over_columns), marked(under_rows), marked(under_columns)};
}

std::vector<std::vector<std::uint32_t>> strong_components(const std::vector<std::vector<std::uint32_t>>& successors) {
  return Tarjan(successors).run();
}

Incidence possible_pairs(const Incidence& incidence) {
  const Matching matching = maximum_matching(incidence);
  const CoarseParts parts = coarse_parts(incidence, matching);
  std::vector<std::vector<std::uint32_t>> successors(incidence.rows.size());
  for (std::uint32_t row = 0; row < successors.size(); ++row)
    for (const std::uint32_t column : incidence.rows[row])
      if (const std::uint32_t by = matching.row_of_column[column]; by != unmatched) successors[row].push_back(by);

  // Parts by number: 0 has too many rows, 1 has too many columns, then the strong components.
  std::vector<std::size_t> part_of_row(incidence.rows.size()), part_of_column(incidence.columns);
  const auto components = strong_components(successors);
  for (std::size_t k = 0; k < components.size(); ++k)
    for (const std::uint32_t row : components[k]) {
      part_of_row[row] = k + 2;
      if (matching.column_of_row[row] != unmatched) part_of_column[matching.column_of_row[row]] = k + 2;
    }
  for (const std::size_t row : parts.over_rows) part_of_row[row] = 0;
  for (const std::size_t column : parts.over_columns) part_of_column[column] = 0;
  for (const std::size_t row : parts.under_rows) part_of_row[row] = 1;
  for (const std::size_t column : parts.under_columns) part_of_column[column] = 1;

  Incidence possible = incidence;
  for (std::size_t row = 0; row < possible.rows.size(); ++row)
    std::erase_if(possible.rows[row], [&](std::uint32_t column) { return part_of_column[column] != part_of_row[row]; });
  return possible;
}

}  // namespace driftless
