// Dense column-major storage and non-owning views; the only container types that cross layer boundaries.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace driftless {

using Vector = std::vector<double>;
using ConstSpan = std::span<const double>;
using Span = std::span<double>;

// A rectangular block inside column-major storage: element (i, j) is data[i + j * stride].
template <class T>
struct BasicMatrixView {
  T* data = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::size_t stride = 0;

  T& operator()(std::size_t i, std::size_t j) const { return data[i + j * stride]; }
  std::span<T> column(std::size_t j) const { return {data + j * stride, rows}; }
  BasicMatrixView block(std::size_t i, std::size_t j, std::size_t row_count, std::size_t col_count) const {
    return {data + i + j * stride, row_count, col_count, stride};
  }
  void fill(double value) const {
    for (std::size_t j = 0; j < cols; ++j)
      for (std::size_t i = 0; i < rows; ++i) (*this)(i, j) = value;
  }
  operator BasicMatrixView<const T>() const requires(!std::is_const_v<T>) { return {data, rows, cols, stride}; }
};

using MatrixView = BasicMatrixView<double>;
using ConstMatrixView = BasicMatrixView<const double>;

class Matrix {
 public:
  Matrix() = default;
  Matrix(std::size_t rows, std::size_t cols, double value = 0.0)
      : rows_(rows), cols_(cols), data_(rows * cols, value) {}

  static Matrix identity(std::size_t n) {
    Matrix m(n, n);
    for (std::size_t i = 0; i < n; ++i) m(i, i) = 1.0;
    return m;
  }

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  double& operator()(std::size_t i, std::size_t j) { return data_[i + j * rows_]; }
  double operator()(std::size_t i, std::size_t j) const { return data_[i + j * rows_]; }
  double* data() { return data_.data(); }
  const double* data() const { return data_.data(); }

  MatrixView view() { return {data_.data(), rows_, cols_, rows_}; }
  ConstMatrixView view() const { return {data_.data(), rows_, cols_, rows_}; }
  operator MatrixView() { return view(); }
  operator ConstMatrixView() const { return view(); }

  friend bool operator==(const Matrix&, const Matrix&) = default;

 private:
  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
  std::vector<double> data_;
};

}  // namespace driftless
