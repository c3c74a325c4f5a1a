// A matrix that never changes, by its entries that are not zero: projectors and transformations of circuits have few.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "driftless/core/matrix.h"

namespace driftless {

class ConstantMatrix {
 public:
  struct Entry {
    std::uint32_t row, column;
    double value;
  };

  ConstantMatrix() = default;
  explicit ConstantMatrix(const Matrix& a) {
    for (std::size_t j = 0; j < a.cols(); ++j)
      for (std::size_t i = 0; i < a.rows(); ++i)
        if (a(i, j) != 0.0) entries_.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), a(i, j)});
  }

  // Column by column.
  const std::vector<Entry>& entries() const { return entries_; }

  // y += A x
  template <class S>
  void add_product(std::span<const S> x, std::span<S> y) const {
    for (const auto& [i, j, value] : entries_) y[i] += value * x[j];
  }
  // y += A^T x
  template <class S>
  void add_transposed_product(std::span<const S> x, std::span<S> y) const {
    for (const auto& [i, j, value] : entries_) y[j] += value * x[i];
  }

 private:
  std::vector<Entry> entries_;
};

}  // namespace driftless
