// The derivative of the constraints of a level by the unknowns that it determines, as a consistent start needs it: a
// matrix, or for many unknowns its entries.
#pragma once

#include "driftless/equations/manifold.h"
#include "driftless/equations/size_norm.h"

namespace driftless {

class LevelGradients {
 public:
  LevelGradients() = default;
  explicit LevelGradients(Matrix whole) : whole_(std::move(whole)) {}

  ManifoldStatus take(Manifold& manifold, int level, double t, ConstSpan state);
  // Without the columns of what is not free; the first column belongs to component `begin`.
  void hold(const std::vector<char>& free, std::size_t begin);

  std::size_t rows() const { return is_sparse_ ? pattern_.rows : whole_.rows(); }
  bool is_sparse() const { return is_sparse_; }
  const Matrix& whole() const { return whole_; }  // of those that are not sparse
  // out_i = sum_j |J_ij| sizes_j
  void effect(ConstSpan sizes, Span out) const;
  // The smallest change with J change = target, in units of the usual sizes.
  Vector least_change(ConstSpan target, const SizeNorm& norm, std::size_t begin) const;

 private:
  Vector least_change_sparse(ConstSpan target, const SizeNorm& norm, std::size_t begin) const;

  bool is_sparse_ = false;
  Matrix whole_;
  Pattern pattern_;
  Vector values_;
};

}  // namespace driftless
