// Projectors of index 1, block by block: unknowns and rows that have nothing to do with each other are never mixed.
#pragma once

#include "driftless/linalg/constant_matrix.h"

namespace driftless {

// P with P P = P, and orthonormal bases, in columns, of the images of Q = I - P and of its transpose (the rows that
// matter). Those of different blocks have no entries in common.
struct ProjectorParts {
  ConstantMatrix p, q_image, q_rows;
};
ProjectorParts analyse_projector(ConstantMatrix p);  // Misuse if it is none

// A x' = g(x) with singular A, brought to projector form: with A = W S Z^T (singular values), T = Z diag(S_r^-1, I/s_1)
// W^T is regular and T A = Z diag(I_r, 0) Z^T is the orthogonal projector along Ker A, so that T A x' = T g(x). Its
// algebraic part is scaled by the largest singular value s_1, so that small units (microfarads) do not drown the
// constraint in rounding.
struct ProjectorForm {
  Matrix projector;
  Matrix transform;  // T
};
ProjectorForm projector_form(const Matrix& a);

// The same for a large A, each connected block of it by itself.
struct BlockProjectorForm {
  ConstantMatrix projector, transform;
};
BlockProjectorForm block_projector_form(const ConstantMatrix& a);

}  // namespace driftless
