// Least squares in order of importance (lexicographic.h) for many unknowns in rows with few entries.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "driftless/core/matrix.h"

namespace driftless {

// One level: rows a x = b.
struct SparseRows {
  struct Entry {
    std::uint32_t row, column;
    double value;
  };
  std::vector<Entry> entries;
  Vector right;  // b, one number for each row
};

// What Lexicographic says of the same levels. Unknowns that no row connects are treated apart. In a group of many
// unknowns the first level is met as it is, and the others, with the weights 1, 1e-5, 1e-10, ..., in
//     min sum_l weight_l |a_l x - b_l|^2   subject to   a_0 x = b_0,
// which is repeated for what is left of the important ones until the weights do not matter.
Vector lexicographic_solution(std::size_t unknowns, std::span<const SparseRows> levels);

// The unknowns that the levels leave open, ascending.
std::vector<std::size_t> open_unknowns(std::size_t unknowns, std::span<const SparseRows> levels);

}  // namespace driftless
