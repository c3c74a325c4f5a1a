#include "driftless/linalg/decisive.h"

#include <algorithm>
#include <cmath>

#include "driftless/linalg/rank.h"

namespace driftless {

namespace {

// Rows, then columns, to largest entry 1: S = D S_0 D for constraints in other units D, and its verdict must be that of
// S_0.
void equilibrate(Matrix& a) {
  const std::size_t m = a.rows();
  for (std::size_t i = 0; i < m; ++i) {
    double largest = 0.0;
    for (std::size_t j = 0; j < m; ++j) largest = std::max(largest, std::abs(a(i, j)));
    if (largest > 0.0)
      for (std::size_t j = 0; j < m; ++j) a(i, j) /= largest;
  }
  for (std::size_t j = 0; j < m; ++j) {
    double largest = 0.0;
    for (std::size_t i = 0; i < m; ++i) largest = std::max(largest, std::abs(a(i, j)));
    if (largest > 0.0)
      for (std::size_t i = 0; i < m; ++i) a(i, j) /= largest;
  }
}

}  // namespace

// The ratio of the pivots is a cheap stand-in for the condition: it is zero exactly where it must be.
bool DecisiveMatrix::factorise() {
  const std::size_t m = lu_.size();
  Matrix& lu = lu_.matrix();
  lu = original_;
  equilibrate(lu);
  regular_ = lu_.factorise();
  double smallest = 1.0, greatest = 0.0;
  for (std::size_t i = 0; regular_ && i < m; ++i) {
    smallest = std::min(smallest, std::abs(lu(i, i)));
    greatest = std::max(greatest, std::abs(lu(i, i)));
  }
  regular_ = regular_ && smallest > rank_tolerance * greatest;
  if (!regular_) return false;
  lu = original_;
  return regular_ = lu_.factorise();
}

void DecisiveMatrix::solve(Span b) const {
  if (regular_ || b.empty()) return lu_.solve(b);
  const Vector x = least_norm_solution_in_any_units(original_, b);
  std::copy(x.begin(), x.end(), b.begin());
}

}  // namespace driftless
