// Shared by the factories that turn a user's model into equations: argument splitting and the construction-time probe.
#pragma once

#include <algorithm>

#include "driftless/autodiff/jacobian.h"
#include "driftless/autodiff/view.h"
#include "driftless/core/failure.h"

namespace driftless {

// Reads consecutive arguments from one flat array, which is what the derivative sweeps vary.
template <class T>
class Split {
 public:
  explicit Split(std::span<const T> all) : all_(all) {}
  In<T> next(std::size_t n) {
    const auto part = all_.subspan(used_, n);
    used_ += n;
    return part;
  }
  const T& scalar() { return all_[used_++]; }

 private:
  std::span<const T> all_;
  std::size_t used_ = 0;
};

// Copies parts one after another; the counterpart of Split.
class Joined {
 public:
  Joined(Scratch& scratch, std::size_t size) : all_(scratch.take_raw<double>(size)) {}
  Joined& add(ConstSpan part) {
    std::copy(part.begin(), part.end(), all_.begin() + used_);
    used_ += part.size();
    return *this;
  }
  Joined& add(double x) {
    all_[used_++] = x;
    return *this;
  }
  ConstSpan all() const { return all_; }

 private:
  Span all_;
  std::size_t used_ = 0;
};

// Zeroed contiguous matrices for derivatives given by the model, side by side, then copied where they belong.
class GivenColumns {
 public:
  GivenColumns(Scratch& scratch, std::size_t rows, std::size_t cols)
      : rows_(rows), all_(scratch.take<double>(rows * cols)) {}
  OutMatrix<double> next(std::size_t cols) {
    const OutMatrix<double> part(all_.subspan(used_, rows_ * cols), rows_, cols);
    used_ += rows_ * cols;
    return part;
  }
  void copy_to(MatrixView j) const {
    for (std::size_t k = 0; k < used_; ++k) j(k % rows_, k / rows_) = all_[k];
  }

 private:
  std::size_t rows_;
  Span all_;
  std::size_t used_ = 0;
};

// Calls the formula once with index-checked views; names it if an index is out of range.
void probe(const char* name, std::size_t arguments, std::size_t results, FormulaOf<Probe> formula);

}  // namespace driftless
