// What can differ from zero in a mechanical model, found by calling its formulas once with numbers that remember what
// they were made from.
#pragma once

#include <algorithm>
#include <memory>

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

// What is written into a square matrix, and where.
class TracedEntries {
 public:
  TracedEntries();
  ~TracedEntries();
  Tracer& at(std::size_t i, std::size_t j);

 private:
  friend Pattern traced_pattern(const TracedEntries& entries, std::size_t size);
  struct Places;
  std::unique_ptr<Places> places_;
};

class TracedMatrix {
 public:
  using value_type = Tracer;
  TracedMatrix(TracedEntries& entries, std::size_t size) : entries_(entries), size_(size) {}
  std::size_t rows() const { return size_; }
  std::size_t cols() const { return size_; }
  Tracer& operator()(std::size_t i, std::size_t j) const { return entries_.at(i, j); }

 private:
  TracedEntries& entries_;
  std::size_t size_;
};

// Entries that depend on an argument, or are a number other than zero; the diagonal in any case.
Pattern traced_pattern(const TracedEntries& entries, std::size_t size);

// Which of the first `cols` arguments each result depends on.
Pattern traced_dependence(std::span<const Tracer> results, std::size_t cols);

std::vector<Tracer> traced_arguments(std::size_t count);
CompressedColumns compress(const Pattern& pattern);

}  // namespace driftless
