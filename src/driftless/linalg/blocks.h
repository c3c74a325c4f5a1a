// Which rows and columns of a square matrix have to do with each other.
#pragma once

#include <cstddef>
#include <vector>

#include "driftless/core/matrix.h"

namespace driftless {

struct MatrixBlock {
  std::vector<std::size_t> rows, columns;  // ascending, as many of one as of the other
};

// The square blocks on the diagonal once rows and columns are ordered such that everything above them is zero: the
// matrix is singular exactly where one of them is. Parts that no order of the rows gives a diagonal are left out.
std::vector<MatrixBlock> triangular_blocks(ConstMatrixView a);
Matrix copy_of(ConstMatrixView a, const MatrixBlock& block);

// Marks by 1 the entries that are not zero; true if one of them is new.
bool mark_entries(ConstMatrixView a, Matrix& marks);
bool has_unmarked(ConstMatrixView a, const Matrix& marks);

}  // namespace driftless
