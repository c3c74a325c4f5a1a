// L U of large sparse matrices with a nearly symmetric pattern, front by front, with the pivots of a plan: no row is
// exchanged, and a matrix that wants that is refused.
#pragma once

#include <complex>
#include <memory>
#include <span>

#include "driftless/core/matrix.h"
#include "driftless/linalg/frontal_plan.h"
#include "driftless/linalg/lu.h"

namespace driftless {

template <class T>
class FrontalLu {
 public:
  // `rows` of the entries of the matrix.
  FrontalLu(std::span<const int> rows, std::shared_ptr<const FrontalPlan> plan);

  // Values in the same order. False if a pivot is too small, or something is not finite.
  bool factorise(std::span<const T> values);
  void solve(std::span<T> b) const;
  void solve_transposed(std::span<T> b) const;

  Determinant determinant() const;  // of its absolute value for complex numbers: the sign is 1
  double pivot_ratio() const;       // smallest over largest, rows scaled to entries of at most 1
  std::size_t entries() const { return plan_->factor_entries(); }  // of L and U, a few zeros among them
  std::size_t bytes() const;

 private:
  static constexpr int parts = std::is_same_v<T, double> ? 1 : 2;
  using Front = FrontalPlan::Front;
  bool scale_rows(std::span<const T> values);
  bool factorise_fronts(std::span<const T> values);
  void assemble(const Front& front, std::span<const T> values, std::size_t s);
  void take_from_child(const Front& front, const Front& child, const double* left, std::size_t part);
  template <class Visit>
  void for_each_pivot(Visit visit) const;

  const std::vector<std::uint32_t> row_;  // of each entry
  std::shared_ptr<const FrontalPlan> plan_;
  Vector scale_;     // of rows
  Vector factors_;   // parts one after the other
  Vector stack_[2];  // the same, of each front on it
  std::size_t top_[2] = {0, 0};
};

}  // namespace driftless
