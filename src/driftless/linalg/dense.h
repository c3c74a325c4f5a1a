// Products, inverses and eigenvalues of small dense matrices; for analysis, not for inner loops.
#pragma once

#include <optional>

#include "driftless/core/matrix.h"

namespace driftless {

Matrix product(ConstMatrixView a, ConstMatrixView b);
Vector product(ConstMatrixView a, ConstSpan x);
Matrix transpose_of(ConstMatrixView a);
Matrix copy_of(ConstMatrixView a);
Matrix columns_of(ConstMatrixView a, std::span<const std::size_t> chosen);

// Nothing if the matrix is singular.
std::optional<Matrix> inverse(ConstMatrixView a);

// a = vectors diag(values) vectors^T of the symmetric part of a, values ascending.
struct SymmetricEigen {
  Vector values;
  Matrix vectors;
};
SymmetricEigen symmetric_eigen(ConstMatrixView a);

double largest_singular_value(ConstMatrixView a);
double smallest_singular_value(ConstMatrixView a);

// a = q r with orthonormal columns of q and upper triangular r, for a with independent columns.
struct ThinQr {
  Matrix q, r;
};
ThinQr thin_qr(ConstMatrixView a);

}  // namespace driftless
