// K = [A, -B; G, 0] on sparse blocks, factorised as it is. With S = G A^-1 B, which is never made,
//     K (d, mu) = (0, r)   gives   mu = S^-1 r   and   d = A^-1 B mu,     and   det K = det A det S.
// If S is singular, rows of G that depend on the others are left out and mu is of least norm (saddle_redundancy.h).
#pragma once

#include <memory>

#include "driftless/linalg/block_pattern.h"
#include "driftless/linalg/decisive_system.h"
#include "driftless/linalg/rank.h"

namespace driftless {

class SaddleRedundancy;

class SaddleSystem {
 public:
  // A is n x n, B is n x m, G is m x n.
  SaddleSystem(const Pattern& a, const Pattern& b, const Pattern& g);
  ~SaddleSystem();
  SaddleSystem(SaddleSystem&&) noexcept;

  bool is_sparse() const { return system_.is_sparse(); }
  void set_a(ConstSpan values) { place(0, values, 1.0); }
  void set_b(ConstSpan values) { place(1, values, -1.0); }
  void set_g(ConstSpan values) { place(2, values, 1.0); }
  bool is_finite();

  // False if S is singular; solutions are then of least norm. Where all values are what they were, nothing is done.
  bool factorise();
  bool regular() const { return regular_; }
  std::size_t rank() const;
  // (a, r) becomes (d, mu).
  void solve(Span x) const;
  // The part of mu that the constraints leave open is taken out, in units of its effect.
  void make_least(Span mu) const;
  // Rows of G that depend on the others, and directions of mu that act on nothing: see Redundancy. Empty also where S
  // is singular although the rows of G are independent.
  Redundancy redundancy() const;

  Determinant determinant() const { return regular_ ? system_.determinant() : Determinant{}; }
  double pivot_ratio() const { return regular_ ? system_.pivot_ratio() : 0.0; }
  std::size_t undetermined() const;  // a row of G that is to blame

 private:
  SaddleSystem(std::size_t n, std::size_t m, BlockPattern blocks);
  void place(std::size_t block, ConstSpan values, double factor);
  bool factorise_anew();

  std::size_t n_, m_;
  BlockPattern blocks_;
  DecisiveSystem system_;
  Vector factorised_;  // the values, if they are sparse
  std::unique_ptr<SaddleRedundancy> redundancy_;
  bool regular_ = false, is_new_ = true;
};

}  // namespace driftless
