// Reproducible matrices for tests.
#pragma once

#include <random>

#include "driftless/core/matrix.h"

namespace driftless {

class RandomMatrices {
 public:
  explicit RandomMatrices(unsigned seed) : engine_(seed) {}

  double number() { return std::uniform_real_distribution<double>(-1.0, 1.0)(engine_); }
  Vector vector(std::size_t n) {
    Vector x(n);
    for (double& value : x) value = number();
    return x;
  }
  Matrix matrix(std::size_t rows, std::size_t cols) {
    Matrix a(rows, cols);
    for (std::size_t j = 0; j < cols; ++j)
      for (std::size_t i = 0; i < rows; ++i) a(i, j) = number();
    return a;
  }
  // B B^T + I / 2: symmetric positive definite.
  Matrix positive_definite(std::size_t n) {
    const Matrix b = matrix(n, n);
    Matrix a(n, n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t k = 0; k < n; ++k) a(i, j) += b(i, k) * b(j, k);
        if (i == j) a(i, j) += 0.5;
      }
    return a;
  }

 private:
  std::mt19937 engine_;
};

inline Vector times(const Matrix& a, const Vector& x) {
  Vector y(a.rows());
  for (std::size_t j = 0; j < a.cols(); ++j)
    for (std::size_t i = 0; i < a.rows(); ++i) y[i] += a(i, j) * x[j];
  return y;
}
inline Matrix transposed(const Matrix& a) {
  Matrix b(a.cols(), a.rows());
  for (std::size_t j = 0; j < a.cols(); ++j)
    for (std::size_t i = 0; i < a.rows(); ++i) b(j, i) = a(i, j);
  return b;
}
inline Vector transposed_times(const Matrix& a, const Vector& x) {
  Vector y(a.cols());
  for (std::size_t j = 0; j < a.cols(); ++j)
    for (std::size_t i = 0; i < a.rows(); ++i) y[j] += a(i, j) * x[i];
  return y;
}

}  // namespace driftless
