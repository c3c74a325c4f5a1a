// The structure of a pencil A x' = B x with constant matrices: is it regular, of which index, with which finite
// eigenvalues and which blocks at infinity. By Wong's sequence (Wong 1974; Berger, Ilchmann and Trenn 2012),
//     V_0 = R^n,    V_{k+1} = { x : B x in A V_k },
// which shrinks to the space V* of all values of solutions.
#pragma once

#include <complex>
#include <vector>

#include "driftless/core/matrix.h"
#include "driftless/linalg/rank.h"

namespace driftless {

struct PencilStructure {
  bool regular = false;                 // det(s A - B) is not 0 for all s
  std::vector<std::size_t> dimensions;  // of V_0, V_1, ..., V*
  Matrix subspace;                      // V*, orthonormal columns

  // Of regular pencils. The index is the size of the largest block at infinity; 0: A is regular.
  std::size_t index = 0;
  std::vector<std::size_t> infinite_blocks;       // sizes, descending
  std::vector<std::complex<double>> eigenvalues;  // finite: B x = s A x, by descending modulus

  // Every decision about a rank compared singular values, relative to the size of A or B, with `tolerance`.
  double tolerance = rank_tolerance;
  double smallest_kept = 1.0, largest_dropped = 0.0;
  // Far enough apart that rounding, or a digit more in the data, does not turn a decision.
  bool is_clear() const { return smallest_kept > 1e3 * tolerance && largest_dropped < 1e-2 * tolerance; }
};

// Rows and columns are scaled first, so that units do not decide. Misuse unless A and B have the same size.
PencilStructure analyse_pencil(const Matrix& a, const Matrix& b, double tolerance = rank_tolerance);

}  // namespace driftless
