// What RealLu and ComplexLu are made of, for a size that the compiler may or may not know. The order of operations does
// not depend on that.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>

#include "driftless/core/stop.h"

namespace driftless::lu_kernels {

using std::size_t;

// y -= x a for columns that do not overlap, and the same for complex numbers in two parts: what all loops here are made
// of.
inline void subtract(double* __restrict y, const double* __restrict a, double x, size_t begin, size_t end) {
  for (size_t i = begin; i < end; ++i) y[i] -= a[i] * x;
}
inline void subtract(double* __restrict yr, double* __restrict yi, const double* __restrict ar,
                     const double* __restrict ai, double xr, double xi, size_t begin, size_t end) {
  for (size_t i = begin; i < end; ++i) {
    yr[i] -= ar[i] * xr - ai[i] * xi;
    yi[i] -= ar[i] * xi + ai[i] * xr;
  }
}

inline void find_order(size_t n, const size_t* pivot, size_t* order) {
  for (size_t k = 0; k < n; ++k) order[k] = k;
  for (size_t k = 0; k < n; ++k) std::swap(order[k], order[pivot[k]]);
}

// Column j of U and the not yet scaled column of L: x_k = u_kj in turn, four columns of L per pass.
[[gnu::always_inline]] inline void eliminate(double* lu, size_t n, size_t j) {
  double* __restrict col = lu + j * n;
  const size_t whole = j - j % 4;
  for (size_t k = 0; k < whole; k += 4) {
    const double* __restrict l0 = lu + k * n, * __restrict l1 = l0 + n, * __restrict l2 = l1 + n, * __restrict l3 = l2 + n;
    const double x0 = col[k];
    const double x1 = col[k + 1] - l0[k + 1] * x0;
    const double x2 = col[k + 2] - l0[k + 2] * x0 - l1[k + 2] * x1;
    const double x3 = col[k + 3] - l0[k + 3] * x0 - l1[k + 3] * x1 - l2[k + 3] * x2;
    col[k + 1] = x1;
    col[k + 2] = x2;
    col[k + 3] = x3;
    for (size_t i = k + 4; i < n; ++i) col[i] -= l0[i] * x0 + l1[i] * x1 + l2[i] * x2 + l3[i] * x3;
  }
  for (size_t k = whole; k < j; ++k) subtract(col, lu + k * n, col[k], k + 1, n);
}

// The same, two columns per pass.
[[gnu::always_inline]] inline void eliminate(double* real, double* imag, size_t n, size_t j) {
  double* __restrict re = real + j * n, * __restrict im = imag + j * n;
  const size_t whole = j - j % 2;
  for (size_t k = 0; k < whole; k += 2) {
    const double* __restrict r0 = real + k * n, * __restrict i0 = imag + k * n, * __restrict r1 = r0 + n, * __restrict i1 = i0 + n;
    const double x0 = re[k], y0 = im[k];
    const double x1 = re[k + 1] - (r0[k + 1] * x0 - i0[k + 1] * y0);
    const double y1 = im[k + 1] - (r0[k + 1] * y0 + i0[k + 1] * x0);
    re[k + 1] = x1;
    im[k + 1] = y1;
    for (size_t i = k + 2; i < n; ++i) {
      re[i] -= r0[i] * x0 - i0[i] * y0 + r1[i] * x1 - i1[i] * y1;
      im[i] -= r0[i] * y0 + i0[i] * x0 + r1[i] * y1 + i1[i] * x1;
    }
  }
  for (size_t k = whole; k < j; ++k) subtract(re, im, real + k * n, imag + k * n, re[k], im[k], k + 1, n);
}

// Factorisations return the column that failed, or n. `order` is what the pivots make of 0, 1, ..., n - 1.
[[gnu::always_inline]] inline size_t factorise_real(double* lu, size_t n, size_t* pivot, size_t* order) {
#pragma GCC unroll 12
  for (size_t j = 0; j < n; ++j) {
    if (j % 64 == 63) check_stop();
    double* col = lu + j * n;
    for (size_t k = 0; k < j; ++k) std::swap(col[k], col[pivot[k]]);
    eliminate(lu, n, j);
    size_t p = j;
    for (size_t i = j + 1; i < n; ++i)
      if (std::abs(col[i]) > std::abs(col[p])) p = i;
    pivot[j] = p;
    if (!(std::abs(col[p]) > 0.0) || !std::isfinite(col[p])) return j;
    if (p != j)
      for (size_t k = 0; k <= j; ++k) std::swap(lu[j + k * n], lu[p + k * n]);
    const double scale = 1.0 / col[j];
    for (size_t i = j + 1; i < n; ++i) col[i] *= scale;
  }
  find_order(n, pivot, order);
  return n;
}

[[gnu::always_inline]] inline size_t factorise_complex(double* real, double* imag, size_t n, size_t* pivot,
                                                       size_t* order) {
#pragma GCC unroll 12
  for (size_t j = 0; j < n; ++j) {
    if (j % 64 == 63) check_stop();
    double* __restrict re = real + j * n, * __restrict im = imag + j * n;
    for (size_t k = 0; k < j; ++k) {
      std::swap(re[k], re[pivot[k]]);
      std::swap(im[k], im[pivot[k]]);
    }
    eliminate(real, imag, n, j);
    // |re| + |im| chooses a pivot as well as the modulus does and needs no square root.
    size_t p = j;
    auto size_of = [&](size_t i) { return std::abs(re[i]) + std::abs(im[i]); };
    for (size_t i = j + 1; i < n; ++i)
      if (size_of(i) > size_of(p)) p = i;
    pivot[j] = p;
    const double norm = re[p] * re[p] + im[p] * im[p];
    if (!(norm > 0.0) || !std::isfinite(norm)) return j;
    if (p != j)
      for (size_t k = 0; k <= j; ++k) {
        std::swap(real[j + k * n], real[p + k * n]);
        std::swap(imag[j + k * n], imag[p + k * n]);
      }
    const double x = re[j] / norm, y = -im[j] / norm;
    for (size_t i = j + 1; i < n; ++i) {
      const double r = re[i] * x - im[i] * y;
      im[i] = re[i] * y + im[i] * x;
      re[i] = r;
    }
  }
  find_order(n, pivot, order);
  return n;
}

// L U x = x, with the rows of x in order already.
[[gnu::always_inline]] inline void substitute(const double* lu, size_t n, double* x) {
#pragma GCC unroll 12
  for (size_t k = 0; k < n; ++k) subtract(x, lu + k * n, x[k], k + 1, n);
#pragma GCC unroll 12
  for (size_t k = n; k-- > 0;) {
    x[k] /= lu[k + k * n];
    subtract(x, lu + k * n, x[k], 0, k);
  }
}

[[gnu::always_inline]] inline void substitute(const double* real, const double* imag, size_t n, double* x, double* y) {
#pragma GCC unroll 12
  for (size_t k = 0; k < n; ++k) subtract(x, y, real + k * n, imag + k * n, x[k], y[k], k + 1, n);
#pragma GCC unroll 12
  for (size_t k = n; k-- > 0;) {
    const double re = real[k + k * n], im = imag[k + k * n], norm = re * re + im * im;
    const double quotient = (x[k] * re + y[k] * im) / norm;
    y[k] = (y[k] * re - x[k] * im) / norm;
    x[k] = quotient;
    subtract(x, y, real + k * n, imag + k * n, x[k], y[k], 0, k);
  }
}

}  // namespace driftless::lu_kernels
