// LU factorisations of systems of a few unknowns, with the size known to the compiler: no loops, and solutions that
// stay in registers.
#pragma once

#include <cstddef>

#include "driftless/linalg/cut_offs.h"

namespace driftless {

// As in lu_kernels.h.
struct LuCode {
  using size_t = std::size_t;
  size_t (*factorise_real)(double* lu, size_t n, size_t* pivot, size_t* order);
  size_t (*factorise_complex)(double* real, double* imag, size_t n, size_t* pivot, size_t* order);
  void (*solve_real)(const double* lu, size_t n, const size_t* order, double* b);
  void (*solve_complex)(const double* real, const double* imag, size_t n, const size_t* order, double* re, double* im);
};

inline constexpr std::size_t largest_small_lu = cut_off::small_lu;
// For 1 <= n <= largest_small_lu.
const LuCode& small_lu(std::size_t n);

}  // namespace driftless
