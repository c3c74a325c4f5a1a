#include "driftless/analysis/stability/logarithmic_norm.h"

#include <fmt/format.h>

#include "driftless/analysis/stability/restricted_norm.h"
#include "driftless/core/failure.h"
#include "driftless/linalg/dense.h"

namespace driftless {

namespace {

void require_square(const Matrix& a) {
  if (a.rows() != a.cols() || a.rows() == 0)
    throw Misuse(fmt::format("a logarithmic norm needs a square matrix, but this one is {} x {}", a.rows(), a.cols()));
}

RestrictedNorm on_whole_space(const Matrix& a, const Norm& norm) {
  require_square(a);
  return RestrictedNorm(norm, Matrix::identity(a.rows()));
}

}  // namespace

double operator_norm(const Matrix& a, const Norm& norm) { return on_whole_space(a, norm).norm(a); }
double logarithmic_norm(const Matrix& a, const Norm& norm) { return on_whole_space(a, norm).log_norm(a); }

double least_gain(const Matrix& a, const Norm& norm) {
  require_square(a);
  const auto inverted = inverse(a);
  return inverted ? 1.0 / operator_norm(*inverted, norm) : 0.0;
}

double lower_logarithmic_norm(const Matrix& a, const Norm& norm) {
  Matrix negative = a;
  for (std::size_t k = 0; k < a.rows() * a.cols(); ++k) negative.data()[k] = -negative.data()[k];
  return -logarithmic_norm(negative, norm);
}

}  // namespace driftless
