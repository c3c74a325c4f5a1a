#include "driftless/linalg/fixed_kkt.h"

#include <array>
#include <cmath>
#include <utility>

#include "driftless/linalg/cpu.h"
#include "driftless/linalg/cut_offs.h"

namespace driftless {

namespace {

// Four numbers as the compiler's own vector type: one register with AVX, two without.
using Quad = double __attribute__((vector_size(32), aligned(8), may_alias));

template <int M>
struct Kernel {
  static constexpr int quads = (M + 3) / 4, width = 4 * quads;

  static const Quad* quads_of(const double* row) { return reinterpret_cast<const Quad*>(row); }
  static Quad* quads_of(double* row) { return reinterpret_cast<Quad*>(row); }

  [[gnu::always_inline]] static void multiply(const double* y, const double* inverse, std::size_t n, double* scaled,
                                              double* s) {
    for (std::size_t p = 0; p < n; ++p)
      for (int j = 0; j < quads; ++j) quads_of(scaled + p * width)[j] = quads_of(y + p * width)[j] * inverse[p];
#pragma GCC unroll 8
    for (int i = 0; i < M; ++i) {
      Quad row[quads] = {};
      for (std::size_t p = 0; p < n; ++p)
#pragma GCC unroll 2
        for (int j = i / 4; j < quads; ++j) row[j] += quads_of(y + p * width)[j] * scaled[p * width + i];
#pragma GCC unroll 2
      for (int j = i / 4; j < quads; ++j) quads_of(s + i * width)[j] = row[j];
    }
  }

  [[gnu::always_inline]] static bool factorise(double* s, double* inverse, double least) {
#pragma GCC unroll 8
    for (int k = 0; k < M; ++k) {
      double* row = s + k * width;
      const double pivot = row[k];
      if (!(pivot > least * inverse[k]) || !std::isfinite(pivot)) return false;
      const double scale = inverse[k] = 1.0 / pivot;
#pragma GCC unroll 8
      for (int i = k + 1; i < M; ++i) {
        const double factor = row[i] * scale;
#pragma GCC unroll 8
        for (int j = i; j < M; ++j) s[i * width + j] -= factor * row[j];
        row[i] = factor;
      }
    }
    return true;
  }

  [[gnu::always_inline]] static void gather(const double* y, const double* w, std::size_t n, double* lambda) {
    Quad sum[quads] = {};
    for (std::size_t p = 0; p < n; ++p)
#pragma GCC unroll 2
      for (int j = 0; j < quads; ++j) sum[j] += quads_of(y + p * width)[j] * w[p];
#pragma GCC unroll 8
    for (int i = 0; i < M; ++i) lambda[i] += sum[i / 4][i % 4];
  }

  [[gnu::always_inline]] static void solve(const double* scaled, const double* s, const double* inverse, std::size_t n,
                                           double* w, double* lambda) {
    double x[width] = {};
#pragma GCC unroll 8
    for (int k = 0; k < M; ++k) x[k] = lambda[k];
#pragma GCC unroll 8
    for (int k = 0; k < M; ++k)
#pragma GCC unroll 8
      for (int i = k + 1; i < M; ++i) x[i] -= s[k * width + i] * x[k];
#pragma GCC unroll 8
    for (int k = 0; k < M; ++k) x[k] *= inverse[k];
#pragma GCC unroll 8
    for (int k = M - 1; k >= 0; --k)
#pragma GCC unroll 8
      for (int i = k + 1; i < M; ++i) x[k] -= s[k * width + i] * x[i];
#pragma GCC unroll 8
    for (int k = 0; k < M; ++k) lambda[k] = x[k];
    for (std::size_t p = 0; p < n; ++p) {
      Quad sum = {};
#pragma GCC unroll 2
      for (int j = 0; j < quads; ++j) sum += quads_of(scaled + p * width)[j] * quads_of(x)[j];
      w[p] -= (sum[0] + sum[2]) + (sum[1] + sum[3]);
    }
  }
};

template <int M>
struct PlainKkt {
  static void multiply(const double* y, const double* inverse, std::size_t n, double* scaled, double* s) {
    Kernel<M>::multiply(y, inverse, n, scaled, s);
  }
  static bool factorise(double* s, double* inverse, double least) { return Kernel<M>::factorise(s, inverse, least); }
  static void gather(const double* y, const double* w, std::size_t n, double* lambda) {
    Kernel<M>::gather(y, w, n, lambda);
  }
  static void solve(const double* scaled, const double* s, const double* inverse, std::size_t n, double* w,
                    double* lambda) {
    Kernel<M>::solve(scaled, s, inverse, n, w, lambda);
  }
};

#if defined(__x86_64__)
template <int M>
struct AvxKkt {
  [[gnu::target("avx")]] static void multiply(const double* y, const double* inverse, std::size_t n, double* scaled,
                                              double* s) {
    Kernel<M>::multiply(y, inverse, n, scaled, s);
  }
  [[gnu::target("avx")]] static bool factorise(double* s, double* inverse, double least) {
    return Kernel<M>::factorise(s, inverse, least);
  }
  [[gnu::target("avx")]] static void gather(const double* y, const double* w, std::size_t n, double* lambda) {
    Kernel<M>::gather(y, w, n, lambda);
  }
  [[gnu::target("avx")]] static void solve(const double* scaled, const double* s, const double* inverse, std::size_t n,
                                           double* w, double* lambda) {
    Kernel<M>::solve(scaled, s, inverse, n, w, lambda);
  }
};
#else
template <int M>
using AvxKkt = PlainKkt<M>;
#endif

using Table = std::array<FixedKkt, cut_off::fixed_constraints>;

template <template <int> class Code, int... Less>
Table make_table(std::integer_sequence<int, Less...>) {
  return {FixedKkt{Kernel<Less + 1>::width, Code<Less + 1>::multiply, Code<Less + 1>::factorise, Code<Less + 1>::gather,
                   Code<Less + 1>::solve}...};
}

}  // namespace

const FixedKkt& fixed_kkt(std::size_t constraints) {
  constexpr std::make_integer_sequence<int, cut_off::fixed_constraints> sizes;
  static const Table table = has_avx() ? make_table<AvxKkt>(sizes) : make_table<PlainKkt>(sizes);
  return table[constraints - 1];
}

}  // namespace driftless
