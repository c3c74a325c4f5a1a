// L U of large sparse matrices whose pattern stays, real and complex: analysed once, factorised with pivoting, then
// only refactorised with the same pivots as long as they serve (KLU).
#pragma once

#include <complex>
#include <memory>
#include <span>

#include "driftless/core/matrix.h"
#include "driftless/linalg/lu.h"
#include "driftless/linalg/pattern.h"

namespace driftless {

// Whether matrices that fill in, and are nearly symmetric in where they are not zero, are factorised by dense blocks
// (frontal_lu.h) as long as no rows need to be exchanged.
enum class SparsePivots { exchange, by_blocks_if_faster };

template <class T>
class BasicSparseLu {
 public:
  // `order` is an elimination order (a permutation of the unknowns); if it is empty, one of small fill is found.
  explicit BasicSparseLu(const Pattern& pattern, std::span<const std::uint32_t> order = {},
                         SparsePivots pivots = SparsePivots::exchange);
  ~BasicSparseLu();
  BasicSparseLu(BasicSparseLu&&) noexcept;
  BasicSparseLu& operator=(BasicSparseLu&&) noexcept;

  // Values in the order of the pattern. False if the matrix is singular, or not finite: failed_column() is then an
  // unknown that it leaves open.
  bool factorise(std::span<const T> values);
  std::size_t failed_column() const { return failed_column_; }
  void solve(std::span<T> b) const;
  void solve_transposed(std::span<T> b) const;

  Determinant determinant() const;                     // of its absolute value for complex numbers: the sign is 1
  double pivot_ratio() const { return pivot_ratio_; }  // smallest over largest, rows scaled to entries of at most 1
  double expected_work() const;                        // multiplications of a factorisation, before the first one
  double expected_entries() const;                     // of L and U, the same
  double factor_cost() const { return factor_cost_; }  // of a factorisation, in solutions
  bool is_by_blocks() const;                           // was the last factorisation

  std::size_t largest_block() const;  // of the block triangular form

  std::size_t entries() const;                                        // of L and U
  std::size_t bytes() const;                                          // in use
  std::size_t factorisations() const { return factorisations_; }      // with new pivots
  std::size_t refactorisations() const { return refactorisations_; }  // with the old ones

 private:
  void require_factors() const;
  bool factorise_by_blocks(std::span<const T> values);
  bool factorise_by_pivots(std::span<const T> values);
  bool has_pivots();
  void count_cost();

  struct Memory;
  std::unique_ptr<Memory> memory_;
  std::size_t factorisations_ = 0, refactorisations_ = 0;
  std::size_t failed_column_ = 0;
  double pivot_ratio_ = 0.0, factor_cost_ = 0.0;
};

using SparseLu = BasicSparseLu<double>;
using ComplexSparseLu = BasicSparseLu<std::complex<double>>;

}  // namespace driftless
