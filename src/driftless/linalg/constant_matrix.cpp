#include "driftless/linalg/constant_matrix.h"

#include <algorithm>

#include "driftless/core/memory.h"

namespace driftless {

ConstantMatrix::ConstantMatrix(const Matrix& a) : rows_(a.rows()), cols_(a.cols()) {
  for (std::size_t j = 0; j < a.cols(); ++j)
    for (std::size_t i = 0; i < a.rows(); ++i)
      if (a(i, j) != 0.0) entries_.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), a(i, j)});
}

ConstantMatrix::ConstantMatrix(std::size_t rows, std::size_t cols, std::vector<Entry> entries)
    : rows_(rows), cols_(cols), entries_(std::move(entries)) {
  std::erase_if(entries_, [](const Entry& e) { return e.value == 0.0; });
  std::ranges::sort(entries_, [](const Entry& a, const Entry& b) {
    return a.column != b.column ? a.column < b.column : a.row < b.row;
  });
}

ConstantMatrix ConstantMatrix::leading_identity(std::size_t n, std::size_t ones) {
  ConstantMatrix result;
  result.rows_ = result.cols_ = n;
  result.entries_.reserve(ones);
  for (std::uint32_t i = 0; i < ones; ++i) result.entries_.push_back({i, i, 1.0});
  return result;
}

Pattern ConstantMatrix::pattern() const {
  Pattern pattern{.rows = rows_, .cols = cols_, .begin = std::vector<std::uint32_t>(cols_ + 1, 0), .row = {}};
  for (const Entry& e : entries_) {
    pattern.row.push_back(e.row);
    ++pattern.begin[e.column + 1];
  }
  for (std::size_t j = 0; j < cols_; ++j) pattern.begin[j + 1] += pattern.begin[j];
  return pattern;
}

Matrix ConstantMatrix::dense() const {
  require_memory(8.0 * static_cast<double>(rows_) * static_cast<double>(cols_), "a matrix with all of its zeros");
  Matrix a(rows_, cols_);
  for (const Entry& e : entries_) a(e.row, e.column) = e.value;
  return a;
}

ConstantMatrix ConstantMatrix::transposed() const {
  std::vector<Entry> turned;
  turned.reserve(entries_.size());
  for (const Entry& e : entries_) turned.push_back({e.column, e.row, e.value});
  return {cols_, rows_, std::move(turned)};
}

}  // namespace driftless
