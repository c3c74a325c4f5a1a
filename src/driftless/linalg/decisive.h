// The small square matrix S that decides the index (Dg f_v k_lambda, g_u Gamma^-1 f_lambda, ...): solved by LU, or with
// least norm if it is rank-deficient.
#pragma once

#include "driftless/linalg/lu.h"

namespace driftless {

class DecisiveMatrix {
 public:
  explicit DecisiveMatrix(std::size_t m) : lu_(m), original_(m, m) {}

  Matrix& matrix() { return original_; }
  const Matrix& matrix() const { return original_; }
  // False if S is (numerically) singular; solve() then returns the least-norm solution.
  bool factorise();
  bool regular() const { return regular_; }
  // `at`: what the solution corrects, if that is known; it tells which part of b is rounding.
  void solve(Span b, ConstSpan at = {}) const;
  // S d = b, where at - d is of least norm if S is singular: d takes the place of b.
  void correct(Span b, ConstSpan at) const;
  // How large the unknowns usually are; empty: all 1.
  void set_sizes(ConstSpan sizes) { sizes_.assign(sizes.begin(), sizes.end()); }
  Determinant determinant() const { return regular_ ? lu_.determinant() : Determinant{}; }

 private:
  Matrix without_rounding() const;
  bool solves(ConstSpan x, ConstSpan b, ConstSpan at) const;

  RealLu lu_;
  Matrix original_;
  Vector sizes_;
  bool regular_ = false;
};

}  // namespace driftless
