#include "driftless/linalg/small_lu.h"

#include <array>
#include <utility>

// Vectors that are written in parts and read as a whole wait for the memory: on systems this small, the vectorised code
// is measured to be up to four times slower.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-vectorize", "no-tree-slp-vectorize")
#endif

#include "driftless/linalg/lu_kernels.h"

namespace driftless {

namespace {

using std::size_t;

template <size_t N>
size_t factorise_real(double* lu, size_t, size_t* pivot, size_t* order) {
  return lu_kernels::factorise_real(lu, N, pivot, order);
}

template <size_t N>
size_t factorise_complex(double* real, double* imag, size_t, size_t* pivot, size_t* order) {
  return lu_kernels::factorise_complex(real, imag, N, pivot, order);
}

template <size_t N>
void solve_real(const double* lu, size_t, const size_t* order, double* b) {
  double x[N];
#pragma GCC unroll 12
  for (size_t k = 0; k < N; ++k) x[k] = b[order[k]];
  lu_kernels::substitute(lu, N, x);
#pragma GCC unroll 12
  for (size_t k = 0; k < N; ++k) b[k] = x[k];
}

template <size_t N>
void solve_complex(const double* real, const double* imag, size_t, const size_t* order, double* re, double* im) {
  double x[N], y[N];
#pragma GCC unroll 12
  for (size_t k = 0; k < N; ++k) {
    x[k] = re[order[k]];
    y[k] = im[order[k]];
  }
  lu_kernels::substitute(real, imag, N, x, y);
#pragma GCC unroll 12
  for (size_t k = 0; k < N; ++k) {
    re[k] = x[k];
    im[k] = y[k];
  }
}

template <size_t... Less>
constexpr auto make_table(std::index_sequence<Less...>) {
  return std::array<LuCode, sizeof...(Less)>{
      LuCode{factorise_real<Less + 1>, factorise_complex<Less + 1>, solve_real<Less + 1>, solve_complex<Less + 1>}...};
}

}  // namespace

const LuCode& small_lu(size_t n) {
  static constexpr auto table = make_table(std::make_index_sequence<largest_small_lu>());
  return table[n - 1];
}

}  // namespace driftless
