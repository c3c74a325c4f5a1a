// Linear combinations of the columns of a step's stages.
#pragma once

#include <algorithm>

#include "driftless/core/matrix.h"

namespace driftless {

namespace detail {

// With the number of stages known to the compiler, so that it is done in vector registers. `w` in column order.
template <bool add, int s>
[[gnu::noinline]] void combine_rows(const double* __restrict w, const double* __restrict in, double* __restrict out,
                                    std::size_t n, std::size_t rows) {
  for (int i = 0; i < s; ++i) {
    double* __restrict column = out + static_cast<std::size_t>(i) * n;
    for (std::size_t c = 0; c < rows; ++c) {
      double sum = w[i] * in[c];
      for (int j = 1; j < s; ++j) sum += w[i + j * s] * in[static_cast<std::size_t>(j) * n + c];
      if constexpr (add)
        column[c] += sum;
      else
        column[c] = sum;
    }
  }
}

template <bool add, int s>
void combine_columns(const Matrix& weights, double factor, const double* __restrict in, double* __restrict out,
                     std::size_t n) {
  double scaled[s * s];
  const double* w = weights.data();
  if (factor != 1.0) {
    for (int k = 0; k < s * s; ++k) scaled[k] = factor * w[k];
    w = scaled;
  }
  constexpr std::size_t block = 256;  // rows of all columns that stay in the first cache
  for (std::size_t first = 0; first < n; first += block)
    combine_rows<add, s>(w, in + first, out + first, n, std::min(block, n - first));
}

// Any number of stages.
template <bool add>
void combine_any(const Matrix& weights, double factor, const double* in, double* out, std::size_t n) {
  const std::size_t s = weights.rows();
  for (std::size_t i = 0; i < s; ++i)
    for (std::size_t c = 0; c < n; ++c) {
      double sum = factor * weights(i, 0) * in[c];
      for (std::size_t j = 1; j < s; ++j) sum += factor * weights(i, j) * in[j * n + c];
      out[i * n + c] = add ? out[i * n + c] + sum : sum;
    }
}

}  // namespace detail

// out(:, i) = sum_j factor weights(i, j) in(:, j), or added to it, for columns of n numbers one after the other.
template <bool add = false>
void combine_stages(const Matrix& weights, double factor, const double* in, double* out, std::size_t n) {
  switch (weights.rows()) {
    case 1: return detail::combine_columns<add, 1>(weights, factor, in, out, n);
    case 2: return detail::combine_columns<add, 2>(weights, factor, in, out, n);
    case 3: return detail::combine_columns<add, 3>(weights, factor, in, out, n);
    case 4: return detail::combine_columns<add, 4>(weights, factor, in, out, n);
    case 5: return detail::combine_columns<add, 5>(weights, factor, in, out, n);
    case 7: return detail::combine_columns<add, 7>(weights, factor, in, out, n);
    case 9: return detail::combine_columns<add, 9>(weights, factor, in, out, n);
    default: return detail::combine_any<add>(weights, factor, in, out, n);
  }
}
template <bool add = false>
void combine_stages(const Matrix& weights, double factor, const Matrix& in, Matrix& out) {
  combine_stages<add>(weights, factor, in.data(), out.data(), in.rows());
}

}  // namespace driftless
