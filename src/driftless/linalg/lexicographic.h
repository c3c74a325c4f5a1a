// Least squares in order of importance: what comes first is met as well as it can be, what comes later takes part only
// in what is still open. Not for inner loops.
#pragma once

#include "driftless/linalg/rank.h"

namespace driftless {

// x minimises |a_1 x - b_1|; among those x |a_2 x - b_2|; and so on; in the end |x| among all that remain. With an
// orthonormal basis Z of the directions that levels 1 to k-1 leave open, level k is
//     y = argmin |(a_k Z) y - (b_k - a_k x)| of least norm,   x := x + Z y,   Z := Z ker(a_k Z).
class Lexicographic {
 public:
  explicit Lexicographic(std::size_t unknowns);

  void add(ConstMatrixView a, ConstSpan b);
  const Vector& solution() const { return x_; }
  // Z: the directions along which no level so far says anything.
  const Matrix& open() const { return open_; }

 private:
  Vector x_;
  Matrix open_;
};

}  // namespace driftless
