// The square matrix S that decides the index, on a pattern: as DecisiveMatrix if it is dense, or sparse.
#pragma once

#include "driftless/linalg/decisive.h"
#include "driftless/linalg/linear_system.h"

namespace driftless {

class DecisiveSystem {
 public:
  // What is singular is solved with least norm, by a dense matrix, or only reported.
  enum class IfSingular { least_norm, report };
  // `saddle`: if it is not 0, the matrix is [A, B; G, 0] with so many columns in A, and is eliminated accordingly.
  explicit DecisiveSystem(const Pattern& pattern, IfSingular if_singular = IfSingular::least_norm,
                          std::size_t saddle = 0);

  bool is_sparse() const { return sparse_.has_value(); }
  // Fill this, then factorise.
  Span values();
  // False if S is (numerically) singular.
  bool factorise();
  bool regular() const { return dense_ ? dense_->regular() : regular_; }
  // Are there factors, however bad? They solve a system that is close to the one meant.
  bool is_factorised() const { return is_factorised_ || regular(); }
  void solve(Span b) const;
  // How large the unknowns usually are; empty: all 1.
  void set_sizes(ConstSpan sizes);
  Determinant determinant() const;
  // An unknown that is left open, after a factorisation that failed.
  std::size_t undetermined() const { return undetermined_; }
  // With rows and columns scaled to entries of at most 1, the smallest pivot over the largest.
  double pivot_ratio() const;
  void copy_to(Matrix& out) const;

 private:
  void scale();
  void follow_order(ConstSpan scaled);
  void spread(Matrix& out) const;

  Pattern pattern_;
  Vector values_;  // if the pattern is not full; a dense matrix holds its own
  Vector sizes_, row_factor_, column_factor_;
  std::optional<LinearSystem> sparse_;
  std::optional<DecisiveMatrix> dense_;  // from the beginning, or since it is singular
  IfSingular if_singular_;
  std::size_t saddle_;
  bool is_ordered_ = false;
  bool regular_ = false, is_factorised_ = false;
  std::size_t undetermined_ = 0;
};

}  // namespace driftless
