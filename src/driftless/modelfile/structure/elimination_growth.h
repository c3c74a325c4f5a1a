// Whether an unknown may be computed from others: not if errors grow on the way. In x[i+1] = 4 x[i] - x[i-1] + ... each
// value is a hundred times less certain than the one three places before, however well the equations themselves
// determine all of them.
//
// An unknown y that row r defines, with a = dr/dy and b_j = dr/dx_j in units in which all entries are about 1, has
//   growth(y) = sum_j |b_j / a| growth(x_j),
// where states and what is known have growth 0 and unknowns that are left to the solver growth 1. Unknowns on which
// nothing else depends are results: their growth harms nobody. A nonlinear formula of the solver's unknowns is taken as
// it is written; solving an equation the other way round moves its roots and forgets the start values. Nor is an
// unknown computed from very many others unless it is written so: put into their rows, its formula would make these
// long.
#pragma once

#include "driftless/core/matrix.h"
#include "driftless/modelfile/structure/reduction_state.h"
#include "driftless/modelfile/structure/sample_points.h"

namespace driftless {

// Rows that define one unknown each: a single row, or a loop of linear rows with the inverse of its matrix.
struct DefinedBlock {
  std::vector<std::uint32_t> rows, unknowns;
  bool written = false;              // as y = ...
  std::vector<Number> inverse = {};  // row by row
};

class EliminationGrowth {
 public:
  // The blocks in the order of computation.
  EliminationGrowth(ReductionState& state, const std::vector<DefinedBlock>& blocks);

  // By block. What is not acceptable stays with the solver, and later blocks are judged accordingly. The state
  // remembers by how much errors of the unknowns that are left have grown already.
  std::vector<char> acceptable();

 private:
  struct Entry {
    std::uint32_t unknown;
    Number size;  // of the derivative
    bool curved;  // it depends on unknowns like these, or its row must not be taken out unless it is constant
  };
  using Entries = std::vector<Entry>;

  void find_relevant();
  std::vector<std::uint32_t> telling_rows() const;
  std::vector<char> hidden_velocities() const;
  bool reads_free(Expr slope) const;
  void read_entries();
  void balance();
  bool accept(std::size_t block);
  bool read_few(const DefinedBlock& block);
  void remember(std::size_t block);
  // The entries of the unknown that row i of a block defines, by the others: in units of that unknown.
  Entries weights(const DefinedBlock& block, std::size_t i) const;
  bool is_free(std::uint32_t unknown) const { return state_.alive[unknown] && !is_state_[unknown]; }

  ReductionState& state_;
  const std::vector<DefinedBlock>& blocks_;
  std::vector<char> is_state_;
  std::vector<char> relevant_;                     // by block: depends on the solver's unknowns, and they on it
  std::vector<Entries> entries_;                   // by row, of relevant blocks
  std::vector<Number> unit_;                       // by unknown
  std::vector<Number> growth_;                     // by unknown
  std::vector<std::uint8_t> bends_;                // by unknown: nonlinear functions one inside the other
  std::vector<std::vector<std::uint32_t>> reads_;  // by unknown that is taken out: those of the solver behind it
};

}  // namespace driftless
