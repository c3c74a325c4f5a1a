// K = [A, -B; G, 0] where S = G A^-1 B is singular, because constraints depend on each other: as many rows of G as are
// redundant are left out, and n^T mu = 0 takes their place for directions n with S n = 0.
//
// Directions and rows are found without a dense matrix. With rows of G and columns of B in units of their size, and a
// small delta in the empty block of K, (S + delta)^-1 makes what is in the kernel of S larger by 1/delta and nothing
// else by much: a few steps of subspace iteration give the kernel, with K^T, which has the same factors, that of S^T,
// and rows where the latter is largest are those to leave out.
#pragma once

#include <memory>

#include "driftless/linalg/analysis_scope.h"
#include "driftless/linalg/decisive_system.h"
#include "driftless/linalg/rank.h"

namespace driftless {

// Largest entries of the rows of G, of the columns of B over those of A, and of A: S is of the size of rows times
// columns.
struct SaddleUnits {
  Vector rows, columns;
  double a = 0.0;

  SaddleUnits(const Pattern& k, std::size_t n);
  void see(const Pattern& k, std::size_t n, ConstSpan values);
};

class SaddleRedundancy {
 public:
  // `rows` of G are replaced by `directions` (one in each column, in units of the columns of B).
  SaddleRedundancy(const Pattern& k, std::size_t n, std::vector<std::uint32_t> rows, Matrix directions,
                   bool rows_depend);

  // False if the matrix is singular still, or rows that were left out no longer depend on the others.
  bool factorise(ConstSpan k_values);
  // (a, r) becomes (d, mu) with mu of least norm in units of the columns of B.
  void solve(Span x) const;
  void make_least(Span mu) const;
  const std::vector<std::uint32_t>& rows() const { return rows_; }
  // With what the search for it may begin in another system on the same pattern.
  std::shared_ptr<const KnownRedundancy> known() const;
  // False: the rows of G are independent, but mu does not act on all of them.
  bool rows_depend() const { return rows_depend_; }
  Redundancy directions() const;

 private:
  void find_kernel();
  bool still_depends(ConstSpan k_values);
  void take_out(Span mu, Span d) const;

  Pattern k_;
  std::size_t n_, m_;
  std::vector<std::uint32_t> rows_;
  bool rows_depend_;
  std::vector<std::uint32_t> place_;         // of the entries of K, where they are kept
  std::vector<std::uint32_t> place_of_row_;  // of the first direction's entries, and so on
  Matrix kernel_, pushed_;                   // S n = 0, of length 1 in units; A^-1 B n
  SaddleUnits units_;                        // mu times those of the columns has the units of S
  DecisiveSystem system_;
};

// Null if S is regular, or nothing is known, or what was known is not so here.
std::unique_ptr<SaddleRedundancy> known_redundancy(const Pattern& k, std::size_t n, ConstSpan k_values);
// Null if S is regular.
std::unique_ptr<SaddleRedundancy> find_redundancy(const Pattern& k, std::size_t n, ConstSpan k_values);

}  // namespace driftless
