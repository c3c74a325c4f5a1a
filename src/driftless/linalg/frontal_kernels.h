// What FrontalLu does with dense blocks, columns one after the other, real (one part) or complex (two parts, real and
// imaginary). Each number is rounded in the same way whatever the processor's registers hold.
#pragma once

#include <cmath>
#include <cstddef>

namespace driftless::frontal {

using std::size_t;

// Where a block begins, by parts.
template <int parts>
struct At {
  double* part[parts];
  At operator+(size_t k) const {
    At result = *this;
    for (double*& p : result.part) p += k;
    return result;
  }
};

using Four [[gnu::vector_size(32), gnu::aligned(8), gnu::may_alias]] = double;

// c -= a b for `height` vectors of rows and `width` columns: what is left of a block in registers.
template <int parts, int height, int width>
[[gnu::always_inline]] inline void subtract_tile(At<parts> c, size_t ldc, At<parts> a, size_t lda, At<parts> b,
                                                 size_t ldb, size_t depth) {
  Four sum[parts][height][width];
  for (int p = 0; p < parts; ++p)
    for (int j = 0; j < width; ++j)
      for (int i = 0; i < height; ++i)
        sum[p][i][j] = *reinterpret_cast<const Four*>(c.part[p] + 4 * i + static_cast<size_t>(j) * ldc);
  for (size_t k = 0; k < depth; ++k) {
    Four left[parts][height];
    for (int p = 0; p < parts; ++p)
      for (int i = 0; i < height; ++i) left[p][i] = *reinterpret_cast<const Four*>(a.part[p] + 4 * i + k * lda);
    for (int j = 0; j < width; ++j) {
      const double re = b.part[0][k + static_cast<size_t>(j) * ldb];
      for (int i = 0; i < height; ++i) sum[0][i][j] -= left[0][i] * re;
      if constexpr (parts == 2) {
        const double im = b.part[1][k + static_cast<size_t>(j) * ldb];
        for (int i = 0; i < height; ++i) {
          sum[1][i][j] -= left[1][i] * re;
          sum[0][i][j] += left[1][i] * im;
          sum[1][i][j] -= left[0][i] * im;
        }
      }
    }
  }
  for (int p = 0; p < parts; ++p)
    for (int j = 0; j < width; ++j)
      for (int i = 0; i < height; ++i)
        *reinterpret_cast<Four*>(c.part[p] + 4 * i + static_cast<size_t>(j) * ldc) = sum[p][i][j];
}

// The same for one row.
template <int parts>
[[gnu::always_inline]] inline void subtract_row(At<parts> c, size_t ldc, At<parts> a, size_t lda, At<parts> b,
                                                size_t ldb, size_t columns, size_t depth) {
  for (size_t j = 0; j < columns; ++j) {
    double sum[parts];
    for (int p = 0; p < parts; ++p) sum[p] = c.part[p][j * ldc];
    for (size_t k = 0; k < depth; ++k) {
      const double re = b.part[0][k + j * ldb];
      sum[0] -= a.part[0][k * lda] * re;
      if constexpr (parts == 2) {
        const double im = b.part[1][k + j * ldb];
        sum[1] -= a.part[1][k * lda] * re;
        sum[0] += a.part[1][k * lda] * im;
        sum[1] -= a.part[0][k * lda] * im;
      }
    }
    for (int p = 0; p < parts; ++p) c.part[p][j * ldc] = sum[p];
  }
}

template <int parts, int width>
[[gnu::always_inline]] inline void subtract_columns(At<parts> c, size_t ldc, At<parts> a, size_t lda, At<parts> b,
                                                    size_t ldb, size_t rows, size_t depth) {
  constexpr int height = 2 / parts;
  size_t i = 0;
  for (; i + 4 * height <= rows; i += 4 * height)
    subtract_tile<parts, height, width>(c + i, ldc, a + i, lda, b, ldb, depth);
  if constexpr (height > 1)
    for (; i + 4 <= rows; i += 4) subtract_tile<parts, 1, width>(c + i, ldc, a + i, lda, b, ldb, depth);
  for (; i < rows; ++i) subtract_row<parts>(c + i, ldc, a + i, lda, b, ldb, width, depth);
}

// c -= a b, c with `rows` and `columns`, a with `depth` columns.
template <int parts>
[[gnu::always_inline]] inline void subtract_product(At<parts> c, size_t ldc, At<parts> a, size_t lda, At<parts> b,
                                                    size_t ldb, size_t rows, size_t columns, size_t depth) {
  size_t j = 0;
  for (; j + 4 <= columns; j += 4) subtract_columns<parts, 4>(c + j * ldc, ldc, a, lda, b + j * ldb, ldb, rows, depth);
  switch (columns - j) {
    case 3: return subtract_columns<parts, 3>(c + j * ldc, ldc, a, lda, b + j * ldb, ldb, rows, depth);
    case 2: return subtract_columns<parts, 2>(c + j * ldc, ldc, a, lda, b + j * ldb, ldb, rows, depth);
    case 1: return subtract_columns<parts, 1>(c + j * ldc, ldc, a, lda, b + j * ldb, ldb, rows, depth);
    default: return;
  }
}

// x -= l u for one column of `rows` numbers.
template <int parts>
[[gnu::always_inline]] inline void subtract_column(At<parts> x, At<parts> l, At<parts> u, size_t rows) {
  const double re = u.part[0][0];
  double* __restrict xr = x.part[0];
  const double* __restrict lr = l.part[0];
  if constexpr (parts == 1) {
    for (size_t i = 0; i < rows; ++i) xr[i] -= lr[i] * re;
  } else {
    const double im = u.part[1][0];
    double* __restrict xi = x.part[1];
    const double* __restrict li = l.part[1];
    for (size_t i = 0; i < rows; ++i) {
      xr[i] = xr[i] - lr[i] * re + li[i] * im;
      xi[i] = xi[i] - li[i] * re - lr[i] * im;
    }
  }
}

// x /= pivot
template <int parts>
[[gnu::always_inline]] inline void divide_by(At<parts> x, At<parts> pivot) {
  const double re = pivot.part[0][0];
  if constexpr (parts == 1) {
    x.part[0][0] /= re;
  } else {
    const double im = pivot.part[1][0], square = re * re + im * im, was = x.part[0][0];
    x.part[0][0] = (was * re + x.part[1][0] * im) / square;
    x.part[1][0] = (x.part[1][0] * re - was * im) / square;
  }
}

// Divides a column below its pivot; false if the pivot is small beside them, or not finite.
template <int parts>
[[gnu::always_inline]] inline bool divide(At<parts> column, size_t rows) {
  constexpr double most = 1e6;  // the square of the growth that is borne
  double re = column.part[0][0], im = 0.0, square = re * re;
  if constexpr (parts == 2) {
    im = column.part[1][0];
    square += im * im;
  }
  if (!(square > 0.0) || !std::isfinite(square)) return false;
  re = parts == 1 ? 1.0 / re : re / square;
  im = -im / square;
  Four sums = {0.0, 0.0, 0.0, 0.0};
  double sum = 0.0;
  size_t i = 1;
  for (; i + 4 <= rows; i += 4) {
    Four& x = *reinterpret_cast<Four*>(column.part[0] + i);
    if constexpr (parts == 1) {
      x = x * re;
      sums += x * x;
    } else {
      Four& y = *reinterpret_cast<Four*>(column.part[1] + i);
      const Four was = x;
      x = was * re - y * im;
      y = was * im + y * re;
      sums += x * x + y * y;
    }
  }
  for (; i < rows; ++i) {
    double& x = column.part[0][i];
    if constexpr (parts == 1) {
      x *= re;
      sum += x * x;
    } else {
      double& y = column.part[1][i];
      const double was = x;
      x = was * re - y * im;
      y = was * im + y * re;
      sum += x * x + y * y;
    }
  }
  return sum + (sums[0] + sums[1] + (sums[2] + sums[3])) < most;
}

constexpr size_t strip = 8;  // columns that are eliminated before the rest hears of it

// x := L^-1 x for `count` rows of x that begin at pivot k, then what that leaves for the rows below, down to `end`.
template <int parts>
[[gnu::always_inline]] inline void eliminate_strip(At<parts> l, size_t ld, size_t k, size_t count, size_t end,
                                                   At<parts> x, size_t ldx, size_t columns) {
  for (size_t j = 0; j < columns; ++j)
    for (size_t p = k; p + 1 < k + count; ++p)
      subtract_column<parts>(x + (p + 1 + j * ldx), l + (p + 1 + p * ld), x + (p + j * ldx), k + count - p - 1);
  const size_t below = k + count;
  if (end > below)
    subtract_product<parts>(x + below, ldx, l + (below + k * ld), ld, x + k, ldx, end - below, columns, count);
}

// The factors of one front: `l` has its columns, `u` what is right of their pivots, `rest` what is left for `later`
// unknowns, whose rows are filled up to `height`. False if a pivot is too small.
template <int parts>
[[gnu::always_inline]] inline bool factorise_front(At<parts> l, At<parts> u, At<parts> rest, size_t columns,
                                                   size_t later, size_t height) {
  const size_t rows = columns + height;
  for (size_t k = 0; k < columns; k += strip) {
    const size_t count = columns - k < strip ? columns - k : strip, end = k + count;
    for (size_t p = k; p < end; ++p) {
      if (!divide<parts>(l + (p + p * rows), rows - p)) return false;
      for (size_t j = p + 1; j < end; ++j)
        subtract_column<parts>(l + (p + 1 + j * rows), l + (p + 1 + p * rows), l + (p + j * rows), rows - p - 1);
    }
    eliminate_strip<parts>(l, rows, k, count, rows, l + end * rows, rows, columns - end);
    eliminate_strip<parts>(l, rows, k, count, columns, u, columns, later);
  }
  subtract_product<parts>(rest, height, l + columns, rows, u, columns, height, later, columns);
  return true;
}

}  // namespace driftless::frontal
