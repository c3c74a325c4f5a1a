// What a user's formula receives: read-only arguments, outputs, and an output matrix, of any scalar type.
#pragma once

#include <span>

#include "driftless/autodiff/dual.h"

namespace driftless {

// A number without derivatives but of its own type: formulas are called once with it, when equations are constructed,
// and the views check every index then. At run time indices cost nothing.
using Probe = Dual<double, 0>;

[[noreturn]] void throw_index(std::size_t index, std::size_t size);  // Misuse

template <class T>
class In {
 public:
  using value_type = T;
  In(std::span<const T> data) : data_(data) {}
  std::size_t size() const { return data_.size(); }
  const T& operator[](std::size_t i) const {
    if constexpr (std::is_same_v<T, Probe>)
      if (i >= data_.size()) throw_index(i, data_.size());
    return data_[i];
  }
  auto begin() const { return data_.begin(); }
  auto end() const { return data_.end(); }

 private:
  std::span<const T> data_;
};

template <class T>
class Out {
 public:
  using value_type = T;
  Out(std::span<T> data) : data_(data) {}
  std::size_t size() const { return data_.size(); }
  T& operator[](std::size_t i) const {
    if constexpr (std::is_same_v<T, Probe>)
      if (i >= data_.size()) throw_index(i, data_.size());
    return data_[i];
  }
  auto begin() const { return data_.begin(); }
  auto end() const { return data_.end(); }

 private:
  std::span<T> data_;
};

// Column-major, zero on entry.
template <class T>
class OutMatrix {
 public:
  using value_type = T;
  OutMatrix(std::span<T> data, std::size_t rows, std::size_t cols) : data_(data), rows_(rows), cols_(cols) {}
  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  T& operator()(std::size_t i, std::size_t j) const {
    if constexpr (std::is_same_v<T, Probe>) {
      if (i >= rows_) throw_index(i, rows_);
      if (j >= cols_) throw_index(j, cols_);
    }
    return data_[i + j * rows_];
  }

 private:
  std::span<T> data_;
  std::size_t rows_;
  std::size_t cols_;
};

}  // namespace driftless
