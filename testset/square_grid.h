// n x n cells in rows, each with up to four neighbours.
#pragma once

#include <fmt/format.h>

#include <initializer_list>

#include "driftless/equations/layout.h"

namespace driftless::testset {

struct SquareGrid {
  std::size_t n;

  std::size_t cells() const { return n * n; }
  void for_each_neighbour(std::size_t cell, auto&& visit) const {
    if (cell >= n) visit(cell - n);
    if (cell % n > 0) visit(cell - 1);
    if (cell % n + 1 < n) visit(cell + 1);
    if (cell + n < cells()) visit(cell + n);
  }
  // "u[1,1]", "v[1,1]", "u[1,2]", ...
  Names names(std::initializer_list<const char*> quantities) const {
    Names all;
    for (std::size_t cell = 0; cell < cells(); ++cell)
      for (const char* quantity : quantities)
        all.push_back(fmt::format("{}[{},{}]", quantity, cell / n + 1, cell % n + 1));
    return all;
  }
};

}  // namespace driftless::testset
