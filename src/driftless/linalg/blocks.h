// Which rows and columns of a square matrix have to do with each other.
#pragma once

#include <cstddef>
#include <vector>

#include "driftless/core/matrix.h"

namespace driftless {

struct MatrixBlock {
  std::vector<std::size_t> rows, columns;  // ascending, as many of one as of the other
};

// The square blocks into which rows and columns fall by the entries that are not zero.
std::vector<MatrixBlock> diagonal_blocks(ConstMatrixView a);
Matrix copy_of(ConstMatrixView a, const MatrixBlock& block);
// Whether everything beside and below the block is zero.
bool stands_alone(ConstMatrixView a, const MatrixBlock& block);

}  // namespace driftless
