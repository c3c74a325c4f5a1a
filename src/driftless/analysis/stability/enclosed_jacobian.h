// Jacobians of f by x over boxes.
#pragma once

#include "driftless/analysis/stability/box.h"
#include "driftless/analysis/stability/interval_matrix.h"
#include "driftless/equations/index1.h"

namespace driftless {

class EnclosedJacobian {
 public:
  explicit EnclosedJacobian(const Index1& form) : form_(form), n_(form.size()), all_(n_, n_ + 1), f_(n_) {}

  const IntervalMatrix& over(const Box& box) {
    form_.functions().enclose(box.x, box.t, f_, all_.view());
    j_ = IntervalMatrix(n_, n_);
    for (std::size_t j = 0; j < n_; ++j)
      for (std::size_t i = 0; i < n_; ++i) j_(i, j) = all_(i, j);
    return j_;
  }
  const std::vector<Interval>& f() const { return f_; }

 private:
  const Index1& form_;
  std::size_t n_;
  IntervalMatrix all_, j_;
  std::vector<Interval> f_;
};

}  // namespace driftless
