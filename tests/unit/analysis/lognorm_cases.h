// Norms of every kind, for tests that must hold in all of them.
#pragma once

#include <string>
#include <vector>

#include "driftless/analysis/stability/vector_norm.h"
#include "tests/unit/linalg/random_matrix.h"

namespace driftless {

struct NormCase {
  std::string name;
  Norm norm;
};

inline std::vector<NormCase> norms_of(std::size_t n, unsigned seed = 7) {
  RandomMatrices random(seed);
  Vector weights(n);
  for (double& w : weights) w = 1.5 + random.number();
  Matrix regular = random.positive_definite(n);
  regular(0, n - 1) += 0.7;
  return {{"one", Norm::one()},
          {"two", Norm::two()},
          {"maximum", Norm::maximum()},
          {"weighted one", Norm::weighted(Norm::Kind::one, weights)},
          {"weighted two", Norm::weighted(Norm::Kind::two, weights)},
          {"weighted maximum", Norm::weighted(Norm::Kind::maximum, weights)},
          {"inner product", Norm::inner_product(random.positive_definite(n))},
          {"transformed one", Norm::transformed(Norm::Kind::one, regular)},
          {"transformed maximum", Norm::transformed(Norm::Kind::maximum, regular)}};
}

inline Vector sum_of(const Vector& a, const Vector& b, double factor = 1.0) {
  Vector c = a;
  for (std::size_t i = 0; i < c.size(); ++i) c[i] += factor * b[i];
  return c;
}
inline Matrix sum_of(const Matrix& a, const Matrix& b, double factor = 1.0) {
  Matrix c = a;
  for (std::size_t k = 0; k < c.rows() * c.cols(); ++k) c.data()[k] += factor * b.data()[k];
  return c;
}
inline Vector scaled(Vector a, double factor) {
  for (double& x : a) x *= factor;
  return a;
}
inline Matrix scaled(Matrix a, double factor) {
  for (std::size_t k = 0; k < a.rows() * a.cols(); ++k) a.data()[k] *= factor;
  return a;
}

}  // namespace driftless
