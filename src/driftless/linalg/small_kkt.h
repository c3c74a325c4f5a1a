// The saddle-point system of sparse_kkt.h for a handful of coordinates and constraints, both counts known to the
// compiler: a factorisation is then a few dozen operations without a loop. They are done in the order of the general
// code, so that the results are the same to the last bit.
#pragma once

#include <cstddef>

namespace driftless {

struct SmallKkt {
  // M = L D L^T, Y = L^-1 G^T, S = Y^T D^-1 Y = L_s D_s L_s^T.
  struct Factors {
    double* mass;                        // columns of L, the diagonal (unused) first
    double* inverse;                     // 1/D
    double *y, *scaled;                  // Y and D^-1 Y, by rows
    double *s, *s_inverse, *s_diagonal;  // rows of L_s^T, 1/D_s, and the diagonal of S
  };
  static constexpr int regular = -1, ill_conditioned = -2;  // else the row of M without a positive pivot

  // M (not read if it is the identity) and G as whole matrices, column by column.
  int (*factorise)(const double* mass, const double* g, const Factors& out);
  // In place: top becomes x, bottom becomes lambda.
  void (*solve)(const Factors& factors, double* top, double* bottom);
  // The same with zeros on top; x is only written.
  void (*solve_constraints)(const Factors& factors, double* x, double* bottom);
  // x := x - M^-1 G^T S^-1 G x
  void (*remove_normal)(const Factors& factors, const double* g, double* x);
};

enum class MassKind { unit, diagonal, full };

// Null if there is none of this size.
const SmallKkt* small_kkt(std::size_t coordinates, std::size_t constraints, MassKind mass);

}  // namespace driftless
