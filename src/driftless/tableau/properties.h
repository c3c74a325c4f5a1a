// What a tableau is good for, computed from its numbers.
#pragma once

#include <string>

#include "driftless/tableau/tableau.h"

namespace driftless {

// What the entries show at once.
struct TableauShape {
  bool explicit_method = false;      // A strictly lower triangular
  bool diagonally_implicit = false;  // A lower triangular with a non-zero on the diagonal
  bool singly_diagonal = false;      // lower triangular with one and the same non-zero on the whole diagonal
  bool stiffly_accurate = false;     // a_sj = b_j and c_s = 1
};
TableauShape shape_of(const Tableau& tableau);

struct Properties : TableauShape {
  int order = 0;  // classical order p: every condition up to p holds and one of order p + 1 fails
  bool order_is_exact =
      true;             // false: only "at least p" is known, which needs p >= 10 and no simplifying assumption to help
  int stage_order = 0;  // largest q with C(q) for all stages
  int quadrature_order = 0;           // largest k with B(k)
  int d_order = 0;                    // largest k with D(k)
  bool nodes_are_row_sums = false;    // c = A 1
  bool invertible = false;            // A
  double r_infinity = 0.0;            // limit of the stability function; NaN where there is none, see the note
  std::string r_infinity_note;        // why r_infinity is NaN, or what it rests on if A is singular; empty otherwise
  bool algebraically_stable = false;  // b >= 0 and M = B A + A^T B - b b^T positive semidefinite
  double algebraic_stability_margin = 0.0;  // smallest eigenvalue of M; zero up to rounding for Gauss
};

Properties properties_of(const Tableau& tableau);

// The order by the conditions of all rooted trees up to `highest`, at most that number.
int order_by_trees(const Tableau& tableau, int highest);

// Largest k with B(k), C(k), D(k) of Butcher; see properties.cpp for the formulas.
int largest_b(const Tableau& tableau);
int largest_c(const Tableau& tableau);
int largest_d(const Tableau& tableau);

}  // namespace driftless
