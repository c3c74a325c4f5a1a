// How often each equation has to be differentiated until the highest derivatives can be solved for, by structure alone
// (Pantelides 1988), for equations of first order.
#pragma once

#include "driftless/modelfile/structure/incidence.h"

namespace driftless {

struct Occurrence {
  std::uint32_t unknown;
  int order;  // 1: its derivative occurs (and perhaps itself)
};

struct StructuralIndex {
  std::vector<int> differentiations;  // c of each row
  std::vector<int> orders;            // d of each unknown: the highest derivative in the differentiated rows
  int index = 0;                      // the largest c, plus one if some unknown is determined without its derivative
  // Where `most` differentiations of a row are not enough: the rows that ask for more, and the unknowns in them.
  bool too_high = false;
  std::vector<std::size_t> blamed_rows, blamed_unknowns;
};

// The rows must be structurally regular (a perfect matching of rows and unknowns exists).
StructuralIndex structural_index(std::size_t unknowns, const std::vector<std::vector<Occurrence>>& rows, int most);

}  // namespace driftless
