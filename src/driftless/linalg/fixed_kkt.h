// The Schur complement of few constraints, for sizes known to the compiler: rows of Y as whole vectors, no loops over
// constraints, no indices in memory. With AVX where the processor has it, and the same bits without it.
#pragma once

#include <cstddef>

namespace driftless {

struct FixedKkt {
  std::size_t width;  // of the rows of y, scaled and s, which are padded with zeros

  // scaled = D^-1 Y and the upper triangle of S = Y^T D^-1 Y; `inverse` is 1/D.
  void (*multiply)(const double* y, const double* inverse, std::size_t n, double* scaled, double* s);
  // The upper triangle of S becomes L^T; inverse[k] holds the diagonal entry on entry and 1/D_k on return. False at a
  // pivot below `least` times its diagonal entry.
  bool (*factorise)(double* s, double* inverse, double least);
  // lambda += Y^T w
  void (*gather)(const double* y, const double* w, std::size_t n, double* lambda);
  // lambda := S^-1 lambda, then w -= D^-1 Y lambda
  void (*solve)(const double* scaled, const double* s, const double* inverse, std::size_t n, double* w, double* lambda);
};

// For 1 <= constraints <= cut_off::fixed_constraints.
const FixedKkt& fixed_kkt(std::size_t constraints);

}  // namespace driftless
