// How a sparse matrix is eliminated front by front: columns whose factors have nearly the same rows are one dense
// block, a front, and what it leaves to later columns is added into the front of its parent (Duff and Reid's
// multifrontal method, on the union of the patterns of the matrix and its transpose).
#pragma once

#include <span>

#include "driftless/linalg/pattern.h"

namespace driftless {

struct FrontalPlan {
  // `columns` unknowns from `first` on, in elimination order, and `rest` later ones that they reach.
  struct Front {
    std::uint32_t first, columns, rest, depth;
    std::size_t later;    // where its later unknowns begin in `later` and `places`
    std::size_t values;   // where its factors begin: `columns` of rows(), of L and U, then `rest` columns of U
    std::size_t entries;  // where its entries of the matrix begin
    std::uint32_t child;  // the first of its children, which come in turn by `sibling`
    std::uint32_t sibling;
    // Rows of later unknowns are filled up with zeros, so that no loop over them has a rest.
    std::size_t height() const { return (std::size_t{rest} + 3) / 4 * 4; }
    std::size_t rows() const { return columns + height(); }
  };
  static constexpr std::uint32_t none = UINT32_MAX;

  std::vector<Front> fronts;                 // children before parents, and a last one that only ends the lists
  std::vector<std::uint32_t> later;          // positions in elimination order, ascending
  std::vector<std::uint32_t> places;         // of the same in the parent's front
  std::vector<std::uint32_t> from, to;       // an entry of the matrix, and where it is among the values of its front
  std::vector<std::uint32_t> rows, columns;  // which are eliminated first, second, ...
  std::size_t stack[2] = {0, 0};             // entries of what waits for parents, by the parity of their depth
  double work = 0.0;                         // multiplications of a factorisation

  std::size_t count() const { return fronts.size() - 1; }
  std::size_t factor_entries() const { return fronts.back().values; }
  std::size_t entries() const { return factor_entries() + stack[0] + stack[1]; }  // to be kept while it factorises
};

// Are nearly all entries at both sides of the diagonal that these pivots make?
bool is_nearly_symmetric(const Pattern& pattern, std::span<const int> rows, std::span<const int> columns);

// For pivots rows[k], columns[k] in about this order: only independent ones change places.
FrontalPlan plan_fronts(const Pattern& pattern, std::span<const int> rows, std::span<const int> columns);

}  // namespace driftless
