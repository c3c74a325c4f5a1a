// A matrix that never changes, by its entries that are not zero: projectors and transformations of circuits have few.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "driftless/core/matrix.h"
#include "driftless/linalg/pattern.h"

namespace driftless {

class ConstantMatrix {
 public:
  struct Entry {
    std::uint32_t row, column;
    double value;
  };

  ConstantMatrix() = default;
  ConstantMatrix(const Matrix& a);
  ConstantMatrix(std::size_t rows, std::size_t cols, std::vector<Entry> entries);  // each place once, in any order
  static ConstantMatrix identity(std::size_t n) { return leading_identity(n, n); }
  static ConstantMatrix leading_identity(std::size_t n, std::size_t ones);  // diag(I, 0)

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  // Column by column.
  const std::vector<Entry>& entries() const { return entries_; }
  Pattern pattern() const;
  Matrix dense() const;
  ConstantMatrix transposed() const;

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
  std::size_t rows_ = 0, cols_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace driftless
