// Rank-revealing decompositions for decisions and for the rare rank-deficient solve; not for inner loops.
#pragma once

#include <vector>

#include "driftless/core/matrix.h"

namespace driftless {

// Singular values relative to the largest below this count as zero: far above rounding, far below any useful
// constraint.
inline constexpr double rank_tolerance = 1e-10;

struct RankReport {
  std::size_t rank = 0;
  double condition = 1.0;                   // largest over smallest singular value; infinity if rank-deficient
  Vector singular_values;                   // in descending order
  std::vector<std::size_t> dependent_rows;  // rows that are combinations of the others
};

// Rows are scaled to unit length first, so that the verdict does not depend on the units of a constraint.
RankReport analyse_rows(ConstMatrixView a, double tolerance = rank_tolerance);

// The x of least Euclidean norm that minimises |a x - b|, by singular values, or by pivoted QR if large.
Vector least_norm_solution(ConstMatrixView a, ConstSpan b, double tolerance = rank_tolerance);

// The same with rows and columns scaled to entries of at most one first: a constraint in small units is not lost beside
// one in large units, and of redundant ones each gets its share, whatever the units.
Vector least_norm_solution_in_any_units(ConstMatrixView a, ConstSpan b, double tolerance = rank_tolerance);

// Rows of a square matrix that are combinations of the others, and as many directions n with a n = 0: with n^T x = 0
// instead of such a row, x is determined, and of least norm in the units of least_norm_solution_in_any_units.
struct Redundancy {
  std::vector<std::size_t> rows;
  Matrix directions;  // one in each row
};
Redundancy redundancy_of(ConstMatrixView a, double tolerance = rank_tolerance);

// Orthonormal columns that span what the columns of a span, by pivoted QR.
Matrix orthonormal_range(ConstMatrixView a, double tolerance = rank_tolerance);

// a = u diag(s) v^T with square orthogonal u, v.
struct SingularValues {
  Matrix u, v;
  Vector s;
};
SingularValues singular_values(ConstMatrixView a);

}  // namespace driftless
