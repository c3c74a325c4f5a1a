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
  for (std::size_t j = 0; j < sizes_.size(); ++j)
    for (double& x : lu.view().column(j)) x *= sizes_[j];
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

// Columns that are rounding of the others in all of their rows are zero: c - c, where two unknowns act as one. Scaled
// up to the others, their noise would decide.
Matrix DecisiveMatrix::without_rounding() const {
  constexpr double rounding = 1e-13;
  const std::size_t m = original_.rows();
  const auto entry = [&](std::size_t i, std::size_t j) {
    return std::abs(original_(i, j)) * (sizes_.empty() ? 1.0 : sizes_[j]);
  };
  Vector largest(m, 0.0);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < m; ++j) largest[i] = std::max(largest[i], entry(i, j));
  Matrix result = original_;
  for (std::size_t j = 0; j < m; ++j) {
    bool counts = false;
    for (std::size_t i = 0; i < m; ++i) counts |= entry(i, j) > rounding * largest[i];
    for (std::size_t i = 0; i < m && !counts; ++i) result(i, j) = 0.0;
  }
  return result;
}

// To a small share of b, or to the rounding of the terms that it is a sum of.
bool DecisiveMatrix::solves(ConstSpan x, ConstSpan b, ConstSpan at) const {
  constexpr double share = 1e-8, rounding = 1e-10;
  for (std::size_t i = 0; i < b.size(); ++i) {
    double rest = b[i], terms = 0.0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      rest -= original_(i, j) * x[j];
      if (!at.empty()) terms += std::abs(original_(i, j) * at[j]);
    }
    if (!(std::abs(rest) <= share * std::abs(b[i]) + rounding * terms)) return false;
  }
  return true;
}

void DecisiveMatrix::solve(Span b, ConstSpan at) const {
  if (regular_ || b.empty()) return lu_.solve(b);
  Vector x = least_norm_solution_in_any_units(without_rounding(), b);
  if (!solves(x, b, at)) x = least_norm_solution_in_any_units(original_, b);
  std::copy(x.begin(), x.end(), b.begin());
}

void DecisiveMatrix::correct(Span b, ConstSpan at) const {
  if (regular_ || b.empty()) return lu_.solve(b);
  for (std::size_t i = 0; i < b.size(); ++i) {
    b[i] = -b[i];
    for (std::size_t j = 0; j < at.size(); ++j) b[i] += original_(i, j) * at[j];
  }
  solve(b, at);
  for (std::size_t j = 0; j < b.size(); ++j) b[j] = at[j] - b[j];
}

}  // namespace driftless
