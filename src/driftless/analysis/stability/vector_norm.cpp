#include "driftless/analysis/stability/vector_norm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/core/failure.h"
#include "driftless/linalg/dense.h"

namespace driftless {

Norm Norm::weighted(Kind kind, Vector weights) {
  Matrix w(weights.size(), weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] > 0.0) || !std::isfinite(weights[i]))
      throw Misuse(fmt::format("weights of a norm must be positive, but number {} is {}", i, weights[i]));
    w(i, i) = weights[i];
  }
  Norm norm(kind);
  norm.w_ = std::move(w);
  norm.diagonal_ = true;
  return norm;
}

Norm Norm::inner_product(const Matrix& g) {
  const std::size_t n = g.rows();
  if (g.cols() != n)
    throw Misuse(fmt::format("an inner product needs a square matrix, but it is {} x {}", n, g.cols()));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (!(std::abs(g(i, j) - g(j, i)) <= 1e-12 * std::sqrt(std::abs(g(i, i) * g(j, j)))))
        throw Misuse(fmt::format("an inner product needs a symmetric matrix, but entries ({}, {}) are {} and {}", i, j,
                                 g(i, j), g(j, i)));
  // G = L L^T by Cholesky, W = L^T.
  Matrix w(n, n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = j; i < n; ++i) {
      double sum = g(i, j);
      for (std::size_t k = 0; k < j; ++k) sum -= w(k, i) * w(k, j);
      if (i > j) {
        w(j, i) = sum / w(j, j);
      } else {
        if (!(sum > 0.0)) throw Misuse("an inner product needs a positive definite matrix, but this one is not");
        w(j, j) = std::sqrt(sum);
      }
    }
  }
  Norm norm(Kind::two);
  norm.w_ = std::move(w);
  return norm;
}

Norm Norm::transformed(Kind kind, Matrix w) {
  if (w.rows() != w.cols() || !inverse(w)) throw Misuse("the matrix of a norm |W x| must be square and regular");
  Norm norm(kind);
  norm.w_ = std::move(w);
  return norm;
}

Norm Norm::by_name(std::string_view name) {
  if (name == "1") return one();
  if (name == "2") return two();
  if (name == "inf" || name == "max") return maximum();
  throw Misuse(fmt::format("no norm is called '{}'; known: 1, 2, inf", name));
}

void Norm::require_size(std::size_t n) const {
  if (w_ && w_->rows() != n)
    throw Misuse(fmt::format("the norm is one of {} components, but was asked for {}", w_->rows(), n));
}

Vector Norm::transform(ConstSpan x) const {
  require_size(x.size());
  return w_ ? product(*w_, x) : Vector(x.begin(), x.end());
}

Matrix Norm::transform(ConstMatrixView a) const {
  require_size(a.rows);
  return w_ ? product(*w_, a) : copy_of(a);
}

double Norm::operator()(ConstSpan x) const {
  const Vector y = transform(x);
  double scale = 0.0, sum = 0.0;
  for (const double value : y) {
    if (std::isnan(value)) return value;
    scale = std::fmax(scale, std::abs(value));
    sum += std::abs(value);
  }
  if (kind_ == Kind::maximum || scale == 0.0 || std::isinf(scale)) return scale;
  if (kind_ == Kind::one) return sum;
  double squares = 0.0;
  for (const double value : y) squares += (value / scale) * (value / scale);
  return scale * std::sqrt(squares);
}

std::string Norm::name() const {
  const char* plain = kind_ == Kind::one ? "1-norm" : kind_ == Kind::two ? "2-norm" : "maximum norm";
  if (!w_) return plain;
  if (diagonal_) return fmt::format("weighted {}", plain);
  return kind_ == Kind::two ? "inner-product norm" : fmt::format("transformed {}", plain);
}

}  // namespace driftless
