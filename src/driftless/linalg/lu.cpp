#include "driftless/linalg/lu.h"

#include <cmath>
#include <utility>

namespace driftless {

namespace {

// y -= x a for columns that do not overlap, and the same for complex numbers in two parts: what all loops here are made
// of.
inline void subtract(double* __restrict y, const double* __restrict a, double x, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) y[i] -= a[i] * x;
}
inline void subtract(double* __restrict yr, double* __restrict yi, const double* __restrict ar,
                     const double* __restrict ai, double xr, double xi, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    yr[i] -= ar[i] * xr - ai[i] * xi;
    yi[i] -= ar[i] * xi + ai[i] * xr;
  }
}

// Column j of U and the not yet scaled column of L: x_k = u_kj in turn, four columns of L per pass.
inline void eliminate(double* lu, std::size_t n, std::size_t j) {
  double* __restrict col = lu + j * n;
  std::size_t k = 0;
  for (; k + 4 <= j; k += 4) {
    const double* __restrict l0 = lu + k * n, * __restrict l1 = l0 + n, * __restrict l2 = l1 + n, * __restrict l3 = l2 + n;
    const double x0 = col[k];
    const double x1 = col[k + 1] - l0[k + 1] * x0;
    const double x2 = col[k + 2] - l0[k + 2] * x0 - l1[k + 2] * x1;
    const double x3 = col[k + 3] - l0[k + 3] * x0 - l1[k + 3] * x1 - l2[k + 3] * x2;
    col[k + 1] = x1;
    col[k + 2] = x2;
    col[k + 3] = x3;
    for (std::size_t i = k + 4; i < n; ++i) col[i] -= l0[i] * x0 + l1[i] * x1 + l2[i] * x2 + l3[i] * x3;
  }
  for (; k < j; ++k) {
    subtract(col, lu + k * n, col[k], k + 1, n);
  }
}

}  // namespace

bool RealLu::factorise() {
  const std::size_t n = size();
  double* lu = lu_.data();
  for (std::size_t j = 0; j < n; ++j) {
    double* col = lu + j * n;
    for (std::size_t k = 0; k < j; ++k) std::swap(col[k], col[pivot_[k]]);
    eliminate(lu, n, j);
    std::size_t p = j;
    for (std::size_t i = j + 1; i < n; ++i)
      if (std::abs(col[i]) > std::abs(col[p])) p = i;
    pivot_[j] = p;
    if (!(std::abs(col[p]) > 0.0) || !std::isfinite(col[p])) {
      failed_column_ = j;
      return false;
    }
    if (p != j)
      for (std::size_t k = 0; k <= j; ++k) std::swap(lu[j + k * n], lu[p + k * n]);
    const double scale = 1.0 / col[j];
    for (std::size_t i = j + 1; i < n; ++i) col[i] *= scale;
  }
  return true;
}

void RealLu::solve(Span b) const {
  const std::size_t n = size();
  const double* lu = lu_.data();
  for (std::size_t k = 0; k < n; ++k)
    std::swap(b[k], b[pivot_[k]]);  // all of them: the columns of L have been swapped as well
  for (std::size_t k = 0; k < n; ++k) {
    subtract(b.data(), lu + k * n, b[k], k + 1, n);
  }
  for (std::size_t k = n; k-- > 0;) {
    b[k] /= lu[k + k * n];
    subtract(b.data(), lu + k * n, b[k], 0, k);
  }
}

void ComplexLu::eliminate_column(std::size_t j) {
  const std::size_t n = size();
  double* __restrict re = re_.data() + j * n, * __restrict im = im_.data() + j * n;
  std::size_t k = 0;
  for (; k + 2 <= j; k += 2) {
    const double* __restrict r0 = re_.data() + k * n, * __restrict i0 = im_.data() + k * n, * __restrict r1 = r0 + n, * __restrict i1 = i0 + n;
    const double x0 = re[k], y0 = im[k];
    const double x1 = re[k + 1] - (r0[k + 1] * x0 - i0[k + 1] * y0);
    const double y1 = im[k + 1] - (r0[k + 1] * y0 + i0[k + 1] * x0);
    re[k + 1] = x1;
    im[k + 1] = y1;
    for (std::size_t i = k + 2; i < n; ++i) {
      re[i] -= r0[i] * x0 - i0[i] * y0 + r1[i] * x1 - i1[i] * y1;
      im[i] -= r0[i] * y0 + i0[i] * x0 + r1[i] * y1 + i1[i] * x1;
    }
  }
  for (; k < j; ++k) subtract(re, im, re_.data() + k * n, im_.data() + k * n, re[k], im[k], k + 1, n);
}

bool ComplexLu::factorise() {
  const std::size_t n = size();
  for (std::size_t j = 0; j < n; ++j) {
    double *re = re_.data() + j * n, *im = im_.data() + j * n;
    for (std::size_t k = 0; k < j; ++k) {
      std::swap(re[k], re[pivot_[k]]);
      std::swap(im[k], im[pivot_[k]]);
    }
    eliminate_column(j);
    // |re| + |im| chooses a pivot as well as the modulus does and needs no square root.
    std::size_t p = j;
    auto size_of = [&](std::size_t i) { return std::abs(re[i]) + std::abs(im[i]); };
    for (std::size_t i = j + 1; i < n; ++i)
      if (size_of(i) > size_of(p)) p = i;
    pivot_[j] = p;
    const double norm = re[p] * re[p] + im[p] * im[p];
    if (!(norm > 0.0) || !std::isfinite(norm)) {
      failed_column_ = j;
      return false;
    }
    if (p != j)
      for (std::size_t k = 0; k <= j; ++k) {
        std::swap(re_(j, k), re_(p, k));
        std::swap(im_(j, k), im_(p, k));
      }
    const double x = re[j] / norm, y = -im[j] / norm;
    double* __restrict below_re = re, * __restrict below_im = im;
    for (std::size_t i = j + 1; i < n; ++i) {
      const double r = below_re[i] * x - below_im[i] * y;
      below_im[i] = below_re[i] * y + below_im[i] * x;
      below_re[i] = r;
    }
  }
  return true;
}

void ComplexLu::solve(Span br, Span bi) const {
  const std::size_t n = size();
  for (std::size_t k = 0; k < n; ++k) {
    std::swap(br[k], br[pivot_[k]]);
    std::swap(bi[k], bi[pivot_[k]]);
  }
  for (std::size_t k = 0; k < n; ++k)
    subtract(br.data(), bi.data(), re_.data() + k * n, im_.data() + k * n, br[k], bi[k], k + 1, n);
  for (std::size_t k = n; k-- > 0;) {
    const double *r = re_.data() + k * n, *s = im_.data() + k * n;
    const double norm = r[k] * r[k] + s[k] * s[k];
    const double x = (br[k] * r[k] + bi[k] * s[k]) / norm;
    const double y = (bi[k] * r[k] - br[k] * s[k]) / norm;
    br[k] = x;
    bi[k] = y;
    subtract(br.data(), bi.data(), r, s, x, y, 0, k);
  }
}

}  // namespace driftless
