// Is this problem, at this point, of the index that its form claims?
#pragma once

#include "driftless/equations/equations.h"

namespace driftless {

struct IndexReport {
  int index = 0;                  // of the form
  bool satisfied = false;         // (A2)-(A3) of Schropp 2003, (A3)-(A4) of Schropp 2001, resp. Q f_x regular on Im Q
  bool multiplier_found = false;  // psi_0 exists at this point
  std::size_t constraints = 0;
  std::size_t rank = 0;    // of the decisive matrix
  double condition = 1.0;  // of the decisive matrix with rows scaled to unit length
  Names redundant;         // constraints whose gradients are combinations of the others'
  std::string verdict;     // all of this in words
};

// Of a decisive matrix with rows and columns scaled to the same length: largest over smallest singular value, zeros of
// redundant rows left out.
double condition_of(Matrix decisive);

// What the matrix that decides the index is called, by its formula.
const char* decisive_name(const Equations& equations);

// `state` has the layout of the equations; its multipliers are only a starting guess.
IndexReport check_index(const Equations& equations, double t, ConstSpan state);

// Differences between derivatives given by hand and automatic ones, relative to the size of the block.
struct DerivativeDifference {
  std::string function;  // "constraint_jacobian", ...
  std::string entry;     // the worst one: "rod by x"
  double given = 0.0, automatic = 0.0;
  double relative = 0.0;
};
// One entry per derivative that the model could give; all relative differences are at rounding level if it is right.
std::vector<DerivativeDifference> compare_derivatives(const Equations& equations, double t, ConstSpan state);

}  // namespace driftless
