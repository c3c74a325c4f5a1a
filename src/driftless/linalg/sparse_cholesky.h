// L D L^T of large sparse symmetric positive definite matrices whose pattern stays: analysed once, factorised as often
// as values change (CHOLMOD, of which only the modules under the LGPL are called).
#pragma once

#include <memory>
#include <span>

#include "driftless/core/matrix.h"
#include "driftless/linalg/pattern.h"

namespace driftless {

class SparseCholesky {
 public:
  // The lower triangle, diagonal included. `order` is an elimination order (a permutation of the unknowns); if it is
  // empty, one of small fill is found by approximate minimum degree.
  explicit SparseCholesky(const Pattern& lower, std::span<const std::uint32_t> order = {});
  ~SparseCholesky();
  SparseCholesky(SparseCholesky&&) noexcept;
  SparseCholesky& operator=(SparseCholesky&&) noexcept;

  // Values in the order of the pattern. False if the matrix is not positive definite.
  bool factorise(ConstSpan values);
  // In place, `count` right-hand sides one after another.
  void solve(Span b, std::size_t count = 1);

  std::size_t entries() const;  // of L
  double flops() const;         // of a factorisation
  std::size_t bytes() const;    // in use by the factorisation and its workspace
  std::size_t factorisations() const { return factorisations_; }

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
  std::size_t factorisations_ = 0;
};

}  // namespace driftless
