// What can differ from zero in a mechanical model, found by calling its formulas once with numbers that remember what
// they were made from.
#pragma once

#include <map>
#include <set>

#include "driftless/autodiff/jacobian.h"
#include "driftless/autodiff/tracer.h"
#include "driftless/autodiff/view.h"
#include "driftless/equations/mechanical.h"

namespace driftless {

// Receives a mass matrix of which only the entries of a pattern are kept.
template <class T>
class SparseOutMatrix {
 public:
  using value_type = T;
  SparseOutMatrix(const Pattern& pattern, std::span<T> values) : pattern_(pattern), values_(values) {}
  std::size_t rows() const { return pattern_.rows; }
  std::size_t cols() const { return pattern_.cols; }
  T& operator()(std::size_t i, std::size_t j) const {
    const auto first = pattern_.row.begin() + pattern_.begin[j], last = pattern_.row.begin() + pattern_.begin[j + 1];
    const auto found = std::lower_bound(first, last, static_cast<std::uint32_t>(i));
    return found != last && *found == i ? values_[static_cast<std::size_t>(found - pattern_.row.begin())] : elsewhere_;
  }

 private:
  const Pattern& pattern_;
  std::span<T> values_;
  mutable T elsewhere_{};
};

// Keeps what is written into a square matrix, and where.
class TracedMatrix {
 public:
  using value_type = Tracer;
  using Entries = std::map<std::pair<std::uint32_t, std::uint32_t>, Tracer>;  // by column, then row
  TracedMatrix(Entries& entries, std::size_t size) : entries_(entries), size_(size) {}
  std::size_t rows() const { return size_; }
  std::size_t cols() const { return size_; }
  Tracer& operator()(std::size_t i, std::size_t j) const {
    return entries_[{static_cast<std::uint32_t>(j), static_cast<std::uint32_t>(i)}];
  }

 private:
  Entries& entries_;
  std::size_t size_;
};

// Entries that depend on an argument, or are a number other than zero; the diagonal in any case.
inline Pattern traced_pattern(const TracedMatrix::Entries& entries, std::size_t size) {
  std::vector<std::set<std::uint32_t>> rows(size);
  for (std::uint32_t j = 0; j < size; ++j) rows[j].insert(j);
  for (const auto& [place, x] : entries)
    if (!is_constant(x) || x.value != 0.0) {
      rows[place.first].insert(place.second);
      rows[place.second].insert(place.first);
    }
  std::vector<std::vector<std::uint32_t>> columns;
  for (const auto& set : rows) columns.emplace_back(set.begin(), set.end());
  return pattern_from_columns(size, columns);
}

// Which of the first `cols` arguments each result depends on.
inline Pattern traced_dependence(std::span<const Tracer> results, std::size_t cols) {
  std::vector<std::vector<std::uint32_t>> columns(cols);
  for (std::uint32_t i = 0; i < results.size(); ++i)
    for (const std::uint32_t j : results[i].d.from)
      if (j < cols) columns[j].push_back(i);
  return pattern_from_columns(results.size(), columns);
}

inline std::vector<Tracer> traced_arguments(std::size_t count) {
  std::vector<Tracer> x(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    x[i].value = 0.5 + 0.1 * i;
    x[i].d.from = {i};
  }
  return x;
}

inline CompressedColumns compress(const Pattern& pattern) {
  CompressedColumns columns{.colour = colour_columns(pattern),
                            .row = pattern.row,
                            .entry_colour = {},
                            .row_begin = {0},
                            .column = {},
                            .colours = 0};
  std::vector<std::vector<std::uint32_t>> rows(pattern.rows);
  for (std::uint32_t j = 0; j < pattern.cols; ++j) {
    columns.colours = std::max(columns.colours, columns.colour[j] + 1);
    for (std::size_t k = pattern.begin[j]; k < pattern.begin[j + 1]; ++k) {
      columns.entry_colour.push_back(columns.colour[j]);
      rows[pattern.row[k]].push_back(j);
    }
  }
  for (const auto& row : rows) {
    columns.column.insert(columns.column.end(), row.begin(), row.end());
    columns.row_begin.push_back(static_cast<std::uint32_t>(columns.column.size()));
  }
  return columns;
}

}  // namespace driftless
