// L D L^T of small dense matrices whose size is known to the compiler: no loops, no indices in memory.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace driftless {

struct FixedLdl {
  // The upper triangle, row by row in full rows of the size, becomes L^T; inverse[k] holds the diagonal entry on entry
  // and 1/D_k on return. False at a pivot below `least` times its diagonal entry.
  bool (*factorise)(double* s, double* inverse, double least);
  void (*solve)(const double* s, const double* inverse, double* x);
};

namespace detail {

template <int M>
bool fixed_factorise(double* s, double* inverse, double least) {
#pragma GCC unroll 8
  for (int k = 0; k < M; ++k) {
    double* row = s + k * M;
    const double pivot = row[k];
    if (!(pivot > least * inverse[k]) || !std::isfinite(pivot)) return false;
    const double scale = inverse[k] = 1.0 / pivot;
#pragma GCC unroll 8
    for (int i = k + 1; i < M; ++i) {
      const double factor = row[i] * scale;
#pragma GCC unroll 8
      for (int j = i; j < M; ++j) s[i * M + j] -= factor * row[j];
      row[i] = factor;
    }
  }
  return true;
}

template <int M>
void fixed_solve(const double* s, const double* inverse, double* out) {
  double x[M];
#pragma GCC unroll 8
  for (int k = 0; k < M; ++k) x[k] = out[k];
#pragma GCC unroll 8
  for (int k = 0; k < M; ++k)
#pragma GCC unroll 8
    for (int i = k + 1; i < M; ++i) x[i] -= s[k * M + i] * x[k];
#pragma GCC unroll 8
  for (int k = 0; k < M; ++k) x[k] *= inverse[k];
#pragma GCC unroll 8
  for (int k = M - 1; k >= 0; --k)
#pragma GCC unroll 8
    for (int i = k + 1; i < M; ++i) x[k] -= s[k * M + i] * x[i];
#pragma GCC unroll 8
  for (int k = 0; k < M; ++k) out[k] = x[k];
}

template <int... M>
constexpr std::array<FixedLdl, sizeof...(M)> fixed_table(std::integer_sequence<int, M...>) {
  return {FixedLdl{fixed_factorise<M + 1>, fixed_solve<M + 1>}...};
}

}  // namespace detail

inline constexpr std::size_t largest_fixed = 8;
// For 1 <= size <= largest_fixed.
inline const FixedLdl& fixed_ldl(std::size_t size) {
  static constexpr auto table = detail::fixed_table(std::make_integer_sequence<int, largest_fixed>{});
  return table[size - 1];
}

}  // namespace driftless
