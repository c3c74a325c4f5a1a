// The pattern of a matrix made of blocks, and where the entries of each block are in it.
#pragma once

#include <span>

#include "driftless/linalg/pattern.h"

namespace driftless {

struct PlacedBlock {
  Pattern pattern;
  std::size_t row = 0, column = 0;  // of its first entry
};

struct BlockPattern {
  Pattern pattern;
  std::vector<std::vector<std::uint32_t>> places;  // of the entries of each block
};

// Blocks may overlap.
BlockPattern block_pattern(std::size_t rows, std::size_t cols, std::span<const PlacedBlock> blocks);
// The same blocks in a matrix that is full whatever they are.
BlockPattern blocks_in_full(std::size_t rows, std::size_t cols, std::span<const PlacedBlock> blocks);

// Some columns of a pattern.
Pattern columns_of(const Pattern& pattern, std::size_t first, std::size_t count);

Pattern diagonal_pattern(std::size_t n);

// The transposed pattern, and which entry of the original each of its entries is.
struct TransposedPattern {
  Pattern pattern;
  std::vector<std::uint32_t> from;
};
TransposedPattern transposed_pattern(const Pattern& pattern);

}  // namespace driftless
