// Square matrices of a few rows in extended precision, where
// coefficients are computed before they are rounded to double.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "driftless/core/failure.h"
#include "driftless/core/matrix.h"

namespace driftless {

// About 33 digits where the compiler has them; only + - * / are used, so no library is needed.
#if defined(__SIZEOF_FLOAT128__)
__extension__ using Quad = __float128;
#else
using Quad = long double;
#endif

inline double rounded(Quad x) { return static_cast<double>(x); }

// Newton's iteration for the square root, from the double one: 16 -> 32 -> 64 digits.
inline Quad square_root(Quad x) {
  Quad root = std::sqrt(static_cast<double>(x));
  for (int i = 0; i < 3; ++i) root = (root + x / root) / 2;
  return root;
}

template <class Scalar>
class SmallMatrix {
 public:
  explicit SmallMatrix(std::size_t n) : n_(n), entries_(n * n, Scalar(0)) {}
  explicit SmallMatrix(const Matrix& m) : SmallMatrix(m.rows()) {
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < n_; ++j) (*this)(i, j) = m(i, j);
  }

  std::size_t size() const { return n_; }
  Scalar& operator()(std::size_t i, std::size_t j) { return entries_[i * n_ + j]; }
  const Scalar& operator()(std::size_t i, std::size_t j) const { return entries_[i * n_ + j]; }

  std::vector<Scalar> operator*(const std::vector<Scalar>& x) const {
    std::vector<Scalar> product(n_, Scalar(0));
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < n_; ++j) product[i] += (*this)(i, j) * x[j];
    return product;
  }

  Matrix to_double() const {
    Matrix m(n_, n_);
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < n_; ++j) m(i, j) = static_cast<double>((*this)(i, j));
    return m;
  }

 private:
  std::size_t n_;
  std::vector<Scalar> entries_;
};

template <class Scalar>
Scalar magnitude(Scalar x) {
  return x < 0 ? -x : x;
}

// Largest sum of the magnitudes in a row.
template <class Scalar>
Scalar row_norm(const SmallMatrix<Scalar>& m) {
  Scalar norm = 0;
  for (std::size_t i = 0; i < m.size(); ++i) {
    Scalar sum = 0;
    for (std::size_t j = 0; j < m.size(); ++j) sum += magnitude(m(i, j));
    if (sum > norm) norm = sum;
  }
  return norm;
}

// Gauss-Jordan elimination with row pivoting; throws Misuse if a pivot is exactly zero.
template <class Scalar>
SmallMatrix<Scalar> inverse_of(SmallMatrix<Scalar> m) {
  const std::size_t n = m.size();
  SmallMatrix<Scalar> inverse(n);
  for (std::size_t i = 0; i < n; ++i) inverse(i, i) = 1;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (magnitude(m(i, k)) > magnitude(m(pivot, k))) pivot = i;
    if (m(pivot, k) == 0) throw Misuse("the matrix is singular, so it has no inverse");
    for (std::size_t j = 0; j < n; ++j) {
      std::swap(m(k, j), m(pivot, j));
      std::swap(inverse(k, j), inverse(pivot, j));
    }
    const Scalar scale = 1 / m(k, k);
    for (std::size_t j = 0; j < n; ++j) {
      m(k, j) *= scale;
      inverse(k, j) *= scale;
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k || m(i, k) == 0) continue;
      const Scalar factor = m(i, k);
      for (std::size_t j = 0; j < n; ++j) {
        m(i, j) -= factor * m(k, j);
        inverse(i, j) -= factor * inverse(k, j);
      }
    }
  }
  return inverse;
}

// True if elimination finds an inverse whose norm is not an artefact of rounding.
template <class Scalar>
bool invert(const SmallMatrix<Scalar>& a, SmallMatrix<Scalar>& inverse) {
  try {
    inverse = inverse_of(a);
  } catch (const Misuse&) {
    return false;
  }
  return row_norm(a) * row_norm(inverse) < Scalar(1e13);
}

}  // namespace driftless
