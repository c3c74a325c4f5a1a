// Matrices of intervals, and certain bounds for their eigenvalues and norms, rounding included.
#pragma once

#include <vector>

#include "driftless/core/interval.h"
#include "driftless/core/matrix.h"

namespace driftless {

class IntervalMatrix {
 public:
  IntervalMatrix() = default;
  IntervalMatrix(std::size_t rows, std::size_t cols) : rows_(rows), cols_(cols), data_(rows * cols) {}
  explicit IntervalMatrix(ConstMatrixView points);

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  Interval& operator()(std::size_t i, std::size_t j) { return data_[i + j * rows_]; }
  const Interval& operator()(std::size_t i, std::size_t j) const { return data_[i + j * rows_]; }
  BasicMatrixView<Interval> view() { return {data_.data(), rows_, cols_, rows_}; }

  bool is_bounded() const;
  Matrix middle() const;
  Matrix radius() const;  // of the smallest symmetric neighbourhood of middle(), rounded up

 private:
  std::size_t rows_ = 0, cols_ = 0;
  std::vector<Interval> data_;
};

IntervalMatrix product(const IntervalMatrix& a, const IntervalMatrix& b);
IntervalMatrix product(ConstMatrixView a, const IntervalMatrix& b);
IntervalMatrix product(const IntervalMatrix& a, ConstMatrixView b);
IntervalMatrix difference(IntervalMatrix a, const IntervalMatrix& b);

// Contains the largest eigenvalue of (A + A^T)/2 for every A in `a`.
Interval largest_eigenvalue(const IntervalMatrix& a);
// Contains the largest singular value of every A in `a`.
Interval largest_singular_value(const IntervalMatrix& a);

// Contains A^-1 for every A in `a`; nothing if some A in it could be singular.
bool enclose_inverse(const IntervalMatrix& a, IntervalMatrix& inverse_of_a);

}  // namespace driftless
