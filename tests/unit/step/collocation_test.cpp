#include "driftless/step/collocation.h"

#include <gtest/gtest.h>

namespace driftless::collocation_test {
namespace {

TEST(Collocation, WeightsWithoutDivisionsAreTheSame) {
  for (int stages : {1, 3, 5, 7, 9}) {
    const RadauConstants& radau = radau_constants(stages);
    Vector expected(radau.c.size()), found(radau.c.size());
    for (double tau : {-0.5, 0.0, 0.3, 1.0, 1.7, 4.0}) {
      collocation_weights(ConstSpan(radau.c), tau, expected);
      collocation_weights(radau, tau, found);
      for (std::size_t j = 0; j < found.size(); ++j)
        EXPECT_NEAR(found[j], expected[j], 1e-13 * (1.0 + std::abs(expected[j]))) << stages << " at " << tau;
    }
  }
}

// They reproduce polynomials of degree s that vanish at 0.
TEST(Collocation, WeightsReproducePolynomials) {
  const RadauConstants& radau = radau_constants(5);
  auto p = [](double x) { return x * (1.0 + x * (0.5 + x * (-2.0 + x * (0.25 + x)))); };
  Vector weights(5);
  for (double tau : {0.2, 1.0, 2.5}) {
    collocation_weights(radau, tau, weights);
    double sum = 0.0;
    for (std::size_t j = 0; j < 5; ++j) sum += weights[j] * p(radau.c[j]);
    EXPECT_NEAR(sum, p(tau), 1e-12 * (1.0 + std::abs(p(tau))));
  }
}

}  // namespace
}  // namespace driftless::collocation_test
