#include "driftless/linalg/constant_matrix.h"

#include <gtest/gtest.h>

#include <complex>

#include "tests/unit/linalg/random_matrix.h"

namespace driftless::constant_matrix_test {
namespace {

TEST(ConstantMatrix, KeepsWhatIsNotZeroAndMultiplies) {
  Matrix a = RandomMatrices(3).matrix(4, 3);
  a(0, 0) = a(2, 1) = a(3, 1) = 0.0;
  const ConstantMatrix sparse(a);
  EXPECT_EQ(sparse.entries().size(), 9u);
  const Vector x = {1.0, -2.0, 0.5}, z = {3.0, 1.0, -1.0, 2.0};
  Vector y(4, 1.0), w(3, 1.0);
  sparse.add_product(ConstSpan(x), Span(y));
  sparse.add_transposed_product(ConstSpan(z), Span(w));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(y[i], 1.0 + times(a, x)[i], 1e-15);
  for (std::size_t j = 0; j < 3; ++j) {
    double sum = 1.0;
    for (std::size_t i = 0; i < 4; ++i) sum += a(i, j) * z[i];
    EXPECT_NEAR(w[j], sum, 1e-15);
  }
}

TEST(ConstantMatrix, MultipliesComplexNumbers) {
  const Matrix a = RandomMatrices(4).matrix(2, 2);
  using Complex = std::complex<double>;
  const std::vector<Complex> x = {{1.0, 2.0}, {-3.0, 0.5}};
  std::vector<Complex> y(2);
  ConstantMatrix(a).add_product(std::span<const Complex>(x), std::span<Complex>(y));
  for (std::size_t i = 0; i < 2; ++i) EXPECT_LT(std::abs(y[i] - (a(i, 0) * x[0] + a(i, 1) * x[1])), 1e-15);
}

}  // namespace
}  // namespace driftless::constant_matrix_test
